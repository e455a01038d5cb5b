"""What is said where a call does not fit a function, its input_signature, its trace."""

import numpy as np
import pytest

import autograph as ag
from tests.errors.saying import Case, Cases, check, raised

Spec = ag.TensorSpec
XY = np.array([1.0, 2.0])
CASES = Cases()


@ag.function
def scale(x, y, factor=2):
    return (x + y) * factor


traced = scale.get_concrete_function(XY, XY, 3)
changing = ag.function(lambda x, y: x.fill(y[0])).get_concrete_function(XY, XY * 1)
add = ag.function(lambda x, y: x + y)
add(XY, XY)
once = add.concrete_functions[0]


@CASES.plainly_says("""
    TypeError: scale: `x` is int32[2], but this trace was made for float64[2]
      Convert the argument, or call `scale` itself, which makes a trace for each
          kind of arguments.
    """)
def dtype_of_a_trace():
    traced(XY.astype(np.int32), XY)


@CASES.plainly_says("""
    TypeError: scale: `y` is float64[3], but this trace was made for float64[2]
      Convert the argument, or call `scale` itself, which makes a trace for each
          kind of arguments.
    """)
def shape_of_a_trace():
    traced(XY, np.ones(3))


@CASES.plainly_says("""
    TypeError: scale: the arguments ((float64[2], float64[2]), float64[2]) are
          nested in another way than (x: float64[2], y: float64[2], factor: 3),
          which this
          trace was made for
      Convert the argument, or call `scale` itself, which makes a trace for each
          kind of arguments.
    """)
def nesting_of_a_trace():
    traced((XY, XY), XY)


@CASES.plainly_says("""
    TypeError: scale: `factor` is 4, but this trace was made for the constant 3
      Convert the argument, or call `scale` itself, which makes a trace for each
          kind of arguments.
    """)
def constant_of_a_trace():
    traced(XY, XY, 4)


@CASES.plainly_says("""
    TypeError: scale: `y` is 3, but this trace was made for float64[2]
      Convert the argument, or call `scale` itself, which makes a trace for each
          kind of arguments.
    """)
def number_for_an_array_of_a_trace():
    traced(XY, 3)


@CASES.plainly_says("""
    TypeError: scale() is missing the argument `y`
    """)
def missing_argument_of_a_trace():
    traced(XY)


@CASES.plainly_says("""
    TypeError: scale() takes from 2 to 3 positional arguments but 4 were given
    """)
def too_many_arguments_of_a_trace():
    traced(XY, XY, 3, 4)


@CASES.plainly_says("""
    TypeError: scale() got an unexpected keyword argument 'other'
    """)
def unexpected_argument_of_a_trace():
    traced(XY, XY, other=1)


@CASES.plainly_says("""
    TypeError: <lambda>: `x` and `y` are two arrays, but this trace was made for
          one, passed twice
      Convert the argument, or call `<lambda>` itself, which makes a trace for each
          kind of arguments.
    """)
def two_arrays_where_a_trace_had_one():
    once(XY, XY * 2)


@CASES.plainly_says("""
    TypeError: <lambda>: `y` is passed twice, but this trace, which changes its
          arguments, was made for two arrays
      Convert the argument, or call `<lambda>` itself, which makes a trace for each
          kind of arguments.
    """)
def one_array_where_a_changing_trace_had_two():
    changing(XY, XY)


@CASES.plainly_says("""
    TypeError: scale() missing 1 required positional argument: 'y'
    """)
def missing_argument():
    scale(XY)


@CASES.plainly_says("""
    TypeError: scale() takes from 2 to 3 positional arguments but 4 were given
    """)
def too_many_arguments():
    scale(XY, XY, 2, 3)


@CASES.plainly_says("""
    TypeError: scale() got an unexpected keyword argument 'other'
    """)
def unexpected_argument():
    scale(XY, XY, other=2)


@CASES.plainly_says("""
    TypeError: scale() got multiple values for argument 'x'
    """)
def argument_given_twice():
    scale(XY, XY, x=2)


@CASES.plainly_says("""
    TypeError: input_signature must be a list or tuple of TensorSpecs, one for each
          argument, not a TensorSpec
    """)
def signature_that_is_no_sequence():
    ag.function(input_signature=Spec([None], float))


@CASES.plainly_says("""
    TypeError: input_signature must hold TensorSpecs only, but it holds <class
          'numpy.float64'>
    """)
def signature_of_types():
    ag.function(input_signature=[np.float64])


@CASES.plainly_says("""
    TypeError: a TensorSpec's shape is a sequence of dims or None, not 3; write (3,)
    """)
def spec_of_a_number():
    Spec(3, float)


@CASES.plainly_says("""
    ValueError: python_effects is "run" or "trace", not 'never'
    """)
def effects_that_are_neither():
    ag.function(python_effects="never")


@CASES.plainly_says("""
    TypeError: the input_signature of scale() has 1 spec, but `y` needs one too
    """)
def signature_with_too_few_specs():
    ag.function(input_signature=[Spec([None], float)])(scale.python_function)


@CASES.plainly_says("""
    TypeError: the input_signature of scale() has 4 specs, but the function takes 3
          arguments
    """)
def signature_with_too_many_specs():
    ag.function(input_signature=[Spec([None], float)] * 4)(scale.python_function)


@ag.function(input_signature=[Spec([None], np.float32), Spec((), np.int64)])
def times(x, n, plus=1):
    return x * n + plus


@CASES.plainly_says("""
    TypeError: times: `n` is 1.5, which does not fit int64[] of the input_signature
    """)
def number_of_another_kind():
    times(XY, 1.5)


@CASES.plainly_says("""
    TypeError: times: `x` is [1j], which does not fit float32[?] of the
          input_signature
    """)
def list_of_another_kind():
    times([1j], 1)


@CASES.plainly_says("""
    TypeError: times: `x` is float64[2,2], which does not fit float32[?] of the
          input_signature
    """)
def array_of_another_shape():
    times(np.ones((2, 2)), 1)


@CASES.plainly_says("""
    TypeError: times: `x` is 'abc', which does not fit float32[?] of the
          input_signature
    """)
def text_for_a_spec():
    times("abc", 1)


@CASES.plainly_says("""
    TypeError: times: `x` is None, which does not fit float32[?] of the
          input_signature
    """)
def none_for_a_spec():
    times(None, 1)


@CASES.plainly_says("""
    TypeError: times: `x` is [[1], [1, 2]], which does not fit float32[?] of the
          input_signature
    """)
def ragged_list_for_a_spec():
    times([[1], [1, 2]], 1)


@CASES.plainly_says("""
    TypeError: times() has an input_signature without a spec for `plus`, so only its
          default can be passed
    """)
def argument_without_a_spec():
    times(XY, 1, 2)


@CASES.plainly_says("""
    TypeError: times() missing 1 required positional argument: 'n'
    """)
def missing_argument_with_a_spec():
    times(XY)


@ag.function(input_signature=[{"w": Spec([None], float)}])
def weigh(parameters, **options):
    return parameters["w"].sum()


@CASES.plainly_says("""
    TypeError: weigh() has an input_signature without a spec for `fast`
    """)
def keyword_without_a_spec():
    weigh({"w": XY}, fast=True)


@CASES.plainly_says("""
    TypeError: weigh: `parameters` is {'v': float64[2]}, which is not nested as
          {'w': float64[?]} of the input_signature
    """)
def structure_of_a_spec():
    weigh({"v": XY})


@CASES.plainly_says("""
    TypeError: weigh: `parameters['w']` is 'abc', which does not fit float64[?] of
          the input_signature
    """)
def part_of_a_structure():
    weigh({"w": "abc"})


@CASES.plainly_says("""
    TypeError: times: `x` is float32[2,2], which does not fit float32[?] of the
          input_signature
    """)
def spec_that_does_not_fit():
    times.get_concrete_function(Spec([2, 2], np.float32), Spec((), np.int64))


@CASES.plainly_says("""
    TypeError: times: `n` is 1180591620717411303424, which does not fit int64[] of
          the input_signature
    """)
def number_that_is_too_large_for_a_spec():
    times(XY, 2**70)


@ag.function(input_signature=[Spec([None], np.int8)])
def small(x):
    return x


@CASES.plainly_says("""
    TypeError: small: `x` is int64[2] of 1 to 300, which does not fit int8[?] of the
          input_signature
    """)
def array_that_is_too_large_for_a_spec():
    small(np.array([1, 300]))


@CASES.plainly_says("""
    TypeError: times: `x` is [1e+300], which does not fit float32[?] of the
          input_signature
    """)
def float_that_is_too_large_for_a_spec():
    times([1e300], 1)


@CASES.plainly_says("""
    TypeError: a dim is a size of at least 0, a name or None, not 2.5
    """)
def spec_of_half_a_size():
    Spec((2.5,), float)


@CASES.plainly_says("""
    TypeError: autograph must be True or False, not 'no'
    """)
def option_of_another_type():
    ag.function(autograph="no")


@CASES.plainly_says("""
    TypeError: ag.function decorates functions, not 3
    """)
def decorated_number():
    ag.function(3)


@CASES.plainly_says("""
    TypeError: static_args must be names of arguments, not [0]
    """)
def arguments_by_their_positions():
    ag.function(static_args=[0])


small_trace = scale.get_concrete_function(XY, XY)


@CASES.says(
    """
    TypeError: scale: `x` is float64[3], but this trace was made for float64[2]
      Convert the argument, or call `scale` itself, which makes a trace for each kind
          of arguments.
    """,
    np.ones(3),
)
def trace_called_in_another_trace(x):
    return small_trace(x, x)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


def test_a_refused_call_leaves_the_function_as_it_was():
    for case in CASES:
        raised(case)
    assert scale(XY, XY).tolist() == [4.0, 8.0]
    assert times(XY, 2).tolist() == [3.0, 5.0]
    assert len(times.concrete_functions) == 1

"""Many traces: the warning that names the argument, and which traces are kept."""

import gc
import warnings
import weakref

import numpy as np
import pytest

import autograph as ag

pytestmark = pytest.mark.usefixtures("others_set_aside")

ones = np.ones


def told(program, calls, **options):
    """The warnings of these calls."""
    staged = ag.function(program, **options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for given in calls:
            staged(*given)
    assert {each.filename for each in caught} <= {__file__}
    return [str(each.message) for each in caught]


def length(x, key):
    return x * len(key)


def sized(x, key):
    return x * np.dtype(key).itemsize


def transformed(x, n):
    return np.fft.fft(x, n=n)


COSTS = (
    "Each trace costs time and memory, so calls of a new kind are run as Python until "
    "they come again. "
)


@pytest.mark.parametrize(
    ("program", "calls", "options", "message"),
    [
        (
            sized,
            [(1.5, f"S{n}") for n in range(1, 31)],
            {},
            f"argument `key`: 'S19' -> 'S20'. {COSTS}Pass few texts for `key`, or "
            "decorate what it does not reach.",
        ),
        (
            length,
            [(1.5, ["a"] * n) for n in range(30)],
            {},
            f"argument `key`: a list of 18 -> a list of 19. {COSTS}Pass an array for "
            "`key`, or lists of one length.",
        ),
        (
            length,
            [(1.5, ones(n)) for n in range(30)],
            {"reduce_retracing": False},
            f"argument `key`: float64[18] -> float64[19]. {COSTS}Give an "
            "input_signature, which may have unknown sizes, for `key`.",
        ),
        (
            transformed,
            [(ones(3), n) for n in range(1, 30)],
            {},
            f"argument `n`: 19 -> 20. {COSTS}Pass an array or a NumPy scalar for `n`, "
            "which is an input always.",
        ),
    ],
)
def test_one_warning_names_the_argument_and_the_cure(program, calls, options, message):
    start = f"{program.__name__}() has been traced 20 times, the last ones for its "
    assert told(program, calls, **options) == [start + message]


def test_objects_that_differ_are_told():
    things = [type("Thing", (), {"__repr__": lambda self: "one"})() for _ in range(30)]
    (message,) = told(lambda x, key: x, [(1.5, thing) for thing in things])
    assert message.endswith(
        "argument `key`: one (Thing) -> one (Thing). "
        + COSTS
        + "Pass one object, or numbers and arrays in place of objects."
    )


class Model:
    def __init__(self, k):
        self.k = ag.Variable(ones(2) * k)

    @ag.function
    def scale(me, x):
        return me.k * x


def test_many_instances_are_no_reason_to_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        models = [Model(k) for k in range(30)]
        assert [model.scale(2.0)[0] for model in models] == [2.0 * k for k in range(30)]


def test_traces_and_what_they_hold_go_with_the_instance():
    class Own(Model):
        scale = ag.function(Model.scale.python_function)

    models = [Own(k) for k in range(3)]
    for model in models:
        model.scale(2.0)
    variables = [weakref.ref(model.k) for model in models]
    assert len(Own.scale.concrete_functions) == 3
    del model
    models.clear()
    gc.collect()
    assert [variable() for variable in variables] == [None] * 3
    assert Own.scale.concrete_functions == []


def test_no_more_traces_are_kept_than_are_wanted():
    staged = ag.function(length)
    with ag.config(traces=3):
        for n in range(1, 6):
            assert staged(ones(1), (None,) * n) == n
            assert staged(ones(1), "b") == 1
        kept = [row.signature.count("key[") for row in staged.traces()]
        assert kept == [0, 4, 5]
        assert staged(ones(1), (None,)) == 1
    assert len(staged.concrete_functions) == 3


def counted_traces(calls):
    staged = ag.function(length, reduce_retracing=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size in calls:
            assert np.array_equal(staged(1.5, ones(size)), 1.5 * size)
    return len(staged.concrete_functions)


def test_after_many_traces_a_kind_of_call_is_traced_when_it_comes_again():
    known = list(range(20))
    assert counted_traces([*known, 50, 51, 52]) == 20
    assert counted_traces([*known, 50, 51, 50]) == 21
    assert counted_traces([*known, 50, 51, 50, 50, 51, 51]) == 22
    more = [size for size in range(40) for _ in range(2)]
    assert counted_traces([*more, 50, 50, 50]) == 40
    assert counted_traces([*more, 50, 50, 50, 50]) == 41


def test_a_trace_that_is_asked_for_is_made_at_once():
    staged = ag.function(length, reduce_retracing=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size in range(20):
            staged(1.5, ones(size))
    assert staged.cost(1.5, ones(50)).result == 75.0
    staged.get_concrete_function(1.5, ones(51))
    assert len(staged.concrete_functions) == 22


def test_a_call_that_is_run_as_python_says_why(caplog):
    staged = ag.function(length, reduce_retracing=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for size in range(20):
            staged(1.5, ones(size))
    with ag.config(log="exec"), caplog.at_level("INFO"):
        staged(1.5, ones(50))
    assert "it has many traces, and calls of this kind are new" in caplog.text

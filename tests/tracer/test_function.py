"""Function and ConcreteFunction: methods, calls, results, signatures, threads."""

import collections
import dataclasses
import functools
import inspect
import subprocess
import sys
import textwrap
import threading
from typing import Any

import numpy as np
import pytest

import autograph as ag
from runtime import build

XY = np.array([1.0, 2.0])
Spec = ag.TensorSpec
Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    weight: Any
    bias: Any = 0


def plain(x, /, y=2, *rest, k: int = 1, **named) -> Any:
    """Doc of plain."""
    return x * y * k


def test_name_doc_signature_and_the_function_itself_are_kept():
    function = ag.function(plain)
    assert (function.__name__, function.__doc__) == ("plain", "Doc of plain.")
    assert function.__qualname__ == "plain"
    assert function.__module__ == __name__
    assert inspect.signature(function) == inspect.signature(plain)
    assert function.__wrapped__ is function.python_function is plain
    assert repr(function) == (
        "<Function plain(x, /, y=2, *rest, k: int = 1, **named) -> Any: 0 traces>"
    )


def test_a_decorator_above_wraps_a_function_as_any_other():
    @functools.wraps(plain)
    def logged(*args):
        return ag.function(plain)(*args)

    assert logged(XY).tolist() == [2.0, 4.0]
    assert logged.__name__ == "plain"


class Model:
    def __init__(self, factor: float) -> None:
        self.factor = factor

    @ag.function
    def scale(self, x):
        """Doc of scale."""
        return x * self.factor

    @classmethod
    @ag.function
    def double(cls, x):
        return x * 2

    @staticmethod
    @ag.function
    def triple(x):
        return x * 3

    @property
    @ag.function
    def weight(self):
        return XY * self.factor

    @ag.function(input_signature=[Spec([None], float)])
    def total(self, x):
        return (x * self.factor).sum()

    @ag.function
    def __call__(self, x):
        return x + self.factor


def test_methods_know_their_instance():
    two, three = Model(2), Model(3)
    assert two.scale(XY).tolist() == [2.0, 4.0]
    assert three.scale(XY).tolist() == [3.0, 6.0]
    assert Model.scale(two, XY).tolist() == [2.0, 4.0]
    assert len(Model.scale.concrete_functions) == 2
    assert two.scale.__doc__ == "Doc of scale."
    assert two.scale == two.scale
    assert two.scale != three.scale


def test_class_and_static_methods_properties_and_calls_of_instances():
    model = Model(2)
    assert Model.double(XY).tolist() == model.double(XY).tolist() == [2.0, 4.0]
    assert model.triple(XY).tolist() == [3.0, 6.0]
    assert model.weight.tolist() == [2.0, 4.0]
    assert model(XY).tolist() == [3.0, 4.0]


def test_an_input_signature_of_a_method_leaves_out_the_instance():
    model = Model(2)
    assert model.total([1, 2]) == 6.0
    assert model.total(np.ones(5)) == 10.0
    assert len(Model.total.concrete_functions) == 1
    assert model.total.get_concrete_function()(model, np.ones(3)) == 6.0


def test_a_function_called_inside_another_is_part_of_its_trace():
    inner = ag.function(lambda x: x * 2 if x.sum() > 0 else x)
    outer = ag.function(lambda x: inner(x) + 1)
    assert outer(XY).tolist() == [3.0, 5.0]
    assert outer(-XY).tolist() == [0.0, -1.0]
    assert len(inner.concrete_functions) == 0


def test_a_function_without_arguments_called_before_is_traced_into_another(capsys):
    hello = ag.function(lambda: print("hello"))
    hello()
    run = ag.do_not_convert(lambda: hello())

    @ag.function
    def outer(x):
        run()
        return x

    outer(XY)
    outer(XY)
    assert capsys.readouterr().out == "hello\n" * 3


def test_a_function_may_call_itself():
    @ag.function
    def power(x, n):
        return x if n == 0 else power(x * 2, n - 1)

    assert power(XY, 3).tolist() == [8.0, 16.0]


@pytest.mark.parametrize(
    ("builtin", "argument", "result"),
    [
        *((max, np.array([1.0, 3.0]), 3.0), (len, np.ones(2), 2)),
        *((int, np.float64(2.5), 2), (np.array, [np.float64(1)], [1.0])),
        *((np.sin, np.float64(0), 0.0), (np.sum, np.ones(3), 3.0)),
    ],
)
def test_a_builtin_may_be_decorated(builtin, argument, result):
    assert ag.function(builtin)(argument) == result


def test_an_error_while_tracing_leaves_nothing_behind():
    @ag.function
    def small(x):
        if x.shape[0] > 1:
            raise ValueError("too long")
        return x * 2

    with pytest.raises(ValueError, match="too long"):
        small(XY)
    assert build.current() is None
    assert small(np.ones(1)).tolist() == [2.0]
    assert len(small.concrete_functions) == 1


def test_threads_share_traces_and_make_each_once():
    traced: list[tuple[int, ...]] = []

    @ag.function(python_effects="trace")
    def double(x):
        traced.append(x.shape)
        total = x
        for _ in range(3):
            if total.sum() > 100:
                break
            total = total + x
        return total

    wrong: list[Any] = []

    def work(seed: int) -> None:
        for size in np.random.default_rng(seed).integers(1, 6, 25):
            made = double(np.ones(size))
            if made.tolist() != [4.0] * size:
                wrong.append(made)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert sorted(traced) == [(1,), (2,), (3,), (4,), (5,)]


def test_results_have_the_structure_that_was_returned():
    @ag.function
    def program(x):
        return {"z": x * 2, "a": (x.sum(), None, 3, "s"), "p": Pair(x, [Frozen(x, 1)])}

    made = program(XY)
    assert list(made) == ["z", "a", "p"]
    assert type(made["a"][0]) is np.float64
    assert made["a"][1:] == (None, 3, "s")
    assert type(made["p"]) is Pair
    assert made["p"].first is XY
    assert type(made["p"].second[0]) is Frozen
    assert made["p"].second[0].bias == 1


def test_numbers_stay_python_numbers_and_scalars_numpys():
    @ag.function
    def program(n, x):
        count = 0
        while count < n:
            count += 1
        return count, x, x * 2, True

    count, same, twice, constant = program(np.int64(3), np.float32(1.5))
    assert (type(count), count) == (int, 3)
    assert (type(same), type(twice)) == (np.float32, np.float32)
    assert constant is True


class TestConcreteFunction:
    def test_it_takes_arguments_by_position_and_keyword_and_without_constants(self):
        scale = ag.function(lambda x, y, k=2, *, name="n": (x - y) * k)
        traced = scale.get_concrete_function(XY, XY, 3)
        ones = np.ones(2)
        results = [
            traced(XY, ones),
            traced(XY, y=ones),
            traced(y=ones, x=XY),
            traced(XY, ones, 3),
            traced(XY, ones, name="n"),
        ]
        assert [made.tolist() for made in results] == [[0.0, 3.0]] * 5

    def test_specs_stand_for_arrays(self):
        double = ag.function(lambda x: x * 2)
        traced = double.get_concrete_function(Spec([2], float))
        assert double.get_concrete_function(XY) is traced
        assert traced(XY).tolist() == [2.0, 4.0]

    def test_a_spec_without_dims_stands_for_a_scalar(self):
        double = ag.function(lambda x: x * 2)
        traced = double.get_concrete_function(Spec([], float))
        assert double.get_concrete_function(np.float64(1)) is traced

    def test_a_spec_with_unknown_dims_serves_all_sizes(self):
        traced = ag.function(lambda x: x.sum()).get_concrete_function(
            Spec([None], float)
        )
        assert [traced(np.ones(n)) for n in (0, 1, 5)] == [0.0, 1.0, 5.0]

    def test_it_shows_arguments_and_result(self):
        traced = ag.function(plain).get_concrete_function(XY, 3)
        shown = "(x: float64[2], y: 3, k: 1) -> float64[2]"
        assert repr(traced) == f"<ConcreteFunction plain{shown}>"

    def test_one_called_in_a_trace_becomes_part_of_it(self, capsys):
        total = ag.Variable(0.0)

        @ag.function
        def add(x, times=2):
            print("adding", x)
            total.assign_add(x.sum() * times)
            return total.read() if x[0] > 0 else -total.read()

        traced = add.get_concrete_function(Spec([None], float), 3)
        outer = ag.function(lambda x: traced(x[:2]) + traced(x=-x, times=3))
        x = np.ones(3)
        assert outer(x) == 6.0 - (6.0 - 9.0)
        assert capsys.readouterr().out == "adding [1. 1.]\nadding [-1. -1. -1.]\n"
        assert total == -3.0


class TestInputSignature:
    def test_whole_numbers_that_fit_become_those_of_the_spec(self):
        same = ag.function(lambda x: x, input_signature=[Spec([None], np.uint8)])
        for x in ([1, 255], np.array([1, 255]), np.array([], np.int64)):
            assert (same(x).dtype, same(x).tolist()) == (np.uint8, list(x))

    def test_one_trace_serves_all_sizes_and_kinds_of_sequences(self):
        @ag.function(input_signature=[Spec([None], np.float32), Spec((), np.int64)])
        def times(x, n):
            return x * n, x.shape[0]

        calls = [([1, 2], 3), (np.ones(3), np.int32(2)), ((1.5,), True)]
        made = [times(*arguments) for arguments in calls]
        assert [(x.dtype, x.tolist(), n) for x, n in made] == [
            (np.float64, [3.0, 6.0], 2),
            (np.float64, [2.0, 2.0, 2.0], 3),
            (np.float64, [1.5], 1),
        ]
        assert len(times.concrete_functions) == 1

    def test_unknown_rank(self):
        @ag.function(input_signature=[Spec(None, float)])
        def total(x):
            return x.sum() * 2

        given = [2.0, [1, 2], np.ones((2, 3))]
        assert [total(x) for x in given] == [4.0, 6.0, 12.0]
        assert len(total.concrete_functions) == 1

    def test_nested_specs_fit_nested_arguments(self):
        @ag.function(input_signature=[{"w": Spec([None], float), "b": Spec([], float)}])
        def affine(p):
            return p["w"] + p["b"]

        assert affine({"b": 1, "w": [1, 2]}).tolist() == [2.0, 3.0]

    def test_arguments_without_specs_keep_their_defaults(self):
        @ag.function(input_signature=[Spec([None], float)])
        def scale(x, factor=2, *, plus=1):
            return x * factor + plus

        assert scale([1]).tolist() == scale([1], 2, plus=1).tolist() == [3.0]

    def test_the_trace_is_to_be_had_before_any_call(self):
        double = ag.function(input_signature=[Spec([None], float)])(lambda x: x * 2)
        traced = double.get_concrete_function()
        assert double([1.0]).tolist() == [2.0]
        assert double.concrete_functions == [traced]


PROGRAM = """
import autograph as ag


@ag.function
def scale(x: float, factor: int = 2) -> str:
    return ""


reveal_type(scale(1.0))
scale(1.0, factor=3)
scale("a")
scale(1.0, 2, 3)


class Scale:
    @ag.function
    def by(self, x: float, *, factor: int = 2) -> str:
        return ""


reveal_type(Scale().by(1.0, factor=3))
Scale().by.get_concrete_function(1.0)
Scale.by(Scale(), 1.0)
Scale().by("a")
Scale().by()
ag.fonction
"""


def test_mypy_sees_calls_that_are_wrong(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(PROGRAM))
    command = [sys.executable, "-m", "mypy", "--no-incremental", str(file)]
    command += ["--follow-imports=silent", "--config-file="]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    told = [line.split(":", 1)[1] for line in said.splitlines() if "program.py" in line]
    assert [line.rpartition("  [")[0] or line for line in told] == [
        '10: note: Revealed type is "str"',
        '12: error: Argument 1 to "__call__" of "Function" has incompatible type '
        '"str"; expected "float"',
        '13: error: Too many arguments for "__call__" of "Function"',
        '22: note: Revealed type is "str"',
        '25: error: Argument 1 to "__call__" of "Method" has incompatible type '
        '"str"; expected "float"',
        '26: error: Missing positional argument "x" in call to "__call__" of "Method"',
        '27: error: Module has no attribute "fonction"',
    ]


def test_an_error_for_missing_arguments_has_no_other_as_its_context():
    @ag.function
    def scale(x, y):
        return x * y

    for given in ((1.0,), (), (1.0, 2.0, 3.0)):
        with pytest.raises(TypeError) as caught:
            scale(*given)
        assert caught.value.__context__ is None
        assert not caught.value.__suppress_context__

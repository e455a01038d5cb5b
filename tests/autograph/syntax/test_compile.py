"""From trees back to functions that behave as the user's own."""

import __future__

import linecache
import sys
import traceback
import types
from pathlib import Path
from typing import Any

import gast
import pytest

from autograph.conversion import instantiate
from autograph.syntax import (
    compile_function,
    parse_function,
    rename_code,
)
from autograph.syntax.compile import FUTURE_FLAGS


def rebuilt(function: Any) -> Any:
    """The function taken apart into its tree and put together again."""
    parsed = parse_function(function)
    names = (*function.__code__.co_freevars, "extra")
    code = compile_function(
        parsed.node,
        parsed.filename,
        names,
        function.__code__.co_flags,
        function.__code__.co_qualname,
    )
    return instantiate(code, function, {"extra": types.CellType("extra")})


def codes(code: types.CodeType) -> list[types.CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return [code, *(deeper for c in inner for deeper in codes(c))]


class Base:
    def name(self):
        return "base"


class Derived(Base):
    def name(self):
        return super(__class__, self).name() + " of derived"  # noqa: UP008

    def __secret(self, __x=2):
        return [__x for __x in range(__x)]


def factorial(n):
    return n * factorial(n - 1) if n else 1


def full(a, b=2, *args, c, d: int = 4, **more) -> "tuple":
    """The docstring."""
    return a, b, args, c, d, more


full.attribute = "kept"


def test_defaults_annotations_and_attributes_are_the_originals() -> None:
    made = rebuilt(full)
    assert made(1, c=3, e=5) == full(1, c=3, e=5)
    for attribute in ("__doc__", "__qualname__", "__module__", "__annotations__",
                      "__defaults__", "__kwdefaults__", "__dict__"):  # fmt: skip
        assert getattr(made, attribute) == getattr(full, attribute)
    assert made.__dict__ is not full.__dict__


def test_a_global_function_calls_the_global_of_its_name() -> None:
    made = rebuilt(factorial)
    assert made(5) == 120
    assert made.__code__.co_freevars == ()


def test_cells_are_shared_with_the_original() -> None:
    def counter():
        count = 0

        def step():
            nonlocal count
            count += 1
            return count

        return step

    step = counter()
    made = rebuilt(step)
    assert [step(), made(), step()] == [1, 2, 3]


def test_an_inner_function_calls_itself_through_its_cell() -> None:
    def countdown(n):
        return [n, *countdown(n - 1)] if n else []

    assert rebuilt(countdown)(3) == [3, 2, 1]


def test_added_cells_are_seen() -> None:
    node = gast.parse("def f(): return extra").body[0]
    code = compile_function(node, "<text>", ["unused", "extra"])
    assert code.co_freevars == ("extra",)
    made = instantiate(code, factorial, {"extra": types.CellType(7)})
    assert made() == 7


def test_a_free_variable_without_a_cell_is_refused() -> None:
    node = gast.parse("def f(): return missing").body[0]
    with pytest.raises(KeyError, match="missing"):
        instantiate(compile_function(node, "<text>", ["missing"]), factorial, {})


def test_the_class_cell_is_a_free_variable() -> None:
    assert rebuilt(Derived.name)(Derived()) == "base of derived"


def test_private_names_work_outside_of_their_class() -> None:
    assert rebuilt(Derived._Derived__secret)(Derived()) == [0, 1]


def test_a_lambda_is_named_lambda() -> None:
    function = lambda x, k=3: x + k
    made = rebuilt(function)
    assert made(1) == 4
    assert made.__code__.co_name == "<lambda>"


def test_qualified_names_are_the_originals() -> None:
    def outer():
        def inner():
            return lambda: [x for x in ()]

        return inner

    expected = [c.co_qualname for c in codes(outer.__code__)]
    assert [c.co_qualname for c in codes(rebuilt(outer).__code__)] == expected


def test_lines_and_columns_are_the_originals() -> None:
    def failing(x):
        y = [1, 2]
        return (x +
                y[5])  # fmt: skip

    shown = []
    for function in (failing, rebuilt(failing)):
        with pytest.raises(IndexError) as caught:
            function(1)
        shown.append(traceback.format_exception(caught.value)[-2:])
    assert shown[0] == shown[1]
    assert Path(__file__).name in shown[1][0]
    assert "^" in shown[1][0]


def test_future_annotations_are_respected() -> None:
    node = gast.parse("def f():\n  def g(x: undefined): pass\n  return g").body[0]
    flags = __future__.annotations.compiler_flag
    code = compile_function(node, "<text>", [], flags)
    made = instantiate(code, factorial, {})
    assert made().__annotations__ == {"x": "undefined"}
    assert FUTURE_FLAGS & flags


def test_the_tree_is_not_changed() -> None:
    node = gast.parse("@d\ndef f(x: int = 1, *, y=2) -> int: return x").body[0]
    before = gast.dump(node)
    compile_function(node, "<text>", [])
    assert gast.dump(node) == before


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are of 3.12")
def test_type_parameters_are_free_variables(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("def f[T](x: T): return T, x")
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    made = rebuilt(names["f"])
    assert made(1) == names["f"](1)
    assert made.__type_params__ == names["f"].__type_params__
    linecache.cache.pop(str(path), None)


def test_a_generator_and_a_coroutine_stay_what_they_are() -> None:
    def generate(n):
        yield from range(n)

    async def wait():
        return 1

    assert list(rebuilt(generate)(3)) == [0, 1, 2]
    coroutine = rebuilt(wait)()
    with pytest.raises(StopIteration) as caught:
        coroutine.send(None)
    assert caught.value.value == 1


def test_generated_functions_are_shown_as_the_one_around_them() -> None:
    text = """\
    def f():
        def if_body():
            def g():
                return 1
            return g
        return if_body
    """
    node = gast.parse("if 1:\n" + text).body[0].body[0]
    code = compile_function(node, "<text>", [], qualname="C.f")
    renamed = codes(rename_code(code, {"if_body": "f"}))
    assert [(c.co_name, c.co_qualname) for c in renamed] == [
        ("f", "C.f"),
        ("f", "C.f"),
        ("g", "C.f.<locals>.g"),
    ]

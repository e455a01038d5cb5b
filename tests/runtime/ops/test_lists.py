"""Lists as values of a graph: Python's own results and errors, and no needless copy."""

import re
from typing import Any

import pytest

from runtime import memory
from runtime.backends.numpy import compile_graph
from runtime.ops import lists, rows, tables, tuples
from runtime.passes import optimize
from runtime.text import parse, print_graph
from runtime.verify import VerificationError, verify

GROW = """
graph grow(n: ~int64[]) {
  empty: list[~int64[]] = list_of[item=spec(~int64[])]()
  zero: ~int64[] = constant[value=0]()
  xs: list[~int64[]], k: ~int64[] = while[carried=2](empty, zero, n) {
    test(a: list[~int64[]], b: ~int64[], n: ~int64[]) {
      go: ~bool[] = less(b, n)
      return go
    }
    body(a: list[~int64[]], b: ~int64[], n: ~int64[]) {
      h: list[~int64[]] = list_append(a, b)
      one: ~int64[] = constant[value=1]()
      i: ~int64[] = add(b, one)
      return h, i
    }
  }
  return xs
}
"""


def run(lines: str, *arguments: Any, inputs: str = "xs: list[~int64[]]") -> Any:
    """What the lines of a graph give for `arguments`, optimised or not."""
    *nodes, returned = [line.strip() for line in lines.strip().splitlines()]
    text = f"graph f({inputs}) {{\n" + "\n".join([*nodes, f"return {returned}"]) + "}"
    graph = verify(parse(text))
    assert print_graph(parse(print_graph(graph))) == print_graph(graph)
    plain = compile_graph(graph)(*arguments)
    assert repr(compile_graph(verify(optimize(graph)))(*arguments)) == repr(plain)
    return plain


def test_append_in_a_loop_changes_the_list_itself() -> None:
    source = compile_graph(optimize(parse(GROW))).source
    assert re.search(r"^ +v\d+\.append\(v\d+\)$", source, re.MULTILINE)
    assert "list(" not in source
    assert compile_graph(parse(GROW))(4) == ([0, 1, 2, 3],)


def test_a_list_that_is_used_again_is_copied_before_it_changes() -> None:
    lines = """
    one: ~int64[] = constant[value=1]()
    first: list[~int64[]] = list_of[item=spec(~int64[])](one, one)
    more: list[~int64[]] = list_append(first, one)
    less: list[~int64[]], last: ~int64[] = list_pop(first, one)
    first, more, less, last
    """
    assert run(lines, inputs="") == ([1, 1], [1, 1, 1], [1], 1)


def test_an_argument_is_never_changed() -> None:
    given = [1, 2]
    lines = """
    one: ~int64[] = constant[value=1]()
    more: list[~int64[]] = list_append(xs, one)
    more
    """
    assert run(lines, given) == ([1, 2, 1],)
    assert given == [1, 2]


def test_a_loop_whose_first_list_is_used_afterwards_copies_it_once() -> None:
    source = GROW.replace("return xs\n", "return xs, empty\n")
    made = compile_graph(optimize(parse(source)))
    assert made.source.count("= copy_(") == 1
    assert made(3) == ([0, 1, 2], [])


def test_an_array_in_a_list_is_not_written_in_place() -> None:
    lines = """
    x: float64[2] = zeros[shape=(2,), dtype=dtype(float64)]()
    xs: list[float64[2]] = list_of[item=spec(float64[2])](x)
    one: ~float64[] = constant[value=1.0]()
    y: float64[2] = store[index=(0,)](x, one)
    xs, y
    """
    assert repr(run(lines, inputs="")) == "([array([0., 0.])], array([1., 0.]))"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("list_pop(none, n)", "pop from empty list"),
        ("list_pop(xs, n)", "pop index out of range"),
    ],
)
def test_pop_raises_what_python_raises(line: str, text: str) -> None:
    lines = f"""
    none: list[~int64[]] = list_of[item=spec(~int64[])]()
    rest: list[~int64[]], last: ~int64[] = {line}
    rest, last
    """
    with pytest.raises(IndexError, match=f"^{text}$"):
        run(lines, [1], 7, inputs="xs: list[~int64[]], n: ~int64[]")


@pytest.mark.parametrize(
    ("spec", "call", "kind", "text"),
    [
        ("~int64[]", "list_get[index=(Input(0),)](xs, n)", IndexError, "list index"),
        (
            "list[~int64[]]",
            "list_set[index=(Input(0),)](xs, n, n)",
            IndexError,
            "list assignment index out of range",
        ),
        (
            "list[~int64[]]",
            "list_delete[index=(Input(0),)](xs, n)",
            IndexError,
            "list assignment index out of range",
        ),
        ("~int64[]", "list_index[sought=(Input(0),)](xs, n)", ValueError, "7 is not"),
        (
            "~int64[]",
            "list_locate[sought=(Input(0),)](xs, n)",
            ValueError,
            re.escape("list.remove(x): x not in list"),
        ),
    ],
)
def test_what_is_not_there_is_pythons_error(
    spec: str, call: str, kind: type[Exception], text: str
) -> None:
    lines = f"y: {spec} = {call}\ny"
    with pytest.raises(kind, match=text):
        run(lines, [1, 2], 7, inputs="xs: list[~int64[]], n: ~int64[]")


def test_remove_says_what_python_says() -> None:
    with pytest.raises(ValueError, match="not in list") as found:
        [1].remove(7)
    with pytest.raises(ValueError, match="not in list") as ours:
        lists.list_locate.kernel([1], sought=(7,))  # type: ignore[misc] # a kernel is there
    assert str(ours.value) == str(found.value)


def test_a_list_and_an_array_are_not_mixed_up_by_verify() -> None:
    text = "graph f(x: float64[2]) { y: list[float64[]] = copy(x)\n return y }"
    with pytest.raises(VerificationError, match="its type rule finds"):
        verify(parse(text))


def test_every_op_that_changes_a_list_leaves_its_input_as_it_was() -> None:
    given = {
        "list_append": (1,),
        "list_extend": ([1],),
        "list_insert": (0, 1),
        "list_pop": (0,),
        "list_set": (5,),
        "list_delete": (),
        "list_reverse": (),
        "list_sort": (),
        "deque_pop": (0,),
        "deque_set": (5,),
        "deque_delete": (),
    }
    named: dict[str, dict[str, Any]] = {
        "list_set": {"index": (0,)},
        "list_delete": {"index": (0,)},
        "list_sort": {"reverse": False},
        "deque_set": {"index": (0,)},
        "deque_delete": {"index": (0,)},
    }
    others = {
        *rows.CHANGES,
        *tables.CHANGES,
        *tables.CHANGES_LISTS,
        "heap_push",
        "heap_pop",
    }
    assert set(given) == set(lists.MUTATES) - others
    for name, others in given.items():
        xs = [3, 2]
        kernel = getattr(tuples if "deque" in name else lists, name).kernel
        assert kernel(xs, *others, **named.get(name, {})) != ([3, 2])
        assert xs == [3, 2]
        assert name not in memory.MAKES


def test_stacking_an_empty_list_is_refused_where_numpy_has_another_type() -> None:
    lines = "y: int64[?] = list_stack[spec=spec(int64[?]), dtype=None](xs)\ny"
    assert run(lines, [1, 2])[0].tolist() == [1, 2]
    with pytest.raises(ValueError, match="is empty when the graph runs is float64"):
        run(lines, [])

"""Tables as values of a graph: keys as a dict has them, no needless copy."""

import numpy as np
import pytest

from runtime.backends.numpy import compile_graph
from runtime.ops import lists, tables
from runtime.ops.template import Input
from runtime.passes import optimize
from runtime.text import parse, print_graph
from runtime.verify import verify

I = np.int64
COUNT = """
graph count(xs: list[int64[]], n: ~int64[]) {
  table: table = table_of[of_set=False]()
  counts: list[~int64[]] = list_of[item=spec(~int64[])]()
  zero: ~int64[] = constant[value=0]()
  t: table, c: list[~int64[]], k: ~int64[] = while[carried=3](table, counts, zero, xs,
      n) {
    test(t: table, c: list[~int64[]], k: ~int64[], xs: list[int64[]], n: ~int64[]) {
      go: ~bool[] = less(k, n)
      return go
    }
    body(t: table, c: list[~int64[]], k: ~int64[], xs: list[int64[]], n: ~int64[]) {
      x: int64[] = list_get[index=(Input(0),)](xs, k)
      new: ~int64[] = list_len(c)
      next: table, at: ~int64[] = table_put[key=Input(0)](t, new, x)
      put: list[~int64[]] = list_put(c, at, k)
      one: ~int64[] = constant[value=1]()
      more: ~int64[] = add(k, one)
      return next, put, more
    }
  }
  size: ~int64[] = table_len(t)
  return size, c
}
"""


def test_a_loop_changes_the_table_itself() -> None:
    graph = verify(parse(COUNT))
    assert print_graph(parse(print_graph(graph))) == print_graph(graph)
    source = compile_graph(optimize(graph)).source
    assert "dict(" not in source
    assert ".copy()" not in source
    assert compile_graph(optimize(graph))([I(3), I(1), I(3)], 3) == (2, [2, 1])


def test_a_table_that_is_used_again_is_copied_before_it_changes() -> None:
    graph = parse("""
    graph two(x: int64[], y: int64[]) {
      table: table = table_of[of_set=False]()
      zero: ~int64[] = constant[value=0]()
      one: table, a: ~int64[] = table_put[key=Input(0)](table, zero, x)
      two: table, b: ~int64[] = table_put[key=(Input(0), 'k')](one, zero, y)
      gone: table, c: ~int64[] = table_delete[key=Input(0)](two, x)
      n: ~int64[] = table_len(one)
      m: ~int64[] = table_len(two)
      o: ~int64[] = table_len(gone)
      return n, m, o
    }""")
    assert compile_graph(verify(graph))(I(1), I(2)) == (1, 2, 1)
    assert compile_graph(optimize(graph))(I(1), I(2)) == (1, 2, 1)


GIVEN = {
    "table_put": (5, {"key": "c"}),
    "table_put_all": (5, ["c", "d"], {}),
    "table_delete": ({"key": "a"},),
    "table_delete_last": ({},),
}


def test_every_op_that_changes_a_table_leaves_its_input_as_it_was() -> None:
    assert GIVEN.keys() == tables.CHANGES
    for name, (*others, named) in GIVEN.items():
        table = {"a": 0, "b": 1}
        kernel = getattr(tables, name).kernel
        assert kernel(table, *others, **named)[0] != table
        assert table == {"a": 0, "b": 1}


ITEMS = {
    "list_put": ((1, 7), [3, 7]),
    "list_put_new": ((2, 7), [3, 2, 7]),
    "list_put_all": (([0, 2], [7, 8]), [7, 2, 8]),
    "list_put_all_new": (([0, 2], [7, 8]), [3, 2, 8]),
    "list_count_all": (([0, 2, 2],), [4, 2, 2]),
}


def test_every_op_that_puts_items_at_places_leaves_its_input_as_it_was() -> None:
    assert ITEMS.keys() == tables.CHANGES_LISTS
    for name, (others, found) in ITEMS.items():
        xs = [3, 2]
        assert getattr(tables, name).kernel(xs, *others) == found
        assert lists.MUTATES[name]([3, 2], *others) == found
        assert xs == [3, 2]


def test_a_key_that_is_missing_is_named_as_a_dict_names_it() -> None:
    for op in (tables.table_at, tables.table_delete):
        with pytest.raises(KeyError, match="7"):
            op.kernel({1: 0}, 7, key=Input(0))
    assert tables.table_find.kernel({1: 0}, True, key=Input(0)) == 0
    assert tables.table_find.kernel({1: 0}, 7, key=Input(0)) == -1


def test_keys_that_changed_meanwhile_are_seen() -> None:
    same = tables.table_same.kernel
    assert same({"a": 0, "b": 2}, [0, 2], word="dictionary") == 2
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        same({"a": 0}, [0, 2], word="dictionary")
    with pytest.raises(RuntimeError, match="keys changed during iteration"):
        same({"a": 0, "c": 3}, [0, 2], word="dictionary")


def test_the_table_of_a_set_knows_its_order() -> None:
    table = tables.table_of.kernel(of_set=True)
    real = set[int]()
    for key in (0, 33, 1, 34, 65):
        table.setdefault(key, len(table))
        real.add(key)
    table.pop(33)
    real.discard(33)
    table.setdefault(32, 5)
    real.add(32)
    assert [*table.copy().members()] == [*real]
    assert tables.table_order.kernel(table) == [table[key] for key in real]
    assert table.copy().popitem()[0] == real.pop()
    assert table.keys() != real


def test_two_tables_of_sets_are_combined_as_their_sets_are() -> None:
    one, other = (tables.table_of.kernel(of_set=True) for _ in range(2))
    for key in (1, 2, 33):
        one.setdefault(key, len(one))
    for key in (33, 2, 7):
        other.setdefault(key, len(other))
    made, order = tables.table_combined.kernel(one, other, 3, word="union")
    assert [*made.members()] == [*({1, 2, 33} | {33, 2, 7})]
    assert [[1, 2, 33, 33, 2, 7][at] for at in order] == [*made]
    assert [*one] == [1, 2, 33]

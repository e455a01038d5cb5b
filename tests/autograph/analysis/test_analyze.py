"""Questions of the converters, answered for functions written out here."""

import textwrap
import time
from typing import Any

import gast
import pytest

from autograph.analysis import Analysis, analyze
from autograph.analysis.definitions import reaching_definitions


def function(text: str) -> Any:
    """The first function of a text, of which `loop` marks are kept as they are."""
    return gast.parse(textwrap.dedent(text)).body[0]


def analyzed(text: str) -> tuple[Any, Analysis]:
    node = function(text)
    return node.body, analyze(node)


def reads(node: Any, name: str) -> list[gast.Name]:
    """The Name nodes that read a name, in the order of the text."""
    found = [n for n in gast.walk(node) if isinstance(n, gast.Name) and n.id == name]
    loads = [n for n in found if isinstance(n.ctx, gast.Load)]
    return sorted(loads, key=lambda n: (n.lineno, n.col_offset))


def undefined(text: str, name: str) -> list[bool]:
    """Whether the reads of a name may find it unbound, in the order of the text."""
    node = function(text)
    analysis = analyze(node)
    return [analysis.may_be_undefined(n) for n in reads(node, name)]


SCOPES = """
def f(a, /, b, *args, c=g(1), **more):
    global g1
    nonlocal n1
    import os.path, sys as system
    from m import thing
    for i, (j, *k) in b: pass
    with a as w, b as (x, y): pass
    try: pass
    except E as e: pass
    def inner(p=i): return w, free
    class Cls: attribute = x
    z: int
    (z2): int
    u.v += 1
    aug += 1
    del gone
    match b:
        case {'k': m1, **m2} | [m1, *m2] | Cls(m2, q=m1) as m3: pass
    [walrus := comp for comp in y]
    (genwalrus := late for late in y)
    lambda l=j: (k, own := l)
    g1 = n1 = 1
"""


def test_locals_are_what_python_says() -> None:
    _, analysis = analyzed(SCOPES)
    module = compile(SCOPES.replace("    nonlocal n1\n", ""), "", "exec")
    code = next(c for c in module.co_consts if hasattr(c, "co_varnames"))
    # A local that is only annotated has no place in the code.
    expected = {*code.co_varnames, *code.co_cellvars, "z"} - {"n1", "comp"}
    assert analysis.locals == expected
    assert analysis.globals == {"g1"}
    assert analysis.nonlocals == {"n1"}
    assert analysis.parameters == {"a", "b", "args", "c", "more"}
    assert analysis.captured == {"w", "x", "k", "genwalrus"}


@pytest.mark.parametrize(
    ("text", "captured"),
    [
        ("[x for y in z]", set()),
        ("[lambda: x for y in z]", {"x"}),
        ("[lambda: y for y in z]", set()),
        ("(x for y in z)", {"x"}),
        ("lambda: (lambda: x)", {"x"}),
        ("lambda x: (lambda: x)", set()),
        ("def g(k=x): pass", set()),
        ("def g():\n        nonlocal x\n        x = 1", {"x"}),
        ("class C(x):\n        y = 1\n        def m(self): return y, z", {"y", "z"}),
        ("def g(v: x): global y; y", set()),
    ],
)
def test_only_what_inner_scopes_keep_is_captured(text: str, captured: set[str]) -> None:
    _, analysis = analyzed(f"def f(x, y, z):\n    {text}\n")
    assert analysis.captured == captured


def test_names_that_an_inner_function_writes_are_assigned_everywhere() -> None:
    body, analysis = analyzed("""\
        def f(x):
            def g():
                nonlocal x
                x = 1
            y = 2
            g()
        """)
    assert analysis.assigned([body[1]]) == {"x", "y"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = y", {"x"}),
        ("x.a = y[0] = 1", set()),
        ("a and (x := 1)", {"x"}),
        ("[x := 1 for y in a]", {"x"}),
        ("for x, y in a: z = 1", {"x", "y", "z"}),
        ("if a:\n     del x\n    else:\n     y = 1", {"x", "y"}),
        ("try: pass\n    except E as x: pass", {"x"}),
        ("global g\n    g = 1", {"g"}),
        ("import x.y as z", {"z"}),
        ("x: int", set()),
    ],
)
def test_assigned_are_the_names_that_may_be_bound(text: str, names: set[str]) -> None:
    body, analysis = analyzed(f"def f(a, x, y, z):\n    {text}\n")
    assert analysis.assigned(body) == names


LOOP = """\
def f(a, n):
    s = t = 0
    for i in n:
        v = i + 1
        if v > a:
            last = i
            break
        s += v
    else:
        last = None
    return s, last
"""


def test_a_loop_carries_what_the_next_round_or_the_rest_reads() -> None:
    (_, loop, _), analysis = analyzed(LOOP)
    assert analysis.loop_carried(loop) == {"s", "last"}
    assert analysis.live_in([loop]) == {"s", "a"}
    assert analysis.live_out([loop]) == {"s", "last"}
    assert analysis.live_out(loop.body) == {"s", "a", "last"}
    assert analysis.live_out(loop.body[:1]) == {"a", "s", "i", "v"}


def test_a_loop_target_that_is_read_afterwards_is_carried() -> None:
    (loop, _), analysis = analyzed("def f(n):\n for i in n:\n  pass\n return i")
    assert analysis.loop_carried(loop) == {"i"}


def test_a_while_loop_carries_what_its_test_reads() -> None:
    (loop,), analysis = analyzed("def f(n, m):\n while (n := n - m): k = n")
    assert analysis.loop_carried(loop) == {"n"}
    assert analysis.live_in([loop]) == {"n", "m"}


def test_after_return_nothing_is_live_but_in_finally() -> None:
    body, analysis = analyzed("""\
        def f(x, y):
            if x:
                return y
            try:
                return 1
            finally:
                print(x)
        """)
    assert analysis.live_out(body[0].body) == set()
    assert analysis.live_out(body[1].body) == {"x"}


def test_what_a_handler_reads_is_live_in_the_try_body() -> None:
    (statement, _), analysis = analyzed("""\
        def f(x, y):
            try:
                x = g()
                y = h()
            except E:
                y = x
            return y
        """)
    assert analysis.live_out(statement.body[:1]) == {"x"}
    assert analysis.live_in(statement.body) == {"x"}


def test_captured_and_declared_names_are_live_everywhere() -> None:
    body, analysis = analyzed("""\
        def f(x):
            global g
            x = 1
            h = lambda: x
            return 1
        """)
    assert analysis.live_out(body) == {"x", "g"}


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("def f(a):\n if a: x = 1\n return x", "x", [True]),
        ("def f(a):\n if a: x = 1\n else: x = 2\n return x", "x", [False]),
        ("def f(a):\n if a: x = 1\n else: return 2\n return x", "x", [False]),
        ("def f(x):\n x\n del x\n x", "x", [False, True]),
        ("def f(a):\n for x in a: x\n return x", "x", [False, True]),
        ("def f(a):\n while True:\n  x = 1\n  if a: break\n return x", "x", [False]),
        ("def f(a):\n try: x = a()\n except E: x\n x", "x", [True, True]),
        ("def f(a):\n try: x = a()\n except E: raise\n x", "x", [False]),
        ("def f(a):\n try: x = a()\n finally: x", "x", [True]),
        ("def f(e):\n try: a()\n except E as e: e\n e", "e", [False, True]),
        ("def f(e):\n try:\n  try: a()\n  except E as e: e()\n except: e", "e",
         [False, True]),
        ("def f(a):\n try: a()\n except:\n  x = 1\n  a()\n  return\n x", "x", [True]),
        ("def f(a):\n with a: x = 1\n x", "x", [True]),
        ("def f(a):\n with a as x: pass\n x", "x", [False]),
        ("def f(a):\n with a as (x, y): pass\n x", "x", [True]),
        ("def f(a):\n if (x := a) and x: x", "x", [False, False]),
        ("def f(a):\n if a and (x := a): x", "x", [True]),
        ("def f(a):\n x\n x = 1", "x", [True]),
        ("def f(a):\n if a: x = 1\n x += 1\n x", "x", [False]),
        ("def f(a):\n g = lambda: x\n x = 1\n h = lambda: x", "x", [True, False]),
        ("def f(a):\n [x for y in a]\n x = 1\n [x for y in a]", "x", [True, False]),
        ("def f(a):\n match a:\n  case [x]: x\n  case x if a: x\n  case _: x", "x",
         [False, False, True]),
        ("def f(x):\n def g():\n  nonlocal x\n  del x\n x", "x", [True]),
        ("def f(a):\n return g1", "g1", [False]),
    ],
)  # fmt: skip
def test_a_read_may_find_its_name_unbound(text, name, expected) -> None:
    assert undefined(text, name) == expected


def test_an_augmented_assignment_reads_its_target() -> None:
    (_, change), analysis = analyzed("def f(a):\n if a: x = 1\n x += 1")
    assert analysis.may_be_undefined(change.target)


@pytest.mark.parametrize(
    ("text", "exits", "always"),
    [
        ("x = 1", set(), False),
        ("return x", {"return"}, True),
        ("raise x", set(), True),
        ("if x: return 1", {"return"}, False),
        ("if x: return 1\nelse: raise y", {"return"}, True),
        ("while x: break", set(), False),
        ("while x:\n if y: return 1\n continue", {"return"}, False),
        ("while True: pass", set(), True),
        ("while True:\n if x: break", set(), False),
        ("while True:\n while True: break", set(), True),
        ("for x in y: pass\nelse: return 1", {"return"}, True),
        ("for x in y: break\nelse: return 1", {"return"}, False),
        ("while x:\n while y:\n  pass\n else: break", set(), False),
        ("with x: return 1", {"return"}, False),
        ("try: return 1\nexcept E: pass", {"return"}, False),
        ("try: return 1\nexcept E: raise", {"return"}, True),
        ("try: pass\nfinally: return 1", {"return"}, True),
        ("match x:\n case 1: return 1\n case _: return 2", {"return"}, True),
        ("match x:\n case 1: return 1\n case 2: return 2", {"return"}, False),
        ("def g(): return 1", set(), False),
    ],
)
def test_exits_are_read_off_the_statements(text, exits, always) -> None:
    body, analysis = analyzed("def f(x, y):\n" + textwrap.indent(text, " "))
    assert (analysis.exits(body), analysis.always_exits(body)) == (exits, always)


@pytest.mark.parametrize("jump", ["break", "continue"])
def test_a_jump_leaves_the_body_but_not_the_loop(jump: str) -> None:
    (loop,), analysis = analyzed(f"def f(x):\n while x:\n  if x: {jump}\n  x = 1")
    assert analysis.exits(loop.body) == {jump}
    assert analysis.exits(loop.body[0].body) == {jump}
    assert analysis.always_exits(loop.body[0].body)
    assert analysis.exits([loop]) == set()


def test_reaching_definitions_name_the_steps_that_bind() -> None:
    node = function("def f(a):\n if a: x = 1\n else: x = 2\n x = a and x\n return x")
    analysis = analyze(node)
    graph = analysis._graph
    definitions = reaching_definitions(graph)
    first, second = reads(node, "x")
    branches = definitions.reaching(graph.steps[id(first)], "x")
    assert len(branches) == 2
    assert None not in branches
    assert len(definitions.reaching(graph.steps[id(second)], "x")) == 1


@pytest.mark.parametrize(
    ("text", "generator", "asynchronous"),
    [
        ("def f(): yield 1", True, False),
        ("def f(): return lambda: (yield)", False, False),
        ("async def f(): pass", False, True),
    ],
)
def test_generators_and_coroutines_are_known(text, generator, asynchronous) -> None:
    _, analysis = analyzed(text)
    assert (analysis.is_generator, analysis.is_async) == (generator, asynchronous)


def test_a_lambda_is_analysed_like_a_function() -> None:
    node = gast.parse("lambda x, y: (z := x) + z").body[0].value
    analysis = analyze(node)
    assert analysis.locals == {"x", "y", "z"}
    assert not analysis.may_be_undefined(reads(node, "z")[0])


def test_the_tree_is_not_changed() -> None:
    node = function(LOOP)
    before = gast.dump(node, include_attributes=True)
    analyze(node)
    assert gast.dump(node, include_attributes=True) == before


def test_no_statements_assign_nothing_and_leave_nothing() -> None:
    _, analysis = analyzed("def f(x): pass")
    assert (
        analysis.assigned([]) == analysis.live_out([]) == analysis.live_in([]) == set()
    )
    assert not analysis.always_exits([])


def seconds(ifs: int) -> float:
    rounds = "".join(
        f" if a > {i}:\n  x{i % 40} = x{(i + 1) % 40}\n else:\n  x{i % 40} = {i}\n"
        for i in range(ifs)
    )
    node = function("def f(a):\n" + rounds)
    start = time.process_time()
    analysis = analyze(node)
    for statement in node.body:
        analysis.live_out([statement])
        analysis.assigned([statement])
    return time.process_time() - start


def test_the_time_grows_with_the_length_and_not_with_the_paths() -> None:
    # 500 branches have 2 ** 500 paths: only an algorithm that walks them is caught.
    assert seconds(500) < 5


def test_a_long_chain_of_elif_is_analysed() -> None:
    chain = "".join(f" elif a > {i}: x = {i}\n" for i in range(90))
    (statement, _), analysis = analyzed(f"def f(a):\n if a: x = 1\n{chain} return x")
    assert analysis.live_out([statement]) == {"x"}
    assert analysis.live_out(statement.orelse[0].body) == {"x"}


STORES = """
def f(x, y, z, own, rows, others, given, late, sorted_):
    for i in y:
        x[i] = own.T[0]
        y.T[i] += 1
        z += 1
        rows[i][0], (other, *others[i]) = 1, 2
        np.add(x, 1, out=given)
        own = x * 2
        own[i] = 3
        sorted_.sort()
        def inner(): late[i] = 1
    row = x
    row[0] = 1
"""


def test_what_a_loop_stores_into_is_named_where_it_was_made_before():
    (loop, *_), analysis = analyzed(STORES)
    found = analysis.stored_into(loop)
    assert found == {"x", "y", "own", "rows", "others", "given", "late"}


def test_what_a_round_makes_first_is_none_that_it_begins_with():
    (loop, *_), analysis = analyzed("""
    def f(x):
        while x:
            row = g(x)
            row[0] = 1
        return row
    """)
    assert analysis.stored_into(loop) == frozenset()

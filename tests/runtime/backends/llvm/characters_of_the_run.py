"""Texts whose characters loops ask for, as parts of one that the run tells."""

import numpy as np

import autograph as ag
from runtime.backends.llvm import hot
from tests.runtime.backends.llvm.compiling import agreeing

LONG = "The quick brown fox, 12 of 305: jumps over (a) lazy dog?" * 6
ODD = (
    *("", "a", "ab", "ba", "aba", "A1 b2", "3:4", "x9" * 40),
    *("([]{})", "(]", "())", "ßa"),
    *("naïve Zürich ßtraße İstanbul ǰ", "\U0001f600a\U0001f600", "\ud800x\udfff"),
    *("٣٤ ½²", "\x00\x7f\x80", "Ǆǆǅ ﬁ ŉ"),
)
ALL = [(one,) for one in (LONG, *ODD)]
TWO = [(LONG, LONG[7:]), *zip(ODD, (*ODD[1:], "ab"), strict=True), (ODD[-1], LONG)]
# All texts in one, of which those of the run are parts: a passed one may be a constant.
WHOLE = LONG + "".join(ODD)
BYTES = WHOLE.encode("utf-8", "surrogatepass")


def part_of(given):
    """Where it is in the whole; itself if it is no text."""
    if isinstance(given, int):
        return (given,)
    begin = (WHOLE if isinstance(given, str) else BYTES).index(given)
    return np.int64(begin), np.int64(begin + len(given))


def of_the_run(function, given):
    """The function of parts of the whole that the run tells."""
    kinds = [type(one) for one in given]
    if kinds == [str]:
        return lambda a, b: function(WHOLE[a:b])
    if kinds == [str, str]:
        return lambda a, b, c, d: function(WHOLE[a:b], WHOLE[c:d])
    if kinds == [bytes, int]:
        return lambda a, b, k: function(BYTES[a:b], k)
    assert kinds == [str, int]
    return lambda a, b, k: function(WHOLE[a:b], k)


def made_of(function, given):
    """Its graph, of texts of the run, and what of it is machine code, or may be."""
    whole, parts = of_the_run(function, given), sum(map(part_of, given), ())
    with ag.config(backend="native"):
        staged = ag.function(whole)
        assert staged(*parts) == whole(*parts)
    (concrete,) = staged.concrete_functions
    held = concrete.compiled.__globals__.values()
    return concrete.graph, [one for one in held if isinstance(one, hot.Compilable)]


def check_as_python(function, arguments, backend):
    """Python and its graph agree, on texts of the run and on some that are known."""
    parts = [sum(map(part_of, given), ()) for given in arguments]
    with ag.config(backend=backend):
        agreeing(of_the_run(function, arguments[0]), parts)
        agreeing(function, arguments[:3])


def check_loops_hold_no_text(function, cases):
    """All loops of the function's graph are of numbers, and one is machine code."""
    graph, parts = made_of(function, first_of(function, cases))
    loops = [node for node in graph.nodes if node.op.name == "while"]
    assert loops
    for loop in loops:
        assert "str" not in str(loop)
    assert any(one.is_made for one in parts)


def check_stays(function, cases):
    """Nothing in the function's graph is a character's number."""
    graph, _ = made_of(function, first_of(function, cases))
    assert "char_code" not in str(graph)


def first_of(function, cases):
    """The first arguments of a case."""
    (given,) = [case.values[1][0] for case in cases if case.values[0] is function]
    return given

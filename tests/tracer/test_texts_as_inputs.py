"""Texts that differ from call to call become inputs, and mean what they mean."""

import numpy as np
import pytest

import autograph as ag
from runtime.build import Frame
from runtime.errors import StagingTypeError
from tests.conformance.harness import disagreement, observe
from tracer.lookup import Lookup
from tracer.raising import require_said

WORDS = ["w1", "w2", "", "ABC abc", "w3", "12", "w1", "é à", "a" * 40, "x"]


def edit_distance(a, b):
    before = list(range(len(b) + 1))
    for i in range(len(a)):
        row = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            row.append(min(before[j + 1] + 1, row[j] + 1, before[j] + cost))
        before = row
    return before[-1]


def asked(s):
    return s.upper(), s[::-1], len(s), s * 2 + "!", s.split(), s.count("a"), s < "w2"


def told(s):
    print(s, f"{s!r:>8}", "%5s" % s)  # noqa: UP031 - `%` of a text is tried
    return repr(s), type(s), isinstance(s, str), {s: 1}


def chosen(s):
    if s == "w1":
        return 1
    return 2.5 if s in ("w2", "x") else s


def looked_up(s):
    return {"w1": 1, "w2": 2.5, "x": 3}[s]


def by_name(s):
    return np.pad(np.arange(3.0), 2, mode=s)


def matched(s):
    match s:
        case "w1" | "w2":
            return 1
        case _:
            return [ord(c) for c in s]


def agree(function, calls):
    staged = ag.function(function)
    for given in calls:
        assert disagreement(observe(function, given), observe(staged, given)) is None
    return staged


@pytest.mark.parametrize("program", [asked, told, chosen, looked_up, matched])
def test_programs_of_texts(program):
    staged = agree(program, [(word,) for word in WORDS])
    assert staged.traces()[-1].signature == "(s: str)"
    assert len(staged.concrete_functions) <= 5


def test_bytes():
    calls = [(word.encode(),) for word in WORDS]
    staged = agree(lambda s: (s + b"x", len(s), s.hex()), calls)
    assert staged.traces()[-1].signature == "(s: bytes)"


def test_two_texts_in_a_loop():
    pairs = [(a[k:] + "ab", b) for k in range(2) for a in WORDS for b in WORDS[::3]]
    staged = agree(edit_distance, pairs)
    assert len(staged.concrete_functions) < 16


def test_a_long_text_is_an_input_at_once():
    staged = ag.function(edit_distance)
    assert staged("a" * 40, "b" * 32) == 40
    (row,) = staged.traces()
    assert row.signature == "(a: str, b: str)"


def test_names_of_ways_are_constants():
    ways = ["constant", "edge", "reflect", "wrap", "mean", "maximum", "linear_ramp"]
    staged = agree(by_name, [(way,) for way in ways])
    assert [row.signature for row in staged.traces()] == [f"(s: {w!r})" for w in ways]


def test_calls_find_the_trace_without_the_long_way(monkeypatch):
    staged = ag.function(asked)
    for word in WORDS:
        staged(word)
    monkeypatch.setattr(Lookup, "call", None)
    assert staged("something else") == asked("something else")
    with pytest.raises(TypeError, match="not callable"):
        staged(b"other")


def named_in_a_branch(s):
    x = np.array([1.0, 2.0])
    if x[0] * len(s) > 1:
        x = x.astype(s)
    return x


def named_after_a_print(s):
    print("made")
    return np.zeros(2, dtype=s)


def named_in_a_try(s):
    try:
        return np.full(2, 3, dtype=s)
    except TypeError:
        return "no dtype"


def compared_with_a_dtype(s):
    return np.ones(2, dtype="i2") * 1 == 1, np.ones(2).dtype == s


@pytest.mark.parametrize(
    "program",
    [named_in_a_branch, named_after_a_print, named_in_a_try, compared_with_a_dtype],
)
def test_names_of_dtypes_are_constants(program):
    names = ["f4", "f8", "i2", "u1", "bool", "complex64", "c16", "f2"]
    staged = agree(program, [(name,) for name in names])
    assert not any(row.signature == "(s: str)" for row in staged.traces())


def test_an_error_of_python_itself_is_refused_where_texts_are_inputs():
    frame = Frame("texts")
    frame.trace.has_objects = True
    try:
        int("none")
    except ValueError as error:
        made_by_c = error
    try:
        raise ValueError("said")
    except ValueError as error:
        require_said(frame, error)
    with pytest.raises(StagingTypeError) as refused:
        require_said(frame, made_by_c)
    assert str(refused.value) == ("this fails, as a text or list itself may not")
    frame.trace.has_objects = False
    require_said(frame, made_by_c)

"""NumPy ints that outgrow their dtype: left at first, wrapped round and noted then."""

import threading
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime import hushed
from runtime.backends.llvm import float_errors, hot, outgrown
from tests.conformance.harness import disagreement, observe

N = np.int64(40)


@pytest.fixture(autouse=True)
def _afresh(monkeypatch):
    monkeypatch.setattr(outgrown, "_lines", set())
    monkeypatch.setattr(hot, "LEAVINGS", 4)
    with ag.config(backend="native"):
        yield


def drawn(seed, count):
    for _ in range(count):
        seed = seed * np.uint32(1664525) + np.uint32(1013904223)
    return seed


def signed(seed, count):
    for _ in range(count):
        seed = seed * np.int64(6364136223846793005) - np.int64(1442695040888963407)
    return seed


def hashed(seed, count):
    with np.errstate(over="ignore"):
        for k in range(count):
            seed = (seed ^ seed.dtype.type(k)) * seed.dtype.type(109)
    return seed


def stored(seed, count):
    x = np.zeros(count, seed.dtype)
    for k in range(count):
        seed = seed + seed
        x[k] = seed
    return x


def of_python(seed, count):
    total = 1
    for k in range(count):
        total = total * 3 + k
    return total, seed


CASES = [
    *((drawn, np.uint32(1)), (signed, np.int64(7)), (stored, np.int32(3))),
    *((hashed, np.uint8(5)), (hashed, np.uint64(5)), (stored, np.uint16(9))),
]
_IDS = [f"{function.__name__}-{seed.dtype}" for function, seed in CASES]


@pytest.mark.parametrize(("function", "seed"), CASES, ids=_IDS)
def test_what_is_left_too_often_wraps_round(function, seed):
    staged = ag.function(function)
    for _ in range(3 * hot.LEAVINGS):
        found = disagreement(observe(function, [seed, N]), observe(staged, [seed, N]))
        assert found is None, found.sentence
    text = staged.inspect("loops")
    assert "HotLoop" in text
    assert "wrap " in text
    assert "by Python" not in text
    assert not any(f"= {word}(" in text for word in ("sadd", "smul", "uadd", "umul"))


def test_ints_of_pythons_are_left_as_they_were():
    staged = ag.function(of_python)
    for _ in range(hot.LEAVINGS + 3):
        assert staged(N, np.int64(60)) == of_python(N, np.int64(60))
    assert outgrown._lines == set()


def _told(staged, seed):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        staged(seed, N)
    return [(str(one.message), one.lineno) for one in found]


def test_that_one_has_wrapped_is_told_once_a_run_at_its_line():
    line = drawn.__code__.co_firstlineno + 2
    staged = ag.function(drawn)
    for _ in range(hot.LEAVINGS):
        assert len(_told(staged, np.uint32(1))) > 1
    for _ in range(2 * hot.LEAVINGS):
        told = _told(staged, np.uint32(1))
    assert told == [("overflow encountered in scalar multiply", line)]
    assert _told(staged, np.uint32(0))[1:] == []


def test_what_may_have_wrapped_is_looked_for_once(monkeypatch):
    asked, may_cause = [], float_errors._may_cause

    def counted(flag, step):
        asked.append(flag)
        return may_cause(flag, step)

    monkeypatch.setattr(float_errors, "_may_cause", counted)
    staged = ag.function(drawn)
    told = [_told(staged, np.uint32(1)) for _ in range(20)]
    assert told[-1] == told[-2] != []
    assert 0 < len(asked) <= 4


def test_nothing_is_told_where_none_has():
    staged = ag.function(stored)
    for _ in range(3 * hot.LEAVINGS):
        _told(staged, np.int32(3))
    assert _told(staged, np.int32(0)) == []


def test_a_filter_makes_it_an_error():
    staged = ag.function(drawn)
    for _ in range(3 * hot.LEAVINGS):
        _told(staged, np.uint32(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="overflow encountered in scalar"):
            staged(np.uint32(1), N)
        with np.errstate(over="raise"), pytest.raises(FloatingPointError):
            staged(np.uint32(1), N)


def test_settings_of_the_caller_are_asked_where_it_has_wrapped_round():
    staged = ag.function(drawn)
    given = np.uint32(1), N

    def told():
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            staged(*given)
        return len(found)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(12):
            staged(*given)
    assert told() == 1
    with np.errstate(over="ignore"):
        assert told() == 0
    assert told() == 1


OTHERS = [
    {"message": "overflow encountered in scalar multiply"},
    {"category": RuntimeWarning, "module": __name__.replace(".", r"\.")},
    {"lineno": drawn.__code__.co_firstlineno + 2},
]


@pytest.mark.parametrize("of", OTHERS, ids=lambda of: "".join({*of} - {"category"}))
def test_python_is_told_of_what_filters_hush_where_they_have_changed(monkeypatch, of):
    staged, line, asked = ag.function(drawn), drawn.__code__.co_firstlineno + 2, []
    tell = warnings.warn_explicit

    def counted(*args):
        asked.append(args)
        return tell(*args)

    for _ in range(3 * hot.LEAVINGS):
        _told(staged, np.uint32(1))
    monkeypatch.setattr(warnings, "warn_explicit", counted)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", **of)
        warnings.filterwarnings("error", message="of another one")
        for _ in range(5):
            staged(np.uint32(1), N)
        assert (len(asked), found) == (1, [])
        warnings.filterwarnings("always", lineno=line + 1)  # which is not for it
        staged(np.uint32(1), N)
        staged(np.uint32(1), N)
        assert (len(asked), found) == (2, [])
        warnings.filterwarnings("always", lineno=line)
        staged(np.uint32(1), N)
        staged(np.uint32(1), N)
        assert (len(asked), [one.lineno for one in found]) == (4, [line, line])
        warnings.filters.pop(0)
        staged(np.uint32(1), N)
        assert len(found) == 2


def test_what_is_hushed_for_one_thread_is_said_in_others():
    staged = ag.function(drawn)
    for _ in range(3 * hot.LEAVINGS):
        _told(staged, np.uint32(1))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with hushed.warnings_as("ignore"):
            staged(np.uint32(1), N)
            staged(np.uint32(1), N)
            assert found == []
            other = threading.Thread(target=staged, args=(np.uint32(1), N))
            other.start()
            other.join()
            assert len(found) == 1
        staged(np.uint32(1), N)
        assert len(found) == 2

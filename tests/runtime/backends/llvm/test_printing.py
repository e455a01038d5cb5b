"""Loops that print are machine code, and print what Python does, when it does."""

import contextlib
import io
import sys
import warnings

import numpy as np
import pytest

import autograph as ag
from tests.conformance.harness import observe
from tests.runtime.backends.llvm.compiling import agreeing, cases, loops_of

CASES, case = cases()
n = np.int64
ROW = np.arange(90.0)


@case((ROW,), (ROW[:3],), (ROW[:0],))
def now_and_then(x):
    total = 0.0
    for k in range(len(x)):
        total += x[k] * x[k]
        if k % 20 == 0:
            print("at", k, "it is", total, x[k], flush=True)
    return total


@case((ROW, n(3)), (ROW * 1j, n(3)), (ROW.astype("f4"), n(3)), (ROW.astype("u1"), n(3)))
def of_each_kind(x, count):
    whole, half, is_so = 0, 0.5, False
    for k in range(count):
        whole, half, is_so = whole + k, half + k, not is_so
        print(whole, half, is_so, x[k], k, f"{half:.3f}", sep="|", end=".\n")
    return whole


@case((ROW, n(30)), (ROW.astype("f4"), n(9)))
def texts_of_the_run(x, count):
    total = 0
    for k in range(count):
        total = total + x[k]
        if k % 8 == 0:
            print(f"{k:>4}: {total:.3f} {x[k]!r}", str(k))
            print("%d of %.2e" % (k, total))  # noqa: UP031 - what is tried
        elif k == 9:
            print("{} and {:g}".format(k, total))  # noqa: UP032 - what is tried
    return total


@case((ROW, n(30)), (ROW, n(95)))
def a_text_that_is_raised(x, count):
    for k in range(count):
        told = f"{x[k]:.1f} at {k}"
        x[k] = -1
        assert x[k] * 2 < 0, told
        if k == 20:
            print("nearly")
            raise ValueError(told, f"{told} of {count}")
    return x


@case((n(4),))
def a_text_that_fails(count):
    total = 0.5
    for k in range(count):
        total += k
        print("before", k)
        print("%d" % total, f"{total:d}")  # noqa: UP031 - what is tried
    return total


@case((ROW, n(4)))
def a_text_that_fails_before_a_store(x, count):
    total = 0.5
    for k in range(count):
        told = "%d" % k if k < 2 else f"{total:d}"  # noqa: UP031 - what is tried
        x[k] = -1
        total += k
        print(told)
    return x


@case((ROW, n(4)))
def a_text_that_fails_before_another(x, count):
    for k in range(count):
        told = f"{x[k] * 2:d}"
        print("another", k)
        print(told)
    return x


@case((ROW, n(4)), (ROW, n(0)))
def texts_that_are_kept(x, count):
    found, told = [], "none"
    for k in range(count):
        told = f"{x[k]} at {k}"
        for i in range(k):
            print(told, i)
        if k > 1:
            print(told)
        found.append(told)
        if told == "2.0 at 2":
            found.append(f"long {len(told)}")
    return found, told


@case(
    (ROW, n(40)),
)
def a_text_in_front_of_a_branch(x, count):
    for k in range(count):
        told = f"{x[k]} at {k}"
        if x[k] > 35:
            print(told, "in", count)
        if x[k] > 38:
            x[k] = 1
            print(f"{told}; {x[k]}")
    return x


@case((ROW[:6], n(4)), (np.arange(6), n(2)))
def what_is_changed_in_place(x, count):
    y = np.zeros(3)
    for k in range(count):
        x[k] = -k
        y += x[:3]
        print(x, y[k % 3])
        x[k + 1] = 7
    print("in the end", x)
    return y


@case((ROW[:9],))
def in_loops_and_branches(x):
    found = 0
    for i in range(len(x)):
        for k in range(i):
            if x[i] * x[k] == 12:
                print(i, "times", k)
                found += 1
            elif found > 1:
                print("enough")
                break
        else:
            if i % 4 == 3:
                print("row", i)
    return found


@case((n(5),), (n(0),))
def in_the_test_of_a_loop(count):
    left = count
    while print("left", left) is None and left > 0:
        left -= 1
    return left


@case((ROW, n(40)), (ROW, n(95)))
def before_something_fails(x, at):
    for k in range(at):
        if k % 30 == 29:
            print("so far", k, x[k])
        x[k] = 0
    return x


@case((ROW, n(95)), (ROW, n(2)))
def before_something_is_raised(x, at):
    for k in range(len(x)):
        print(k)
        if k == at:
            raise ValueError(f"at {k}")
        x[k] = -1
    return x


@case((n(10),), (n(70),))
def of_ints_that_outgrow_the_machine(count):
    power = 1
    for k in range(count):
        power *= 3
        if k % 7 == 0:
            print(k, power)
    return power


@case((np.array([4.0, 0.0, 2.0]), n(3)))
def beside_a_warning(x, count):
    total = 0.0
    for k in range(count):
        total += np.float64(1) / x[k]
        print(k, total)
    return total


# A test that has been asked is not asked again, and texts that are kept are objects.
OF_PYTHON = {in_the_test_of_a_loop, texts_that_are_kept}
OF_PYTHON |= {a_text_that_fails_before_a_store, a_text_that_fails_before_another}


def _in_machine_code(staged, arguments):
    return [loop.is_made for loop in loops_of(staged, arguments)][:1] == [True]


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_it_prints_as_python_does(function, arguments):
    with ag.config(backend="native"):
        staged = agreeing(function, arguments)
        made = _in_machine_code(staged, arguments[0])
    assert made == (function not in OF_PYTHON)


def test_each_is_printed_once_where_machine_code_is_new(monkeypatch):
    """Where a loop is entered in the middle, or left, nothing is said again."""
    given = np.array([2.0, 0.0, 1e200, 3.0] * 40)

    def many(x):
        total = 1
        for k in range(len(x)):
            total = total * 5 % 1_000_003 if k % 9 else total * 1_000_003
            print(k, total, x[k] * x[k])
        return total

    for _ in range(3):
        staged = ag.function(many)
        with np.errstate(all="ignore"):
            for _ in range(4):
                wanted = observe(many, [given.copy()])
                assert observe(staged, [given.copy()]).printed == wanted.printed


class Closed:
    """A file that takes some lines, and no more."""

    def __init__(self, most):
        self.most, self.text = most, ""

    def write(self, text):
        if self.text.count("\n") >= self.most:
            raise OSError("no room is left")
        self.text += text

    def flush(self):
        pass


def test_what_fails_to_be_printed_is_raised_once(monkeypatch):
    def told(x):
        for k in range(len(x)):
            x[k] = k
            print("line", k)
        return x

    found = []
    with ag.config(backend="native"):
        staged = ag.function(told)
        staged(np.zeros(2))
        for function in (told, staged):
            file, x = Closed(5), np.full(9, -1.0)
            monkeypatch.setattr(sys, "stdout", file)
            with pytest.raises(OSError, match="no room is left"):
                function(x)
            monkeypatch.undo()
            found.append((file.text, x.tolist()))
    assert found[0] == found[1]


def _told(function, filter_):
    """What a division by zero has printed, and raised."""
    printed, raised = io.StringIO(), None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.resetwarnings()  # what pytest has put there may be an error
        warnings.simplefilter(filter_)
        try:
            function(np.array([4.0, 0.0, 2.0]), n(3))
        except RuntimeWarning as warning:
            raised = str(warning)
    return printed.getvalue(), raised


@pytest.mark.parametrize("filter_", ["error", "ignore"])
def test_a_warning_changes_nothing_of_what_is_printed(filter_):
    """One that is an error comes before what follows; for others nothing is redone."""
    with ag.config(backend="native"):
        staged = ag.function(beside_a_warning)
        found = [_told(staged, "ignore"), *(_told(staged, filter_) for _ in range(3))]
    wanted = [_told(beside_a_warning, one) for one in ("ignore", *[filter_] * 3)]
    assert found == wanted


def test_a_fault_that_is_an_error_comes_before_what_follows():
    x = np.array([1.0, 0.0, 2.0])
    with ag.config(backend="native"):
        staged = ag.function(beside_a_warning)
        staged(x[:1], n(1))
        for function in (beside_a_warning, staged):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed), np.errstate(all="raise"):
                with pytest.raises(FloatingPointError):
                    function(x, n(3))
            assert printed.getvalue() == "0 1.0\n"

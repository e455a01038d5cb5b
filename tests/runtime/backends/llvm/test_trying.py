"""Loops with a `try` in a turn: machine code, and all that Python means by it."""

import math
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.llvm.hot import HotLoop
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.compiling import agreeing, cases

CASES, case = cases()
n = np.int64
ROW = np.array([1.0, 0.0, -2.0, 0.5, 0.0, 1e308, -0.0, np.inf, np.nan, 3.0] * 9)
INTS = np.array([3, 0, -7, 95, -90, -91, 89, 90, 2**62, 1, 0, 12] * 9)


@case((ROW,), (ROW[:0],), (ROW[:1],))
def quotients(x):
    total = 0.0
    for k in range(len(x)):
        try:
            total += 1 / float(x[k])
        except ZeroDivisionError:
            total -= 0.25
    return total


@case((ROW.tolist(),), ([0.0],))
def quotients_of_a_list(x):
    total = 0.0
    for one in x:
        try:
            y = 2.5 // one + 7.5 % one
        except ZeroDivisionError:
            y = -1.0
        total = total * 0.5 + y
    return total


@case((ROW, INTS))
def indices(x, places):
    total, missed = 0.0, 0
    for at in places:
        try:
            total += math.sqrt(abs(x[at])) if at % 2 else x[at - 3]
        except IndexError:
            missed += 1
    return total, missed


@case((np.arange(12.0).reshape(3, 4), INTS % 7 - 3))
def indices_of_rows(x, places):
    total, missed = 0.0, 0
    for k in range(len(places)):
        try:
            total += x[places[k], places[k - 1]]
        except IndexError:
            missed += k
    return total, missed


@case(([4, 5, 6], INTS), ([], INTS))
def items(x, places):
    total, missed = 0, 0
    for at in places:
        try:
            total += x[at]
        except IndexError:
            missed += 1
    return total, missed


@case((ROW,), (np.linspace(-800, 800, 61),))
def mathematics(x):
    found = np.zeros(6)
    for k in range(len(x)):
        one = float(x[k])
        try:
            found[0] += math.sqrt(one)
        except ValueError:
            found[1] += 1
        try:
            found[2] += math.log(one) + math.asin(one)
        except ValueError:
            found[3] += k
        try:
            found[4] += math.exp(one)
        except OverflowError:
            found[5] += 1
    return found


@case((ROW,))
def as_ints(x):
    found, kinds = 0, 0
    for k in range(len(x)):
        try:
            found = (found * 3 + int(x[k] * 1e-300)) % 1001
        except ValueError:
            kinds = kinds * 2 % 1001 + 1
        except OverflowError:
            kinds = kinds * 2 % 1001 + 2
    return found, kinds


@case((ROW,))
def state_where_it_failed(x):
    before = after = 0
    last = 0.0
    for k in range(len(x)):
        try:
            before += 1
            last = 3 / float(x[k])
            after += k
            last = 1 / (last - 3)
        except ZeroDivisionError:
            before = before * 2 % 1001 + after
            last -= 0.5
    return before, after, last


@case((ROW,))
def in_place(x):
    for k in range(len(x)):
        try:
            x[k] = 1 / float(x[k])
        except ZeroDivisionError:
            x[k] = -k
    return x


@case((ROW, np.zeros(40)))
def stores_that_lie_outside(x, y):
    missed = 0
    for k in range(len(x)):
        try:
            missed += 1
            y[k] = x[k]
            missed -= 1
        except IndexError:
            y[k - 40] += 1
    return y, missed


TABLE = np.arange(8.0)


@case((ROW,))
def beside_arrays_of_the_functions_own(x):
    found = 0.0
    for k in range(len(x)):
        row = np.array([0.5, 2.0, 4.0])
        try:
            found += TABLE[k // 8] / float(x[k]) + row[k % 3] // k
        except ZeroDivisionError:
            found -= row[1] * 0.5
    return found


@case((ROW,))
def raised(x):
    found = 0
    for k in range(len(x)):
        try:
            if x[k] < 0:
                raise ValueError("negative")
            if x[k] > 2:
                raise KeyError(k)
            found += 1
        except ValueError:
            found -= 3
        except LookupError:
            found *= 2
            found %= 1001
    return found


@case((ROW,))
def in_one_of_several(x):
    found = 0.0
    for k in range(len(x)):
        try:
            if k % 3 == 0:
                found += 1 / float(x[k])
            elif k % 3 == 1:
                found += x[k + 5]
            else:
                found += 1 / k
            found *= 0.5
        except (IndexError, ZeroDivisionError):
            found += 0.125
        else:
            found += 1
        found *= 0.75
    return found


@case((ROW,))
def ways_out(x):
    found = 0.0
    for k in range(len(x)):
        try:
            found += 1 / float(x[k])
        except ZeroDivisionError:
            if k < 12:
                continue
            if k > 70:
                return -1.0
            found += 1
            if k > 60:
                break
        found *= 0.5
    return found


@case((ROW,), (ROW[2:4],))
def a_way_out_of_the_body(x):
    for k in range(len(x)):
        try:
            if 1 / float(x[k]) < 0.5 and k > 3:
                return k
        except ZeroDivisionError:
            pass
    return -1


@case((ROW, ROW[::-1].copy()))
def one_in_another(x, y):
    found = 0.0
    for k in range(len(x)):
        try:
            try:
                found += 1 / float(x[k])
            except ZeroDivisionError:
                found += 1 / float(y[k - 3])
            found *= 0.5
        except ZeroDivisionError:
            found -= 1
    return found


@case((ROW,), (ROW[2:4],))
def what_is_not_caught(x):
    found = 0.0
    for k in range(len(x) + 1):
        try:
            found += 1 / float(x[k])
        except ZeroDivisionError:
            found -= 1
    return found


@case((ROW,), (ROW[2:4],), (ROW[:0],))
def what_is_not_caught_and_not_used(x):
    found = 0.0
    for k in range(len(x) + 1):
        try:
            found += 1 / (k - 50)
            x[k]
        except ZeroDivisionError:
            found -= 1
    return found


@case((ROW,))
def any_failure(x):
    found = 0.0
    for k in range(len(x)):
        try:
            found = found * 0.5 + k / (k - 5) + 3 * float(x[k]) // 2
        except Exception:
            found = 1.0
    return found


@case((ROW, n(30)))
def prints(x, count):
    for k in range(count):
        try:
            print("before", k)
            y = 1 / float(x[k])
            print("after", y)
        except ZeroDivisionError:
            print("none")
    return count


@case((ROW,))
def lists_that_grow(x):
    kept, tried = [], []
    for k in range(len(x)):
        try:
            tried.append(k)
            kept.append(1 / float(x[k]))
        except ZeroDivisionError:
            tried.append(-k)
    return kept, tried


@case((ROW, n(10), n(5)), (ROW, n(3), n(40)))
def in_an_inner_loop(x, rows, columns):
    found = 0.0
    for k in range(rows):
        for i in range(columns):
            try:
                found += k / (i - 3) + x[k * i]
            except ZeroDivisionError:
                found *= 0.5
    return found


@case((ROW,))
def numpys_own_divide(x):
    found = 0.0
    for k in range(len(x)):
        try:
            y = 1 / x[k]
        except ZeroDivisionError:
            y = -1.0
        found = found * 0.5 + min(y, 3.0)
    return found


@case((ROW, np.array(3.0)))
def an_array_without_dims(x, y):
    found = 0.0
    for k in range(len(x)):
        try:
            found += y[()] + x[k + 5]
        except IndexError:
            found -= 1
    return found


@pytest.mark.parametrize("backend", ["native", "numpy"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_a_try_in_a_loop_is_pythons(function, arguments, backend):
    warnings.resetwarnings()
    with ag.config(backend=backend):
        staged = agreeing(function, arguments)
        held = [one.run.__globals__.values() for one in staged.concrete_functions]
        loops = [one for values in held for one in values if isinstance(one, HotLoop)]
    if backend == "native":
        assert loops
        assert all(loop.is_made or loop.refused == "" for loop in loops)
        assert loops[0].is_made


@pytest.mark.parametrize("function", [numpys_own_divide, any_failure, indices])
@pytest.mark.parametrize("told", ["raise", "ignore", "warn"])
def test_what_numpy_is_told_of_numbers_holds(function, told):
    warnings.resetwarnings()
    given = (ROW, INTS) if function is indices else (ROW,)
    with ag.config(backend="native"):
        staged = ag.function(function)
        for _ in range(3):
            with np.errstate(all=told):
                found = disagreement(observe(function, given), observe(staged, given))
            assert found is None, found.sentence

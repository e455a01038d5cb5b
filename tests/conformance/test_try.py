"""try statements whose bodies fail depending on data, against plain Python."""

import itertools

import numpy as np
import pytest

from tests.conformance.trying import INDICES, Programs, check, i, x3

program = Programs()


@program(*INDICES)
def read_or_default(x, i):
    try:
        y = x[i]
    except IndexError:
        y = np.float64(-1.0)
    return y


@program(*INDICES)
def returns_from_the_body_and_the_handler(x, i):
    try:
        return x[i]
    except IndexError:
        return np.float64(-1.0)


@program(*INDICES)
def counts_around_the_failure(x, i):
    n = 0
    try:
        n += 1
        y = x[i] * 2
        n += 1
    except IndexError:
        y = x[0] * 0
        n += 10
    return n, y


@program(*INDICES)
def writes_before_and_after(x, i):
    a = x.copy()
    try:
        a[0] = 10.0
        a[i] = 20.0
        a[1] = 30.0
    except IndexError:
        a[2] += 1.0
    return a


@program(*INDICES)
def writes_the_argument(x, i):
    try:
        x[0] = 10.0
        x[i] = 20.0
        x[1] = 30.0
    except IndexError:
        pass
    return x[0] + x[1]


@program(*INDICES)
def unused_failure_is_seen(x, i):
    try:
        x[i]
    except IndexError:
        return 1
    return 0


@program(*INDICES)
def else_and_finally(x, i):
    log = 0
    try:
        y = x[i]
    except IndexError:
        log = log * 10 + 1
        y = x[0]
    else:
        log = log * 10 + 2
        y = y + 1
    finally:
        log = log * 10 + 3
        print("finally", log)
    return y, log


@program(*INDICES)
def finally_on_return(x, i):
    try:
        return x[i]
    finally:
        print("left")


@program(*INDICES)
def finally_returns(x, i):
    try:
        return x[i]
    finally:
        return x[0] * 5


@program(*INDICES)
def not_the_type(x, i):
    try:
        return x[i]
    except ZeroDivisionError:
        return x[0]


@program(*INDICES)
def subclass_is_taken(x, i):
    try:
        return x[i]
    except LookupError:
        return x[0]


@program(*INDICES)
def second_handler(x, i):
    try:
        return x[i]
    except KeyError:
        return x[0]
    except IndexError:
        return x[1]
    except Exception:
        return x[2]


@program(*INDICES)
def bare_handler(x, i):
    try:
        return x[i]
    except:  # noqa: E722
        return x[0]


@program((i(0),), (i(3),), (i(10),))
def retry(n):
    tries = 0
    while True:
        try:
            if n < 5:
                raise ValueError("too small")
            break
        except ValueError:
            n += 1
            tries += 1
    return n, tries


@program((i(0),), (i(3),), (i(10),))
def retry_with_return(n):
    for k in range(100):
        try:
            if n + k < 5:
                raise ValueError("too small")
            return k
        except ValueError:
            continue
    return -1


@program(*[(x3, i(k)) for k in (0, 2, 5)])
def in_a_while(x, n):
    total = x[0] * 0
    k = 0
    while k < n:
        try:
            total += x[k]
        except IndexError:
            total -= 1.0
        k += 1
    return total, k


@program(*[(x3, i(k)) for k in (0, 2, 5)])
def while_inside(x, n):
    total = x[0] * 0
    k = 0
    try:
        while k < n:
            total += x[k]
            k += 1
    except IndexError:
        total = -total
    return total, k


@program(*[(x3, i(k)) for k in (0, 2, 5)])
def writes_in_a_loop(x, n):
    done = 0
    try:
        for k in range(n):
            x[k] = k * 10.0
            done = k
    except IndexError as e:
        print(e, done)
    return x, done


@program(*[(i(a), i(b)) for a, b in itertools.product((0, 1, 2), repeat=2)])
def nested(a, b):
    x = np.arange(2.0)
    log = 0
    try:
        log = log * 10 + 1
        try:
            y = x[a]
            log = log * 10 + 2
            y = y + x[b + 1]
        except KeyError:
            y = x[0]
            log = log * 10 + 3
        finally:
            log = log * 10 + 4
            print("inner", log)
        log = log * 10 + 5
    except IndexError:
        y = x[1]
        print("outer", log)
    return y, log


@program(*[(i(a), i(b)) for a, b in itertools.product((0, 1, 2), repeat=2)])
def nested_in_the_handler(a, b):
    x = np.arange(2.0)
    n = 0
    try:
        y = x[a]
        n = 1
    except IndexError:
        try:
            n = 2
            y = x[b]
            n = 3
        except IndexError as e:
            print(e)
            y = x[0]
    return y, n


@program(*[(i(a), i(b)) for a, b in itertools.product((0, 1, 2), repeat=2)])
def raised_in_the_handler_and_caught_outside(a, b):
    x = np.arange(2.0)
    n = 0
    try:
        try:
            n += 1
            y = x[a]
        except IndexError:
            n += 10
            y = x[b]
            n += 100
    except IndexError as e:
        print("outside", e)
        y = x[0]
        n = -n
    return y, n


@program(*INDICES)
def a_name_set_on_one_path(x, i):
    try:
        y = x[i]
        z = y + 1
    except IndexError:
        pass
    return z


@program(*INDICES)
def state_of_containers(x, i):
    found = {"n": 0, "v": [1, 2]}
    try:
        found["n"] = 1
        found["v"][0] = 5
        y = x[i]
        found["n"] = 2
        found["v"][1] = 7
    except IndexError:
        y = x[0]
        found["n"] += 10
    return found["n"], found["v"][0], found["v"][1], y


class Box:
    """An object with an attribute."""

    def __init__(self, content):
        self.content = content


@program(*INDICES)
def state_of_attributes(x, i):
    box = Box(0)
    try:
        box.content = 1
        y = x[i]
        box.content = 2
    except IndexError:
        y = x[0]
        box.content += 10
    return box.content, y


@program(*INDICES)
def break_and_continue(x, i):
    total = 0
    for k in range(5):
        try:
            if k == 1:
                continue
            y = x[i + k]
            if y > 2.5:
                break
            total += 1
        except IndexError:
            total += 10
            if k > 2:
                break
        else:
            total += 100
        finally:
            total += 1000
            print(k)
    return total


@program(*INDICES)
def views_of_arguments(x, i):
    try:
        tail = x[1:]
        tail[0] = 9.0
        y = x[i]
        tail[1] = 8.0
    except IndexError:
        tail[1] = 7.0
        y = x[1]
    tail[0] += 1.0
    return y, tail


@program(*INDICES)
def catches_everything(x, i):
    # The trace is begun anew inside the body, which is no affair of the handler's.
    found = 1.0
    try:
        found = [v for v in x if v > i]
    except BaseException:
        found = 2.0
    return found


@program((np.bool_(True), x3, 2), (np.bool_(False), x3, 2))
def what_may_fail_is_in_a_loop_without_a_turn(c, x, before):
    rows, item = [], before
    try:
        for item in zip(rows, x):
            if c:
                x[0] = 1
            else:
                rows(x)
    except IndexError:
        return "never"
    print(item)
    return item


@pytest.mark.parametrize(("function", "arguments"), program)
def test_a_handler_gets_what_it_gets_in_plain_python(function, arguments):
    check(function, arguments)

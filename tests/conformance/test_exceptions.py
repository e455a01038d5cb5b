"""What is raised depending on data, and what handlers see of it."""

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import INDICES, Programs, asserts, check, i
from tracer import caught

program = Programs()


@program(*INDICES)
def handler_prints_the_error(x, i):
    try:
        y = x[i]
    except IndexError as e:
        print("caught", e)
        print(f"{e!r} {e}")
        y = x[0]
    return y


@program(*INDICES)
def returns_the_text(x, i):
    try:
        x[i]
    except IndexError as e:
        return str(e)
    return str(i)


@program(*INDICES)
def first_argument(x, i):
    try:
        x[i]
    except (KeyError, IndexError) as e:
        print(e.args[0])
    return x


@program(*INDICES)
def raises_again(x, i):
    try:
        return x[i]
    except IndexError:
        print("again")
        raise


@program(*INDICES)
def raises_the_name(x, i):
    try:
        return x[i]
    except IndexError as e:
        print("again")
        raise e


@program(*INDICES)
def raises_from(x, i):
    try:
        return x[i]
    except IndexError as e:
        raise ValueError(f"no {i}: {e}") from e


@program(*INDICES)
def raises_another(x, i):
    try:
        return x[i]
    except IndexError:
        raise KeyError("gone")


VALUES = [(np.array(v),) for v in ([1.0, 2.0], [1.0, -2.0, 3.0], [-1.0, -2.0])]


@program(*VALUES)
def search_raises(x):
    try:
        for v in x:
            if v < 0:
                raise ValueError(f"negative {v}")
    except ValueError as e:
        print("caught", e)
        return 0
    return 1


@program(*VALUES)
def search_raises_to_the_caller(x):
    def first_negative(x):
        count = 0
        for v in x:
            if v < 0:
                raise ValueError(f"negative {v} at {count}")
            count += 1
        return count

    try:
        n = first_negative(x)
    except ValueError as e:
        n = -1
        print(e.args)
        print(e.args[0], len(e.args))
    return n


class Empty(Exception):
    """An exception with attributes."""

    def __init__(self, place, value):
        super().__init__(f"empty at {place}")
        self.place = place
        self.value = value


@program(*VALUES)
def own_exception(x):
    try:
        total = 0.0
        for k, v in enumerate(x):
            if v < 0:
                raise Empty(k, v)
            total += v
    except Empty as e:
        print(e, e.place, e.value)
        return e.value + e.place
    return total


@program(*VALUES)
def two_of_one_class(x):
    try:
        if x[0] < 0:
            raise Empty(0, x[0])
        if x[1] < 0:
            raise Empty("one", x[1])
    except Empty as e:
        print(e.place, e.value, e)
        return e.value
    return x[0]


program(*VALUES)(asserts)


SQUARES = [
    (np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])),
    (np.ones((2, 2)), np.array([1.0, 2.0])),
]


@program(*SQUARES)
def singular(a, b):
    try:
        y = np.linalg.solve(a, b)
    except np.linalg.LinAlgError as e:
        print(e)
        y = b
    return y


@program((1.0,), (0.0,))
def division_of_numbers(a):
    k = int(a)
    try:
        y = 10 // k
    except ZeroDivisionError as e:
        print(e)
        y = 0
    return y


@program((np.float64(4.0), i(3)), (np.float64(0.0), i(3)))
def newton(x, n):
    for _ in range(n):
        try:
            step = 1.0 / float(x)
        except ZeroDivisionError:
            x = x + 1.0
            continue
        x = x - step
    return x


@program(*[(np.arange(float(n)),) for n in (3, 2, 4, 3)])
def shapes_of_any_size(x):
    y = x[x > 0]
    try:
        z = y + np.ones(2)
    except ValueError as e:
        print(e)
        z = y
    return z


@program(*INDICES)
def python_errors_while_tracing(x, i):
    try:
        int("x")
    except ValueError as e:
        print(e)
    try:
        {}["k"]
    except KeyError as e:
        print(e.args, type(e).__name__)
    return x[0] + i


@program(*INDICES)
def python_error_after_a_failure(x, i):
    n = 0
    try:
        n = 1
        x[i]
        n = 2
        int("x")
        n = 3
    except IndexError:
        n += 10
    except ValueError as e:
        print(e)
        n += 20
    return n


@program(*INDICES)
def type_name_and_isinstance(x, i):
    try:
        x[i]
    except Exception as e:
        print(type(e).__name__, e)
        if isinstance(e, KeyError):
            return 1
        if isinstance(e, IndexError):
            return 2
    return 0


@program(*[(i(k),) for k in range(4)])
def different_types_by_data(k):
    try:
        if k == 0:
            raise KeyError("key")
        if k == 1:
            raise ValueError("value", 3)
        if k == 2:
            raise IndexError
        r = 0
    except (KeyError, ValueError) as e:
        print(repr(e), e.args)
        r = len(e.args)
    except IndexError as e:
        print(repr(e))
        r = 7
    return r


@program((np.array([4.0, -1.0]),), (np.array([4.0, 1.0]),))
def host_function(x):
    def root(v):
        if v < 0:
            raise ValueError("negative", float(v))
        return float(np.sqrt(v))

    total = 0.0
    try:
        for v in x:
            total += ag.py_function(root, v, result=ag.TensorSpec((), float))
    except ValueError as e:
        print(type(e).__name__, e)
        total = -total
    return total


@program(*INDICES)
def keeps_the_last_error(x, i):
    text = "none"
    for k in range(3):
        try:
            x[i + k]
        except IndexError as e:
            text = str(e)
            print(text)
    return 0


@program(*INDICES)
def the_name_is_unbound_after(x, i):
    e = 1
    try:
        x[i]
    except IndexError:
        pass
    return e


PAIRS = [(i(a), i(b)) for a in (0, 1, 2, 5) for b in (0, 1, 2, 5)]


class Right(Exception):
    """An exception with an attribute."""

    def __init__(self, v):
        self.v = v
        super().__init__("right", v)


@program(*PAIRS)
def attributes_set_by_a_handler(a, b):
    try:
        try:
            if a > b:
                raise Right(b)
            np.arange(2.0)[b]
        except Right as e:
            e.extra = a
            e.v += 1
            print(e.extra + e.v)
            raise
        except IndexError as e:
            e.extra = b
            print(e.extra)
            raise
    except Right as e:
        return e.extra + e.v * 10
    except IndexError as e:
        print(e)
    return a


@program(*PAIRS)
def arguments_that_only_the_run_knows(a, b):
    try:
        try:
            if a > 1:
                raise KeyError
            if b > 1:
                raise KeyError(a, b)
        finally:
            print("left")
    except Exception as e:
        print(e.args, len(e.args))
        if len(e.args) > 1:
            return e.args[1] + 0
    return a


@program(*PAIRS)
def raised_again_from_another(a, b):
    try:
        try:
            np.arange(2.0)[a]
        except IndexError as e:
            e.extra = b
            raise e from ValueError("other")
    except IndexError as e:
        print(e)
    try:
        try:
            if a > b:
                raise Right(b)
        except Right as e:
            raise e from ValueError("other")
    except Right as e:
        print(repr(e.__cause__))
    return a


@program(*PAIRS)
def reraised_with_its_attributes(a, b):
    try:
        try:
            if a > 1:
                raise Right(b)
        except Exception as e:
            print("in", e.args)
            if b > 1:
                raise
            raise ValueError(e.args[1]) from e
    except Right as e:
        return e.v
    except ValueError as e:
        return e.args[0]
    return a * 0


@pytest.mark.parametrize(("function", "arguments"), program)
def test_a_handler_gets_what_it_gets_in_plain_python(function, arguments):
    check(function, arguments)


def test_a_stand_in_whose_trace_is_over_can_be_asked_for_its_class():
    kind = caught._open_class(IndexError, of_op=True)
    # As a debugger does, and what goes through all objects.
    assert isinstance(kind.__new__(kind), IndexError)
    assert not isinstance(kind.__new__(kind), dict)

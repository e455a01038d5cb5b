"""with, try and match: also left from inside."""

import contextlib

import pytest

from tests.autograph.converters.samples import Samples, name, say

samples = Samples()


@contextlib.contextmanager
def section(word):
    print("enter", word)
    try:
        yield word
    finally:
        print("leave", word)


@samples(1, -1, staged=False)
def a_return_from_with(x):
    with section("a") as word:
        if x > 0:
            return x
        print(word)
    return x - 1


@samples(3, staged=False)
def several_managers(x):
    with section("a") as a, section("b") as b:
        x = x + len(a) + len(b)
    return x


class Quiet:
    def __enter__(self):
        return 5

    def __exit__(self, *error):
        return None


@samples((6, 4), (6, 9), (-1, 1))
def every_way_out_of_with(n, stop):
    total = n * 0
    for i in range(n):
        with Quiet() as five:
            if i == 1:
                continue
            if i == stop:
                break
            if total > 14:
                return total * 2
            total = total + five
    return total


@samples(4, staged=False)
def break_and_continue_out_of_with(n):
    total = n * 0
    for i in range(6):
        with section("loop"):
            if i == 1:
                continue
            if i == n:
                break
            total = total + i
    return total


@samples(1, 0, staged=False)
def try_except_else_finally(x):
    try:
        print(1 // x)
    except ZeroDivisionError as error:
        print("caught", error)
        x = 5
    else:
        print("else")
        x = 6
    finally:
        print("finally")
    return x


@samples(1, 0, 2, staged=False)
def returns_from_every_part_of_try(x):
    try:
        if x == 1:
            return "body"
        1 // x
    except ZeroDivisionError:
        return "handler"
    else:
        return "else"
    finally:
        print("finally")


@samples(4, staged=False)
def break_and_continue_out_of_try(n):
    seen = []
    for i in range(8):
        try:
            if i == 1:
                continue
            if i == n:
                break
            seen.append(6 // (i - 2))
        except ZeroDivisionError:
            seen.append("zero")
            continue
        finally:
            seen.append("finally")
        seen.append("end")
    return seen


@samples(1, 0, staged=False)
def an_exception_is_raised_again(x):
    try:
        1 // x
    except ZeroDivisionError:
        print("seen")
        raise
    return x


@samples(1, 0, staged=False)
def an_exception_has_a_cause(x):
    try:
        1 // x
    except ZeroDivisionError as error:
        raise ValueError("no") from error
    return x


@samples(1, staged=False)
def the_handlers_name_is_unbound_afterwards(x):
    try:
        raise ValueError("v")
    except ValueError as error:
        print(error)
    return error  # noqa: F821


@samples(3, -3)
def finally_without_handlers(x):
    try:
        if x > 0:
            x = x + 1
        else:
            return x
    finally:
        print("finally")
    return x * 2


@samples(3)
def try_around_plain_work_in_a_trace(x):
    try:
        value = {"a": 1}["b"]
    except KeyError:
        value = 7
    return x + value


@samples(0, 1, (2,), [3, 4], {"k": 5}, "text", None, staged=False)
def match_returns_from_cases(x):
    match x:
        case 0 | 1:
            return "small"
        case (2,) | [3, 4] if say("guard", True):
            return "sequence"
        case {"k": value, **rest}:
            return value, rest
        case str() as text:
            result = text * 2
        case _:
            result = "other"
    return result


@samples((5, 6), staged=False)
def match_inside_a_loop(*pair):
    seen = []
    for item in [*pair, (1, 2), [3], "stop", 9]:
        match item:
            case [a, b]:
                seen.append(a + b)
                continue
            case "stop":
                break
            case int(n):
                seen.append(n)
        seen.append("end")
    return seen


@samples(3, -3)
def match_on_a_plain_word_in_a_trace(x):
    word = "double"
    match word:
        case "double":
            if x > 0:
                return x * 2
        case _:
            return x
    return x - 1


@samples(3, staged=False)
def exception_groups(x):
    try:
        raise ExceptionGroup("g", [ValueError("v"), KeyError("k")])
    except* ValueError as group:
        print(len(group.exceptions))
        x += 1
    except* KeyError:
        x += 10
    return x


@samples(2, staged=False)
def nested_try_and_with(n):
    seen = []
    for i in range(4):
        with section(str(i)):
            try:
                with section("inner"):
                    if i == n:
                        raise KeyError(i)
                    if i == 0:
                        continue
            except KeyError:
                seen.append("handled")
                break
            finally:
                seen.append(i)
    else:
        seen.append("else")
    return seen


@pytest.mark.parametrize("sample", samples.all, ids=name)
def test_a_converted_compound_statement_does_what_python_does(sample) -> None:
    sample.check_converted()


@pytest.mark.parametrize("sample", samples.staged, ids=name)
def test_a_staged_compound_statement_does_what_python_does(sample) -> None:
    sample.check_staged()

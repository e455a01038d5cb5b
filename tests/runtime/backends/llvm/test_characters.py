"""Loops that ask what characters are, of texts that are there before, are numbers."""

import numpy as np
import pytest

import autograph as ag
from runtime.ops.characters import ASKED, GIVEN, table_of
from runtime.ops.characters import characters as text_of
from tests.conformance.harness import disagreement, observe
from tests.runtime.backends.llvm.characters_of_the_run import (
    ALL,
    LONG,
    ODD,
    TWO,
    check_as_python,
    check_loops_hold_no_text,
    check_stays,
)
from tests.runtime.backends.llvm.compiling import agreeing, cases

CASES, case = cases()


@case(*ALL)
def vowels(s):
    n = 0
    for c in s:
        if c in "aeiou":
            n += 1
        if c not in "":  # noqa: RUF060 - all are
            n += 100
    return n


@case(*ALL)
def asked(s):
    n = 0
    for i in range(len(s)):
        n = n * 3 % 1000003
        if s[i].isdigit():
            n += 1
        if s[i].isalpha():
            n += 2
        if s[i].isalnum() or s[i].isspace():
            n += 3
        if s[i].isupper() and not s[i].islower():
            n += 5
    return n


@case(*ALL)
def compared_with_constants(s):
    n = 0
    for i, c in enumerate(s):
        n = n * 3 % 1000003 + i
        if c == "a" or "b" != c:
            n += 1
        if "A" <= c < "Z" or c > "x":
            n += 2
        if c == "ab" or c == "" or c != "abcd":
            n += 3
        if c in ("+", "(") or c in ["?", "!"]:
            n += 4
        if len(c) > 1:
            n += 5
    return n


@case(*ALL)
def ordered_by_more_than_one(s):
    n = 0
    for c in s:
        n = 2 * n % 10007 + (c < "ab") + (c >= "")
    return n


@case(*TWO)
def one_text_with_another(s, t):
    same = less = 0
    for i in range(min(len(s), len(t))):
        if s[i] == t[i]:
            same += 1
        elif s[i] < t[-i - 1]:
            less += 1
    return same, less


@case(*TWO)
def each_with_each(s, t):
    n = 0
    for a in s:
        for b in t:
            if a == b:
                n += 1
            elif ord(a) < ord(b):
                n += 2
    return n


@case(*TWO)
def side_by_side(s, t):
    n = 0
    for i, (a, b) in enumerate(zip(s, t)):
        if a != b:
            n += i
    return n


@case(*ALL)
def a_palindrome(s):
    i, j = 0, len(s) - 1
    while i < j:
        if not s[i].isalnum():
            i += 1
        elif not s[j].isalnum():
            j -= 1
        elif s[i].lower() != s[j].lower():
            return False, i, j
        else:
            i, j = i + 1, j - 1
    return True, i, j


@case(*ALL)
def of_either_case(s):
    n = 0
    for i in range(len(s)):
        if s[i].upper() == s[i]:
            n += 1
        if s[i].lower() == "a" or s[i].upper() == "SS":
            n += 7
    return n


@case(*ALL)
def asked_of_either_case(s):
    n = 0
    for c in s:
        if c.upper().isalpha():
            n += 1
    return n


@case(*ALL)
def as_long_as_either_case(s):
    n = 0
    for c in s:
        n += len(c.upper())
    return n


@case(*ALL)
def one_of_either_case(s):
    n = 0
    for i in range(len(s)):
        if s[i].upper() in "XYZSS":
            n += i
    return n


@case(*ALL)
def in_order_of_either_case(s):
    n = 0
    for i in range(len(s)):
        c = s[i].lower()
        if i % 2 and c < "m":
            n += i
        if i % 3:
            n += 3 * (c > s[i]) + 5 * (c <= s[0])
    return n


@case(*ALL)
def the_number_of_either_case(s):
    n = 0
    for c in s:
        n += ord(c.upper())
    return n


@case(*ALL)
def digits(s):
    total = 0
    for c in s:
        if c.isdecimal() or c.isdigit():
            total += int(c)
    return total


@case(*ALL)
def no_digit(s):
    total = 0
    for c in s:
        if c > " ":
            print("so far", total)
            total += int(c)
    return total


@case(*((one, k) for one in (LONG, *ODD) for k in (0, 1, 60)))
def an_index_outside(s, k):
    n = 0
    for i in range(len(s)):
        if s[i + k] == "a":
            n += 1
    return n


@case(*((one, k) for one in (LONG, *ODD) for k in (0, 1, 2)))
def an_index_before_the_first(s, k):
    n = 0
    for i in range(len(s)):
        n = n * 5 % 65521 + (s[-i - k] > "m")
    return n


@case(*((one, k) for one in (LONG, *ODD) for k in (0, 1)))
def of_a_list_of_them(s, k):
    chars, n = list(s), 0
    for i in range(len(chars)):
        if chars[i + k] == "b" or chars[-1] == chars[i]:
            n += i
    return n


@case(
    *((one.encode("utf-8", "surrogatepass"), k) for one in (LONG, *ODD) for k in (0, 1))
)
def of_bytes(data, k):
    n = 0
    for i in range(len(data)):
        n = n * 31 % 65521 + data[i + k]
    for byte in data:
        n ^= byte
    return n


@case(*ALL)
def a_hash(s):
    h = 5381
    for c in s:
        h = (h * 33 + ord(c)) % 4294967296
    return h


@case(*ALL)
def of_a_part(s):
    n = 0
    middle = s[1:-1][::-1]
    for i in range(len(middle)):
        if middle[i] == s[i]:
            n += 1
    return n


@case(*ALL)
def of_a_constant(s):
    key, n = "lemon", 0
    for i in range(len(s)):
        if s[i] == key[i % 5] or key[-1] == s[i]:
            n += ord(key[i % 5])
    return n


@case(*ALL)
def a_loop_within_that_has_numbers(s):
    words = []
    for i in range(len(s)):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        words.append(s[i:j])
    return words


@case(*ALL)
def what_raises_has_it(s):
    for i, c in enumerate(s):
        if c == "?" or c == "İ":
            raise ValueError(f"{c!r} at {i}")
    return len(s)


@case(*ALL)
def caught(s):
    n = 0
    for i in range(len(s)):
        try:
            if s[2 * i] == "a":
                n += 1
        except IndexError as error:
            print(error)
            return n
    return n


@case(*((one, k) for one in (LONG, *ODD) for k in (0, 1)))
def caught_around(s, k):
    n = 0
    try:
        for i in range(len(s)):
            if s[i + k] == "a":
                n += 1
    except IndexError as error:
        return n, str(error)
    return n, ""


@pytest.mark.parametrize("backend", ["native", "numpy"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_characters_are_what_python_says(function, arguments, backend):
    check_as_python(function, arguments, backend)


NATIVE = (
    *(vowels, asked, compared_with_constants, one_text_with_another, each_with_each),
    *(side_by_side, a_palindrome, a_hash, of_a_part, of_a_constant),
)


@pytest.mark.parametrize("function", NATIVE)
def test_a_loop_that_asks_only_is_machine_code(function):
    check_loops_hold_no_text(function, CASES)


@pytest.mark.parametrize("function", [ordered_by_more_than_one])
def test_a_loop_that_needs_its_characters_stays_as_it_is(function):
    check_stays(function, CASES)


def test_tables_have_what_methods_say():
    for name in (*ASKED, *GIVEN):
        table = table_of(name)
        for code in (*range(0x300), 0x130, 0x1F0, 0x4E00, 0xD800, 0x1F600, 0x10400):
            said = getattr(chr(code), name)()
            found = table[code]
            assert said == (found if name in ASKED else text_of(int(found)))


def test_characters_beyond_the_tables_are_pythons():
    text = "\U00020000a\U000e0041" * 20
    begin = np.int64(0)
    with ag.config(backend="native"):
        agreeing(lambda at: asked(text[at:]), [(begin,)])


def test_a_text_of_a_class_of_its_own_is_asked_itself():
    class Loud(str):
        __slots__ = ()

        def __getitem__(self, at):
            return str.__getitem__(self, at).upper()

    with ag.config(backend="native"):
        staged = ag.function(compared_with_constants)
        for given in (LONG, Loud(LONG), np.str_(LONG), LONG):
            python = observe(compared_with_constants, (given,))
            found = disagreement(python, observe(staged, (given,)))
            assert found is None, found.sentence

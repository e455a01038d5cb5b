"""What loops keep of characters, one or lists of them, is numbers until they end."""

import numpy as np
import pytest

import autograph as ag
from tests.runtime.backends.llvm.characters_of_the_run import (
    ALL,
    TWO,
    check_as_python,
    check_loops_hold_no_text,
    check_stays,
)
from tests.runtime.backends.llvm.compiling import agreeing, cases

CASES, case = cases()


@case(*ALL)
def used_as_a_text(s):
    found = []
    for i in range(len(s)):
        if s[i] == "a" or s[i].isdigit():
            found.append(s[i])
    return "".join(found), found[:3]


@case(*ALL)
def carried(s):
    runs, before = 0, ""
    for c in s:
        if c != before:
            runs += 1
        before = c
    return runs, before


@case(*ALL)
def shifted(s):
    out = []
    for c in s:
        if c.isupper():
            out.append(chr((ord(c) - 65 + 3) % 26 + 65))
        elif c == " ":
            out.append("_")
        elif c.islower():
            out.append(c.upper())
        else:
            out.append(c)
    return "".join(out), len(out), out


@case(*ALL)
def no_character(s):
    out = []
    for c in s:
        out.append(chr(ord(c) * 30000))
    return out


@case(*ALL)
def brackets(s):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for c in s:
        if c in "([{":
            stack.append(c)
        elif c in pairs:
            if not stack or stack.pop() != pairs[c]:
                return False, stack
    return not stack, stack


@case(*ALL)
def a_stack_of_them(s):
    stack, n = ["("], 0
    for c in s:
        if stack and stack[-1] == c:
            n += ord(stack.pop())
        elif c > "m":
            stack.append(c)
    return stack, n


@case(*ALL)
def popped_from_none(s):
    stack = []
    for c in s:
        if c < "b":
            stack.append(c)
        else:
            stack.pop()
    return stack


@case(*ALL)
def of_either_case_kept(s):
    out, seen = [], 0
    for i in range(len(s)):
        out.append(s[i].upper())
        if out[-1] == "SS" or out[0] < "a":
            seen += len(out)
    return out, seen


@case(*ALL)
def with_the_last_kept(s):
    best = runs = run = 0
    last, most = "", "-"
    for c in s:
        run = run + 1 if c == last else 1
        if c != last:
            runs += 1
        last = c
        if run > best:
            best, most = run, c
    return best, most, runs, last


@case(*ALL)
def of_three_at_most(s):
    kept = []
    for c in s:
        if c.isdigit():
            kept.append("abc")
        elif c == "o":
            kept.append("")
        else:
            kept.append(c)
    return kept, "".join(kept)


@case(*ALL)
def of_words(s):
    kept = []
    for c in s:
        kept.append("four" if c.isdigit() else c)
    return kept


@case(*ALL)
def chosen_of_two(s):
    before, n = "x", 0
    for c in s:
        d = before if c == " " else c
        if d == "o" or ord(d) == 100:
            n += 1
        before = d
    return n, before


@case(*ALL)
def said_at_last(s):
    last = "?"
    for i, c in enumerate(s):
        if c == "!":
            raise ValueError(f"{last} before {c} at {i}", c)
        last = c
    return last


@case(*TWO)
def longest_common(s, t):
    i, j, out = len(s), len(t), []
    while i > 0 and j > 0:
        if s[i - 1] == t[j - 1]:
            out.append(s[i - 1])
            i, j = i - 1, j - 1
        elif s[i - 1] < t[j - 1]:
            i -= 1
        else:
            j -= 1
    return "".join(reversed(out)), out[::-1]


# What is kept may be none or several characters: it has another order, and no number.


@case(*ALL)
def none_at_first(s):
    last, n = "", 0
    for c in s:
        if last.isalpha() or last in "xyz":
            n += 1
        last = c
    return n


@case(*ALL)
def the_number_of_none(s):
    last, n = "", 0
    for c in s:
        n += ord(last)
        last = c
    return n


@case(*ALL)
def several_at_first(s):
    last, n = "zz", 0
    for c in s:
        if last < c:
            n += 1
        last = c
    return n


@case(*ALL)
def several_in_a_list(s):
    kept, n = ["zz"], 0
    for c in s:
        if kept[0] < c:
            n += 1
        kept.append(c)
    return n, kept


@case(*ALL)
def several_put_into_a_list(s):
    kept, n = [], 0
    for c in s:
        kept.append(c.upper())
        if kept[-1] < "a":
            n += 1
    return n


@case(*ALL)
def several_behind_a_loop(s):
    kept, n = [], 0
    for c in s:
        kept.append(c.upper())
    for c in kept:
        if c < "a":
            n += 3
    return n


@case(*ALL)
def several_of_a_branch(s):
    n = 0
    for i, c in enumerate(s):
        d = c.upper() if i % 2 == 0 else c
        if d < "a":
            n += 1
    return n


@case(*ALL)
def several_from_turn_to_turn(s):
    last, n = "b", 0
    for c in s:
        if last < "a":
            n += 1
        last = c.upper()
    return n


@case(*TWO)
def several_of_a_loop_within(s, t):
    n = 0
    for c in s:
        last = c
        for d in t:
            if d == c:
                last = d.upper()
        if last < "a":
            n += 1
    return n


@case(*TWO)
def several_that_a_loop_within_asks(s, t):
    n = 0
    for c in s:
        most = c.upper()
        for d in t:
            n = 3 * n % 65521 + (d < most)
    return n


@case(*ALL)
def several_of_which_one_is_zero(s):
    last, kept, n = "a\0", ["\0\0"], 0
    for c in s:
        n = 3 * n % 65521 + (c == "x\0") + 2 * (c == last) + 4 * (c.lower() == "b\0\0")
        if c == kept[-1]:
            last = c
        elif c == " ":
            kept.append(last)
    return n, last, kept


@pytest.mark.parametrize("backend", ["native", "numpy"])
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_kept_characters_are_what_python_says(function, arguments, backend):
    check_as_python(function, arguments, backend)


NATIVE = (
    *(carried, used_as_a_text, shifted, brackets, a_stack_of_them, with_the_last_kept),
    *(of_three_at_most, longest_common),
)


@pytest.mark.parametrize("function", NATIVE)
def test_a_loop_that_asks_only_is_machine_code(function):
    check_loops_hold_no_text(function, CASES)


@pytest.mark.parametrize("function", [of_words, several_in_a_list])
def test_a_loop_that_needs_its_characters_stays_as_it_is(function):
    check_stays(function, CASES)


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "uint16", "int64", "uint64", "bool"]
)
def test_numbers_of_any_dtype_are_characters(dtype):
    def spelt(codes):
        out, n = [], 0
        for code in codes:
            out.append(chr(code))
            n += out[-1].isdigit()
        return "".join(out), n

    codes = np.arange(40, 90).astype(dtype)
    with ag.config(backend="native"):
        agreeing(spelt, [(codes,), (codes[::-1] + codes,)])

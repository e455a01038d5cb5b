"""What is known of ints, by what tests say and instructions compute."""

import pytest

from runtime.backends.llvm.computed import range_of
from runtime.backends.llvm.loops import BIT, INT, Exit, Instruction, Local
from runtime.backends.llvm.ranges import LEAST, MOST, Known, Range, answer, assume

A, B, C, T = Local(INT, "a"), Local(INT, "b"), Local(INT, "c"), Local(BIT, "t")


def test(op, a, b):
    return Instruction(op, (T,), (a, b), type=INT)


def said(*tests):
    """What is known where these tests hold."""
    known = Known()
    for one in tests:
        known.note(one, None)
        assume(known, T, True)
    return known


test.__test__ = False


@pytest.mark.parametrize(
    ("facts", "asked", "answered"),
    [
        ([("icmp slt", A, 5)], ("icmp slt", A, 5), True),
        ([("icmp slt", A, 5)], ("icmp sgt", A, 4), False),
        ([("icmp slt", A, 5)], ("icmp sgt", A, 3), None),
        ([("icmp slt", A, B)], ("icmp sge", A, B), False),
        ([("icmp slt", A, B), ("icmp sle", B, C)], ("icmp slt", A, C), True),
        ([("icmp sle", A, B), ("icmp sle", B, C)], ("icmp slt", A, C), None),
        ([("icmp slt", A, B)], ("icmp uge", A, B), None),
        ([("icmp slt", A, B), ("icmp sge", A, 0)], ("icmp uge", A, B), False),
        ([("icmp sge", A, 1), ("icmp ne", A, 1)], ("icmp sgt", A, 1), True),
        ([("icmp eq", A, 7)], ("icmp ne", A, 7), False),
        ([("icmp ult", A, 7)], ("icmp slt", A, 0), False),
    ],
)
def test_tests_that_follow(facts, asked, answered):
    known = said(*(test(*one) for one in facts))
    assert answer(known, test(*asked)) is answered


def test_a_local_that_got_another_value_is_not_known():
    known = said(test("icmp slt", A, B), test("icmp sge", A, 0))
    known.forget({B})
    assert answer(known, test("icmp slt", A, B)) is None
    assert known.of(A).low == 0
    known.forget({A})
    assert known.of(A) == Range()


def test_sums_that_may_wrap_round_are_anything():
    known = said(test("icmp sge", A, 1))
    plain = Instruction("add", (C,), (A, 1), type=INT)
    assert range_of(known, plain) == Range()
    leaves = Instruction("sadd", (C,), (A, 1), exit=Exit(0, (), ()))
    assert (range_of(known, leaves).low, range_of(known, leaves).high) == (2, MOST)
    known = said(test("icmp slt", A, B))
    assert range_of(known, plain).below[B] == 0


@pytest.mark.parametrize(
    ("op", "low", "high", "by", "found"),
    [
        ("srem", 0, MOST, 7, (0, 6)),
        ("srem", -3, MOST, 7, (-3, 6)),
        ("srem", LEAST, -1, 7, (-6, 0)),
        ("sdiv", -7, 9, 2, (-3, 4)),
        ("and", LEAST, MOST, 7, (0, 7)),
        ("mul", -2, 3, -4, (-12, 8)),
        ("sub", 0, 5, 9, (-9, -4)),
        ("smax", LEAST, 3, 0, (0, 3)),
        ("smin", LEAST, 3, 0, (LEAST, 0)),
    ],
)
def test_results(op, low, high, by, found):
    known = Known()
    known.put(A, Range(low, high))
    made = range_of(known, Instruction(op, (C,), (A, by), type=INT))
    assert (made.low, made.high) == found


@pytest.fixture
def sides():
    """What is known before two branches, and where they begin."""
    known = said(test("icmp sle", A, 9))
    known.put(B, Range(0, 3))
    return known, known.copy(), known.copy()


def test_after_two_branches_holds_what_holds_of_both(sides):
    known, one, other = sides
    assume_less = test("icmp slt", A, B)
    one.note(assume_less, None)
    assume(one, T, True)
    one.put(C, Range(1, 2))
    other.put(C, Range(5, 5))
    known.meet(one, other)
    assert known.of(C) == Range(1, 5)
    assert (known.of(A).high, known.of(B).low) == (9, 0)
    assert answer(known, test("icmp slt", A, B)) is None


def test_after_two_branches_nothing_holds_that_one_has_changed(sides):
    known, one, other = sides
    one.forget({A, B})
    known.meet(one, other)
    assert known.of(A) == known.of(B) == Range(LEAST, MOST)


def test_after_two_branches_is_what_one_has_made(sides):
    known, one, other = sides
    own = Local(BIT, "own")
    first, second = (Instruction("icmp slt", (own,), (A, k), type=INT) for k in (1, 2))
    one.note(first, "one")
    known.meet(one, other)
    assert known.made.get(own) is first
    assert not known.computed.items()
    one, other = known.copy(), known.copy()
    one.note(second, "both")
    other.note(first, "both")
    known.meet(one, other)
    assert own not in known.made
    assert known.computed.items() == [("both", own)]


def test_of_an_alias_of_one_branch_holds_its_range(sides):
    known, one, other = sides
    one.alias(C, B)
    other.put(C, Range(7, 8))
    known.meet(one, other)
    assert C not in known.aliases
    assert (known.of(C).low, known.of(C).high) == (0, 8)

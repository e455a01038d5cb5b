"""needless: what a function in loop IR need not do, as what is known of its ints says.

A pass. An index that counts within its array is not compared with its size; an int that
cannot outgrow 64 bits is not looked at; what has been computed is not computed again.
What a loop carries is known by what it begins with and by how a turn changes it, so the
body of a loop is gone through twice: to see that, and with what was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from runtime.backends.llvm.computed import LENGTH, RULES, fits, key_of, range_of
from runtime.backends.llvm.few_turns import FEW_TURNS, ends_soon
from runtime.backends.llvm.flags import assume_all, tests_held
from runtime.backends.llvm.lines import OVERFLOWING
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
    TypedList,
)
from runtime.backends.llvm.ranges import (
    ANY,
    LEAST,
    MOST,
    Known,
    Range,
    answer,
    assume,
    is_answered,
)
from runtime.backends.llvm.supposed import stable, supposed_of, turned_of
from runtime.backends.llvm.unused import (
    PURE,
    drop_unused_of,
    last_move,
    outs_of,
    written_by,
)
from runtime.structs import replace

_SUMS = frozenset({"add", "sub", "sadd", "ssub"})


def without_needless(
    function: Function,
    begins: Mapping[Local, int],
    lengths: Set[Local] = frozenset(),
) -> Function:
    """The function without what it need not do.

    begins:  the ints that a loop which is entered at any turn has begun with. What is
             taken for granted of them is asked when the function is entered
    lengths: of what lies in memory: loops that only go through that need no look
    """
    known = Known()
    for value in (*function.inputs, *function.constants):
        for size in value.dims if isinstance(value, Array) else ():
            if isinstance(size, Local):
                known.put(size, Range(0, MOST))
        if isinstance(value, TypedList):
            assert isinstance(value.length, Local)
            known.put(value.length, LENGTH)
    one = NeedlessPass(lengths)
    inside = [one for one in function.body.instructions if one.op == "while"]
    if begins and len(inside) == 1:
        for local, first in begins.items():
            known.put(local, Range(first, first))
        found = one.carried(inside[0], known)
        asked = {local: found.get(local, ANY) for local in begins}
        function.asked = {
            local: (of.low, of.high)
            for local, of in asked.items()
            if (of.low, of.high) != (LEAST, MOST)
        }
        for local, of in asked.items():
            known.put(local, Range(of.low, of.high))
    function.body = one.block(function.body, known)
    drop_unused_of(function)
    return function


class NeedlessPass:
    """The pass over blocks.

    looks: a loop is gone through to see what a turn does: loops in it are so only once
    is_ahead: its turns may be run before those before them have ended (`lanes.py`)
    held:     what is asked elsewhere of ints at the begin of any turn of a loop
    """

    looks = is_ahead = False

    def __init__(self, lengths: Set[Local]) -> None:
        self.lengths = lengths
        self.held: Mapping[Local, Range] = {}

    def block(self, block: Block, known: Known) -> Block:
        """What is needed of a block; after that `known` is of the block's end."""
        made = Block()
        for one in block.instructions:
            self._instruction(one, known, made.instructions)
        return made

    def _instruction(
        self, one: Instruction, known: Known, made: list[Instruction]
    ) -> None:
        op = one.op.split(" ")[0]
        if op == "while":
            made.append(self._while(one, known))
        elif op == "if":
            self._if(one, known, made)
        elif op == "leave_if":
            _leave_if(one, known, made, self.is_ahead)
        elif op in ("move", "same"):
            _move(one, known, made)
        elif op in OVERFLOWING and one.exit is not None:
            _overflowing(one, known, made)
        elif op in PURE and len(one.outs) == 1:
            _pure(one, known, made)
        else:
            made.append(one)
            known.forget(written_by(one))
            for out in one.outs if one.op in RULES else ():
                _note(known, out, range_of(known, replace(one, outs=(out,))))

    def _if(self, one: Instruction, known: Known, made: list[Instruction]) -> None:
        test = _number(known, one.args[0])
        if test is not None:
            chosen = one.blocks[not test]
            made.extend(self.block(chosen, known).instructions)
            return
        sides = known.copy(), known.copy()
        blocks = []
        for holds, side, block in zip((True, False), sides, one.blocks, strict=True):
            assume(side, one.args[0], holds)
            blocks.append(self.block(block, side))
        made.append(replace(one, blocks=tuple(blocks)))
        ends = [last_move(block) for block in blocks]
        known.meet(*sides)
        for out in ends[0].keys() & ends[1].keys():
            if out.type == BIT:
                args = (one.args[0], ends[0][out], ends[1][out])
                known.note(Instruction("either", (out,), args), None)

    def _while(self, one: Instruction, known: Known) -> Instruction:
        if self.looks:  # what its turns do is not known behind it
            known.forget(written_by(one))
            self.block(one.blocks[0], known)
            assume(known, one.args[0], False)
            return one
        held = tests_held(self._turn, one, known)
        found = self.carried(one, known, held)
        known.forget(written_by(one))
        for local, of in found.items():
            known.put(local, of)
        head = self.block(one.blocks[0], known)
        inside = known.copy()
        assume(inside, one.args[0], True)
        assume_all(inside, held)
        steps = one.blocks[1].instructions
        body = self.block(Block(steps[:-1]), inside)
        counter = self._goes_through(one, inside)
        is_few = ends_soon(one, inside, last_move(one.blocks[1]))
        for last in steps[-1:]:
            self._instruction(last, inside, body.instructions)
        assume(known, one.args[0], False)
        symbol = one.symbol if counter is None else counter.name
        kind = FEW_TURNS if is_few else one.type
        return replace(one, blocks=(head, body), type=kind, symbol=symbol)

    def _goes_through(self, one: Instruction, known: Known) -> Local | None:
        """What counts the turns of a loop that takes no more than something is long.

        known: at the end of a turn
        """
        inside = (inner for block in one.blocks for inner in block.walk())
        if any(inner.blocks and inner.op != "if" for inner in inside):
            return None
        for local, end in last_move(one.blocks[1]).items():
            at, made = known.of(local), known.of(end)
            step = made.below.get(local)
            is_even = step in (-1, 1) and step == made.above.get(local)
            if is_even and at.low >= -1 and not self.lengths.isdisjoint(at.below):
                return local
        return None

    def carried(
        self,
        one: Instruction,
        known: Known,
        held: Sequence[Instruction] = (),
        *,
        is_begun: bool = False,
    ) -> dict[Local, Range]:
        """What the ints that a loop carries are, at the begin of any turn.

        held:     the tests that hold behind its own one
        is_begun: of any but the first one, also beside what the one before began with

        First of each int nothing is known. What a turn then makes of it is true of all
        turns but the first; and one that a turn never makes less is never less than at
        first. Then what the first turn begins with is supposed of all of them.
        """
        ends = last_move(one.blocks[1])
        inside = [inner for block in one.blocks for inner in block.walk()]
        writes = Counter(out for inner in inside for out in outs_of(inner))
        ints = [one for one in ends if one.type == INT and writes[one] == 1]
        if not ints:
            return {}
        gone = written_by(one)
        firsts = {local: known.of(local).without(gone) for local in ints}
        self.is_ahead = any(inner.op == "while" for inner in inside)

        def trial(supposed: Mapping[Local, Range]) -> Known:
            return self._turn(one, known, supposed, held)

        def turned(made: Known) -> dict[Local, Range]:
            if is_begun:
                return {one: made.of(ends[one]) for one in ints}
            return {
                one: turned_of(one, firsts[one], made, ends[one], gone) for one in ints
            }

        found = told = turned(trial({}))
        if not is_begun and any(inner.exit for inner in inside):
            begun = {local: supposed_of(firsts[local], found[local]) for local in ints}
            supposed, made = stable(trial, begun, ends, told)
            if made is not None:
                found = {
                    local: of.within(supposed.get(local, ANY))
                    for local, of in turned(made).items()
                }
        self.is_ahead = False
        found = {one: of.within(self.held.get(one, ANY)) for one, of in found.items()}
        return {local: of for local, of in found.items() if of != ANY}

    def _turn(
        self,
        one: Instruction,
        known: Known,
        supposed: Mapping[Local, Range],
        held: Sequence[Instruction],
    ) -> Known:
        """What is known after a turn of a loop that begins with these."""
        made = known.copy()
        made.forget(written_by(one))
        for local, of in supposed.items():
            made.put(local, of)
        self.looks = True
        self.block(one.blocks[0], made)
        assume(made, one.args[0], True)
        assume_all(made, held)
        self.block(Block(one.blocks[1].instructions[:-1]), made)
        self.looks = False
        return made


# --- instructions ---------------------------------------------------------------------
def _leave_if(
    one: Instruction, known: Known, made: list[Instruction], is_ahead: bool
) -> None:
    if _number(known, one.args[0]) != 0:
        made.append(one)
    if not is_ahead:
        assume(known, one.args[0], False)


def _move(one: Instruction, known: Known, made: list[Instruction]) -> None:
    is_move = one.op == "move"
    args = tuple(_plain(arg, known) if is_move else arg for arg in one.args)
    made.append(replace(one, args=args))
    found = [(known.of(arg), known.root(arg)) for arg in args]
    known.forget({*one.outs})  # of which the others may tell something
    for out, (of, root) in zip(one.outs, found, strict=True):
        if isinstance(root, Local) and root not in one.outs:
            known.alias(out, root)
        elif out.type in (INT, BIT):
            _note(known, out, of.without({*one.outs}))


def _plain(operand: Operand, known: Known) -> Operand:
    """The truth that an operand is, if that is known, or else the operand."""
    if not isinstance(operand, Local) or operand.type != BIT:
        return operand
    found = _number(known, operand)
    return operand if found is None else found


def _overflowing(one: Instruction, known: Known, made: list[Instruction]) -> None:
    plain = one.op[1:]
    if one.op[0] == "s" and one.outs[0].type == INT and fits(known, one):
        _pure(replace(one, op=plain, type=INT, exit=None), known, made)
        return
    _pure(one, known, made)


def _pure(one: Instruction, known: Known, made: list[Instruction]) -> None:
    """One that gives the same for the same; if that is there, it is taken."""
    (out,) = one.outs
    key = key_of(one, known)
    before = known.computed.get(key)
    found = range_of(known, one)
    fixed = _folded(one, known)
    if fixed is not None:
        made.append(Instruction("move", (out,), (fixed,)))
        known.put(out, Range(int(fixed), int(fixed)))
        return
    same = before if before is not None else _same_as(one, known, found)
    if same is not None:
        made.append(Instruction("same", (out,), (same,)))
        known.alias(out, _root(known, same))
        return
    made.append(_unsigned(one, known))
    known.note(one, key)
    _note(known, out, found)
    _note_inverse(one, known)


def _unsigned(one: Instruction, known: Known) -> Instruction:
    """A division of what is not negative, which the machine does in fewer steps."""
    is_division = one.op in ("sdiv", "srem") and one.type == INT
    if is_division and all(known.of(arg).low >= 0 for arg in one.args):
        return replace(one, op=f"u{one.op[1:]}")
    return one


def _folded(one: Instruction, known: Known) -> bool | None:
    """The truth that it is, if that is known."""
    if one.outs[0].type != BIT:
        return None
    if is_answered(one):
        return answer(known, one)
    if one.op in ("and", "or", "xor"):
        a, b = (_number(known, arg) for arg in one.args)
        if one.op == "xor":
            return None if a is None or b is None else a != b
        ends = one.op == "or"
        if a is ends or b is ends:
            return ends
        if a is not None and b is not None:
            return not ends
    return None


def _same_as(one: Instruction, known: Known, found: Range) -> Local | None:
    """The operand whose value it has, if that is known."""
    if one.op == "select":
        test = _number(known, one.args[0])
        side = None if test is None else one.args[1 if test else 2]
        return side if isinstance(side, Local) else None
    if one.outs[0].type != INT or one.op not in ("add", "sub", "mul"):
        return None
    for arg in one.args:
        root = known.root(arg)
        if isinstance(root, Local) and found.below.get(root) == 0 == found.above.get(
            root
        ):
            return root
    return None


def _note_inverse(one: Instruction, known: Known) -> None:
    """Of `i + 1` also what `i` is beside it."""
    if one.op not in _SUMS:
        return
    (out,) = one.outs
    known_out = known.ranges.get(out, ANY)
    for arg in one.args:
        root = known.root(arg)
        if not isinstance(root, Local):
            continue
        more = known_out.above.get(root)
        if more is not None and more == known_out.below.get(root):
            known.most(root, MOST, {out: -more})
            known.least(root, LEAST, {out: -more})


def _note(known: Known, out: Local, found: Range) -> None:
    if found is not ANY and found != ANY:
        known.put(out, found)


def _root(known: Known, local: Local) -> Local:
    found = known.root(local)
    assert isinstance(found, Local)
    return found


def _number(known: Known, operand: Operand) -> bool | None:
    """The truth that an operand is, if that is known."""
    found = known.of(operand)
    return bool(found.low) if found.low == found.high else None

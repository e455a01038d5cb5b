"""lanes: several turns of a loop at once, where they do not depend on one another.

A pass over loop IR. Of the body of a counted loop it takes what an inner `while` of
numbers is computed of: that part is run for several turns ahead, each in a lane of the
machine's vectors (`wide.py`). It only reads and computes, so nobody sees that it was
early; where a lane would leave to Python, these turns are run one by one. All else
(stores, sums over the turns, ways out) is done turn by turn, in Python's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS, OVERFLOWING
from runtime.backends.llvm.loops import (
    BIT,
    INT,
    Array,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
    operands_of,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.maps import extent
from runtime.backends.llvm.steady import settled
from runtime.structs import struct

_BINARY = (
    *("fadd", "fsub", "fmul", "fdiv", "fneg", "fcmp", "icmp", "add", "sub", "mul"),
    *("sdiv", "srem", "udiv", "urem", "and", "or", "xor", "shl", "ashr", "lshr"),
)
_OTHERS = (
    *("select", "move", "same", "leave_if", "address", "load", "call", "numpy", "own"),
    "poll",
)
# What lanes may do, and what may stand beside it in the loop.
WIDE = {*_BINARY, *_OTHERS, *INTRINSICS, *OVERFLOWING, *CONVERSIONS, "if", "while"}
BESIDE = {*WIDE, "store"}
# What they give is not told by what they are of.
UNKNOWN = frozenset({"move", "load", "call", "numpy", "own"})
LEAST = -(2**63)
SIZES = {
    "float": 4,
    "double": 8,
    **{f"i{n}": max(1, n // 8) for n in (1, 8, 16, 32, 64)},
}


def with_lanes(lowering: Lowering, function: Function) -> Function:
    """The function; its loops that can be have a part that runs several turns ahead."""
    found = [value for value in lowering.values.values() if isinstance(value, Array)]
    arrays = {value.data: value for value in found}
    bases = {
        one.outs[0]: one.args[0]
        for one in function.body.walk()
        if one.op in ("address", "same")
    }
    _Pass(lowering, arrays, bases).block(function.body)
    return function


class _Serial(Exception):
    """This depends on turns before."""


@struct(eq=False, frozen=False)
class _Site:
    """An instruction of a body, at its top or in branches, and those branches' ifs."""

    one: Instruction
    number: int
    ifs: tuple[Instruction, ...]


class _Pass:
    """The pass: what is known of the function.

    arrays: by the local that holds where they begin
    bases:  of an address, what it is counted from
    """

    def __init__(
        self,
        lowering: Lowering,
        arrays: dict[Operand, Array],
        bases: dict[Local, Operand],
    ) -> None:
        self.lowering, self.arrays, self.bases = lowering, arrays, bases

    def block(self, block: Block) -> bool:
        """Whether loops of the block have lanes now, the innermost first."""
        found = False
        for one in list(block.instructions):
            inside = any([self.block(inner) for inner in one.blocks])
            if one.op == "while" and not inside:
                inside = self.loop(block, one)
            found |= inside
        return found

    def loop(self, block: Block, loop: Instruction) -> bool:
        """Give one loop lanes, if its turns are independent."""
        counter, end = counted(loop)
        if counter is None or end is None:
            return False
        ahead = _Ahead(loop.blocks[1], counter)
        if not ahead.wanted:
            return False
        pairs = self._meeting(ahead)
        if pairs is None:
            return False
        state = [self.lowering.local(INT) for _ in range(3)]
        before = self.lowering.within(lambda: self._before(state, pairs))
        (*_, last) = before.instructions
        apart = last.args[0] if last.op == "apart" else True
        made = [one for one in before.instructions if one.op != "apart"]
        place = block.instructions.index(loop)
        block.instructions[place:place] = made
        args = (counter, end, apart)
        lanes = ahead.instruction(tuple(state), args)
        loop.blocks = (loop.blocks[0], Block([lanes]))
        return True

    def _before(self, state: list[Local], pairs: Sequence[tuple[Array, Array]]) -> None:
        self.lowering.assign(state, [0, LEAST, 1])
        apart: Operand = True
        for read, written in pairs:
            one = _are_apart(self.lowering, read, written)
            apart = (
                self.lowering.compute("and", BIT, apart, one, type=BIT)
                if isinstance(apart, Local)
                else one
            )
        self.lowering.emit("apart", apart)

    def _meeting(self, ahead: _Ahead) -> list[tuple[Array, Array]] | None:
        """The arrays that are read ahead, each with those that are written.

        None where they are the same, and not only a turn's own element is read.
        """
        written = {self.root(one.args[0]) for one in ahead.stores()}
        read = {self.root(one.args[0]) for one in ahead.loads()}
        for local in (*written, *read):
            if local not in self.arrays or local in ahead.outs:
                return None
        for load in ahead.loads():
            stores = [
                store
                for store in ahead.stores()
                if self.root(store.args[0]) is self.root(load.args[0])
            ]
            if stores and not ahead.is_own(load, stores):
                return None
        pairs = [(a, b) for a in read for b in written if a is not b]
        return [(self.arrays[a], self.arrays[b]) for a, b in pairs]

    def root(self, address: Operand) -> Operand:
        """Where the array begins that an address is in."""
        while isinstance(address, Local) and address in self.bases:
            address = self.bases[address]
        return address


def _are_apart(lowering: Lowering, a: Array, b: Array) -> Local:
    (low, high), (first, after) = extent(lowering, a), extent(lowering, b)
    below = lowering.compute("icmp sle", BIT, high, first, type=INT)
    above = lowering.compute("icmp sle", BIT, after, low, type=INT)
    return lowering.compute("or", BIT, below, above, type=BIT)


def counted(loop: Instruction) -> tuple[Local | None, Operand | None]:
    """The local that counts the turns by one, and its end, if it has them."""
    head, body = loop.blocks
    (verdict,) = loop.args
    tests = {one.outs[0]: one for one in head.instructions if len(one.outs) == 1}
    test = tests.get(verdict) if isinstance(verdict, Local) else None
    while test and test.op in ("move", "same") and isinstance(test.args[0], Local):
        test = tests.get(test.args[0])
    if test is None or test.op != "icmp slt" or test.type != INT:
        return None, None
    if any(one.exit or one.blocks for one in head.instructions):
        return None, None
    counter, end = test.args
    written = {out for block in loop.blocks for one in block.walk() for out in one.outs}
    if not isinstance(counter, Local) or end in written:
        return None, None
    moves = _last_move(body)
    following = moves.get(counter)
    steps = [one for one in body.instructions if one.outs == (following,)]
    is_by_one = len(steps) == 1 and steps[0].op in ("sadd", "add")
    if not is_by_one or steps[0].args != (counter, 1):
        return None, None
    return counter, end


def _last_move(body: Block) -> dict[Local, Operand]:
    """What the locals that are carried become at the end of a turn."""
    for one in reversed(body.instructions):
        if one.op == "move":
            return dict(zip(one.outs, one.args, strict=True))
        if one.op != "poll":
            break
    return {}


class _Ahead:
    """What of a body can be run ahead.

    wanted: those of its instructions; none where no `while` is among them
    """

    def __init__(self, body: Block, counter: Local) -> None:
        self.body, self.counter = body, counter
        self.carried = set(_last_move(body))
        self.sites = list(_sites(body, ()))
        self.outs = {out for one in body.walk() for out in one.outs}
        self.wanted: set[Instruction] = set()
        # Reads of what the turn writes itself.
        self.own: set[Instruction] = set()
        self._made = {out: one for one in body.walk() for out in one.outs}
        if any(one.op.split(" ")[0] not in BESIDE for one in body.walk()):
            return
        self._writers: dict[Local, list[_Site]] = {}
        for site in self.sites:
            for out in _outs(site.one):
                self._writers.setdefault(out, []).append(site)
        for site in self.sites:
            if site.one.op == "while":
                self._try(site)

    def _try(self, site: _Site) -> None:
        before = set(self.wanted)
        try:
            self._want(site)
        except _Serial:
            self.wanted = before

    def _want(self, site: _Site) -> None:
        """It, and all that it is computed of; _Serial where that is a turn before."""
        one = site.one
        if one in self.wanted:
            return
        if not all(inner.op.split(" ")[0] in WIDE for inner in _walk(one)):
            raise _Serial
        self.wanted.add(one)
        reads = [*_reads(one), *(outer.args[0] for outer in site.ifs)]
        for operand in reads:
            if isinstance(operand, Local):
                self._want_local(operand, site)
        if any(inner.op == "load" for inner in _walk(one)):
            # What is before it may be what keeps it within its array.
            for other in self.sites[: site.number]:
                if other.one.op == "leave_if" and _is_prefix(other.ifs, site.ifs):
                    self._want(other)

    def _want_local(self, local: Local, site: _Site) -> None:
        if local is self.counter:
            return
        if local in self.carried:
            raise _Serial
        writers = self._writers.get(local, ())
        before = [writer for writer in writers if writer.number < site.number]
        if not before and any(writer is not site for writer in writers):
            raise _Serial
        for writer in before:
            self._want(writer)

    def stores(self) -> Iterator[Instruction]:
        """What is written in the loop."""
        return (one for one in self.body.walk() if one.op == "store")

    def loads(self) -> Iterator[Instruction]:
        """What is read ahead."""
        inside = (inner for one in self.wanted for inner in _walk(one))
        return (one for one in inside if one.op == "load")

    def is_own(self, load: Instruction, stores: Sequence[Instruction]) -> bool:
        """Whether it reads what this turn, and no other one, writes later on.

        That the turns' elements differ is asked when they are run: see `distinct`.
        """
        numbers = {
            inner: site.number for site in self.sites for inner in _walk(site.one)
        }
        place = self.key(load.args[0])
        if load not in self.wanted or place is None:
            return False
        is_own = all(
            self.key(store.args[0]) == place and numbers[load] < numbers[store]
            for store in stores
        )
        if is_own:
            self.own.add(load)
        return is_own

    def key(self, operand: Operand) -> Any:
        """What an operand is computed of; None where that is not known."""
        if not isinstance(operand, Local):
            return operand
        if operand is self.counter or operand not in self.outs:
            return operand
        made = self._made.get(operand)
        if made is None or made.blocks or made.op in UNKNOWN:
            return None
        if made.op == "same":
            return self.key(made.args[0])
        keys = [self.key(arg) for arg in made.args]
        return None if None in keys else (made.op, made.type, *keys)

    def instruction(
        self, state: tuple[Local, ...], args: tuple[Operand, ...]
    ) -> Instruction:
        """The body's new content; see `wide.py`."""
        part = _part(self.body, self.wanted.__contains__)
        ahead = settled(self._distinct(part))
        rest = _part(self.body, lambda one: one not in self.wanted)
        used = {operand for one in rest.walk() for operand in _handled(one)}
        made = {out: None for one in ahead.walk() for out in one.outs if out in used}
        blocks = (ahead, rest, self.body)
        return Instruction("lanes", (*state, *made), args, blocks)

    def _distinct(self, block: Block) -> Block:
        """The part ahead, which asks whether own elements are of one turn each."""
        made = Block()
        for one in block.instructions:
            inner = tuple(map(self._distinct, one.blocks)) if one.op == "if" else ()
            made.instructions.append(replace(one, blocks=inner) if inner else one)
            if one in self.own:
                size = str(SIZES[one.outs[0].type])
                asked = Instruction("distinct", args=one.args, symbol=size)
                made.instructions.append(asked)
        return made


def _sites(
    block: Block, ifs: tuple[Instruction, ...], first: int = 0
) -> Iterator[_Site]:
    """The instructions, those of branches too, in their order; loops are one each."""
    number = first
    for one in block.instructions:
        if one.op != "if":
            yield _Site(one, number, ifs)
            number += 1
            continue
        for inner in one.blocks:
            for site in _sites(inner, (*ifs, one), number):
                yield site
                number = site.number + 1


def _is_prefix(ifs: tuple[Instruction, ...], other: tuple[Instruction, ...]) -> bool:
    return len(ifs) <= len(other) and all(
        a is b for a, b in zip(ifs, other, strict=False)
    )


def _walk(one: Instruction) -> Iterator[Instruction]:
    yield one
    for block in one.blocks:
        yield from block.walk()


def _outs(one: Instruction) -> set[Local]:
    return {out for inner in _walk(one) for out in inner.outs}


def _reads(one: Instruction) -> list[Operand]:
    return [arg for inner in _walk(one) for arg in inner.args]


def _handled(one: Instruction) -> Iterator[Operand]:
    """What it reads, and what it hands to Python where it leaves."""
    yield from one.args
    if one.exit is not None:
        yield from one.exit.drops
        for value in one.exit.handed:
            yield from operands_of(value)


def _part(block: Block, keep: Callable[[Instruction], bool]) -> Block:
    """The instructions that are kept, in their branches."""
    made = Block()
    for one in block.instructions:
        if one.op != "if":
            if keep(one):
                made.instructions.append(one)
            continue
        inner = tuple(_part(branch, keep) for branch in one.blocks)
        if any(branch.instructions for branch in inner):
            made.instructions.append(replace(one, blocks=inner))
    return made

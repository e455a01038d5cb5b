"""ahead: what of a loop's body can be run for several turns at once; see `lanes.py`.

It is what inner `while`s are computed of, if that depends on no turn before. What a
`while` gives where it makes no turn may do so: lanes in which it makes none leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.backends.llvm.lines import CONVERSIONS, INTRINSICS, OVERFLOWING
from runtime.backends.llvm.loops import (
    BIT,
    OF_KINDS,
    Block,
    Instruction,
    Local,
    Operand,
    operands_of,
)
from runtime.backends.llvm.references import References
from runtime.backends.llvm.steady import GUARDED, settled
from runtime.structs import replace, struct

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
SIZES = {
    "float": 4,
    "double": 8,
    **{f"i{n}": max(1, n // 8) for n in (1, 8, 16, 32, 64)},
}


class _Serial(Exception):
    """This depends on turns before."""


@struct(eq=False, frozen=False)
class _Site:
    """An instruction of a body, at its top or in branches, and those branches' ifs."""

    one: Instruction
    number: int
    ifs: tuple[Instruction, ...]


def last_move(body: Block) -> dict[Local, Operand]:
    """What the locals that are carried become at the end of a turn."""
    for one in reversed(body.instructions):
        if one.op == "move":
            return dict(zip(one.outs, one.args, strict=True))
        if one.op != "poll":
            break
    return {}


class Ahead:
    """What of a body can be run ahead.

    wanted: those of its instructions; none where no `while` is among them
    begins: moves of what turns before gave, in which that is left out
    turned: the `while`s that have these results; a lane is to make a turn of them
    """

    def __init__(self, body: Block, counter: Local, names: References) -> None:
        self.body, self.counter, self.names = body, counter, names
        self.carried = set(last_move(body))
        self.sites = list(_sites(body, ()))
        self.outs = {out for one in body.walk() for out in one.outs}
        self.wanted: set[Instruction] = set()
        self.begins: dict[Instruction, tuple[Operand, ...]] = {}
        self.turned: dict[Instruction, Local] = {}
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
        before = set(self.wanted), dict(self.begins), dict(self.turned)
        try:
            self._want(site)
        except _Serial:
            self.wanted, self.begins, self.turned = before

    def _want(self, site: _Site) -> None:
        """It, and all that it is computed of; _Serial where that is a turn before."""
        one = site.one
        if one in self.wanted:
            return
        inside = [*_walk(one)]
        if not all(inner.op.split(" ")[0] in WIDE for inner in inside):
            raise _Serial
        if any(inner.type == OF_KINDS for inner in inside):
            raise _Serial
        self.wanted.add(one)
        reads = self._begin(site) if one.op == "move" else _reads(one)
        for operand in (*reads, *_tests(site)):
            if isinstance(operand, Local):
                self._want_local(operand, site)
        if any(inner.op in GUARDED for inner in _walk(one)):
            # What is before it, also in branches that have ended, may be what keeps it
            # within its array, or from zero.
            for other in self.sites[: site.number]:
                if other.one.op in ("leave_if", "while"):
                    self._want(other)

    def _begin(self, site: _Site) -> tuple[Operand, ...]:
        """What a move is of; nothing of turns before, where only a result begins so."""
        one, made = site.one, []
        for arg, out in zip(one.args, one.outs, strict=True):
            loop = self._result(out, site) if arg in self.carried else None
            if loop is not None:
                self.turned.setdefault(loop, self.names.local(BIT))
            made.append(arg if loop is None else False if out.type == BIT else 0)
        self.begins[one] = tuple(made)
        return self.begins[one]

    def _result(self, out: Local, site: _Site) -> Instruction | None:
        """The `while` that nothing but the end of its turns writes this in, if any.

        None, too, where it is read by the loop, or by what is before it.
        """
        first, *others = self._writers[out]
        readers = [other for other in self.sites if out in _reads_at(other)]
        if first is not site or len(others) != 1 or others[0].one.op != "while":
            return None
        (loop,) = others
        if any(reader.number <= loop.number for reader in readers):
            return None
        inside = [inner for inner in _walk(loop.one) if out in inner.outs]
        end = loop.one.blocks[1].instructions[-1]
        is_end = inside == [end] and end.op == "move"
        return loop.one if is_end and loop.ifs == site.ifs else None

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
        wanted = (site.one for site in self.sites if site.one in self.wanted)
        inside = (inner for one in wanted for inner in _walk(one))
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
        self, state: tuple[Local, ...], args: tuple[Operand, ...], singly: Block
    ) -> Instruction:
        """The body's new content; see `wide.py`. singly: what runs whole turns."""
        part = _part(self.body, self.wanted.__contains__)
        ahead = settled(self._turned(self._distinct(part)))
        rest = _part(self.body, lambda one: one not in self.wanted)
        used = {operand for one in rest.walk() for operand in _handled(one)}
        made = {out: None for one in ahead.walk() for out in one.outs if out in used}
        blocks = (ahead, rest, singly)
        return Instruction("lanes", (*state, *made), args, blocks)

    def _turned(self, block: Block) -> Block:
        """The part ahead, whose lanes leave where a `while` has no result of theirs."""
        made = Block()
        for one in block.instructions:
            inner = tuple(map(self._turned, one.blocks)) if one.op == "if" else ()
            none = self.turned.get(one)
            if inner:
                made.instructions.append(replace(one, blocks=inner))
            elif none is not None:
                head, body = one.blocks
                *turn, last = body.instructions
                outs, args = (*last.outs, none), (*last.args, False)
                turn.append(replace(last, outs=outs, args=args))
                begin = Instruction("move", (none,), (True,))
                again = replace(one, blocks=(head, Block(turn)))
                end = Instruction("leave_if", args=(none,))
                made.instructions += [begin, again, end]
            else:
                args = self.begins.get(one, one.args)
                made.instructions.append(replace(one, args=args))
        return made

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


def _walk(one: Instruction) -> Iterator[Instruction]:
    yield one
    for block in one.blocks:
        yield from block.walk()


def _outs(one: Instruction) -> set[Local]:
    return {out for inner in _walk(one) for out in inner.outs}


def _reads(one: Instruction) -> list[Operand]:
    return [arg for inner in _walk(one) for arg in inner.args]


def _tests(site: _Site) -> list[Operand]:
    return [outer.args[0] for outer in site.ifs]


def _reads_at(site: _Site) -> list[Operand]:
    return [*_reads(site.one), *_tests(site)]


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

"""chosen_before: which of several arrays a loop reads and writes is chosen before it.

A pass over loop IR. `u, v = v, u` in each step of a simulation hands on which array is
which, and each element that a turn reads or writes asks. Where nothing in a loop
changes the answer it is given once, before the outermost such loop; the turns then read
and write at places that move with the counter, as others do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtime.backends.llvm.loops import (
    INT,
    Block,
    Function,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.lowering import Lowering
from runtime.structs import replace

# What a choice of an array consists of, and what a store into one of several does.
_CHOOSES = frozenset({"hold", "move", "same", "icmp eq"})
_TAKES = frozenset({"hold", "move"})
_STORES = frozenset({"same", "address", "store"})


def with_choices_before(lowering: Lowering, function: Function) -> Function:
    """The function; its loops choose nothing that they can be told."""
    _Pass(lowering).block(function.body)
    return function


class _Pass:
    """The pass; loops are seen before those within them.

    lowering.alike: what may be one of two steps, by the local that it is in
    """

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering

    def block(self, block: Block) -> None:
        made: list[Instruction] = []
        for one in block.instructions:
            if one.op.startswith("while"):
                made += _Loop(self.lowering, one).chosen()
            for inner in one.blocks[one.op == "lanes" :]:
                self.block(inner)
            made.append(one)
        block.instructions = made


class _Loop:
    """One loop: what it writes, and what is chosen before it.

    choices: those that are made before; own: what they give, which is not held then
    """

    def __init__(self, lowering: Lowering, loop: Instruction) -> None:
        self.lowering, self.loop = lowering, loop
        self.inside = [*_flat(loop)]
        self.written = {out for one in self.inside for out in one.outs}
        self.before: list[Instruction] = []
        self.choices = _choices(self.inside, self.written)
        self.own = {out for one in self.choices for out in _outs(one)}
        self.written -= self.own

    def chosen(self) -> list[Instruction]:
        """What comes before the loop, in which it is no more."""
        for block in self.loop.blocks:
            self._block(block)
        if self.own:
            for block in self.loop.blocks:
                _let_be(block, self.own)
        return self.before

    def _block(self, block: Block) -> None:
        made: list[Instruction] = []
        for one in block.instructions:
            if one.op == "lanes":
                made.append(one)
            elif any(one is choice for choice in self.choices):
                # What is chosen lives as long as the loop: it need not be held.
                one.blocks = tuple(map(_without_holds, one.blocks))
                self.before.append(one)
            else:
                for inner in one.blocks:
                    self._block(inner)
                made += self._merged(one) or [one]
        block.instructions = made

    # A store into one of several arrays.

    def _merged(self, one: Instruction) -> list[Instruction]:
        """What both sides of an `if` do to two arrays, done to the one meant.

        Nothing: they do something else.
        """
        if one.op != "if" or one.args[0] in self.written or len(one.blocks) < 2:
            return []
        first, second = (block.instructions for block in one.blocks)
        if [inner.op for inner in first] != [inner.op for inner in second]:
            return []
        if not any(inner.op == "store" for inner in first):
            return []
        pairs = self._pairs(first, second)
        if pairs is None:
            return []
        if not pairs:
            return [*first]
        chosen = {pair: self.lowering.local(kind) for pair, kind in pairs.items()}
        outs, sides = tuple(chosen.values()), zip(*pairs, strict=True)
        blocks = tuple(Block([Instruction("move", outs, side)]) for side in sides)
        self.before.append(Instruction("if", (), one.args, blocks))
        self.lowering.alike |= {made: pair for pair, made in chosen.items()}
        return [
            replace(
                a, args=tuple(chosen.get(one, one[0]) for one in _both(a.args, b.args))
            )
            for a, b in zip(first, second, strict=True)
        ]

    def _pairs(
        self, first: Sequence[Instruction], second: Sequence[Instruction]
    ) -> dict[tuple[Operand, Operand], str] | None:
        """What each side reads in place of the other, and its type; None: they differ.

        A step that one side knows as a number may be a local on the other.
        """
        found: dict[tuple[Operand, Operand], str] = {}
        same: dict[Operand, Operand] = {}
        for a, b in zip(first, second, strict=True):
            if a.op not in _STORES or a.exit or b.exit or a.type != b.type:
                return None
            for place, (x, y) in enumerate(_both(a.args, b.args)):
                if same.get(y) is x and isinstance(y, Local):
                    continue
                if x is y or (x == y and not isinstance(x, Local)):
                    continue
                kinds = {one.type for one in (x, y) if isinstance(one, Local)}
                if a.op == "address" and place > 0:
                    kinds.add(INT)
                if len(kinds) != 1 or not self.written.isdisjoint((x, y)):
                    return None
                found[x, y] = kinds.pop()
            same |= zip(b.outs, a.outs, strict=True)
        return found


def _both(
    first: Sequence[Operand], second: Sequence[Operand]
) -> Iterator[tuple[Operand, Operand]]:
    return zip(first, second, strict=True)


# --- choices of an array --------------------------------------------------------------
def _choices(inside: Sequence[Instruction], written: set[Local]) -> list[Instruction]:
    """The `if`s that give one of several arrays, the same in each turn.

    One may choose between what another one gives, but nothing else holds that.
    """
    found: list[Instruction] = []
    known: set[Local] = set()
    for one in inside:
        if one.op == "if" and _is_choice(one, written - known):
            found.append(one)
            known |= _outs(one)
    released = {one.args[0] for one in inside if one.op == "release"}
    while found:
        within = {id(inner) for one in found for inner in _flat(one)}
        others = [one for one in inside if id(one) not in within]
        taken = {arg for one in others if one.op in _TAKES for arg in one.args}
        taken |= {out for one in others for out in one.outs}
        fine = [
            one
            for one in found
            if _objects(one) <= released
            and taken.isdisjoint(_outs(one))
            and not released & (_held(one) - {out for c in found for out in _outs(c)})
        ]
        if len(fine) == len(found):
            break
        found = fine
        known = {out for one in found for out in _outs(one)}
        found = [one for one in found if _is_choice(one, written - known)]
    return found


def _is_choice(one: Instruction, written: set[Local]) -> bool:
    inside, own = [*_flat(one)], _outs(one)
    args = [arg for inner in (one, *inside) for arg in inner.args]
    return (
        any(inner.op == "hold" for inner in inside)
        and all(inner.op in _CHOOSES or inner.op == "if" for inner in inside)
        and not any(arg in written and arg not in own for arg in args)
    )


def _outs(one: Instruction) -> set[Local]:
    return {out for inner in _flat(one) for out in inner.outs}


def _held(one: Instruction) -> set[Operand]:
    return {inner.args[0] for inner in _flat(one) if inner.op == "hold"}


def _objects(one: Instruction) -> set[Local]:
    """What it gives that is held."""
    held = _held(one)
    return {
        out
        for inner in _flat(one)
        if inner.op == "move"
        for out, arg in zip(inner.outs, inner.args, strict=True)
        if arg in held
    }


def _flat(one: Instruction) -> Iterator[Instruction]:
    for block in one.blocks:
        yield from block.walk()


def _without_holds(block: Block) -> Block:
    made = []
    for one in block.instructions:
        if one.op == "hold":
            continue
        one.blocks = tuple(map(_without_holds, one.blocks))
        made.append(one)
    return Block(made)


def _let_be(block: Block, own: set[Local]) -> None:
    """Let nothing go that is not held any more, on the ways out neither."""
    kept = []
    for one in block.instructions:
        if one.op == "release" and one.args[0] in own:
            continue
        if one.exit is not None and not own.isdisjoint(one.exit.drops):
            one.exit.drops = _others(one.exit.drops, own)
        if one.op == "poll":
            given = len(one.outs)
            one.args = (*one.args[:given], *_others(one.args[given:], own))
        for inner in one.blocks:
            _let_be(inner, own)
        kept.append(one)
    block.instructions = kept


def _others(drops: Sequence[Operand], own: set[Local]) -> tuple[Operand, ...]:
    return tuple(one for one in drops if one not in own)

"""wide: what runs several turns of a loop ahead, as LLVM's text of vectors.

A local is a vector of one number for each turn; a mask says which of them are at work.
A `while` goes on until no lane does. Where a lane would leave to Python, and where the
processor has noted a fault, which may be that of a lane at rest, nothing has happened
yet: these turns are run one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from runtime.backends.llvm.lane_trials import STATE, State, Trials
from runtime.backends.llvm.lines import (
    CONVERSIONS,
    INTRINSICS,
    OVERFLOWING,
    RAISING,
)
from runtime.backends.llvm.loops import (
    DOUBLE,
    FLOAT,
    Block,
    Instruction,
    Local,
    Operand,
)
from runtime.backends.llvm.polling import Polling
from runtime.backends.llvm.signs import negated
from runtime.backends.llvm.steady import ONCE, head_results, may_leave, turn_ends
from runtime.backends.llvm.vectors import Vectors

DIVISIONS = frozenset({"sdiv", "srem", "udiv", "urem"})
# Functions of the C library's and NumPy's that the machine has, exact to the last bit.
EXACT = {"m_sqrt": "sqrt", "m_floor": "floor", "m_ceil": "ceil", "m_trunc": "trunc"}
# Looks at the user's interrupts until lanes give up that turn on, the first of them
# having ended: what is ahead may be a loop that Python would never come to.
LOOKS = 64


class Wide(Vectors):
    """The text of one `lanes`: a part ahead, the rest of a turn, and whole turns.

    scalar: writes a block as it is, for one turn
    """

    def __init__(
        self, text: Polling, scalar: Callable[[Block], None], count: int
    ) -> None:
        super().__init__(text, count)
        self.scalar = scalar
        # Slots: looks at the user's interrupts, whether this `while` has begun; the
        # label behind it; which lanes went on a turn ago; and the tests of all.
        self.looks = self.begun = self.end = self.before = ""
        self.tests: set[Operand] = set()
        # Ends of turns and tests, and slots for what lanes had when they stopped.
        self.ends: dict[Instruction, list[Local]] = {}
        self.heads: dict[Instruction, list[Local]] = {}
        self.results: dict[tuple[Instruction, Local], str] = {}

    # The turns.

    def write(self, one: Instruction) -> None:
        """All of it; `outs` begins with its `State`."""
        text = self.text
        state, made = State(*one.outs[: len(STATE)]), one.outs[len(STATE) :]
        ahead, rest, singly = one.blocks
        labels = [text.fresh_label() for _ in range(6)]
        use, seek, run, fine, single, after = labels
        buffers = {out: self.buffer(out) for out in made}
        total, trials = self.slot("i64"), Trials(text, state, self.count)
        trials.begin()
        has = text.set(f"icmp sgt i64 {text.read(state.ready, 'i64')}, 0")
        text.line(f"br i1 {has}, label %{use}, label %{seek}")
        text.label(seek)
        group = trials.seek(one.args, (run, single))
        fails = self._run(one, ahead, group.width)
        trials.put_off(group, fails)
        text.line(f"br i1 {fails}, label %{single}, label %{fine}")
        text.label(fine)
        trials.ran(group, single)
        for out, place in buffers.items():
            self.spread(self.read(out, out.type), out.type, place)
        text.line(f"store i64 {group.width}, ptr {total}")
        text.keep(state.ready, group.width)
        text.to_label(use)
        left = text.read(state.ready, "i64")
        at = text.set(f"sub i64 {text.set(f'load i64, ptr {total}')}, {left}")
        text.keep(state.ready, text.set(f"sub i64 {left}, 1"))
        for out, place in buffers.items():
            self.take(out, place, at)
        self.scalar(rest)
        text.line(f"br label %{after}")
        text.label(single)
        begin = text.read(one.args[0], "i64")
        self.scalar(singly)
        end = text.read(one.args[0], "i64")
        trials.ran_singly(text.set(f"sub i64 {end}, {begin}"))
        text.to_label(after)

    def _run(self, one: Instruction, ahead: Block, width: str) -> str:
        """The part ahead, of so many turns; whether it was in vain."""
        text = self.text
        counter = one.args[0]
        assert isinstance(counter, Local)
        at = text.read(counter, "i64")
        steps = ", ".join(f"i64 {lane}" for lane in range(self.count))
        kind = self.of("i64")
        limit = self.splat(width, "i64")
        self.mask = text.set(f"icmp ult {kind} <{steps}>, {limit}")
        self.leaving = self.slot(self.bits)
        self.looks = self.slot("i32")
        text.line(f"store {self.bits} zeroinitializer, ptr {self.leaving}")
        text.line(f"store i32 0, ptr {self.looks}")
        inside = dict.fromkeys(out for inner in ahead.walk() for out in inner.outs)
        for local in (counter, *inside):
            self.written.add(local)
            text.slots.append(f"%{local.name}.w = alloca {self.of(local.type)}")
        turns = text.set(f"add {kind} {self.splat(at, 'i64')}, <{steps}>")
        text.line(f"store {kind} {turns}, ptr %{counter.name}.w")
        before = text.flags() if text.warns else ""
        self.ends = turn_ends(ahead, one.outs)
        self.heads = head_results(ahead, one.outs)
        self.block(ahead)
        fails = self.any_of(text.set(f"load {self.bits}, ptr {self.leaving}"))
        if before:
            fails = text.set(f"or i1 {fails}, {text.noted_since(before)}")
        return fails

    # Instructions.

    def block(self, block: Block) -> None:
        """The instructions of a block."""
        for one in block.instructions:
            name = one.op.split(" ")[0]
            is_cast = name in CONVERSIONS or (name == "trunc" and one.type[:1] == "i")
            write = self._WRITERS.get(name, Wide._binary)
            if is_cast:
                write = Wide._conversion
            elif name in INTRINSICS:
                write = Wide._intrinsic
            elif name in OVERFLOWING:
                write = Vectors.overflowing
            if self.text.warns and name in RAISING:
                write = Wide._guarded
            write(self, one)

    def _binary(self, one: Instruction) -> None:
        a, b = (self.read(arg, one.type) for arg in one.args)
        if one.op in DIVISIONS:
            # The processor traps, whatever lane it is in.
            b = self.choose(self.live(), one.type, b, self.read(1, one.type))
        kind = self.of(one.type)
        self.keep(one.outs[0], self.text.set(f"{one.op} {kind} {a}, {b}"))

    def _negative(self, one: Instruction) -> None:
        a, kind = self.read(one.args[0], one.type), self.of(one.type)
        self.keep(one.outs[0], negated(self.text, one.type, kind, a))

    def _conversion(self, one: Instruction) -> None:
        a, out = self.read(one.args[0], one.type), one.outs[0]
        words = f"{one.op} {self.of(one.type)} {a} to {self.of(out.type)}"
        self.keep(out, self.text.set(words))

    def _intrinsic(self, one: Instruction) -> None:
        self.call(one.op, one)

    def _guarded(self, one: Instruction) -> None:
        """An operation after which the processor's flags tell what has happened."""
        out, kind = one.outs[0], one.type or one.outs[0].type
        kinds, notes = self.suffix(kind), ['!"round.tonearest"', '!"fpexcept.maytrap"']
        if one.op in CONVERSIONS:
            kinds = f"{self.suffix(out.type)}.{kinds}"
        if one.op in ("fptosi", "fptoui"):
            notes.pop(0)
        many, name = (
            self.of(out.type),
            f"llvm.experimental.constrained.{one.op}.{kinds}",
        )
        takes = ", ".join([self.of(kind)] * len(one.args) + ["metadata"] * len(notes))
        self.text.symbol(name, f"declare {many} @{name}({takes})")
        words = [f"{self.of(kind)} {self.read(arg, kind)}" for arg in one.args]
        inside = ", ".join([*words, *(f"metadata {note}" for note in notes)])
        self.keep(out, self.text.set(f"call {many} @{name}({inside})"))

    def _leave_if(self, one: Instruction) -> None:
        self.leave(self.read(one.args[0], "i1"))

    def _select(self, one: Instruction) -> None:
        kind = one.outs[0].type
        test, a, b = one.args
        sides = self.read(a, kind), self.read(b, kind)
        self.keep(one.outs[0], self.choose(self.read(test, "i1"), kind, *sides))

    def _move(self, one: Instruction) -> None:
        """Lanes that rest keep what they have.

        At a turn's end that is kept apart: the next one need not wait for which lanes
        go on. Where the processor's notes are told, which would be of lanes that rest,
        their floats are kept by which lanes went on a turn ago.
        """
        pairs = list(zip(one.args, one.outs, strict=True))
        found = [self.read(arg, out.type) for arg, out in pairs]
        for (_, out), value in zip(pairs, found, strict=True):
            if place := self.results.get((one, out)):
                self.keep_where(self.mask, out.type, value, place)
            is_noted = self.text.warns and out.type in (FLOAT, DOUBLE)
            if out in self.tests or (one in self.ends and not is_noted):
                self.keep(out, value)
            elif one in self.ends:
                self.keep_where(self.before, out.type, value, f"%{out.name}.w")
            else:
                self.keep_where(self.mask, out.type, value, f"%{out.name}.w")

    def _each(self, one: Instruction) -> None:
        """A call of a function outside, for one lane at work after the other."""
        if one.symbol in EXACT:
            self.call(EXACT[one.symbol], one)
            return
        text = self.text
        locals_in = [arg for arg in one.args if arg in self.written]
        ins = {arg: self.buffer(arg) for arg in locals_in if isinstance(arg, Local)}
        outs = {out: self.buffer(out) for out in one.outs}
        for arg, place in ins.items():
            self.spread(self.read(arg, arg.type), arg.type, place)
        masks, turn = self.slot(f"[{self.count} x i8], align 64"), self.slot("i64")
        self.spread(self.live(), "i1", masks)
        head, work, more, after = (text.fresh_label() for _ in range(4))
        text.line(f"store i64 0, ptr {turn}")
        text.to_label(head)
        lane = text.set(f"load i64, ptr {turn}")
        byte = text.set(f"getelementptr i8, ptr {masks}, i64 {lane}")
        is_on = text.set(f"icmp ne i8 {text.set(f'load i8, ptr {byte}')}, 0")
        text.line(f"br i1 {is_on}, label %{work}, label %{more}")
        text.label(work)
        for arg, place in ins.items():
            self.take(arg, place, lane)
        self.scalar(Block([one]))
        for out, place in outs.items():
            self.put(out, place, lane)
        text.to_label(more)
        following = text.set(f"add i64 {lane}, 1")
        text.line(f"store i64 {following}, ptr {turn}")
        ends = text.set(f"icmp eq i64 {following}, {self.count}")
        text.line(f"br i1 {ends}, label %{after}, label %{head}")
        text.label(after)
        for out, place in outs.items():
            kind = "i8" if out.type == "i1" else out.type
            found = text.set(f"load {self.of(kind)}, ptr {place}")
            if out.type == "i1":
                found = text.set(f"icmp ne {self.of('i8')} {found}, zeroinitializer")
            self.keep(out, found)

    def _if(self, one: Instruction) -> None:
        outer, sides = self.mask, []
        test = self.read(one.args[0], "i1")
        other = self.text.set(f"xor {self.bits} {test}, {self.read(True, 'i1')}")
        for condition, block in zip((test, other), one.blocks, strict=True):
            self.mask = self.both(outer, condition)
            *before, last = block.instructions or [Instruction("move")]
            inside = [*before] if last.op == "move" else [*before, last]
            self._where_any(Block(inside))
            sides.append(last if last.op == "move" else Instruction("move"))
        self.mask = outer
        found: dict[Local, list[str]] = {}
        for side in sides:
            for out, arg in zip(side.outs, side.args, strict=True):
                found.setdefault(out, []).append(self.read(arg, out.type))
        for out, values in found.items():
            self.keep(out, self.choose(test, out.type, *values))

    def _where_any(self, block: Block) -> None:
        """A block, which is passed by where it has calls and no lane is at work."""
        if not any(one.op in ("call", "numpy") for one in block.walk()):
            self.block(block)
            return
        text = self.text
        inside, after = text.fresh_label(), text.fresh_label()
        some = self.any_of(self.mask)
        text.line(f"br i1 {some}, label %{inside}, label %{after}")
        text.label(inside)
        self.block(block)
        text.to_label(after)

    def _while(self, one: Instruction) -> None:
        """Until no lane goes on, or one wants to leave."""
        text = self.text
        around = self.mask, self.before, self.begun, self.end
        head, again, self.end = (text.fresh_label() for _ in range(3))
        active, self.begun = self.slot(self.bits), self.slot("i1")
        text.line(f"store i1 false, ptr {self.begun}")
        self.tests.add(one.args[0])
        (*_, last) = one.blocks[1].instructions or [one]
        kept = [(last, local) for local in self.ends.get(last, ())]
        tested = [(one, local) for local in self.heads[one]]
        for key in (*kept, *tested):
            kind = self.of(key[1].type)
            place = self.results[key] = self.slot(kind)
            text.line(f"store {kind} {self.read(key[1], key[1].type)}, ptr {place}")
        # One that has left divides by 1 from then on, so that it might never end.
        text.line(f"store {self.bits} {self.live()}, ptr {active}")
        text.to_label(head)
        self.mask = before = text.set(f"load {self.bits}, ptr {active}")
        self.block(one.blocks[0])
        for key in tested:
            found = self.read(key[1], key[1].type)
            self.keep_where(before, key[1].type, found, self.results[key])
        self.mask = self.both(self.mask, self.read(one.args[0], "i1"))
        text.line(f"store {self.bits} {self.mask}, ptr {active}")
        go = self.any_of(self.mask)
        if may_leave(one):
            left = self.any_of(text.set(f"load {self.bits}, ptr {self.leaving}"))
            stay = text.set(f"xor i1 {left}, true")
            go = text.set(f"and i1 {go}, {stay}")
        text.line(f"br i1 {go}, label %{again}, label %{self.end}")
        text.label(again)
        self.before = before
        self.block(one.blocks[1])
        text.line(f"br label %{head}")
        text.label(self.end)
        self.mask, self.before, self.begun, self.end = around
        for key in (*kept, *tested):
            kind, place = self.of(key[1].type), self.results[key]
            self.keep(key[1], text.set(f"load {kind}, ptr {place}"))

    def _once(self, one: Instruction) -> None:
        """In the first turn of the loop around it."""
        text = self.text
        first, after = text.fresh_label(), text.fresh_label()
        begun = text.set(f"load i1, ptr {self.begun}")
        text.line(f"br i1 {begun}, label %{after}, label %{first}")
        text.label(first)
        text.line(f"store i1 true, ptr {self.begun}")
        self.block(one.blocks[0])
        text.to_label(after)

    def _poll(self, one: Instruction) -> None:
        self.text.poll(one, self._give_up)

    def _give_up(self) -> None:
        """Where the lanes have gone on for long without the first of them."""
        text = self.text
        stop, fine = text.fresh_label(), text.fresh_label()
        looks = text.set(f"add i32 {text.set(f'load i32, ptr {self.looks}')}, 1")
        text.line(f"store i32 {looks}, ptr {self.looks}")
        late = text.set(f"icmp ugt i32 {looks}, {LOOKS}")
        first = text.set(f"extractelement {self.bits} {self.mask}, i64 0")
        ended = text.set(f"xor i1 {first}, true")
        both = text.set(f"and i1 {late}, {ended}")
        text.line(f"br i1 {both}, label %{stop}, label %{fine}")
        text.label(stop)
        self.leave(self.splat("true", "i1"))
        text.line(f"br label %{self.end}")
        text.label(fine)

    _WRITERS: ClassVar[dict[str, Callable[[Wide, Instruction], None]]] = {
        "fneg": _negative,
        "leave_if": _leave_if,
        "select": _select,
        **dict.fromkeys(("move", "same"), _move),
        "address": Vectors.address,
        "load": Vectors.load,
        "distinct": Vectors.distinct,
        **dict.fromkeys(("call", "numpy"), _each),
        "own": Vectors.own,
        "if": _if,
        "while": _while,
        ONCE: _once,
        "poll": _poll,
    }

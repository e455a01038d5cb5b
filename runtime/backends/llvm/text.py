"""text: loop IR as LLVM's text: a function that CPython calls, `f(self, args, n)`.

It gives a tuple of the results, or None where it was made for other arguments. An exit
calls `self`, with its number and what is handed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from runtime.backends.llvm.across import Across, in_lanes
from runtime.backends.llvm.chunks import written_turns
from runtime.backends.llvm.declared import DECLARATIONS
from runtime.backends.llvm.dense import strides_in_order
from runtime.backends.llvm.draw_calls import DRAWS, DrawCalls
from runtime.backends.llvm.eights import Eights
from runtime.backends.llvm.epilogues import THEN
from runtime.backends.llvm.few_turns import weight_of
from runtime.backends.llvm.flags import FLAGS, flag_of
from runtime.backends.llvm.from_front import SELDOM
from runtime.backends.llvm.grown import out_of_order
from runtime.backends.llvm.lesser import JUMP, Orders, choose
from runtime.backends.llvm.lines import (
    CONVERSIONS,
    INTRINSICS,
    OVERFLOWING,
    RAISING,
    WRAP,
)
from runtime.backends.llvm.list_calls import LIST_CALLS
from runtime.backends.llvm.loop_notes import (
    counter_of,
    few_and_kind,
    gains_by_all_passes,
    note_of_chunk,
    note_of_turns,
)
from runtime.backends.llvm.loops import (
    TURNS,
    Block,
    Function,
    Instruction,
    Local,
    Referred,
    TypedList,
)
from runtime.backends.llvm.orders import ASKS
from runtime.backends.llvm.polling import looks
from runtime.backends.llvm.records import write_turns
from runtime.backends.llvm.scalars import Scalars
from runtime.backends.llvm.straightened import HIDDEN
from runtime.backends.llvm.table_calls import TABLE_CALLS, TableCalls
from runtime.backends.llvm.typed_calls import TYPED_CALLS
from runtime.backends.llvm.typed_inputs import TypedInputs
from runtime.backends.llvm.vectors import lanes, told_width, width_for
from runtime.backends.llvm.wide import Wide
from runtime.backends.llvm.written_outside import WRITERS

# Is in the text of loops of which LLVM may make vectors, if it finds them independent.
VECTORS = "; turns that may be done at once"
# Is in the text of loops that gain by all of LLVM's passes.
ELEMENTS = "; elements that a loop comes to"


class Text(Scalars, TableCalls, TypedInputs, DrawCalls):
    """The text of one function."""

    def __init__(self, function: Function, outside: Mapping[str, Any]) -> None:
        super().__init__(function.written, outside)
        self.function = function
        # In lanes that rest Python's floats overflow, too. That they keep what they
        # have would take a third of the time.
        instructions = [*function.body.walk()]
        in_lanes = any(one.op == "lanes" for one in instructions)
        self.warns = function.warns and not (function.silent and in_lanes)
        self.know_bounds(instructions if self.warns else (), function.silent)
        self.wraps = any(one.op.split(" ")[0] == WRAP for one in instructions)
        self.overwrites = function.overwrites
        self.functions, self.freed = [], set()
        self.orders = Orders(instructions)
        self.polls = any(one.op == "poll" for one in instructions)

    def write(self) -> str:
        """All of it."""
        function = self.function
        for local in function.locals():
            self.slots.append(f"%{local.name} = alloca {local.type}")
        self.slots.append("%overflow = alloca i32")
        if self.polls:
            self.begin_polling(function.body)
            self.functions.append(looks())
        self.begin()
        self.take_constants(function.constants)
        if self.warns:
            self.outside[ASKS] = ASKS
            self.ask_errors()
        for thing in function.entered:
            self.line(f"call void @Py_IncRef(ptr {self.read(thing, 'ptr')})")
        self._body(function)
        self.end_typed(function)
        found = self.found()
        if self.warns:
            found = self.tell_errors(found)
        self.drop(function.drops)
        self.line(f"ret ptr {found}")
        for made in self.exits.values():
            self.label(f"exit{made.number}")
            if made.number in self.freed:
                self.take_back()
            self.exit(made)
        self.label("miss")
        self.give_missed()
        self.label("ended")
        self.line("ret ptr null")
        head = f"define {self.head()} {{\nentry:"
        body = "\n".join(f"  {line}" for line in dict.fromkeys(self.slots))
        # The slots come first, so that each is made once.
        text = "\n".join(self.lines)
        outside = "\n".join(dict.fromkeys(self.outside.values()))
        main = f"{head}\n{body}\n{text}\n}}"
        parts = f"{DECLARATIONS}{outside}", main, *self.functions, *self.owns()
        return "\n".join((*parts, *self.notes)) + "\n"

    def head(self) -> str:
        """What it is called with."""
        return f"ptr @{self.function.name}(ptr %self, ptr %args, i64 %n)"

    def begin(self) -> None:
        """Take what it is called with; to `miss` where that is of another kind."""
        self.begin_typed(self.function)
        for position, value in enumerate(self.function.inputs):
            if not isinstance(value, TypedList):
                self.take_argument(position, value)
        for local, (low, high) in self.function.asked.items():
            found = self.read(local, "i64")
            self.unless(self.set(f"icmp sge i64 {found}, {low}"), self.miss)
            self.unless(self.set(f"icmp sle i64 {found}, {high}"), self.miss)
        self.take_typed(self.function)

    def found(self) -> str:
        """The object that it gives."""
        return self.tuple(self.function.outputs)

    def give_missed(self) -> None:
        """Give what says that it was made for other arguments."""
        self.drop_typed(self.function)
        self.line("call void @Py_IncRef(ptr @Py_None)")
        self.line("ret ptr @Py_None")

    def _body(self, function: Function) -> None:
        """The body; twice, where it is worth knowing that all lies in C's order."""
        strides = strides_in_order(function)
        if not strides:
            self.block(function.body)
            return
        other, after = self.fresh_label(), self.fresh_label()
        for local, size in strides.items():
            is_so = self.set(f"icmp eq i64 {self.read(local, 'i64')}, {size}")
            self.unless(is_so, other)
        for local, size in strides.items():
            self.keep(local, str(size))
        self.block(function.body)
        self.line(f"br label %{after}")
        self.label(other)
        self.block(out_of_order(function.body))
        self.to_label(after)

    # Instructions.

    def block(self, block: Block) -> None:
        for instruction in block.instructions:
            op = instruction.op
            if op in RAISING and self.is_guarded(instruction):
                self.guarded(instruction)
            elif op in OVERFLOWING and instruction.exit:
                self.overflowing(instruction)
            else:
                write = self._by_op.get(op)
                if write is None:
                    write = self._by_op[op] = self._writer_of(op)
                write(self, instruction)
            if self.silent:
                self.watch(instruction.outs)

    def _writer_of(self, op: str) -> Callable[[Text, Instruction], None]:
        name = op.split(" ")[0]
        if name in INTRINSICS:
            return Text.intrinsic
        if name in CONVERSIONS:
            return Text.conversion
        return self._WRITERS.get(name, Text.binary)

    def _address(self, one: Instruction) -> None:
        data, index, stride = one.args
        a, b = self.read(index, "i64"), self.read(stride, "i64")
        offset = self.set(f"mul i64 {a}, {b}")
        base = self.read(data, "ptr")
        self.keep(one.outs[0], self.set(f"getelementptr i8, ptr {base}, i64 {offset}"))

    def _load(self, one: Instruction) -> None:
        kind = one.outs[0].type
        self.loaded.add(one.outs[0])
        at = self.read(one.args[0], "ptr")
        group = f", !llvm.access.group {self.group}" if self.group else ""
        if kind == "i1":
            byte = self.set(f"load i8, ptr {at}{group}")
            self.keep(one.outs[0], self.set(f"icmp ne i8 {byte}, 0"))
            return
        self.keep(one.outs[0], self.set(f"load {kind}, ptr {at}{group}"))

    def _store(self, one: Instruction) -> None:
        kind = one.type
        at, value = self.read(one.args[0], "ptr"), self.read(one.args[1], kind)
        if kind == "i1":
            kind, value = "i8", self.set(f"zext i1 {value} to i8")
        group = f", !llvm.access.group {self.group}" if self.group else ""
        self.line(f"store {kind} {value}, ptr {at}{group}")

    def _python(self, one: Instruction) -> None:
        """A call of Python; where it gives other kinds of things, the way out."""
        assert one.exit is not None
        self.exits[one.exit.number] = one.exit
        function = self.symbol(one.symbol, f"@{one.symbol} = external global i8")
        handed = self.tuple(one.values)
        before = self.flags() if self.warns else ""
        found = self.set(f"call ptr @PyObject_CallObject(ptr {function}, ptr {handed})")
        self.line(f"call void @Py_DecRef(ptr {handed})")
        self.give_up_without(found, one.exit.drops)
        if self.warns:
            self.put_flags(before)  # it has warned of what is its own
        other, fine = self.fresh_label(), self.fresh_label()
        self.miss = other
        for place, value in enumerate(one.results):
            item = self.set(f"call ptr @PyTuple_GetItem(ptr {found}, i64 {place})")
            self.take(item, value)
        self.miss = "miss"
        for value in one.results:
            if isinstance(value, Referred):
                thing = self.read(value.object, "ptr")
                self.line(f"call void @Py_IncRef(ptr {thing})")
        self.line(f"call void @Py_DecRef(ptr {found})")
        self.line(f"br label %{fine}")
        self.label(other)
        self.line(f"call void @Py_DecRef(ptr {found})")
        self.line(f"br label %exit{one.exit.number}")
        self.label(fine)

    def _if(self, one: Instruction) -> None:
        if self._stays(one) and choose(self, self.orders.chosen(one)):
            self.watch(one.blocks[0].instructions[-1].outs)
            return
        then, orelse, after = (self.fresh_label() for _ in range(3))
        test = self.read(one.args[0], "i1")
        is_seldom = one.type == SELDOM or self.orders.is_record(one)
        weights = ", !prof !0" if is_seldom else ""
        self.line(f"br i1 {test}, label %{then}, label %{orelse}{weights}")
        for label, block in zip((then, orelse), one.blocks, strict=True):
            self.label(label)
            if block is one.blocks[0] and self._stays(one):
                self.line(JUMP)
            self.block(block)
            self.line(f"br label %{after}")
        self.label(after)

    def _stays(self, one: Instruction) -> bool:
        """Whether it is to be a branch: by floats, not noted, and in no vector."""
        return not self.is_plain and self.orders.stays(one, self.warns)

    def _while(self, one: Instruction) -> None:
        self.freely(one, lambda: write_turns(self, one, self._turns))

    def _turns(self, one: Instruction) -> None:
        head, again, after = (self.fresh_label() for _ in range(3))
        if gains_by_all_passes(one):
            self.line(ELEMENTS)
        if flag_of(one) is not None:
            self.line(FLAGS)
        self.to_label(head)
        first, *others = written_turns(one) if not self.counts_turns else one.blocks[1:]
        self.turns_each = str((1 + len(others)) * weight_of(one))
        for turn in (first, *others):
            self.block(one.blocks[0])
            test = self.read(one.args[0], "i1")
            self.line(f"br i1 {test}, label %{again}, label %{after}")
            self.label(again)
            self.block(turn)
            again = self.fresh_label()
        self.turns_each = "1"
        self.line(f"br label %{head}{note_of_chunk(self, one)}")
        self.label(after)

    def _lanes(self, one: Instruction) -> None:
        Wide(self, self.block, lanes()).write(one)

    def _pairwise(self, one: Instruction) -> None:
        Eights(self, self.block).write(one)

    def _for(self, one: Instruction) -> None:
        """`args[0]` from 0 up to `args[1]`; a parallel one in any order."""
        found = in_lanes(one)
        if found is None or self.is_watched(one.blocks):
            self._one_by_one(one)
            return
        self.line(VECTORS)
        Across(self, self.block, *found).write(one)

    def _one_by_one(self, one: Instruction) -> None:
        """A loop of which LLVM may make vectors, if it is parallel."""
        index, size = one.args
        assert isinstance(index, Local)
        self.slot_of(f"%{index.name}", "i64")
        if size == 1 and not isinstance(size, Local):
            self.keep(index, "0")
            self.block(one.blocks[0])
            return
        head, again, after = (self.fresh_label() for _ in range(3))
        index, begin, turn = counter_of(one)
        first, end = self.read(begin, "i64"), self.read(size, "i64")
        if index is not one.args[0]:
            end = self.set(f"add i64 {first}, {end}")
        self.keep(index, first)
        self.to_label(head)
        at = self.read(index, "i64")
        test = self.set(f"icmp slt i64 {at}, {end}")
        self.line(f"br i1 {test}, label %{again}, label %{after}")
        self.label(again)
        outer = self.group, self.width
        few, kind = few_and_kind(one)
        if kind == "parallel":
            self.group = self.note("distinct !{}")
            self.width = told_width(one.blocks[0], few)
        elif kind == TURNS:
            self.line(VECTORS)
            self.width = width_for(one.blocks[0])
        self.is_plain = kind == TURNS
        self.block(turn)
        self.is_plain = False
        self.keep(index, self.set(f"add i64 {self.read(index, 'i64')}, 1"))
        note = note_of_turns(self, kind, self.width, self.group, one.blocks[0])
        self.line(f"br label %{head}{note}")
        self.group, self.width = outer
        self.label(after)

    def _outlined(self, one: Instruction) -> None:
        self.outlined(one, self.block)

    def _buffer(self, one: Instruction) -> None:
        """Memory on the stack."""
        name = self.fresh()
        self.slots.append(f"{name} = alloca [{one.symbol} x i8], align 64")
        self.keep(one.outs[0], name)

    def _use(self, one: Instruction) -> None:
        """LLVM must compute it, though nobody reads it: NumPy may warn."""
        self.slot_of(f"%used.{one.type}", one.type)
        value = self.read(one.args[0], one.type)
        self.line(f"store volatile {one.type} {value}, ptr %used.{one.type}")

    def _address_as_int(self, one: Instruction) -> None:
        a = self.read(one.args[0], "ptr")
        self.keep(one.outs[0], self.set(f"ptrtoint ptr {a} to i64"))

    # What writes an instruction, by its whole word: found once.
    _by_op: ClassVar[dict[str, Callable[[Text, Instruction], None]]] = {}
    _WRITERS: ClassVar[dict[str, Callable[[Text, Instruction], None]]] = {
        "fneg": Scalars.negative,
        "leave_if": Scalars.leave_if,
        "select": Scalars.select,
        HIDDEN: Scalars.hidden,
        WRAP: Scalars.wrap,
        **dict.fromkeys(("move", "same"), Scalars.move),
        "address": _address,
        "load": _load,
        "store": _store,
        "call": Scalars.call_outside,
        "numpy": Scalars.numpy,
        "own": Scalars.own,
        "copy": Scalars.copy,
        "new": Scalars.new,
        "python": _python,
        "numpys": Scalars.numpys,
        **WRITERS,
        "buffer": _buffer,
        "use": _use,
        "ptrtoint": _address_as_int,
        "hold": Scalars.hold,
        "release": Scalars.release,
        "if": _if,
        "while": _while,
        "lanes": _lanes,
        "pairwise": _pairwise,
        "for": _for,
        **dict.fromkeys(("share", "product", THEN), _outlined),
        "poll": Scalars.poll,
        **LIST_CALLS,
        **TABLE_CALLS,
        **TYPED_CALLS,
        **DRAWS,
    }

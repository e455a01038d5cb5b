"""outlined: what several threads may share, as a function of its own in LLVM's text.

It is called with a frame, the values that it reads, and with the first and the last of
the units that it is to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.backends.llvm import crew
from runtime.backends.llvm.epilogues import EACH, ROWS, SCALE, THEN, WORDS
from runtime.backends.llvm.loops import Block, Instruction, Local, Operand, operands_of
from runtime.backends.llvm.polling import Polling
from runtime.backends.llvm.row_block import BLOCK
from runtime.backends.llvm.sharing import LET_GO, SHARED
from runtime.backends.llvm.watching import SILENT

# Multiplications of a product of matrices that let go of Python: some 10 us.
LONG = 2**18
# The parts for each thread: some processors are slower, or busy.
PARTS = 4
# The operands in which an instruction counts for itself.
COUNTING = {"for": slice(1), "pairwise": slice(1, -1)}


class Outlined(Polling):
    """The text, with functions beside the one.

    functions: their text; is_beside: whether one of them is being written
    """

    functions: list[str]
    is_beside = False

    def outlined(self, one: Instruction, write: Callable[[Block], None]) -> None:
        """What has a function of its own for some units."""
        if one.op == THEN:
            self._product_then(one, write)
        elif one.op == "product":
            self._product(one)
        else:
            self._share(one, write)

    def _product_then(self, one: Instruction, write: Callable[[Block], None]) -> None:
        """A product, and what follows it, if that was not done with its rows."""
        name, frame = self._framed(one, write)
        done = self.set(f"load i64, ptr {self._product(one, (name, frame))}")
        again, after = self.fresh_label(), self.fresh_label()
        is_left = self.set(f"icmp eq i64 {done}, 0")
        self.line(f"br i1 {is_left}, label %{again}, label %{after}")
        self.label(again)
        self._run(name, frame, (one.args[ROWS], one.args[EACH]))
        self.to_label(after)
        self._watched(one, frame)

    def _product(
        self, one: Instruction, after: tuple[str, str] = ("null", "null")
    ) -> str:
        """NumPy's loop of `@`: three places, four sizes, nine steps, a number.

        after: what is called of rows that are done, and its frame; gives the place that
        says whether it was
        """
        places, words = one.args[:3], one.args[3 : 3 + WORDS]
        table, sizes = self.fresh(), self.fresh()
        self.slots.append(f"{table} = alloca [{len(places)} x ptr]")
        self.slots.append(f"{sizes} = alloca [{WORDS + 3} x i64]")
        more = [
            self.set(f"getelementptr i64, ptr {sizes}, i64 {WORDS + place}")
            for place in range(3)
        ]
        told = *(f"ptr {one}" for one in after), "i64 0"
        for at, value in zip(more, told, strict=True):
            self.line(f"store {value}, ptr {at}")
        for into, kind, operands in ((table, "ptr", places), (sizes, "i64", words)):
            for place, operand in enumerate(operands):
                at = self.set(f"getelementptr {kind}, ptr {into}, i64 {place}")
                self.line(f"store {kind} {self.read(operand, kind)}, ptr {at}")
        steps = self.set(f"getelementptr i64, ptr {sizes}, i64 4")
        given = self.given.get(one.symbol, f"@data_{one.symbol}")
        inside = f"ptr {table}, ptr {sizes}, ptr {steps}, ptr {given}"
        if self.is_free:
            self.call_loop(one.symbol, inside)
            return more[-1]
        first, *others = (self.read(size, "i64") for size in words[:4])
        for other in others:
            first = self.set(f"mul i64 {first}, {other}")
        state = self.let_go_if(self.set(f"icmp sge i64 {first}, {LONG}"))
        self.call_loop(one.symbol, inside)
        self.take_back_if(state)
        return more[-1]

    def _share(self, one: Instruction, write: Callable[[Block], None]) -> None:
        """All units here, or the function that does some."""
        first, length = one.outs
        (block,) = one.blocks
        if self.is_beside:
            self.keep(first, "0")
            self.keep(length, self.read(one.args[0], "i64"))
            write(block)
            return
        name, frame = self._framed(one, write)
        self._run(name, frame, one.args)
        self._watched(one, frame)

    def _watched(self, one: Instruction, frame: str) -> None:
        """What has become of Python's floats in that function is known here."""
        if self.is_watched(one.blocks):
            told = self.field(frame, 8 * len(_captures(one)), "i64")
            far = self.set(f"icmp ne i64 {told}, 0")
            self.note_silent(far)

    def _framed(
        self, one: Instruction, write: Callable[[Block], None]
    ) -> tuple[str, str]:
        """The function that does some units, and the frame that it is given."""
        captures = _captures(one)
        name = f"@part{len(self.functions)}"
        self._function(name, one, captures, write)
        frame = self.fresh()
        self.slots.append(f"{frame} = alloca [{len(captures) + 1} x i64]")
        if self.is_watched(one.blocks):
            at = self.set(f"getelementptr i64, ptr {frame}, i64 {len(captures)}")
            self.line(f"store i64 0, ptr {at}")
        for number, local in enumerate(captures):
            at = self.set(f"getelementptr i64, ptr {frame}, i64 {number}")
            value = self.read(local, local.type)
            self.line(f"store {local.type} {value}, ptr {at}")
        return name, frame

    def _function(
        self,
        name: str,
        one: Instruction,
        captures: list[Local],
        write: Callable[[Block], None],
    ) -> None:
        outer = self.lines, self.slots, self.has_flags, self.is_beside
        self.lines, self.slots, self.has_flags, self.is_beside = [], [], False, True
        first, length = one.outs
        inside = [out for inner in one.blocks[0].walk() for out in inner.outs]
        for local in dict.fromkeys((*captures, first, length, *inside)):
            self.slots.append(f"%{local.name} = alloca {local.type}")
        for number, local in enumerate(captures):
            self.keep(local, self.field("%frame", 8 * number, local.type))
        scale = one.args[SCALE] if one.op == THEN else 1
        self.keep(first, self.set(f"mul i64 %first, {scale}"))
        many = self.set("sub i64 %last, %first")
        self.keep(length, self.set(f"mul i64 {many}, {scale}"))
        is_watched = self.is_watched(one.blocks)
        if is_watched:
            self.begin_watching()
        write(one.blocks[0])
        if is_watched:
            self._tell_watched(len(captures))
        head = f"define internal void {name}(ptr %frame, i64 %first, i64 %last) {{"
        slots = [f"  {slot}" for slot in self.slots]
        text = [head, "entry:", *slots, *self.lines, "  ret void", "}"]
        self.functions.append("\n".join(text))
        self.lines, self.slots, self.has_flags, self.is_beside = outer

    def _tell_watched(self, place: int) -> None:
        """Threads may do so at once; each of them writes the same."""
        told, after = self.fresh_label(), self.fresh_label()
        some = self.set(f"load i1, ptr {SILENT}")
        self.line(f"br i1 {some}, label %{told}, label %{after}")
        self.label(told)
        at = self.set(f"getelementptr i64, ptr %frame, i64 {place}")
        self.line(f"store i64 1, ptr {at}")
        self.to_label(after)

    def _run(self, name: str, frame: str, work: Sequence[Operand]) -> None:
        """Call it: for all units at once where there is little to do."""
        few, more, several, alone, back, after = (self.fresh_label() for _ in range(6))
        count, each = (self.read(arg, "i64") for arg in work)
        whole_work = self.set(f"mul i64 {count}, {each}")
        little = self.set(f"icmp slt i64 {whole_work}, {LET_GO}")
        self.line(f"br i1 {little}, label %{few}, label %{more}")
        self.label(few)
        whole = f"call void {name}(ptr {frame}, i64 0, i64 {count})"
        self.line(whole)
        self.line(f"br label %{after}")
        self.label(more)
        state = self.set("call ptr @PyEval_SaveThread()")
        self.symbol(crew.SYMBOL, f"@{crew.SYMBOL} = external global i8")
        run = self.field(f"@{crew.SYMBOL}", crew.offset("run"), "ptr")
        place = self.field(f"@{crew.SYMBOL}", crew.offset("limit"), "ptr")
        threads = self.set(f"load i64, ptr {place}")
        is_much = self._all(
            f"icmp sge i64 {whole_work}, {SHARED}",
            f"icmp ne ptr {run}, null",
            f"icmp sgt i64 {threads}, 1",
        )
        self.line(f"br i1 {is_much}, label %{several}, label %{alone}")
        self.label(alone)
        self.line(whole)
        self.line(f"br label %{back}")
        self.label(several)
        grain = self._grain(count, threads)
        inside = f"ptr {name}, ptr {frame}, i64 {count}, i64 {grain}"
        noted = self.set(f"call i64 {run}({inside})")
        self.line(f"br label %{back}")
        self.label(back)
        flags = self.set(f"phi i64 [ 0, %{alone} ], [ {noted}, %{several} ]")
        self.line(f"call void @PyEval_RestoreThread(ptr {state})")
        if self.warns:
            self._note(flags)
        self.look_soon()
        self.line(f"br label %{after}")
        self.label(after)

    def _all(self, *tests: str) -> str:
        """Whether all tests hold."""
        first, *others = map(self.set, tests)
        for other in others:
            first = self.set(f"and i1 {first}, {other}")
        return first

    def _grain(self, count: str, threads: str) -> str:
        """The units of a part; of many, as many as fill whole blocks."""
        parts = self.set(f"mul i64 {threads}, {PARTS}")
        more = self.set(f"add i64 {count}, {parts}")
        grain = self.set(f"sdiv i64 {self.set(f'sub i64 {more}, 1')}, {parts}")
        is_many = self.set(f"icmp sgt i64 {grain}, {BLOCK}")
        filled = self.set(f"add i64 {grain}, {BLOCK - 1}")
        whole = self.set(f"and i64 {filled}, {-BLOCK}")
        return self.set(f"select i1 {is_many}, i64 {whole}, i64 {grain}")

    def _note(self, flags: str) -> None:
        """What the processors of others have noted is known to this one."""
        some, after = self.fresh_label(), self.fresh_label()
        none = self.set(f"icmp eq i64 {flags}, 0")
        self.line(f"br i1 {none}, label %{after}, label %{some}")
        self.label(some)
        self.raise_flags(self.set(f"trunc i64 {flags} to i32"))
        self.to_label(after)


def _captures(one: Instruction) -> list[Local]:
    """The locals that the block reads and something before it has written."""
    inside: set[Local] = {*one.outs}
    read: dict[Local, None] = {}
    for inner in one.blocks[0].walk():
        assert inner.exit is None, inner.op
        inside.update(inner.outs)
        counting = inner.args[COUNTING.get(inner.op, slice(0))]
        inside.update(local for local in counting if isinstance(local, Local))
        given = [arg for value in inner.values for arg in operands_of(value)]
        locals_in = (arg for arg in (*inner.args, *given) if isinstance(arg, Local))
        read.update(dict.fromkeys(locals_in))
    return [local for local in read if local not in inside]

"""calls: what machine code asks of CPython, of NumPy and of the processor."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.float_errors import FLAGS
from runtime.backends.llvm.loops import Exit, Instruction, Operand, ufunc_named
from runtime.backends.llvm.objects import KEEP_ORDER
from runtime.backends.llvm.spares import is_spare, keep, take
from runtime.backends.llvm.wrapping import Wrapping

# One instruction each where all arithmetic has its flags in one register; the C
# library's functions, which look at two, take 0.02 us. Memory is not moved past it.
IN_MXCSR = platform.machine().lower() in ("x86_64", "amd64")
MXCSR = (
    'call void asm sideeffect "{}mxcsr $0", "{},~{{memory}}"'
    "(ptr elementtype(i32) %mxcsr)"
)
# The loop that tells the C library of what overflows, which notes it elsewhere: that of
# float32's exponentials. All loops of float16 do, too.
TELLING, HALF = "exp_11_11", str(np.dtype("e").num)
# Ufuncs whose loops clear the processor's flags, for what they do may raise some.
FORGETFUL = frozenset(
    {"absolute", "negative", "sign", "signbit", "isnan", "isinf", "isfinite", "tanh"}
    | {"maximum", "minimum", "fmax", "fmin", "left_shift", "logical_and", "logical_or"}
    | {"matmul"}
    | {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
)


class Calls(Wrapping):
    """The text, with the instructions that call what is outside.

    warns: whether Python is told of numbers that overflow
    in_mxcsr: whether one register says so
    is_free: whether Python may have been let go of where we are
    loops: NumPy's own loops that it calls, by name: an address, and what they are given
    """

    is_free = False

    def __init__(
        self, written: frozenset[int], loops: Mapping[str, tuple[int, int]]
    ) -> None:
        super().__init__(written)
        self.exits: dict[int, Exit] = {}
        self.warns = self.overwrites = False
        self.in_mxcsr = IN_MXCSR and not any(map(_tells, loops))
        self.given = {name: "null" for name, (_, data) in loops.items() if not data}
        for name in loops:
            head = f"declare void @loop_{name}(ptr, ptr, ptr, ptr)"
            self.outside[f"loop_{name}"] = head
            self.outside[f"data_{name}"] = f"@data_{name} = external global i8"

    def ask_errors(self) -> None:
        """Miss where NumPy is to raise; else forget what has happened so far."""
        usual, asked = self.fresh_label(), self.fresh_label()
        self.slots.append("%settings = alloca ptr")
        self.line(
            "call i32 @PyContextVar_Get(ptr @errors_variable, ptr null, ptr %settings)"
        )
        found = self.set("load ptr, ptr %settings")
        self.line(f"call void @Py_DecRef(ptr {found})")
        same = self.set(f"icmp eq ptr {found}, @errors_default")
        self.line(f"br i1 {same}, label %{usual}, label %{asked}")
        self.label(asked)
        self._miss_if("errors_raise")
        self.to_label(usual)
        if self.overwrites:
            self.ask_warnings()
        self.forget_flags()
        self.begin_watching()
        self.begin_wrapping()

    def ask_warnings(self) -> None:
        """Miss where a warning would be an error, which says when; see `SEEN`."""
        looked, asked, after = (self.fresh_label() for _ in range(3))
        filters = self.set(
            "call ptr @PyDict_GetItem(ptr @warnings_names, ptr @warnings_filters)"
        )
        seen = self.set("load ptr, ptr @warnings_seen")
        same = self.set(f"icmp eq ptr {filters}, {seen}")
        self.line(f"br i1 {same}, label %{looked}, label %{asked}")
        self.label(looked)
        items = self.set(f"getelementptr i8, ptr {filters}, i64 {abi.CONTENT}")
        items = self.set(f"load ptr, ptr {items}")
        count = self.set(f"getelementptr i8, ptr {filters}, i64 {abi.LENGTH}")
        known = [
            self._is_seen(1, self.set(f"load i64, ptr {count}")),
            self._is_seen(2, self.set(f"load i64, ptr {items}")),
        ]
        same = self.set(f"and i1 {known[0]}, {known[1]}")
        self.line(f"br i1 {same}, label %{after}, label %{asked}")
        self.label(asked)
        self._miss_if("warnings_raise")
        self.to_label(after)

    def _miss_if(self, question: str) -> None:
        """Miss where a function of Python's says True."""
        told = self.set(f"call ptr @PyObject_CallObject(ptr @{question}, ptr null)")
        self.give_up_without(told, ())
        self.line(f"call void @Py_DecRef(ptr {told})")
        self.unless(self.set(f"icmp ne ptr {told}, @Py_True"), self.miss)

    def _is_seen(self, place: int, word: str) -> str:
        at = self.set(f"getelementptr i64, ptr @warnings_seen, i64 {place}")
        known = self.set(f"load i64, ptr {at}")
        return self.set(f"icmp eq i64 {known}, {word}")

    def forget_flags(self) -> None:
        """Let nothing have happened so far."""
        if not self.in_mxcsr:
            self.line(f"call i32 @m_feclearexcept(i32 {FLAGS})")
            return
        some, after = self.fresh_label(), self.fresh_label()
        found = self.flags()
        none = self.set(f"icmp eq i32 {found}, 0")
        self.line(f"br i1 {none}, label %{after}, label %{some}")
        self.label(some)
        whole = self.set("load i32, ptr %mxcsr")
        kept = self.set(f"and i32 {whole}, {~FLAGS}")
        self.line(f"store i32 {kept}, ptr %mxcsr")
        self.line(f"{MXCSR.format('ld', '*m')}")
        self.to_label(after)

    def flags(self) -> str:
        """What has happened, as the processor's flags."""
        if not self.in_mxcsr:
            return self.set(f"call i32 @m_fetestexcept(i32 {FLAGS})")
        if not self.has_flags:
            self.has_flags = True
            self.slots.append("%mxcsr = alloca i32")
        self.line(MXCSR.format("st", "=*m"))
        return self.set(f"and i32 {self.set('load i32, ptr %mxcsr')}, {FLAGS}")

    def tell_errors(self, found: str) -> str:
        """Let Python warn of what has happened; null where that has raised.

        Where Python says False it makes the steps itself: they are missed.
        """
        some, failed, again, after = (self.fresh_label() for _ in range(4))
        flags = self.with_wrapped(self.flags())
        none = self.set(f"icmp eq i32 {flags}, 0")
        flags = self.with_silent(flags)
        self.slots.append("%result = alloca ptr")
        self.line(f"store ptr {found}, ptr %result")
        self.line(f"br i1 {none}, label %{after}, label %{some}")
        self.label(some)
        wide = self.set(f"zext i32 {flags} to i64")
        handed = self.tuple((), *self.words("-1", wide))
        told = self.set(f"call ptr @PyObject_CallObject(ptr %self, ptr {handed})")
        self.line(f"call void @Py_DecRef(ptr {handed})")
        warned = self.set(f"icmp eq ptr {told}, @Py_None")
        self.line(f"call void @Py_DecRef(ptr {told})")
        self.line(f"br i1 {warned}, label %{after}, label %{failed}")
        self.label(failed)
        self.line(f"call void @Py_DecRef(ptr {found})")
        self.line("store ptr null, ptr %result")
        raised = self.set(f"icmp eq ptr {told}, null")
        self.line(f"br i1 {raised}, label %{after}, label %{again}")
        self.label(again)
        self.line("call void @Py_IncRef(ptr @Py_None)")
        self.line("store ptr @Py_None, ptr %result")
        self.to_label(after)
        return self.set("load ptr, ptr %result")

    def words(self, number: int | str, flags: str) -> list[str]:
        """What `self` is told first: the number of an exit, and what has happened."""
        return [
            self.set(f"call ptr @PyLong_FromLongLong(i64 {word})")
            for word in (number, flags)
        ]

    def exit(self, made: Exit) -> None:
        """After an exit's label: hand what is alive to Python; give what it gives."""
        flags = "0"
        if self.warns:
            noted = self.with_silent(self.with_wrapped(self.flags()))
            flags = self.set(f"zext i32 {noted} to i64")
        words = self.words(made.number, flags)
        handed = self.tuple(made.handed, *words, owned=made.drops)
        found = self.set(f"call ptr @PyObject_CallObject(ptr %self, ptr {handed})")
        self.line(f"call void @Py_DecRef(ptr {handed})")
        self.line(f"ret ptr {found}")

    def call_outside(self, one: Instruction) -> None:
        kind = one.outs[0].type
        kinds = ", ".join([kind] * len(one.args))
        name = self.symbol(one.symbol, f"declare {kind} @{one.symbol}({kinds})")
        inside = ", ".join(f"{kind} {self.read(arg, kind)}" for arg in one.args)
        self.keep(one.outs[0], self.set(f"call {kind} {name}({inside})"))

    def numpy(self, one: Instruction) -> None:
        """A loop of NumPy's, over one element.

        It is told of operands that stay where they are, as NumPy tells it of numbers:
        then `np.power` is a root or a product where the exponent is 0.5 or 2.
        """
        kinds = one.type.split(",")
        counts = [int(word[0]) for word in kinds]
        operands = [*one.args, *one.outs]
        table, size = self.fresh(), self.fresh()
        self.slots.append(f"{table} = alloca [{len(counts)} x ptr]")
        self.slots.append(f"{size} = alloca [{len(counts) + 1} x i64]")
        for place in range(len(counts) + 1):
            at = self.set(f"getelementptr i64, ptr {size}, i64 {place}")
            self.line(f"store i64 {1 if place == 0 else 0}, ptr {at}")
        slots = []
        for place, count in enumerate(counts):
            parts, operands = operands[:count], operands[count:]
            kind = kinds[place][1:]
            memory = "i8" if kind == "i1" else kind
            slot = self.fresh()
            self.slots.append(f"{slot} = alloca [{count} x {memory}]")
            at = self.set(f"getelementptr ptr, ptr {table}, i64 {place}")
            self.line(f"store ptr {slot}, ptr {at}")
            slots.append((slot, memory))
            if place == len(counts) - 1:
                continue
            for number, part in enumerate(parts):
                value = self.read(part, kind)
                if kind == "i1":
                    value = self.set(f"zext i1 {value} to i8")
                at = self.set(f"getelementptr {memory}, ptr {slot}, i64 {number}")
                self.line(f"store {memory} {value}, ptr {at}")
        steps = self.set(f"getelementptr i64, ptr {size}, i64 1")
        data = self.given.get(one.symbol, f"@data_{one.symbol}")
        inside = f"ptr {table}, ptr {size}, ptr {steps}, ptr {data}"
        self.call_loop(one.symbol, inside)
        slot, memory = slots[-1]
        for number, out in enumerate(one.outs):
            at = self.set(f"getelementptr {memory}, ptr {slot}, i64 {number}")
            found = self.set(f"load {memory}, ptr {at}")
            if out.type == "i1":
                found = self.set(f"icmp ne i8 {found}, 0")
            self.keep(out, found)

    def copy(self, one: Instruction) -> None:
        """A new array with the content of `args[0]`, which lies as that does."""
        thing = self.read(one.args[0], "ptr")
        made = self.set(f"call ptr @PyArray_NewCopy(ptr {thing}, i32 {KEEP_ORDER})")
        self.leave_without(made, one)
        self.keep_array(one, made)

    def keep_array(self, one: Instruction, made: str) -> None:
        """The object of a new array, its data and its strides."""
        into, data, *strides = one.outs
        self.keep(into, made)
        self.keep(data, self.field(made, abi.DATA, "ptr"))
        table = self.field(made, abi.STRIDES, "ptr")
        for axis, stride in enumerate(strides):
            self.keep(stride, self.field(table, 8 * axis, "i64"))

    def new(self, one: Instruction) -> None:
        """A new array of these dims, its memory as it is found."""
        is_kept = is_spare(one)
        made = (
            take(self, one)
            if is_kept
            else self.new_array(np.dtype(one.symbol), one.args)
        )
        self.leave_without(made, one)
        into, data = one.outs
        self.keep(into, made)
        self.keep(data, self.field(made, abi.DATA, "ptr"))

    def new_array(self, dtype: np.dtype[Any], dims: Sequence[Operand]) -> str:
        """The object, in C's order; null where memory has ended."""
        rank, table = len(dims), self.fresh()
        self.slots.append(f"{table} = alloca [{max(rank, 1)} x i64]")
        for axis, size in enumerate(dims):
            at = self.set(f"getelementptr i64, ptr {table}, i64 {axis}")
            self.line(f"store i64 {self.read(size, 'i64')}, ptr {at}")
        descr = self.descr(dtype)
        self.line(f"call void @Py_IncRef(ptr {descr})")
        inside = f"ptr @type_ndarray, ptr {descr}, i32 {rank}, ptr {table}"
        rest = "ptr null, ptr null, i32 0, ptr null"
        return self.set(f"call ptr @PyArray_NewFromDescr({inside}, {rest})")

    def leave_without(self, made: str, one: Instruction) -> None:
        """Go on as Python, which raises at its line, where NumPy gave no array."""
        assert one.exit is not None
        self.exits[one.exit.number] = one.exit
        with self.seldom(self.is_null(made)):
            self.line("call void @PyErr_Clear()")
            self.line(f"br label %exit{one.exit.number}")

    def give_up_without(self, made: str, drops: Iterable[Operand]) -> None:
        """Raise what a call of Python has raised."""
        with self.seldom(self.is_null(made)):
            self.drop(drops)
            self.line("ret ptr null")

    def numpys(self, one: Instruction) -> None:
        """A loop of NumPy's over many elements: their number, places and strides."""
        count, *operands = one.args
        pairs = list(zip(operands[::2], operands[1::2], strict=True))
        table, sizes = self.fresh(), self.fresh()
        self.slots.append(f"{table} = alloca [{len(pairs)} x ptr]")
        self.slots.append(f"{sizes} = alloca [{len(pairs) + 1} x i64]")
        self.line(f"store i64 {self.read(count, 'i64')}, ptr {sizes}")
        for place, (data, stride) in enumerate(pairs):
            at = self.set(f"getelementptr ptr, ptr {table}, i64 {place}")
            self.line(f"store ptr {self.read(data, 'ptr')}, ptr {at}")
            at = self.set(f"getelementptr i64, ptr {sizes}, i64 {place + 1}")
            self.line(f"store i64 {self.read(stride, 'i64')}, ptr {at}")
        steps = self.set(f"getelementptr i64, ptr {sizes}, i64 1")
        given = self.given.get(one.symbol, f"@data_{one.symbol}")
        inside = f"ptr {table}, ptr {sizes}, ptr {steps}, ptr {given}"
        self.call_loop(one.symbol, inside)

    def let_go_if(self, test: str) -> str:
        """Let Python's other threads run where the test holds; what is given back."""
        before, free, after = (self.fresh_label() for _ in range(3))
        self.to_label(before)
        self.line(f"br i1 {test}, label %{free}, label %{after}")
        self.label(free)
        state = self.set("call ptr @PyEval_SaveThread()")
        self.to_label(after)
        return self.set(f"phi ptr [ null, %{before} ], [ {state}, %{free} ]")

    def take_back_if(self, state: str) -> None:
        held, after = self.fresh_label(), self.fresh_label()
        self.line(f"br i1 {self.is_null(state)}, label %{after}, label %{held}")
        self.label(held)
        self.line(f"call void @PyEval_RestoreThread(ptr {state})")
        self.to_label(after)

    def call_loop(self, symbol: str, inside: str) -> None:
        """The call; what was noted of numbers before is known after it, too."""
        if not self.warns or ufunc_named(symbol) not in FORGETFUL:
            self.line(f"call void @loop_{symbol}({inside})")
            return
        before = self.flags()
        self.line(f"call void @loop_{symbol}({inside})")
        self.raise_flags(before)

    def raise_flags(self, flags: str) -> None:
        """Let this have happened, too."""
        if not self.in_mxcsr:
            self.symbol("m_feraiseexcept", "declare i32 @m_feraiseexcept(i32)")
            self.line(f"call i32 @m_feraiseexcept(i32 {flags})")
            return
        self.flags()
        whole = self.set("load i32, ptr %mxcsr")
        both = self.set(f"or i32 {whole}, {flags}")
        self.line(f"store i32 {both}, ptr %mxcsr")
        self.line(MXCSR.format("ld", "*m"))

    def put_flags(self, flags: str) -> None:
        """Let what has happened be this, whatever Python has done since."""
        if not self.in_mxcsr:
            self.line(f"call i32 @m_feclearexcept(i32 {FLAGS})")
            self.raise_flags(flags)
            return
        self.flags()
        whole = self.set("load i32, ptr %mxcsr")
        others = self.set(f"and i32 {whole}, {~FLAGS}")
        both = self.set(f"or i32 {others}, {flags}")
        self.line(f"store i32 {both}, ptr %mxcsr")
        self.line(MXCSR.format("ld", "*m"))

    def noted_since(self, before: str) -> str:
        """Whether something has happened since, which then has not."""
        noted, after = self.fresh_label(), self.fresh_label()
        some = self.set(f"icmp ne i32 {self.flags()}, {before}")
        self.line(f"br i1 {some}, label %{noted}, label %{after}")
        self.label(noted)
        self.put_flags(before)
        self.to_label(after)
        return some

    def hold(self, one: Instruction) -> None:
        self.line(f"call void @Py_IncRef(ptr {self.read(one.args[0], 'ptr')})")

    def release(self, one: Instruction) -> None:
        if is_spare(one):
            keep(self, one)
        else:
            self.drop(one.args)


def _tells(symbol: str) -> bool:
    """Whether a loop of NumPy's tells the C library what overflows."""
    return symbol == TELLING or HALF in symbol.split("_")[1:]

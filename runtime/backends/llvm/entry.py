"""entry: a whole trace as machine code that takes a call's arguments as they come.

It looks at the arguments' headers and at what the trace takes for granted, and gives
`MISS` where a call is another one than it was made for, before anything is done: then
Python makes the call. So whoever calls it need not know what it was made for.
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.backends.llvm import abi, hot
from runtime.backends.llvm.alive import Span, is_constant
from runtime.backends.llvm.hot import LOOK, Compilable, Rests
from runtime.backends.llvm.loops import Array, Function
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.text import Text
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.executor import compile_rest, prepared
from runtime.backends.numpy.program import Variable, release
from runtime.backends.numpy.regions import Asked
from runtime.gate import GATE
from runtime.graph import Graph
from runtime.spec import TensorSpec
from runtime.vectored import MISS


@dataclass(frozen=True, slots=True)
class Given:
    """An argument that is a tensor of the trace.

    index: of the graph's input that it is; None where the graph does not use it
    """

    spec: TensorSpec
    index: int | None


@dataclass(frozen=True, slots=True)
class Same:
    """An argument that is the very array passed at another position."""

    position: int


@dataclass(frozen=True, slots=True)
class Exactly:
    """An argument that is one object, which is kept alive."""

    content: Any


@dataclass(frozen=True, slots=True)
class Weakly:
    """An argument that is one object of one class, which is not kept alive."""

    reference: Any
    kind: type


Passed = Given | Same | Exactly | Weakly


@dataclass(frozen=True, slots=True)
class Output:
    """A result that is the graph's output at `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class Argument:
    """A result that is the argument at `position`."""

    position: int


Result = Output | Argument | Exactly | tuple["Result", ...]


@dataclass(frozen=True, slots=True)
class Form:
    """The calls that an entry is for.

    passed:   for each argument, by position, what it is
    ordered:  the arrays lie in C's order
    codes:    functions and the code that each has
    holds:    asked by each call, whether what was read outside is what it was
    result:   what is given
    finish:   makes the result of the graph's outputs and the arguments, after an exit
    failed:   what is raised where the run has raised
    stop:     called when it has been left so often that Python is to make the calls
    """

    passed: tuple[Passed, ...]
    ordered: bool
    codes: tuple[tuple[Any, Any], ...]
    holds: Callable[[], bool] | None
    result: Result
    finish: Callable[[Sequence[Any], Sequence[Any]], Any]
    failed: Callable[[BaseException], BaseException]
    stop: Callable[[], None]


class Entry(Compilable):
    """The machine code of a graph for calls of a form.

    due: when it is to be asked again, in seconds that Python has spent
    """

    def __init__(self, graph: Graph, asked: Asked, form: Form) -> None:
        program, inputs, _ = prepared(graph, asked)
        self.form = form
        self.due = 0.0
        given = [p for p in form.passed if isinstance(p, Given)]
        unused = [p for p in given if p.index is None]
        self.places = {id(p): len(inputs) + n for n, p in enumerate(unused)}
        self.places |= {id(p): p.index for p in given if p.index is not None}
        self._is_made = False
        more = [Variable(p.spec, program, -1) for p in unused]
        span = Span(program, 0, len(program.steps), list(program.outputs))
        super().__init__(span, [*inputs, *more], compile_rest)

    def lower(self, lowering: Lowering) -> Function:
        """All steps in loop IR."""
        function = lowering.function("entry", self.inputs)
        arrays = (v for v in self.span.outputs if v.spec.shape != ())
        if not self.span.steps:
            raise NotLowered("nothing to compute")
        if len(self.places) != len(self.inputs):
            raise NotLowered("inputs that no argument is")
        if lowering.calls or any(map(is_constant, arrays)):
            raise NotLowered("what only Python does")
        return function

    def is_settled(self, spent: float) -> bool:
        """Do what is next; whether `run` is the code, or it is refused.

        spent: the seconds that Python has spent in these calls
        """
        self.seconds = spent
        return self._goes_on()

    def text(self, lowering: Lowering, function: Function) -> Text:
        """LLVM's text of the function, to be written."""
        return EntryText(function, lowering, self.form, self.places)

    def told(self, rests: Rests) -> Callable[..., Any]:
        """What the machine code tells of exits and of numbers that overflow."""
        left = Left(rests, self.form)
        weakref.finalize(left, release, self.span.body)
        self._is_made = True
        return left

    def wait(self, seconds: float) -> None:
        """Come again when Python has spent so many seconds."""
        self.due = seconds

    def come_again(self) -> None:
        """Come again soon: it is being compiled."""
        self.due = self.seconds + LOOK

    @property
    def is_begun(self) -> bool:
        """Whether it is being compiled."""
        return self._making is not None

    def release(self) -> None:
        """Let go of the program, if no machine code needs it."""
        if not self._is_made:
            self.stop()
            release(self.span.body)


class Left:
    """What the machine code of an entry calls where it is left.

    It keeps what the code is made of, and what stands in it by address.
    """

    def __init__(self, rests: Rests, form: Form) -> None:
        self.rests = rests
        self.form = form

    def __call__(self, number: int, flags: int, passed: Any, *handed: Any) -> Any:
        """Warn, by the flags; then the call's result from an exit on; -1 is none."""
        if number >= 0 and self.rests.left + 1 >= hot.LEAVINGS:
            self.form.stop()
        try:
            outputs = self.rests.resume(number, flags, *handed)
        except BaseException as error:
            # One frame of ours is left in a traceback: this one.
            raise self.form.failed(error)  # noqa: B904 - its cause is kept
        return None if number < 0 else self.form.finish(outputs, passed)


class EntryText(Text):
    """The text of an entry."""

    def __init__(
        self,
        function: Function,
        lowering: Lowering,
        form: Form,
        places: dict[int, int],
    ) -> None:
        super().__init__(function, lowering.outside)
        self.form, self.places = form, places

    def begin(self) -> None:
        """Look at all that the trace takes for granted, and take the arguments."""
        form = self.form
        reasons = self.set(f"load ptr, ptr {self.at(id(GATE) + abi.SLOT)}")
        self.require("ptr", reasons, self._object(0))
        self.require("i64", "%n", len(form.passed))
        for function, code in form.codes:
            place = self.at(id(function) + abi.code_place())
            known = self._object(code)
            self.require("ptr", self.set(f"load ptr, ptr {place}"), known)
        things = [self._argument(position) for position in range(len(form.passed))]
        for thing, passed in zip(things, form.passed, strict=True):
            self._take(thing, passed, things)
        self._apart(things)
        if form.holds is not None:
            self._ask(form.holds)

    def _object(self, thing: Any) -> str:
        """The place of an object, which is kept for as long as the code is."""
        return self.at(id(thing))

    def give_missed(self) -> None:
        """Give what says that the call is another one."""
        thing = self._object(MISS)
        self.line(f"call void @Py_IncRef(ptr {thing})")
        self.line(f"ret ptr {thing}")

    def _argument(self, position: int) -> str:
        at = self.set(f"getelementptr ptr, ptr %args, i64 {position}")
        return self.set(f"load ptr, ptr {at}")

    def _take(self, thing: str, passed: Passed, things: list[str]) -> None:
        if isinstance(passed, Given):
            index = self.places[id(passed)]
            value = self.function.inputs[index]
            self.take(thing, value, index in self.written)
            if isinstance(value, Array) and self.form.ordered:
                flags = self.field(thing, abi.FLAGS, "i32")
                ordered = self.set(f"and i32 {flags}, {abi.ORDERED}")
                self.require("i32", ordered, abi.ORDERED)
        elif isinstance(passed, Same):
            self.require("ptr", thing, things[passed.position])
        elif isinstance(passed, Weakly):
            kind = self.field(thing, abi.TYPE, "ptr")
            self.require("ptr", kind, self._object(passed.kind))
            place = self.at(id(passed.reference) + abi.REFERRED)
            self.require("ptr", thing, self.set(f"load ptr, ptr {place}"))
        else:
            self._constant(thing, passed.content)

    def _constant(self, thing: str, content: Any) -> None:
        """Miss unless it is this constant: ints and floats are made anew."""
        if type(content) is float:
            self.require("ptr", self.field(thing, abi.TYPE, "ptr"), "@type_float")
            (bits,) = struct.unpack("<q", struct.pack("<d", content))
            self.require("i64", self.field(thing, abi.NUMBER, "i64"), bits)
        elif type(content) is int and -(2**63) <= content < 2**63:
            self.require("ptr", self.field(thing, abi.TYPE, "ptr"), "@type_int")
            call = f"@PyLong_AsLongLongAndOverflow(ptr {thing}, ptr %overflow)"
            found = self.set(f"call i64 {call}")
            self.require("i32", self.set("load i32, ptr %overflow"), 0)
            self.require("i64", found, content)
        else:
            self.require("ptr", thing, self._object(content))

    def _apart(self, things: list[str]) -> None:
        """Miss where one array is passed for what the trace takes for two."""
        arrays = [
            thing
            for thing, passed in zip(things, self.form.passed, strict=True)
            if isinstance(passed, Given) and passed.spec.shape != ()
        ]
        for position, one in enumerate(arrays):
            for other in arrays[position + 1 :]:
                same = self.set(f"icmp eq ptr {one}, {other}")
                apart = self.set(f"xor i1 {same}, true")
                self.unless(apart, self.miss)

    def _ask(self, holds: Callable[[], bool]) -> None:
        """Miss where what the trace has read outside is something else now."""
        call = f"@PyObject_CallObject(ptr {self._object(holds)}, ptr null)"
        told = self.set(f"call ptr {call}")
        self.give_up_without(told, ())
        self.line(f"call void @Py_DecRef(ptr {told})")
        self.require("ptr", told, "@Py_True")

    def words(self, number: int | str, flags: str) -> list[str]:
        """The number of an exit, what has happened, and the arguments."""
        count = len(self.form.passed)
        made = self.set(f"call ptr @PyTuple_New(i64 {count})")
        for position in range(count):
            thing = self._argument(position)
            self.line(f"call void @Py_IncRef(ptr {thing})")
            inside = f"ptr {made}, i64 {position}, ptr {thing}"
            self.line(f"call i32 @PyTuple_SetItem({inside})")
        return [*super().words(number, flags), made]

    def found(self) -> str:
        """The call's result."""
        made: dict[int, str] = {}
        return self._result(self.form.result, made)

    def _result(self, result: Result, made: dict[int, str]) -> str:
        """An object with a reference of its own; made: the outputs' objects so far."""
        if isinstance(result, tuple):
            parts = [self._result(part, made) for part in result]
            return self.tuple((), *parts)
        if isinstance(result, Output) and result.index not in made:
            made[result.index] = self.box(self.function.outputs[result.index])
            return made[result.index]
        if isinstance(result, Output):
            thing = made[result.index]
        elif isinstance(result, Argument):
            thing = self._argument(result.position)
        else:
            thing = self._object(result.content)
        self.line(f"call void @Py_IncRef(ptr {thing})")
        return thing

"""entry_text: an entry as LLVM's text: its checks, its body, and what it gives."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from runtime.backends.llvm import abi
from runtime.backends.llvm.call_form import (
    FAILED,
    FINISH,
    Argument,
    Attribute,
    Exactly,
    Form,
    Given,
    Kind,
    NoGlobal,
    Output,
    Passed,
    Place,
    Result,
    Same,
    Weakly,
)
from runtime.backends.llvm.entry_front import (
    BODY,
    PARAMETERS,
    Front,
    look_at_count,
    look_at_kind,
)
from runtime.backends.llvm.float_errors import MADE_ANEW
from runtime.backends.llvm.loops import Array, Function
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.text import Text
from runtime.backends.llvm.watching import SILENT
from runtime.gate import GATE
from runtime.vectored import MISS


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
        if not form.has_front:
            look_at_count(self, form)
        for function, code in form.codes:
            place = self.at(id(function) + abi.code_place())
            known = self._object(code)
            self.require("ptr", self.set(f"load ptr, ptr {place}"), known)
        if form.holds is not None and not form.places:
            # Before arguments are looked at: Python may let other threads run.
            self._ask(form.holds)
        self._look_at_globals()
        looked = {id(one) for found in form.globals.values() for one in found}
        for outside in form.outside:
            is_kind = form.places and isinstance(outside, Kind)
            if not is_kind and id(outside) not in looked:
                self._look(outside)
        things = [self._argument(position) for position in range(len(form.passed))]
        for position, thing in enumerate(things):
            self._take(position, thing, things)
        self._apart(things)

    def head(self) -> str:
        """What it is called with; by what finds the leaves, if that is to be done."""
        if self.form.has_front:
            return f"internal ptr @{BODY}({PARAMETERS}, ptr %given)"
        return f"ptr @{self.function.name}({PARAMETERS})"

    def write(self) -> str:
        """All of it."""
        text = super().write()
        if not self.form.has_front:
            return text
        front = Front(self.form, self.named)
        return text + front.write(self.function.name)

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

    def _take(self, position: int, thing: str, things: list[str]) -> None:
        passed: Passed = self.form.passed[position]
        if isinstance(passed, Given):
            index = self.places[id(passed)]
            value = self.function.inputs[index]
            is_written = index in self.written or position in self.form.written
            self.take(thing, value, is_written)
            if isinstance(value, Array) and self.form.flags:
                flags = self.field(thing, abi.FLAGS, "i32")
                found = self.set(f"and i32 {flags}, {self.form.flags}")
                self.require("i32", found, self.form.flags)
            if isinstance(value, Array) and is_written:
                self._require_apart(thing, value)
        elif isinstance(passed, Same):
            self.require("ptr", thing, things[passed.position])
        elif isinstance(passed, Weakly):
            self._is_it(thing, passed)
        else:
            self._constant(thing, passed.content)

    def _require_apart(self, thing: str, value: Array) -> None:
        """Miss where elements of what is written may be one: `tracer.memory`.

        Those of an array that owns its memory, or that lies without gaps, are not.
        """
        flags = self.field(thing, abi.FLAGS, "i32")
        is_simple = self.set(f"and i32 {flags}, {abi.UNBROKEN | abi.OWNED}")
        looked, after = self.fresh_label(), self.fresh_label()
        found = self.set(f"icmp eq i32 {is_simple}, 0")
        self.line(f"br i1 {found}, label %{looked}, label %{after}")
        self.label(looked)
        reach = str(value.dtype.itemsize)
        for size, step in zip(
            reversed(value.dims), reversed(value.strides), strict=True
        ):
            dim, signed = self.read(size, "i64"), self.read(step, "i64")
            turned = self.set(f"sub i64 0, {signed}")
            is_back = self.set(f"icmp slt i64 {signed}, 0")
            way = self.set(f"select i1 {is_back}, i64 {turned}, i64 {signed}")
            is_past = self.set(f"icmp sge i64 {way}, {reach}")
            is_one = self.set(f"icmp sle i64 {dim}, 1")
            self.unless(self.set(f"or i1 {is_past}, {is_one}"), self.miss)
            more = self.set(f"sub i64 {dim}, 1")
            reach = self.set(f"add i64 {reach}, {self.set(f'mul i64 {more}, {way}')}")
        self.line(f"br label %{after}")
        self.label(after)

    def _look_at_globals(self) -> None:
        """Miss where they hold something else; in a state that was seen they do not.

        An ask of a dict takes 10 ns or more, and each builtin takes two.
        """
        for number, (holder, places) in enumerate(self.form.globals.items()):
            if not abi.dicts_have_versions():
                for place in places:
                    self._look(place)
                continue
            word = self.at(ctypes.addressof(self.form.states) + 8 * number)
            state = self.set(f"load i64, ptr {self.at(holder + abi.VERSION)}")
            known = self.set(f"load i64, ptr {word}")
            with self.seldom(self.set(f"icmp ne i64 {state}, {known}")) as after:
                for place in places:
                    self._look(place)
                self.line(f"store i64 {state}, ptr {word}")
                self.line(f"br label %{after}")

    def _look(self, place: Place) -> None:
        """Miss where a place outside holds something else now."""
        if isinstance(place, Attribute):
            self._look_at_attribute(place)
        elif isinstance(place, Kind):
            look_at_kind(self, place)
        elif isinstance(place, NoGlobal):
            inside = f"ptr {self._object(place.holder)}, ptr {self._object(place.name)}"
            found = self.set(f"call ptr @PyDict_GetItem({inside})")
            self.require("ptr", found, "null")
        elif place.name is None:
            cell = self.at(id(place.holder) + abi.SLOT)
            self._holds(self.set(f"load ptr, ptr {cell}"), place.content)
        else:
            inside = f"ptr {self._object(place.holder)}, ptr {self._object(place.name)}"
            found = self.set(f"call ptr @PyDict_GetItem({inside})")
            self._holds(found, place.content)

    def _look_at_attribute(self, place: Attribute) -> None:
        alive, failed, fine, gone = (self.fresh_label() for _ in range(4))
        reference = self.at(id(place.owner) + abi.REFERRED)
        owner = self.set(f"load ptr, ptr {reference}")
        is_gone = self.set(f"icmp eq ptr {owner}, @Py_None")
        self.line(f"br i1 {is_gone}, label %{gone}, label %{alive}")
        self.label(alive)
        inside = f"ptr {owner}, ptr {self._object(place.name)}"
        self.line(f"call void @Py_IncRef(ptr {owner})")
        found = self.set(f"call ptr @PyObject_GetAttr({inside})")
        self.line(f"call void @Py_DecRef(ptr {owner})")
        none = self.set(f"icmp eq ptr {found}, null")
        self.line(f"br i1 {none}, label %{failed}, label %{fine}")
        self.label(failed)
        self.line("call void @PyErr_Clear()")
        self.line(f"br label %{self.miss}")
        self.label(fine)
        # Where it is what is looked for, others hold it, too.
        self.line(f"call void @Py_DecRef(ptr {found})")
        self._holds(found, place.content)
        self.to_label(gone)

    def _holds(self, thing: str, content: Exactly | Weakly) -> None:
        if isinstance(content, Exactly):
            self.require("ptr", thing, self._object(content.content))
        else:
            self._is_it(thing, content)

    def _is_it(self, thing: str, known: Weakly) -> None:
        """Miss unless it is the object, alive, of the class that it had."""
        place = self.at(id(known.reference) + abi.REFERRED)
        self.require("ptr", thing, self.set(f"load ptr, ptr {place}"))
        kind = self.field(thing, abi.TYPE, "ptr")
        self.require("ptr", kind, self._object(known.kind))

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
        """The number of an exit, what has happened, the leaves, and the arguments.

        Where nothing is before it the leaves are the arguments.
        """
        form = self.form
        places = [("%args", position) for position in range(len(form.passed))]
        if form.has_front:
            places += [("%given", position) for position in range(len(form.opened))]
        made = self.there(self.set(f"call ptr @PyTuple_New(i64 {len(places)})"))
        for position, (table, place) in enumerate(places):
            at = self.set(f"getelementptr ptr, ptr {table}, i64 {place}")
            thing = self.set(f"load ptr, ptr {at}")
            self.line(f"call void @Py_IncRef(ptr {thing})")
            inside = f"ptr {made}, i64 {position}, ptr {thing}"
            self.line(f"call i32 @PyTuple_SetItem({inside})")
        return [*super().words(number, flags), made]

    def _miss_noted(self) -> None:
        """Let Python make the call where there is something to warn of.

        The first are; then those of which nobody knows what it is.
        """
        flags = self.with_wrapped(self.flags())
        with self.seldom(self.set(f"icmp ne i32 {flags}, 0")) as fine:
            count = self.at(ctypes.addressof(self.form.noted))
            before = self.set(f"load i64, ptr {count}")
            more = self.set(f"add i64 {before}, 1")
            self.line(f"store i64 {more}, ptr {count}")
            goes = self.set(f"icmp slt i64 {before}, {MADE_ANEW}")
            if self.silent:
                silent = self.set(f"load i1, ptr {SILENT}")
                goes = self.set(f"or i1 {goes}, {silent}")
            missed = self.fresh_label()
            self.line(f"br i1 {goes}, label %{missed}, label %{fine}")
            self.label(missed)
            self.drop(self.function.drops)
            self.line(f"br label %{self.miss}")

    def found(self) -> str:
        """The call's result."""
        form = self.form
        if self.warns and not (self.function.written or self.function.overwrites):
            self._miss_noted()
        outputs = self._of_python() if form.run is not None else self._of_machine()
        if isinstance(form.result, Output) and len(outputs) == 1 and not form.changed:
            return outputs[0]
        self.slots.append("%made = alloca ptr")
        python, after = self.fresh_label(), self.fresh_label()
        if form.result is not None:
            for position, index in form.changed:
                thing = self._argument(position)
                same = self.set(f"icmp eq ptr {thing}, {outputs[index]}")
                self.unless(same, python)
            self.line(f"store ptr {self._result(form.result, outputs)}, ptr %made")
            for thing in outputs:
                self.line(f"call void @Py_DecRef(ptr {thing})")
            self.line(f"br label %{after}")
            if not form.changed:
                self.label(after)
                return self.set("load ptr, ptr %made")
            self.label(python)
        told = self._tell(FINISH, outputs)
        self.give_up_without(told, self.function.drops)
        self.line(f"store ptr {told}, ptr %made")
        self.to_label(after)
        return self.set("load ptr, ptr %made")

    def _of_machine(self) -> list[str]:
        """The outputs as objects, each with a reference of its own."""
        return self.boxes(self.function.outputs)

    def _of_python(self) -> list[str]:
        """The same, which Python's function for the graph gives."""
        form = self.form
        given = {
            self.places[id(passed)]: position
            for position, passed in enumerate(form.passed)
            if isinstance(passed, Given) and passed.index is not None
        }
        table = self.fresh()
        self.slots.append(f"{table} = alloca [{max(len(given), 1)} x ptr]")
        for number in range(len(given)):
            at = self.set(f"getelementptr ptr, ptr {table}, i64 {number}")
            self.line(f"store ptr {self._argument(given[number])}, ptr {at}")
        inside = f"ptr {self._object(form.run)}, ptr {table}, i64 {len(given)}"
        whole = self.set(f"call ptr @PyObject_Vectorcall({inside}, ptr null)")
        with self.seldom(self.is_null(whole)):
            self._fail()
        things = []
        for index in range(form.outputs):
            inside = f"ptr {whole}, i64 {index}"
            things.append(self.set(f"call ptr @PyTuple_GetItem({inside})"))
            self.line(f"call void @Py_IncRef(ptr {things[-1]})")
        self.line(f"call void @Py_DecRef(ptr {whole})")
        return things

    def _fail(self) -> None:
        """Let Python raise what has been raised, at the user's line."""
        places = [self.fresh() for _ in range(3)]
        self.slots += [f"{place} = alloca ptr" for place in places]
        inside = ", ".join(f"ptr {place}" for place in places)
        self.line(f"call void @PyErr_Fetch({inside})")
        self.line(f"call void @PyErr_NormalizeException({inside})")
        kind, error, trace = (self.set(f"load ptr, ptr {place}") for place in places)
        traced, after = self.fresh_label(), self.fresh_label()
        none = self.set(f"icmp eq ptr {trace}, null")
        self.line(f"br i1 {none}, label %{after}, label %{traced}")
        self.label(traced)
        self.line(f"call i32 @PyException_SetTraceback(ptr {error}, ptr {trace})")
        self.line(f"call void @Py_DecRef(ptr {trace})")
        self.to_label(after)
        self.line(f"call void @Py_DecRef(ptr {kind})")
        self.line(f"ret ptr {self._tell(FAILED, [error])}")

    def _tell(self, number: int, things: list[str]) -> str:
        """What Python gives that is handed these objects, whose references it gets."""
        handed = self.tuple((), *self.words(number, "0"), *things)
        found = self.set(f"call ptr @PyObject_CallObject(ptr %self, ptr {handed})")
        self.line(f"call void @Py_DecRef(ptr {handed})")
        return found

    def _result(self, result: Result, outputs: list[str]) -> str:
        """An object with a reference of its own."""
        if isinstance(result, tuple):
            return self.tuple((), *(self._result(part, outputs) for part in result))
        if isinstance(result, Output):
            thing = outputs[result.index]
        elif isinstance(result, Argument):
            thing = self._argument(result.position)
        else:
            thing = self._object(result.content)
        self.line(f"call void @Py_IncRef(ptr {thing})")
        return thing

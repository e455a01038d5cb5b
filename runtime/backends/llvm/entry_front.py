"""entry_front: what finds the leaves of a call for its entry.

It opens tuples, lists, dicts and records among the arguments as CPython keeps them,
reads the places outside that the call changes, and calls the body of the entry with the
leaves. It holds all of them meanwhile: what the body lets run may change a container.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import ClassVar

from runtime.backends.llvm import abi
from runtime.backends.llvm.call_form import Changed, Form, Kind, Opened
from runtime.backends.llvm.objects import Objects
from runtime.vectored import MISS

# The name of the rest of the entry, and what both are called with.
BODY = "body"
PARAMETERS = "ptr %self, ptr %args, i64 %n, ptr %names"
# Writes what holds the parts of a container, at these places; gives their names.
Open = Callable[["Front", str, Opened, Sequence[int]], list[str]]
DECLARATIONS = """\
declare i32 @PyDict_Next(ptr, ptr, ptr, ptr)
declare ptr @PyObject_GenericGetDict(ptr, ptr)
"""


def look_at_count(text: Objects, form: Form) -> None:
    """Miss a call with another number of arguments, or with other keywords."""
    text.require("i64", "%n", form.positional)
    if not form.names:
        text.require("ptr", "%names", "null")
        return
    text.unless(text.set("icmp ne ptr %names, null"), text.miss)
    text.require("i64", text.field("%names", abi.COUNT, "i64"), len(form.names))
    for number, name in enumerate(form.names):
        # Names in a program's text are interned: one object for each.
        found = text.field("%names", abi.ITEMS + 8 * number, "ptr")
        text.require("ptr", found, text.at(id(name)))


def look_at_kind(text: Objects, kind: Kind) -> None:
    """Miss where a class may give its attributes another way."""
    words = (text.at(ctypes.addressof(one)) for one in (kind.place, kind.number))
    now, known = (text.set(f"load i32, ptr {word}") for word in words)
    text.require("i32", now, known)


def require_free(text: Objects, form: Form) -> None:
    """Miss where one of Python's calls is at the places."""
    assert form.lock is not None, "Python reads places under a lock"
    lock, place = form.lock
    text.require("i64", text.field(text.at(id(lock)), place, "i64"), 0)


class Front(Objects):
    """The text of the function.

    named: the addresses in the table of what the whole module names
    """

    def __init__(self, form: Form, named: list[int]) -> None:
        super().__init__(frozenset())
        self.form, self.named = form, named
        opened = [one for one in form.opened if one is not None]
        # Of what is held, the leaves come first, as the body takes them; then for
        # each place the object that has it.
        self._containers = len(form.passed) + len(form.places)
        self._size = self._containers + sum(one.containers for one in opened)

    def write(self, name: str) -> str:
        """All of it."""
        self.slots += [f"%held = alloca [{self._size} x ptr]", "%result = alloca ptr"]
        self.slots += ["%at = alloca i64", "%key = alloca ptr", "%value = alloca ptr"]
        for number in range(self._size):
            self._keep("null", number)
        look_at_count(self, self.form)
        if self.form.places:
            self._read_places()
        self._take_all()
        inside = "ptr %self, ptr %held, i64 %n, ptr %names, ptr %args"
        found = self.set(f"call ptr @{BODY}({inside})")
        self.line(f"store ptr {found}, ptr %result")
        self.line("br label %over")
        self.label("miss")
        missed = self.at(id(MISS))
        self.line(f"call void @Py_IncRef(ptr {missed})")
        self.line(f"store ptr {missed}, ptr %result")
        self.to_label("over")
        for number in range(self._size):
            held = self.set(f"load ptr, ptr {self._place(number)}")
            self.line(f"call void @Py_DecRef(ptr {held})")
        self.line(f"ret ptr {self.set('load ptr, ptr %result')}")
        slots = "\n".join(f"  {line}" for line in self.slots)
        text = "\n".join(self.lines)
        head = f"define ptr @{name}({PARAMETERS}) {{\nentry:"
        return f"{DECLARATIONS}{head}\n{slots}\n{text}\n}}\n"

    def _place(self, number: int) -> str:
        return self.set(f"getelementptr ptr, ptr %held, i64 {number}")

    def _keep(self, thing: str, number: int) -> str:
        """Hold an object to which a reference is ours."""
        self.line(f"store ptr {thing}, ptr {self._place(number)}")
        return thing

    def _borrow(self, thing: str, number: int) -> str:
        """Hold an object to which no reference is ours."""
        self.line(f"call void @Py_IncRef(ptr {thing})")
        return self._keep(thing, number)

    def _another(self) -> int:
        """The place for one more container."""
        self._containers += 1
        return self._containers - 1

    def _read_places(self) -> None:
        """Those outside, unless Python is at one: nobody else runs until the end."""
        form = self.form
        if form.holds is not None:
            self._ask(form.holds)
        for outside in form.outside:
            if isinstance(outside, Kind):
                # Before an attribute is asked for: that may call the user's functions.
                look_at_kind(self, outside)
        require_free(self, form)
        leaf = form.given
        for number, changed in enumerate(form.places):
            self._read(changed, leaf, len(form.passed) + number)
            leaf += changed.leaves

    def _ask(self, holds: Callable[[], bool]) -> None:
        """Miss where what the trace has read outside is something else now."""
        call = f"@PyObject_CallObject(ptr {self.at(id(holds))}, ptr null)"
        told = self.without_error(self.set(f"call ptr {call}"))
        self.line(f"call void @Py_DecRef(ptr {told})")
        self.require("ptr", told, "@Py_True")

    def _read(self, changed: Changed, number: int, owner_number: int) -> None:
        holder = self.at(id(changed.holder))
        if changed.adds:
            return
        if changed.opened is not None:
            self._open(self._borrow(holder, owner_number), changed.opened, number)
            return
        if changed.is_attribute:
            owner = self.field(holder, abi.REFERRED, "ptr")
            self.unless(self.set(f"icmp ne ptr {owner}, @Py_None"), self.miss)
            self._borrow(owner, owner_number)
            inside = f"ptr {owner}, ptr {self.at(id(changed.name))}"
            found = self.set(f"call ptr @PyObject_GetAttr({inside})")
            self._keep(self.without_error(found), number)
            return
        if changed.name is None:
            found = self.field(holder, abi.SLOT, "ptr")
        else:
            inside = f"ptr {holder}, ptr {self.at(id(changed.name))}"
            found = self.set(f"call ptr @PyDict_GetItem({inside})")
        self._borrow(self.without_error(found), number)

    def _take_all(self) -> None:
        first = 0
        for position, opened in enumerate(self.form.opened):
            number = first if opened is None else self._another()
            thing = self._borrow(self.field("%args", 8 * position, "ptr"), number)
            if opened is not None:
                self._open(thing, opened, first)
            first += 1 if opened is None else opened.leaves

    def _open(self, thing: str, opened: Opened, first: int) -> None:
        """Hold what is in a container; first: the number of its first leaf."""
        kind = self.field(thing, abi.TYPE, "ptr")
        self.require("ptr", kind, self.at(id(opened.kind)))
        places, inner = [0] * len(opened.parts), list[tuple[int, Opened, int]]()
        for index, part in opened.parts:
            places[index] = first if part is None else self._another()
            if part is not None:
                inner.append((index, part, first))
            first += 1 if part is None else part.leaves
        found = self._OPENS[opened.way](self, thing, opened, places)
        for index, part, at in inner:
            self._open(found[index], part, at)

    def _items(self, thing: str, opened: Opened, places: Sequence[int]) -> list[str]:
        """Those of a tuple or list."""
        count = self.field(thing, abi.COUNT, "i64")
        self.require("i64", count, len(places))
        table, first = thing, abi.ITEMS
        if issubclass(opened.kind, list):
            table, first = self.field(thing, abi.CONTENT, "ptr"), 0
        return [
            self._borrow(self.field(table, first + 8 * index, "ptr"), place)
            for index, place in enumerate(places)
        ]

    def _values(self, thing: str, opened: Opened, places: Sequence[int]) -> list[str]:
        """Those of a dict with these keys, in this order."""
        self.line("store i64 0, ptr %at")
        inside = f"ptr {thing}, ptr %at, ptr %key, ptr %value"
        found = []
        for key, place in zip(opened.keys, places, strict=True):
            more = self.set(f"call i32 @PyDict_Next({inside})")
            self.require("i32", more, 1)
            self.require("ptr", self.set("load ptr, ptr %key"), self.at(id(key)))
            found.append(self._borrow(self.set("load ptr, ptr %value"), place))
        self.require("i32", self.set(f"call i32 @PyDict_Next({inside})"), 0)
        return found

    def _attributes(
        self, thing: str, opened: Opened, places: Sequence[int]
    ) -> list[str]:
        call = f"@PyObject_GenericGetDict(ptr {thing}, ptr null)"
        held = self.without_error(self.set(f"call ptr {call}"))
        return self._values(self._keep(held, self._another()), opened, places)

    def _slots_of(self, thing: str, opened: Opened, places: Sequence[int]) -> list[str]:
        found = []
        for name, place in zip(opened.keys, places, strict=True):
            inside = f"ptr {thing}, ptr {self.at(id(name))}"
            part = self.set(f"call ptr @PyObject_GetAttr({inside})")
            found.append(self._keep(self.without_error(part), place))
        return found

    _OPENS: ClassVar[dict[str, Open]] = {
        "items": _items,
        "keys": _values,
        "attributes": _attributes,
        "slots": _slots_of,
    }

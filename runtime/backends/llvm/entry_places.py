"""entry_places: the text of entries that change places outside.

The front has read the places (`entry_front`); here the call writes them. Nothing is
done before that, so wherever the machine code cannot go on Python makes the whole call.
And where another thread may run between the reading and the writing, in loops and over
large arrays, it is looked once more whether the places hold what they held.
"""

from __future__ import annotations

from runtime.backends.llvm import abi
from runtime.backends.llvm.call_form import Changed
from runtime.backends.llvm.entry_front import require_free
from runtime.backends.llvm.entry_text import EntryText
from runtime.backends.llvm.loops import Exit
from runtime.backends.llvm.values import NotLowered

# What writes a place, for each kind of place; and what it is called with.
ATTRIBUTE, KEY = "PyObject_SetAttr", "PyDict_SetItem"
ITEM, CELL = "PySequence_SetItem", "PyCell_Set"
_TAKES = {ATTRIBUTE: "ptr, ptr, ptr", KEY: "ptr, ptr, ptr", ITEM: "ptr, i64, ptr"}
ADDED = "PyList_Append"
_TAKES |= dict.fromkeys((CELL, ADDED), "ptr, ptr")

# In which other threads may run.
_WAITING = frozenset({"poll", "share", "python"})


class PlacesText(EntryText):
    """The text of such an entry."""

    def exit(self, made: Exit) -> None:
        """Let Python make the call."""
        self.drop(made.drops)
        self.line(f"br label %{self.miss}")

    def tell_errors(self, found: str) -> str:
        """What is to be warned of has been looked for before anything was written."""
        return found

    def found(self) -> str:
        """The call's result, once the places hold what the call leaves there."""
        self._look_again()
        outputs = self._of_machine()
        assert self.form.result is not None, "Python makes no result of such a call"
        result = self.there(self._result(self.form.result, outputs))
        leaf, owner = self.form.given, len(self.form.passed)
        for changed in self.form.places:
            for index, after in enumerate(changed.after):
                made = self.there(self._result(after, outputs))
                self._write(changed, index, leaf + index, owner, made)
            leaf, owner = leaf + changed.leaves, owner + 1
        for thing in outputs:
            self.line(f"call void @Py_DecRef(ptr {thing})")
        return result

    def _look_again(self) -> None:
        """Miss where Python is to warn, or another thread has been at the places."""
        outer, fine = self.miss, self.fresh_label()
        self.miss = self.fresh_label()
        if self.warns:
            self.require("i32", self.flags(), 0)
        if any(one.op in _WAITING for one in self.function.body.walk()):
            self._require_same()
        self.line(f"br label %{fine}")
        self.label(self.miss)
        self.drop(self.function.drops)
        self.line(f"br label %{outer}")
        self.miss = outer
        self.label(fine)

    def _require_same(self) -> None:
        require_free(self, self.form)
        leaf, owner = self.form.given, len(self.form.passed)
        for changed in self.form.places:
            if changed.opened is not None:
                raise NotLowered("items that another thread may change meanwhile")
            if not changed.adds:
                found = self._now(changed, owner)
                self.require("ptr", found, self._argument(leaf))
            leaf, owner = leaf + changed.leaves, owner + 1

    def _now(self, changed: Changed, owner: int) -> str:
        """What a place holds; it is compared, and not used."""
        holder = self._object(changed.holder)
        if changed.name is None:
            return self.field(holder, abi.SLOT, "ptr")
        name = self._object(changed.name)
        if not changed.is_attribute:
            return self.set(f"call ptr @PyDict_GetItem(ptr {holder}, ptr {name})")
        inside = f"ptr {self._argument(owner)}, ptr {name}"
        found = self.without_error(self.set(f"call ptr @PyObject_GetAttr({inside})"))
        self.line(f"call void @Py_DecRef(ptr {found})")
        return found

    def _write(
        self, changed: Changed, index: int, leaf: int, owner: int, made: str
    ) -> None:
        """Give a place an object, unless it is there; the reference to it is ours."""
        other, over = self.fresh_label(), self.fresh_label()
        if not (changed.adds or changed.is_put):
            same = self.set(f"icmp eq ptr {made}, {self._argument(leaf)}")
            self.line(f"br i1 {same}, label %{over}, label %{other}")
            self.label(other)
        name, things = self._setter(changed, index, owner)
        self.symbol(name, f"declare i32 @{name}({_TAKES[name]})")
        told = self.set(f"call i32 @{name}({', '.join([*things, f'ptr {made}'])})")
        with self.seldom(self.set(f"icmp slt i32 {told}, 0")):
            self.drop(self.function.drops)
            self.line("ret ptr null")
        self.to_label(over)
        self.line(f"call void @Py_DecRef(ptr {made})")

    def _setter(
        self, changed: Changed, index: int, owner: int
    ) -> tuple[str, list[str]]:
        """What writes a place, and what it is given before the object."""
        holder = f"ptr {self._argument(owner)}"
        if changed.adds:
            return ADDED, [f"ptr {self._object(changed.holder)}"]
        if changed.is_attribute:
            return ATTRIBUTE, [holder, f"ptr {self._object(changed.name)}"]
        if changed.opened is None:
            holder = f"ptr {self._object(changed.holder)}"
            if changed.name is None:
                return CELL, [holder]
            return KEY, [holder, f"ptr {self._object(changed.name)}"]
        if changed.opened.keys:
            return KEY, [holder, f"ptr {self._object(changed.opened.keys[index])}"]
        return ITEM, [holder, f"i64 {index}"]

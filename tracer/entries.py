"""entries: the machine code for calls like one, made and given to their Function.

An entry takes a call whose arguments are arrays, numbers and constants, or containers
of them, and which gives such, or tuples of them. It looks at all that tells calls
apart, and at what the trace has read outside.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from runtime.backends.llvm import abi, call_form
from runtime.backends.llvm.call_form import (
    Attribute,
    Exactly,
    Form,
    Kind,
    NoGlobal,
    Passed,
    Place,
    Result,
    Variable,
    Weakly,
)
from runtime.backends.llvm.entry import Entry
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.regions import Asked
from runtime.errors import as_builtin
from runtime.spec import ListSpec, TensorSpec
from runtime.structs import replace
from runtime.traceback import cut
from tracer import constants, tree
from tracer.cells import CellSlot, GlobalSlot
from tracer.entry_call import Call, Position, result_of
from tracer.entry_outside import changed_places, lock
from tracer.leaf_keys import leaf_key
from tracer.manners import KindSlot
from tracer.places import AttributeSlot
from tracer.read_checks import is_quick
from tracer.reads import Reads
from tracer.signature import Literal
from tracer.undefined import UNDEFINED

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# Entries of one Function: each is asked by the calls that are none of its own.
MOST = 8
# Numbers and arrays that one call passes.
MOST_GIVEN = 30


class EntryOfCall:
    """The entry for calls like one, on its way; it does not keep the arguments."""

    def __init__(
        self,
        concrete: ConcreteFunction,
        owner: Any,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        first: int | None,
    ) -> None:
        self._concrete = concrete
        self._entry: Entry | None = None
        self.waits = False
        try:
            call = Call(concrete, owner, args, kwargs, first)
            self._key = call.key
            known = owner._short.entries
            if call.key not in known and len(known) >= MOST:
                return
            form = _form(call)
        except NotLowered:
            return
        if concrete.run is not concrete.compiled and form.places:
            return
        if concrete.run is not concrete.compiled:
            form = replace(form, run=concrete.run)  # settings are put back around it
        self._entry = self._of(form)

    def _of(self, form: Form) -> Entry:
        asked, precise = how_run(self._concrete)
        return Entry(self._concrete.graph, asked, form, precise)

    def is_settled(self, spent: float, is_tried: bool) -> bool:
        """Do what is next; whether there is an entry now, or there will be none.

        spent:    the seconds that Python has spent in such calls
        is_tried: whether calls by the graph are known to be as quick as Python
        """
        made = self._entry
        if made is None:
            return True
        is_settled = made.is_settled(spent)
        is_last = made.form.run is not None or bool(made.form.places)
        if not (is_settled and made.refused) or is_last:
            return is_settled
        self.waits = not is_tried
        if self.waits:
            return False
        # What has no machine code is run by Python, which need not bind the call.
        made.release()
        self._entry = self._of(replace(made.form, run=self._concrete.run))
        return self._entry.is_settled(spent)

    @property
    def due(self) -> float:
        """When it is to be asked again, in seconds that Python has spent."""
        return 0.0 if self._entry is None else self._entry.due

    @property
    def is_begun(self) -> bool:
        """Whether it is being compiled; if it is not, it is let go of."""
        if self._entry is None or self._entry.is_begun:
            return True
        self._entry.release()
        return False

    def enter(self, owner: Any) -> bool:
        """Let the calls of its Function ask it; False: there is none."""
        if self._entry is None:
            return False
        from runtime.backends.llvm.vectorcall import is_let_in, let_enter

        self._entry.release()
        kind: Any = type(owner)
        if self._entry.refused or not is_let_in(kind):
            return False
        entries = owner._short.entries
        entries[self._key] = self._entry.run
        let_enter(owner, tuple(entries.values()))
        return True


def how_run(one: ConcreteFunction) -> tuple[Asked, bool]:
    """How the graph of a trace is to be run."""
    asked = Asked(one.donated, one.ends, one.late, True)
    return asked, getattr(one.compiled, "precise", True)


def _written(call: Call) -> Iterator[int]:
    """The positions of the arrays that a run writes, or that are to be writable."""
    traced = call.concrete.traced
    leaves = (*(leaf for leaf, _ in traced.arguments_changed), *traced.loses_writes)
    for leaf in leaves:
        if not isinstance(leaf, int):
            raise NotLowered("an array from outside that is written")
        yield _position(call.leaves, leaf)


def _form(call: Call) -> Form:
    """The form of the call; NotLowered where it is none that entries are for."""
    _require_usual(call)
    concrete, leaves = call.concrete, call.leaves
    python, reads = concrete.parameters.function, concrete.reads
    outside = () if reads is None else _outside(reads)
    is_python = isinstance(python, FunctionType)
    passed = tuple(_passed(call, position) for position in range(len(call.things)))
    changed = tuple(
        (_position(leaves, leaf), output)
        for leaf, output in concrete.traced.arguments_changed
    )
    places: list[call_form.Changed] = []
    if concrete.outer is not None:
        held, places = changed_places(call, concrete.outer)
        passed = (*passed, *held)
    if sum(isinstance(one, call_form.Given) for one in passed) > MOST_GIVEN:
        raise NotLowered("many arrays, of which each two are compared")
    after, result = _After(call), _whole_result(call)
    if places and result is None:
        raise NotLowered("a result that only Python makes")
    return Form(
        tuple(call.opened),
        call.names,
        passed,
        tuple(places),
        lock() if places else None,
        _flags(concrete, passed),
        frozenset(_written(call)),
        changed,
        ((python, concrete.code),) if is_python else (),
        () if outside is None else outside,
        reads.quick if reads is not None and outside is None else None,
        None,
        len(concrete.graph.outputs),
        result,
        after.finish,
        after.failed,
        after.stop,
        _no_states(len(outside or ())),
    )


def _no_states(count: int) -> Any:
    """Room for so many states of dicts; none is negative."""
    return (ctypes.c_int64 * count)(*[-1] * count)


def _require_usual(call: Call) -> None:
    """NotLowered: entries know nothing of what the call passes."""
    traced = call.concrete.traced
    if any(type(leaf) is ListSpec for leaf in call.concrete.signature.leaves):
        raise NotLowered("a list that is one input")
    if any(call.opened) and (traced.changes_passed or traced.met):
        raise NotLowered("containers of which each call looks which they are")
    if any(isinstance(leaf, Position) for leaf in call.rest):
        raise NotLowered("more arguments than the input_signature has")
    for leaf, wanted in zip(call.leaves, call.concrete.signature.leaves, strict=True):
        if not isinstance(leaf, Position) and not isinstance(wanted, Literal):
            raise NotLowered("a default that is a tensor")


def _outside(reads: Reads) -> tuple[Place, ...] | None:
    """The places that were read; None where there are some of other kinds."""
    found: list[Place] = []
    for read in reads.each():
        slot, content = read.reference(), _content(read.held)
        if isinstance(slot, KindSlot) and slot.place is not None:
            found.append(Kind(slot.kind, slot.place, slot.number))
            continue
        if isinstance(slot, GlobalSlot) and read.held.same(UNDEFINED):
            found.append(NoGlobal(slot.scope, slot.name))
            continue
        if content is None or slot is None:
            return None
        if isinstance(slot, GlobalSlot):
            found.append(Variable(slot.scope, slot.name, content))
        elif isinstance(slot, CellSlot):
            found.append(Variable(slot.cell, None, content))
        elif (
            isinstance(slot, AttributeSlot) and _is_weak(read.owner) and is_quick(slot)
        ):
            found.append(Attribute(read.owner, slot.name, content))
        else:
            return None
    return tuple(found)


def _content(held: constants.Constant) -> Exactly | Weakly | None:
    if isinstance(held, constants.Exactly):
        return None if held.same(UNDEFINED) else Exactly(held.content)
    return Weakly(held.reference, held.kind) if type(held) is constants.Weakly else None


def _is_weak(owner: Any) -> bool:
    return isinstance(owner, weakref.ref)


def _flags(concrete: ConcreteFunction, passed: Sequence[Passed]) -> int:
    """The flags that the arrays must have: see `tracer.memory.is_unlike`."""
    found = abi.ORDERED if concrete.asks_layout else 0
    count = sum(
        isinstance(one, call_form.Given) and one.spec.shape != () for one in passed
    )
    # Arrays that own their memory share none.
    return found | (abi.OWNED if concrete.writes_arrays and count > 1 else 0)


def _position(leaves: Sequence[Any], leaf: int) -> int:
    """The position of the leaf of the arguments that is a leaf of the trace."""
    one = leaves[leaf]
    if not isinstance(one, Position):
        raise NotLowered("a default that is changed")
    return one.index


def _passed(call: Call, position: int) -> Passed:
    """What a leaf of the call's arguments is to be."""
    thing, concrete = call.things[position], call.concrete
    leaf = call.position[position]
    wanted = concrete.signature.leaves[leaf]
    if isinstance(wanted, Literal):
        key = leaf_key(thing, wanted)
        if key is None:
            raise NotLowered(f"a constant of {type(thing)}")
        if key.key.startswith("ref("):
            return Weakly(weakref.ref(thing), type(thing))
        return Exactly(thing)
    if call.aliases[position] != position:
        return call_form.Same(call.aliases[position])
    if type(wanted) is not TensorSpec or wanted.shape is None:
        raise NotLowered(f"an argument of {wanted!r}")
    if isinstance(thing, np.ndarray) and not thing.ndim:
        raise NotLowered("an array without dims")
    inputs = concrete.traced.inputs
    return call_form.Given(wanted, inputs.index(leaf) if leaf in inputs else None)


def _whole_result(call: Call) -> Result | None:
    """What the call gives; None where only Python makes it."""
    traced = call.concrete.traced
    assert traced.structure is not None, "a graph without a result has no entry"
    try:
        results = [result_of(call.leaves, leaf) for leaf in traced.result]
        return None if traced.objects else _in_tuples(traced.structure, results)
    except NotLowered:
        return None


def _in_tuples(structure: tree.Structure, results: list[Result]) -> Result:
    """The results as the structure has them, taken off the list."""
    if structure.is_leaf():
        return results.pop(0)
    if structure.type is not tuple:
        raise NotLowered(f"a {structure.type} that is given")
    return tuple(_in_tuples(part, results) for part in structure.children())


class _After:
    """What Python does after an exit of an entry; it does not keep the arguments."""

    def __init__(self, call: Call) -> None:
        self._trace, self.leaves, self.key = call.trace, call.leaves, call.key
        self.owner = weakref.ref(call.owner)
        self._names, self._count = call.names, len(call.opened)

    @property
    def concrete(self) -> ConcreteFunction:
        """The trace that is called."""
        found: Any = self.owner() if self._trace is None else self._trace
        return cast("ConcreteFunction", found)

    def finish(self, outputs: Sequence[Any], passed: Sequence[Any]) -> Any:
        """The call's result, of the graph's outputs and the arguments."""
        leaves = [
            passed[leaf.index] if isinstance(leaf, Position) else leaf
            for leaf in self.leaves
        ]
        try:
            return self.concrete.finish(tuple(outputs), leaves, ())
        except Exception as error:
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept

    def failed(self, error: BaseException, passed: Sequence[Any]) -> BaseException:
        """What a call raises whose run has raised; it may be made again as Python."""
        if not isinstance(error, Exception):
            return self.concrete.failed(error)
        owner = self.owner()
        found: Exception = error
        if not self.concrete.made_again or owner is None or self._trace is None:
            self.concrete.failed(error)
        else:
            try:
                python = owner.lookup.as_python(*self._arguments(passed))
                self.concrete.as_python(error, None, python)
            except Exception as raised:
                found = raised
        return cut(as_builtin(found))

    def _arguments(self, passed: Sequence[Any]) -> tuple[Any, dict[str, Any]]:
        """Those of the call, which come after the leaves if these are others."""
        given = passed[-self._count :] if self._count else ()
        at = self._count - len(self._names)
        return tuple(given[:at]), dict(zip(self._names, given[at:], strict=True))

    def stop(self) -> None:
        """Let Python make the calls: the entry is left too often."""
        owner = self.owner()
        if owner is not None:
            owner._short.entries.pop(self.key, None)
            owner._keep_entries(owner._short.entries.values())

"""entries: the machine code for calls like one, made and given to their Function.

An entry takes a call by position whose arguments are arrays, numbers and constants, and
which gives such, or tuples of them; the trace changes nothing that was passed. It looks
at all that tells calls apart, and at what the trace has read outside.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm import entry
from runtime.backends.llvm.entry import Entry, Form, Passed, Result
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.regions import Asked
from runtime.errors import as_builtin
from runtime.spec import TensorSpec
from runtime.traceback import cut
from tracer import tree
from tracer.leaf_keys import leaf_key
from tracer.signature import Literal
from tracer.traced import Argument, Constant, Leaf, Output

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# Entries of one Function: each is asked by the calls that are none of its own.
MOST = 8


class _Position:
    """Stands for the argument at a position of a call."""

    def __init__(self, index: int) -> None:
        self.index = index


class Call:
    """A call, by position, of a Function that has found its trace.

    first:  the number of the argument from which on only defaults may be passed
    leaves: for each leaf of the bound arguments its position, or the default
    key:    what tells its entry from others
    """

    def __init__(
        self,
        concrete: ConcreteFunction,
        owner: Any,
        args: Sequence[Any],
        first: int | None,
    ) -> None:
        self.concrete = concrete
        self.owner = owner
        self.args = args
        places, named = owner.bound(tuple(map(_Position, range(len(args)))), {})
        self.leaves = [*places, *(named[name] for name in sorted(named))]
        self.rest = [] if first is None else self.leaves[first:]
        ids = [id(thing) for thing in args]
        # For each argument the first one that is the same array.
        self.aliases = tuple(
            ids.index(id(thing)) if isinstance(thing, np.ndarray) else position
            for position, thing in enumerate(args)
        )
        self.key = concrete, len(args), tuple(map(type, args)), self.aliases


class EntryOfCall:
    """The entry for calls like one, on its way; it does not keep the arguments."""

    def __init__(
        self,
        concrete: ConcreteFunction,
        owner: Any,
        args: Sequence[Any],
        first: int | None,
    ) -> None:
        call = Call(concrete, owner, args, first)
        self._key = call.key
        self._entry: Entry | None = None
        known = owner._short.entries
        if call.key not in known and len(known) >= MOST:
            return
        asked = Asked(concrete.donated, concrete.ends, concrete.late, True, True)
        try:
            self._entry = Entry(concrete.graph, asked, _form(call))
        except NotLowered:
            return

    def is_settled(self, spent: float) -> bool:
        """Do what is next; whether there is an entry now, or there will be none.

        spent: the seconds that Python has spent in such calls
        """
        return self._entry is None or self._entry.is_settled(spent)

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


def _form(call: Call) -> Form:
    """The form of the call; NotLowered where it is none that entries are for."""
    concrete, leaves = call.concrete, call.leaves
    if any(tree.entries(thing) is not None for thing in (*leaves, *call.args)):
        raise NotLowered("containers, of which each call looks at what they hold")
    if any(isinstance(leaf, _Position) for leaf in call.rest):
        raise NotLowered("more arguments than the input_signature has")
    for leaf, wanted in zip(leaves, concrete.signature.leaves, strict=True):
        if not isinstance(leaf, _Position) and not isinstance(wanted, Literal):
            raise NotLowered("a default that is a tensor")
    structure, traced = concrete.traced.structure, concrete.traced
    assert structure is not None, "a graph without a result has no entry"
    results = [_result(leaves, leaf) for leaf in traced.result]
    python, reads = concrete.parameters.function, concrete.reads
    is_python = isinstance(python, FunctionType)
    after = _After(call)
    return Form(
        tuple(_passed(call, position) for position in range(len(call.args))),
        concrete.asks_layout,
        ((python, concrete.code),) if is_python else (),
        None if reads is None else reads.quick,
        _in_tuples(structure, results),
        after.finish,
        after.failed,
        after.stop,
    )


def _passed(call: Call, position: int) -> Passed:
    """What an argument of the call is to be."""
    thing, concrete = call.args[position], call.concrete
    leaf = next(
        number
        for number, one in enumerate(call.leaves)
        if isinstance(one, _Position) and one.index == position
    )
    wanted = concrete.signature.leaves[leaf]
    if isinstance(wanted, Literal):
        key = leaf_key(thing, wanted)
        if key is None:
            raise NotLowered(f"a constant of {type(thing)}")
        if key.key.startswith("ref("):
            return entry.Weakly(weakref.ref(thing), type(thing))
        return entry.Exactly(thing)
    if call.aliases[position] != position:
        return entry.Same(call.aliases[position])
    if type(wanted) is not TensorSpec or wanted.shape is None:
        raise NotLowered(f"an argument of {wanted!r}")
    if isinstance(thing, np.ndarray) and not thing.ndim:
        raise NotLowered("an array without dims")
    inputs = concrete.traced.inputs
    return entry.Given(wanted, inputs.index(leaf) if leaf in inputs else None)


def _result(leaves: Sequence[Any], leaf: Leaf) -> Result:
    """What a leaf of the result is made of."""
    if type(leaf) is Output and not (leaf.array or leaf.locked):
        return entry.Output(leaf.index)
    if isinstance(leaf, Constant):
        return entry.Exactly(leaf.content)
    given = leaves[leaf.index] if isinstance(leaf, Argument) else None
    if isinstance(given, _Position):
        return entry.Argument(given.index)
    raise NotLowered("a result that only Python makes")


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
        self.concrete, self.leaves, self.key = call.concrete, call.leaves, call.key
        self.owner = weakref.ref(call.owner)

    def finish(self, outputs: Sequence[Any], passed: Sequence[Any]) -> Any:
        """The call's result, of the graph's outputs and the arguments."""
        leaves = [
            passed[leaf.index] if isinstance(leaf, _Position) else leaf
            for leaf in self.leaves
        ]
        return self.concrete.finish(tuple(outputs), leaves, ())

    def failed(self, error: BaseException) -> BaseException:
        """What a call raises whose run has raised."""
        error = self.concrete.failed(error)
        return cut(as_builtin(error)) if isinstance(error, Exception) else error

    def stop(self) -> None:
        """Let Python make the calls: the entry is left too often."""
        owner = self.owner()
        if owner is not None:
            owner._short.entries.pop(self.key, None)
            owner._keep_entries(owner._short.entries.values())

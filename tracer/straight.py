"""straight: a generated function that runs a trace for leaves known to fit it.

It does what `ConcreteFunction.call_leaves` does, and looks at what must be looked at by
each call: what was read outside, and where the arguments lie in memory. MISS is the
answer where that is not as the trace was made for, and nothing has been done then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tracer import tree
from tracer.again import Kept
from tracer.around import call_around
from tracer.containers import put, share_memory
from tracer.entering import Entering, may_enter
from tracer.generated import MISS, made
from tracer.traced import Argument, Constant, Container, Leaf, Output

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction


def straight(
    concrete: ConcreteFunction,
    arrays: Sequence[int],
    leaves: int,
    found: int,
    is_strict: bool,
    first: int | None = None,
) -> Callable[..., Any]:
    """A function of the owner, args, kwargs, the leaves, and the containers found.

    arrays:    the leaves that are arrays, each array once
    is_strict: it is the trace itself that is called, which writes where it is told to
    first:     the number of the argument from which on only defaults may be passed
    """
    entering = None
    if not is_strict and may_enter(concrete):
        entering = Entering(concrete, first)
    return _Text(concrete, arrays, leaves, found, is_strict, entering).function()


_TEXT = """\
def run(owner, args, kwargs{names}):
    {checks}
    {count}
    try:
        outputs = graph({inputs})
    except BaseException as error:
        raise {owner}.failed(error)
    {result}
"""

# The quickest way to count.
_COUNT = """\
global ticks
    for _ in ticks: break
    else: ticks = enter(owner, args, kwargs)\
"""

# What changes places outside reads them, under a lock.
_AROUND = """\
def run(owner, args, kwargs{names}):
    {checks}
    return call_around(owner, concrete, {leaves}, args, kwargs, {found})
"""

# What fails is made again as Python, so what it may have written is kept.
_AGAIN = """\
def run(owner, args, kwargs{names}):
    {checks}
    before = {kept}
    error = None
    try:
        outputs = graph({inputs})
    except Exception as caught:
        error = caught
    if error is not None:
        {owner}.raise_as_python(error, before, owner.as_python(args, kwargs))
    {result}
"""


class _Text:
    """The function, as it is written."""

    def __init__(
        self,
        concrete: ConcreteFunction,
        arrays: Sequence[int],
        leaves: int,
        found: int,
        is_strict: bool,
        entering: Entering | None,
    ) -> None:
        self._is_strict = is_strict
        self._entering = entering
        # A trace that is called itself does not hold itself.
        self._owner = "owner" if is_strict else "concrete"
        self._concrete = concrete
        self._traced = concrete.traced
        self._arrays = arrays
        self._leaves = [f"v{i}" for i in range(leaves)]
        self._found = [f"c{i}" for i in range(found)]
        self._scope: dict[str, Any] = {
            "MISS": MISS,
            "Kept": Kept,
            "graph": concrete.run,
            "share_memory": share_memory,
        }
        if not is_strict:
            self._scope["concrete"] = concrete

    def function(self) -> Callable[..., Any]:
        concrete = self._concrete
        checks = [] if self._is_strict else list(self._unlike())
        if isinstance(python := concrete.parameters.function, FunctionType):
            self._scope.update(python=python, code=concrete.code)
            checks.append("python.__code__ is not code")
        if concrete.reads is not None:
            self._scope["reads"] = concrete.reads
            checks.append("not (reads.quick() or reads.hold())")
        checks += (
            [] if self._is_strict else [*self._met_twice(), *self._with_metadata()]
        )
        form = _AGAIN if concrete.made_again and not self._is_strict else _TEXT
        if concrete.outer is not None:
            form, self._scope["call_around"] = _AROUND, call_around
        if self._entering is not None:
            self._scope.update(enter=self._entering, ticks=self._entering.ticks())
        leaves = _tuple(self._leaves)
        kept = f"Kept({leaves}, {concrete.kept!r})" if concrete.kept else "None"
        text = form.format(
            names="".join(f", {name}" for name in (*self._leaves, *self._found)),
            checks=f"if {' or '.join(checks)}: return MISS" if checks else "pass",
            inputs=", ".join(f"v{i}" for i in self._traced.inputs),
            count=_COUNT if self._entering else "pass",
            kept=kept,
            leaves=leaves,
            found=_tuple(self._found),
            owner=self._owner,
            result="\n    ".join(self._result()),
        )
        return made("run", text, self._scope)

    def _constant(self, thing: Any) -> str:
        name = f"k{len(self._scope)}"
        self._scope[name] = thing
        return name

    def _met_twice(self) -> Iterator[str]:
        """What holds where one of the containers is another one, or one outside."""
        if self._traced.met:
            self._scope["met"] = self._traced.met
            yield from (f"id({container}) in met" for container in self._found)
        if self._concrete.writes or self._traced.changes_passed:
            yield from (f"{a} is {b}" for a, b in combinations(self._found, 2))

    def _with_metadata(self) -> Iterator[str]:
        """What holds where a dtype has metadata, which no dtype is unequal for."""
        if self._traced.asks_dtype:
            arrays = (self._leaves[i] for i in self._arrays)
            yield from (f"{array}.dtype.metadata is not None" for array in arrays)

    # As `tracer.memory.is_unlike`, of leaves that are known.

    def _unlike(self) -> Iterator[str]:
        """What holds for calls that are run as Python."""
        concrete = self._concrete
        if concrete.outer is not None or not (concrete.writes or concrete.asks_layout):
            return
        arrays = [self._leaves[i] for i in self._arrays]
        if concrete.asks_layout:
            yield from (f"not {array}.flags.c_contiguous" for array in arrays)
        if not concrete.writes_arrays:
            return
        for leaf, _ in self._traced.arguments_changed:
            yield f"not {self._leaves[leaf]}.flags.writeable"
        for array, _ in self._traced.arrays_changed:
            yield f"not {self._constant(array)}.flags.writeable"
        outer = concrete.outer_arrays
        if len(arrays) > 1 or (arrays and outer):
            # Arrays that own their memory share none.
            own = " and ".join(f"{array}.flags.owndata" for array in arrays)
            shared = f"share_memory({_tuple(arrays)}, {self._constant(outer)})"
            yield shared if outer else f"not ({own}) and {shared}"

    # As `tracer.results`, of what needs no objects to be made.

    def _result(self) -> Iterator[str]:
        traced = self._traced
        found = self._found if self._concrete.needs_containers else ()
        given = f"outputs, {_tuple(self._leaves)}, {_tuple(found)}"
        whole = f"return {self._owner}.finish({given})"
        text, changes = self._made(), self._changes()
        if text is None or changes is None:
            yield whole
            return
        written = [
            *((self._leaves[leaf], at) for leaf, at in traced.arguments_changed),
            *((self._constant(array), at) for array, at in traced.arrays_changed),
        ]
        # What is in place is written already.
        other = " or ".join(f"outputs[{at}] is not {array}" for array, at in written)
        if other:
            yield f"if {other}: {whole}"
        if changes:
            self._scope["put"] = put
            # All is made before anything is put: one list may go into another.
            yield f"result = {text}"
            yield from changes
            text = "result"
        yield f"return {text}"

    def _changes(self) -> list[str] | None:
        """What puts into the caller's containers what the program leaves in them."""
        lines = []
        for changed in self._traced.containers_changed:
            content = self._whole(changed.structure, changed.leaves)
            if content is None:
                return None
            lines.append(f"put({self._found[changed.index]}, {content})")
        return lines

    def _made(self) -> str | None:
        """The result as an expression; None: it takes more than that."""
        traced = self._traced
        if traced.structure is None or traced.outer:
            return None
        return self._whole(traced.structure, traced.result)

    def _whole(self, structure: tree.Structure, leaves: Sequence[Leaf]) -> str | None:
        parts = [self._part(leaf) for leaf in leaves]
        texts = [part for part in parts if part is not None]
        if len(texts) < len(parts):
            return None
        if _is_shown(structure):
            return _shown(tree.unflatten(structure, map(_Part, texts)))
        self._scope["unflatten"] = tree.unflatten
        return f"unflatten({self._constant(structure)}, {_tuple(texts)})"

    def _part(self, leaf: Leaf) -> str | None:
        if isinstance(leaf, Argument):
            return self._leaves[leaf.index]
        if isinstance(leaf, Container):
            return self._found[leaf.index]
        if isinstance(leaf, Constant):
            return self._constant(leaf.content)
        if type(leaf) is Output and not (leaf.array or leaf.locked):
            return f"outputs[{leaf.index}]"
        return None


def _tuple(names: Sequence[str]) -> str:
    return f"({''.join(f'{name}, ' for name in names)})"


def _is_shown(structure: tree.Structure) -> bool:
    """Whether it is one of tuples, lists and dicts only."""
    if structure.type is dict:
        known = all(type(key) is str for key in structure.entries())
    else:
        known = structure.is_leaf() or structure.type in (tuple, list)
    return known and all(map(_is_shown, structure.children()))


class _Part:
    """A leaf of the result."""

    def __init__(self, text: str) -> None:
        self.text = text


def _shown(thing: Any) -> str:
    """The text of tuples, lists and dicts of parts."""
    if isinstance(thing, _Part):
        return thing.text
    if isinstance(thing, dict):
        return f"{{{', '.join(f'{k!r}: {_shown(v)}' for k, v in thing.items())}}}"
    parts = "".join(f"{_shown(part)}, " for part in thing)
    return f"({parts})" if isinstance(thing, tuple) else f"[{parts}]"

"""straight: a generated function that runs a trace for leaves known to fit it.

It does what `ConcreteFunction.call_leaves` does, and looks at what must be looked at by
each call: what was read outside, and where the arguments lie in memory. MISS is the
answer where that is not as the trace was made for, and nothing has been done then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from types import FunctionType
from typing import TYPE_CHECKING, Any

from tracer import tree
from tracer.again import Kept
from tracer.around import LOCK, is_shared
from tracer.containers import put, share_memory
from tracer.entering import Entering
from tracer.finishing import put_rows, write_back
from tracer.generated import MISS, made
from tracer.given import has_rows
from tracer.identities import rows_meet
from tracer.memory import lies_in_itself
from tracer.place_text import PlaceText
from tracer.traced import Argument, Constant, Container, Leaf, Output, leaves_of
from tracer.undefined import UNDEFINED

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction


def straight(
    concrete: ConcreteFunction,
    arrays: Sequence[int],
    leaves: int,
    found: int,
    is_strict: bool,
    entering: Entering | None,
) -> Callable[..., Any]:
    """A function of the owner, args, kwargs, the leaves, and the containers found.

    arrays:    the leaves that are arrays, each array once
    is_strict: it is the trace itself that is called, which writes where it is told to
    entering:  is asked now and then, if the trace may have entries
    """
    return _Text(concrete, arrays, leaves, found, is_strict, entering).function()


_TEXT = """\
def run(owner, args, kwargs{names}):
    {checks}
    {count}
    {run}
"""

# What changes places outside reads and writes them, as one step under a lock.
_AROUND = """\
def run(owner, args, kwargs{names}):
    with lock:
        {checks}
        try:
            {reading}
        except Exception:
            return MISS
        {fitting}
        {count}
        {run}
"""

# The quickest way to count.
_COUNT = """\
global ticks
for _ in ticks: break
else: ticks = enter(owner, args, kwargs)\
"""

_ONCE = """\
try:
    outputs = graph({inputs})
except BaseException as error:
    raise {owner}.failed(error)
{result}\
"""

# What fails is made again as Python, so what it may have written is kept.
_AGAIN = """\
before = {kept}
error = None
try:
    outputs = graph({inputs})
except Exception as caught:
    error = caught
if error is not None:
    return {owner}.as_python(error, before, owner.lookup.as_python(args, kwargs))
{result}\
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
        # The names of the leaves that are arrays, each array once.
        self._arrays = [f"v{i}" for i in arrays]
        self._given = self._leaves = [f"v{i}" for i in range(leaves)]
        self._found = [f"c{i}" for i in range(found)]
        self._places: PlaceText | None = None
        # Of the constants, by id.
        self._names: dict[int, str] = {}
        self._scope: dict[str, Any] = {
            "MISS": MISS,
            "Kept": Kept,
            "graph": concrete.run,
            "share_memory": share_memory,
            "lies_in_itself": lies_in_itself,
        }
        if not is_strict:
            self._scope["concrete"] = concrete

    def function(self) -> Callable[..., Any]:
        around = self._concrete.outer is not None
        # The places' leaves are leaves from here on.
        checks = [*self._first_checks()]
        if around:
            self._read_places()
        if not self._is_strict:
            checks += [*self._met_twice(), *self._with_metadata()]
        fitting = [*self._met_outside(), *self._unlike()] if around else []
        parts = {
            "names": "".join(f", {name}" for name in (*self._given, *self._found)),
            "checks": _misses(checks),
            "count": "pass",
            "run": self._run(),
        }
        form = _TEXT
        if self._entering is not None:
            self._scope.update(enter=self._entering, ticks=self._entering.ticks())
            parts["count"] = _COUNT
        if self._places is not None:
            form, places = _AROUND, self._places
            self._scope["lock"] = LOCK
            parts["reading"] = "\n            ".join(places.lines)
            parts["fitting"] = _misses([*places.checks, *fitting])
            self._places = None  # it knows this object
        indent = "\n        " if around else "\n    "
        for name in ("count", "run"):
            parts[name] = parts[name].replace("\n", indent)
        return made("run", form.format(**parts), self._scope)

    def _first_checks(self) -> Iterator[str]:
        """What holds for calls that are others, told by what no place outside has."""
        concrete = self._concrete
        if concrete.outer is None:
            yield from self._unlike()
        if isinstance(python := concrete.parameters.function, FunctionType):
            self._scope.update(python=python, code=concrete.code)
            yield "python.__code__ is not code"
        if concrete.reads is not None:
            self._scope["reads"] = concrete.reads
            yield "not (reads.quick() or reads.hold())"

    def _read_places(self) -> None:
        self._places = PlaceText(self._concrete, len(self._leaves), self._constant)
        self._leaves = [*self._leaves, *self._places.leaves]
        self._arrays = [*self._arrays, *self._places.arrays]

    def _run(self) -> str:
        """The lines that run the graph, and give the result."""
        concrete = self._concrete
        form = _AGAIN if concrete.made_again and not self._is_strict else _ONCE
        drawn = self._constant(concrete.drawn)
        kept = f"Kept({_tuple(self._leaves)}, {concrete.kept!r}, {drawn})"
        return form.format(
            inputs=", ".join(f"v{i}" for i in self._traced.inputs),
            kept=kept if concrete.kept or concrete.drawn else "None",
            owner=self._owner,
            result="\n".join(self._result()),
        )

    def _constant(self, thing: Any) -> str:
        name = self._names.get(id(thing))
        if name is None:
            name = self._names[id(thing)] = f"k{len(self._scope)}"
            self._scope[name] = thing
        return name

    def _met_twice(self) -> Iterator[str]:
        """What holds where one of the containers is another one, or one outside."""
        places, met = self._places, self._traced.met
        if places is not None:
            met |= places.met()
        has_lists = any(map(has_rows, self._concrete.signature.leaves))
        changes = self._concrete.writes or self._traced.changes_passed
        if has_lists and (met or changes):
            self._scope.update(met=met, rows_meet=rows_meet)
            yield f"rows_meet({_tuple(self._found)}, met)"
            return
        if met:
            self._scope["met"] = met
            yield from (f"id({container}) in met" for container in self._found)
        if changes:
            yield from (f"{a} is {b}" for a, b in combinations(self._found, 2))

    def _met_outside(self) -> Iterator[str]:
        """What holds where one of the containers has an attribute that is a place."""
        owners = () if self._places is None else self._places.owners
        yield from (f"{a} is {b}" for a, b in product(self._found, owners))

    def _with_metadata(self) -> Iterator[str]:
        """What holds where a dtype has metadata, which no dtype is unequal for."""
        if self._traced.asks_dtype:
            given = (array for array in self._arrays if array in self._given)
            yield from (f"{array}.dtype.metadata is not None" for array in given)

    # As `tracer.memory.is_unlike`, of leaves that are known.

    def _unlike(self) -> Iterator[str]:
        """What holds for calls that are run as Python."""
        concrete, arrays, places = self._concrete, self._arrays, self._places
        if self._is_strict or not (concrete.writes or concrete.asks_layout):
            return
        if places is not None and places.lists_arrays:
            leaves, found = _tuple(self._leaves), _tuple(self._found)
            yield f"{self._constant(is_shared)}(concrete, {leaves}, {found})"
            return
        if concrete.asks_layout:
            yield from (f"not {array}.flags.c_contiguous" for array in arrays)
        if not concrete.writes_arrays:
            return
        traced = self._traced
        written = (*traced.arguments_changed, *traced.arrays_changed)
        for one in (*(first for first, _ in written), *traced.loses_writes):
            array = self._leaves[one] if isinstance(one, int) else self._constant(one)
            yield f"not {array}.flags.writeable"
            yield f"not {array}.flags.owndata and lies_in_itself({array})"
        yield from self._shared(concrete.outer_arrays)

    def _shared(self, outer: Sequence[Any]) -> Iterator[str]:
        """What holds where two arrays may be one memory; outer: those of the graph."""
        arrays, others = self._arrays, [*map(self._constant, outer)]
        if not arrays or len(arrays) + len(others) < 2:
            return
        given = [array for array in arrays if array in self._given]
        held = [array for array in arrays if array not in self._given]
        yield from (f"{a} is {b}" for a, b in product(given, held))
        yield from (f"{a} is {b}" for a, b in product(arrays, others))
        # Others that own their memory share none.
        own = " and ".join(f"{array}.flags.owndata" for array in (*arrays, *others))
        yield f"not ({own}) and share_memory({_tuple(arrays)}, {_tuple(others)})"

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
        others = [f"outputs[{at}] is not {array}" for array, at in written]
        if others and not self._gives_numbers():
            yield f"if {' or '.join(others)}: {whole}"
        elif others:
            self._scope["write_back"] = write_back
            for other, (array, at) in zip(others, written, strict=True):
                yield f"if {other}: write_back({array}, outputs[{at}])"
        if changes:
            self._scope["put"] = put
            # All is made before anything is put: one list may go into another.
            yield f"result = {text}"
            yield from changes
            text = "result"
        yield f"return {text}"

    def _gives_numbers(self) -> bool:
        """Whether nothing that the graph gives may be a view of what is written."""
        outputs = self._concrete.graph.outputs
        given = (x.index for x in leaves_of(self._traced) if type(x) is Output)
        return all(outputs[index].spec.shape == () for index in given)

    def _changes(self) -> list[str] | None:
        """What puts into the caller's containers what the program leaves in them."""
        lines = []
        for changed in self._traced.containers_changed:
            content = self._whole(changed.structure, changed.leaves)
            if content is None:
                return None
            lines.append(f"put({self._found[changed.index]}, {content})")
        for at in self._traced.rows_changed:
            self._scope["put_rows"] = put_rows
            lines.append(f"put_rows(outputs[{at}])")
        outside = [] if self._places is None else self._places.writes(self._whole)
        return None if outside is None else [*lines, *outside]

    def _made(self) -> str | None:
        """The result as an expression; None: it takes more than that."""
        traced = self._traced
        if traced.structure is None:
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
            is_one = leaf.content is not UNDEFINED
            return self._constant(leaf.content) if is_one else None
        if type(leaf) is Output and not (leaf.array or leaf.locked):
            return f"outputs[{leaf.index}]"
        return None


def _misses(checks: Sequence[str]) -> str:
    return f"if {' or '.join(checks)}: return MISS" if checks else "pass"


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

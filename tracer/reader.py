"""reader: a generated function that finds the arguments of a call in no time.

It is made for calls of one form: so many positional arguments, these keywords, this
structure, these kinds of leaves. It opens the structure, looks at the types, makes a
key of the rest, and runs what is known under that key; MISS is the answer to calls of
any other form, which then go the long way by `signature_of`.
"""

from __future__ import annotations

import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from itertools import combinations
from operator import is_
from types import MemberDescriptorType
from typing import Any

from runtime.records import is_record
from tracer import containers, plain, tree
from tracer.generated import MISS, made
from tracer.leaf_keys import SCOPE, LeafKey
from tracer.signature import aliases_of

# The text of an argument in a call, None for one left out; and what it is.
Root = tuple[str | None, Any]
# Arrays that are compared one by one to see which of them are one.
_FEW = 8
_DICTS = (dict, OrderedDict, defaultdict, Counter)
_SEQUENCES = (tuple, list, deque)
# What such a container says of itself beside what it holds.
_SAID = {deque: "maxlen", defaultdict: "default_factory"}
# Keys of dicts that their types tell from what is equal to them.
_KEYS = frozenset({str, int, bool, type(None)})


class Unreadable(Exception):
    """There is no quick way to the leaves."""


def reader(
    roots: Sequence[Root],
    leaves: Sequence[Any],
    keys: Sequence[LeafKey],
    bound: Any,
    get: Callable[[Any], Any],
) -> Callable[..., Any]:
    """The function for calls like the one with these arguments.

    roots:  the bound arguments, in the order of the signature
    leaves: theirs; a list among them is an input as it is
    keys:   for each leaf
    bound:  the bound arguments as they are flattened
    get:    gives what to run for a key
    Unreadable: there is something in them that cannot be opened quickly.
    """
    text = _Text(leaves)
    names = []
    for where, thing in roots:
        name = text.constant(thing) if where is None else text.named(where)
        text.open(name, thing, where is None)
        names.append(name)
    text.keywords(bound[1], names)
    text.compare(keys, aliases_of(leaves))
    text.scope["get"] = get
    return made("read", text.whole(keys, bound), text.scope)


_TEXT = """\
def read(owner, args, kwargs, note=None):
    {lines}
    key = {key}
    if note is not None:
        return note(key, ({leaves}), ({found}))
    run = get(key)
    if run is None:
        return MISS
    return run(owner, args, kwargs, {leaves}{found})
"""


class _Text:
    """The function, as it is written."""

    def __init__(self, leaves: Sequence[Any]) -> None:
        self.lines: list[str] = []
        self._lists = {id(leaf) for leaf in leaves if type(leaf) is list}
        own = {"MISS": MISS, "ref": weakref.ref, "is_": is_, "TEXT": {str}}
        own["kind_of_key"] = kind_of_key
        self.scope: dict[str, Any] = {**own, **SCOPE}
        # For each leaf its name, and whether it was left out of the call.
        self._leaves: list[tuple[str, bool]] = []
        self._nodes: dict[int, str] = {}
        self._count = 0

    def constant(self, thing: Any) -> str:
        name = f"k{len(self.scope)}"
        self.scope[name] = thing
        return name

    def named(self, where: str) -> str:
        name = self._name()
        self.lines.append(f"{name} = {where}")
        return name

    def keywords(self, bound: dict[str, Any], names: Sequence[str]) -> None:
        """The dict of the arguments by name, which a `**named` parameter may be.

        names: of the last arguments, in the order of a signature
        """
        own = dict(zip(sorted(bound), names[len(names) - len(bound) :], strict=True))
        texts = ", ".join(f"{name!r}: {own[name]}" for name in bound)
        self._nodes[id(bound)] = f"{{{texts}}}" if bound else "kwargs"

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _unless(self, test: str) -> None:
        self.lines.append(f"if not ({test}): return MISS")

    # Structures.

    def open(self, name: str, thing: Any, is_left_out: bool) -> None:
        """Names for the parts of one of the arguments."""
        is_list = id(thing) in self._lists
        entries = None if is_list else tree.entries(thing)
        is_container = is_list or entries is not None
        if is_container and self._nodes.setdefault(id(thing), name) != name:
            raise Unreadable("one container is there twice")
        if entries is None:
            self._leaves.append((name, is_left_out))
            return
        for part, inner in zip(self._parts(name, thing, entries), entries, strict=True):
            self.open(part, inner[1], False)

    def _parts(self, name: str, thing: Any, entries: Sequence[Any]) -> list[str]:
        kind: Any = type(thing)
        if kind in _SEQUENCES or (isinstance(thing, tuple) and is_named(kind)):
            return self._items(name, thing, len(entries))
        if kind in _DICTS:
            return self._values(name, thing, [key for key, _ in entries])
        if is_record(kind) and not plain.is_registered(kind):
            return self._attributes(name, thing, kind, [key for key, _ in entries])
        raise Unreadable(kind.__name__)

    def _of_kind(self, name: str, thing: Any) -> str:
        kind: Any = type(thing)
        test = f"type({name}) is {self.constant(kind)}"
        if said := _SAID.get(kind):
            test += f" and {name}.{said} is {self.constant(getattr(thing, said))}"
        return test

    def _items(self, name: str, thing: Any, count: int) -> list[str]:
        self._unless(f"{self._of_kind(name, thing)} and len({name}) == {count}")
        parts = [self._name() for _ in range(count)]
        if parts:
            self.lines.append(f"{', '.join(parts)}, = {name}")
        return parts

    def _values(self, name: str, thing: Any, keys: Sequence[Any]) -> list[str]:
        kinds = [*map(kind_of_key, thing)]
        if None in kinds:
            raise Unreadable("a key that equals others: 1.0 and 1")
        order = self.constant(tuple(thing))
        alike = f"{{*map(type, {name})}} == TEXT"
        if {*kinds} - {str}:
            alike = f"[*map(kind_of_key, {name})] == {self.constant(kinds)}"
        of_kind = f"{self._of_kind(name, thing)} and len({name}) == {len(keys)}"
        texts = f"tuple({name}) == {order} and {alike}"
        self._unless(f"{of_kind} and (all(map(is_, {name}, {order})) or {texts})")
        return self._looked_up(name, keys)

    def _looked_up(self, name: str, keys: Sequence[Any]) -> list[str]:
        parts = [self._name() for _ in keys]
        for part, key in zip(parts, keys, strict=True):
            self.lines.append(f"{part} = {name}[{key!r}]")
        return parts

    def _attributes(
        self, name: str, thing: Any, kind: Any, names: Sequence[str]
    ) -> list[str]:
        held, slots = plain.attributes(thing)
        if kind.__getattribute__ is not object.__getattribute__ or (held and slots):
            raise Unreadable(kind.__name__)
        self._unless(self._of_kind(name, thing))
        if not slots:
            if not kind.__dictoffset__ or slots_of(kind):
                raise Unreadable(kind.__name__)
            inside, order = self._name(), self.constant(tuple(vars(thing)))
            self.lines.append(f"{inside} = {name}.__dict__")
            self._unless(f"tuple({inside}) == {order}")
            return self._looked_up(inside, names)
        if kind.__dictoffset__ or slots_of(kind) != set(names):
            raise Unreadable(kind.__name__)
        parts = [self._name() for _ in names]
        pairs = zip(parts, names, strict=True)
        gets = "; ".join(f"{part} = {name}.{attribute}" for part, attribute in pairs)
        self.lines += [f"try: {gets}", "except AttributeError: return MISS"]
        return parts

    # Leaves.

    def compare(self, keys: Sequence[LeafKey], aliases: Sequence[int]) -> None:
        """Look at the types of the leaves, and at which arrays are one."""
        checks, constants = [], dict[Any, str]()
        for (name, is_left_out), key in zip(self._leaves, keys, strict=True):
            if not key.check or (is_left_out and not key.is_array):
                continue
            if key.kind is not None and key.kind not in constants:
                constants[key.kind] = self.constant(key.kind)
            kind = "" if key.kind is None else constants[key.kind]
            checks.append(key.check.format(v=name, k=kind))
        checks += self._identities(keys, aliases)
        if checks:
            self._unless(" and ".join(checks))

    def _identities(self, keys: Sequence[LeafKey], aliases: Sequence[int]) -> list[str]:
        names = [name for name, _ in self._leaves]
        same = [f"{names[i]} is {names[a]}" for i, a in enumerate(aliases) if a != i]
        apart = [names[i] for i, a in enumerate(aliases) if a == i and keys[i].is_array]
        if len(apart) > _FEW:
            ids = ", ".join(f"id({name})" for name in apart)
            return [*same, f"len({{{ids}}}) == {len(apart)}"]
        return [*same, *(f"{a} is not {b}" for a, b in combinations(apart, 2))]

    def whole(self, keys: Sequence[LeafKey], bound: Any) -> str:
        """The text of the function."""
        pairs = list(zip(self._leaves, keys, strict=True))
        told = (
            key.key.format(v=name)
            for (name, is_left_out), key in pairs
            if key.key and (key.is_array or not is_left_out)
        )
        leaves = [key.passed.format(v=name) for (name, _), key in pairs]
        passed = containers.found_in(bound, self._lists)
        found = [self._nodes[id(thing)] for thing in passed]
        return _TEXT.format(
            lines="\n    ".join(self.lines) or "pass",
            key=f"({''.join(f'{part}, ' for part in told)})",
            leaves="".join(f"{name}, " for name in leaves),
            found="".join(f"{name}, " for name in found),
        )


def kind_of_key(key: Any) -> Any:
    """What tells a key of a dict from others that are equal to it; None: nothing.

    >>> kind_of_key("a"), kind_of_key((1, True)), kind_of_key(1.0)
    (<class 'str'>, (<class 'int'>, <class 'bool'>), None)
    """
    if type(key) is tuple:
        kinds = tuple(map(kind_of_key, key))
        return None if None in kinds else kinds
    return type(key) if type(key) in _KEYS else None


def is_named(kind: Any) -> bool:
    """True for a namedtuple that is gone through as a tuple is."""
    ways = kind.__iter__, kind.__len__
    return hasattr(kind, "_fields") and ways == (tuple.__iter__, tuple.__len__)


def slots_of(kind: type) -> set[str]:
    """The names of the slots of a class and its bases."""
    return {
        name
        for base in kind.__mro__
        for name, held in vars(base).items()
        if isinstance(held, MemberDescriptorType)
    }

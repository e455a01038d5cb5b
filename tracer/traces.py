"""traces: why each trace of a Function was needed, told from the earlier ones.

Two traces differ in the arguments that they were made for. The nearest earlier trace
is the one with the fewest differences, the latest among several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.spec import TensorSpec
from runtime.structs import field, struct
from tracer import tree
from tracer.leaves import a
from tracer.parameters import Parameters
from tracer.signature import Literal, Signature, in_words, leaf_names

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

MOST = 3  # differences told of one trace
FIRST = "the first call"
OUTSIDE = "what it changes outside is of another kind"


@struct
class TraceInfo:
    """One trace of a Function.

    signature: the arguments it was made for, `(x: float64[3], n: 3)`
    reason:    why it was needed, as what differs from an earlier trace
    since:     the number of that trace; None for the first one
    """

    function: str
    number: int
    signature: str
    reason: str
    since: int | None
    concrete: ConcreteFunction = field(repr=False)

    def __str__(self) -> str:
        since = "" if self.since is None else f" (trace {self.since})"
        return f"{self.number}. {self.signature}\n     {self.reason}{since}"


class Traces(list[TraceInfo]):
    """The traces of a Function, oldest first; shown as a text."""

    def __repr__(self) -> str:
        if not self:
            return "no traces"
        count = "1 trace" if len(self) == 1 else f"{len(self)} traces"
        return "\n".join(
            [f"{self[0].function}: {count}", *(f"  {row}" for row in self)]
        )


def traces(
    name: str, parameters: Parameters, concretes: Sequence[ConcreteFunction]
) -> Traces:
    """An entry for each trace, with its reason."""
    known = [known_of(parameters, concrete) for concrete in concretes]
    made = Traces()
    for number, concrete in enumerate(concretes, 1):
        why, since = reason(known[number - 1], known[: number - 1])
        text = concrete.describe_arguments()
        made.append(TraceInfo(name, number, text, why, since, concrete))
    return made


class Known:
    """A signature, parameter by parameter."""

    def __init__(
        self, parameters: Parameters, signature: Signature, outside: Sequence[str] = ()
    ) -> None:
        leaves = [
            _Leaf(spec, scalar)
            for spec, scalar in zip(signature.leaves, signature.scalars, strict=True)
        ]
        args, kwargs = tree.unflatten(signature.structure, leaves)
        self.aliases, self.wholes = signature.aliases, signature.wholes
        self.form = signature.form
        # What was read outside and has changed.
        self.outside = list(outside) or [OUTSIDE]
        self.names = leaf_names(parameters, signature)
        self.arguments = parameters.named(args, kwargs)


def known_of(parameters: Parameters, concrete: ConcreteFunction) -> Known:
    """That of a trace, with what had changed outside when it was made."""
    return Known(parameters, concrete.signature, concrete.changes_outside)


def reason(new: Known, earlier: Sequence[Known]) -> tuple[str, int | None]:
    """Why the trace was needed, and the number of the trace that it differs from."""
    best: list[str] | None = None
    since = None
    for number, old in enumerate(earlier, 1):
        found = differences(old, new)
        if best is None or len(found) <= len(best):
            best, since = found, number
    if best is None:
        return FIRST, None
    told = best[:MOST]
    if len(best) > MOST:
        told.append(f"and {len(best) - MOST} more")
    return "; ".join(told) or "an argument of another kind", since


def differences(old: Known, new: Known) -> list[str]:
    """What differs, one phrase for each part of an argument."""
    found: list[str] = []
    for name in dict.fromkeys((*old.arguments, *new.arguments)):
        if name not in old.arguments:
            found.append(f"argument `{name}` is new")
        elif name not in new.arguments:
            found.append(f"argument `{name}` is left out")
        else:
            found += _between(name, old.arguments[name], new.arguments[name])
    if not found and old.form != new.form:
        return new.outside
    return found or _aliases(old, new) or _parts(old, new)


def _between(path: str, old: Any, new: Any) -> list[str]:
    first, second = tree.parts(old), tree.parts(new)
    if first is None or second is None or type(old) is not type(new):
        before, after = _words(old), _words(new)
        if isinstance(old, _Leaf) and isinstance(new, _Leaf):
            if (old.kind, old.scalar) == (new.kind, new.scalar):
                return []
            before, after = _leaf_words(old, new)
        return [f"argument `{path}`: {before} -> {after}"]
    if list(first) != list(second):
        return [f"argument `{path}`: {_words(old)} -> {_words(new)}"]
    if isinstance(old, dict) and list(old) != list(new):
        return [f"argument `{path}`: {_words(old)} -> {_words(new)}"]
    return [
        text for way in first for text in _between(path + way, first[way], second[way])
    ]


def _aliases(old: Known, new: Known) -> list[str]:
    """Arrays that are passed twice, or no longer."""
    one, two = "one array passed twice", "two arrays"
    return [
        f"arguments `{new.names[min(now, before)]}` and `{new.names[i]}`: "
        + (f"{two} -> {one}" if now != i else f"{one} -> {two}")
        for i, (before, now) in enumerate(zip(old.aliases, new.aliases, strict=True))
        if before != now
    ]


def _parts(old: Known, new: Known) -> list[str]:
    """Arrays that overlap, or others than before."""
    return [
        f"arguments {' and '.join(f'`{new.names[i]}`' for i, _ in whole.parts)}: "
        "parts of one array"
        for whole in new.wholes
        if whole not in old.wholes
    ]


class _Leaf:
    """A leaf of the arguments, as a signature tells it from others."""

    def __init__(self, kind: TensorSpec | Literal, scalar: bool) -> None:
        self.kind = kind
        self.scalar = scalar

    def __repr__(self) -> str:
        if isinstance(self.kind, Literal) and self.kind.is_gone:
            return "an object that is gone"
        return in_words(self.kind)


def _leaf_words(old: _Leaf, new: _Leaf) -> tuple[str, str]:
    before, after = repr(old), repr(new)
    if before != after:
        return before, after
    if old.kind == new.kind:
        kinds = {True: f"a scalar {before}", False: f"an array {before}"}
        return kinds[old.scalar], kinds[new.scalar]
    if isinstance(old.kind, Literal) and isinstance(new.kind, Literal):
        first, second = type(old.kind.content), type(new.kind.content)
        if first is not second:
            return f"{before} ({first.__name__})", f"{after} ({second.__name__})"
    return before, f"another {after}"


def _words(thing: Any) -> str:
    parts = tree.parts(thing)
    if parts is None:
        return repr(thing)
    if isinstance(thing, dict):
        keys = ", ".join(map(repr, thing))
        return f"{a(thing)} of {keys}" if keys else f"an empty {type(thing).__name__}"
    if isinstance(thing, (list, tuple)) and not hasattr(thing, "_fields"):
        return f"{a(thing)} of {len(parts)}"
    return a(thing)

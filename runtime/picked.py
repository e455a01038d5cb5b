"""picked: a tensor that is one of several arrays, depending on data.

`z = x if c else y` makes z the very array x or y. A change of x is seen when z is read
again, and a change of z changes the one that it is.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from runtime.aliases import make_stale, stale_error
from runtime.build import Frame, building, require_current, want_references
from runtime.graph import Value
from runtime.library_spec import LibrarySpec
from runtime.ops import control, elementwise, world
from runtime.ops.kind import as_kind
from runtime.spec import TensorSpec

if TYPE_CHECKING:
    from runtime.tensor import Tensor

# What one side of a choice may be.
Side: TypeAlias = "Tensor | Pick | Own"

# The words of what stands for read-only views, among the arrays that a tensor may be.
LOCKED = "a read-only view"


class Own(enum.Enum):
    """An array that has no other name: its content is the tensor's own value.

    ELEMENT: it is no array but an element, where the number of dims is not known
    """

    WRITABLE = enum.auto()
    LOCKED = enum.auto()
    ELEMENT = enum.auto()


class Pick:
    """Which array a tensor is: `then` if `predicate` is true when it runs, or `orelse`.

    Each is a tensor, a Pick of more, or an Own.
    """

    __slots__ = ("_known", "_made", "_predicate", "_read_there", "_sides")

    def __init__(
        self,
        predicate: Tensor,
        then: Side,
        orelse: Side,
    ) -> None:
        self._predicate = predicate
        self._sides = (then, orelse)
        # The state in which `_made` is the value, if any.
        self._known: tuple[Value, ...] = ()
        self._made: Value | None = None
        # It lies in the array, and is not what was written into it.
        self._read_there = False

    @property
    def sides(self) -> tuple[Side, ...]:
        """What it is if the predicate is true, and if not."""
        return self._sides

    @property
    def predicate(self) -> Tensor:
        """The staged bool that says which one it is."""
        return self._predicate

    @property
    def made(self) -> Value | None:
        """The value that it was when it was last asked for."""
        return self._made

    def note(self, own: Value, read_there: bool = False) -> None:
        """`own` is the value, as long as none of the arrays changes.

        read_there: it lies in the array that it is
        """
        self._known, self._made = (own, *self.state()), own
        self._read_there = read_there

    def lies_there(self, made: Value) -> bool:
        """Whether `made`, the latest value, lies in the array that it is."""
        return self._made is made and self._read_there

    @property
    def is_read(self) -> bool:
        """Whether the value lies in the array that it is."""
        return self._read_there and not self._is_written()

    def _is_written(self) -> bool:
        """Whether a side has the value that was written by it last."""
        return any(
            side._is_written() if isinstance(side, Pick) else not side.is_read
            for side in self._sides
            if not isinstance(side, Own)
        )

    def forget(self) -> None:
        """Read the arrays again, in their own memory, when the value is asked for."""
        self._known = ()
        for side in self._sides:
            if isinstance(side, Pick):
                side.forget()
            elif not isinstance(side, Own):
                side.looked_up()

    def value(self, own: Value) -> Value:
        """The value now, of a tensor whose own value is `own`."""
        frame = require_current("an array")
        now = (own, *self.state())
        known, made = self._known, self._made
        same = len(known) == len(now) and all(map(_is, known, now))
        if same and made is not None and frame.sees(made):
            return made
        made = self._read(own)
        self._known, self._made = now, made
        self._read_there = not self._is_written()
        return made

    def state(self) -> tuple[Value, ...]:
        """What the value follows from: equal states are equal values."""
        found: list[Value] = []
        for side in self._sides:
            if isinstance(side, Pick):
                found += side.state()
            elif not isinstance(side, Own):
                root = side.root
                if require_current("an array").is_stale(root):
                    raise stale_error()
                found += (root._value, *(root._pick.state() if root._pick else ()))
        return tuple(found)

    def is_stale(self) -> bool:
        """True where one of the arrays may have been changed by another name."""
        frame = require_current("an array")
        return any(map(frame.is_stale, self.roots()))

    def unknown(self, sources: Sequence[Tensor]) -> list[Tensor]:
        """Those of `sources` that it may be without knowing when."""
        known = [one for root in self.roots() for one in possible(root)]
        # Which one is a read-only view is known, too.
        locked = require_current("an array").trace.marks.get(LOCKED)
        known += [] if locked is None else [locked]
        return [one for one in sources if not any(one is root for root in known)]

    def arrays(self) -> Iterator[Tensor]:
        """The arrays, and parts of arrays, that it may be."""
        for side in self._sides:
            if isinstance(side, Pick):
                yield from side.arrays()
            elif not isinstance(side, Own):
                yield side

    def roots(self) -> Iterator[Tensor]:
        """The arrays that it may be, or be a part of."""
        return (array.root for array in self.arrays())

    @property
    def may_be_locked(self) -> bool:
        """True where one of the arrays is a read-only view."""
        return any(map(_may_be_locked, self._sides))

    def locked(self) -> Tensor | bool:
        """Whether it is a read-only view: a staged bool, where that depends on data."""
        then, orelse = map(_locked, self._sides)
        if isinstance(then, bool) and isinstance(orelse, bool):
            if then is orelse:
                return then
            return self._predicate if then else elementwise.logical_not(self._predicate)
        here = elementwise.logical_and(self._predicate, then)
        there = elementwise.logical_not(self._predicate)
        return elementwise.logical_or(here, elementwise.logical_and(there, orelse))

    def require_writable(self, words: str, asked: Tensor | None = None) -> None:
        """Raise NumPy's ValueError in runs where it is a read-only view.

        asked: a staged bool, false where another array than this one is meant
        """
        if not self.may_be_locked:
            return
        for side, is_then in zip(self._sides, (True, False), strict=True):
            if side is Own.WRITABLE:
                continue
            here = self._predicate
            here = here if is_then else elementwise.logical_not(here)
            here = here if asked is None else elementwise.logical_and(here, asked)
            pick = _pick_of(side)
            if pick is not None:
                pick.require_writable(words, here)
            elif _may_be_locked(side):
                world.require_writable(here, words=words)

    def require_array(self, words: str, asked: Tensor | None = None) -> None:
        """Raise a TypeError of these words in runs where it is an element.

        asked: a staged bool, false where another array than this one is meant
        """
        for side, is_then in zip(self._sides, (True, False), strict=True):
            here = (
                self._predicate if is_then else elementwise.logical_not(self._predicate)
            )
            here = here if asked is None else elementwise.logical_and(here, asked)
            pick = _pick_of(side)
            if pick is not None:
                pick.require_array(words, here)
            elif side is Own.ELEMENT:
                here = elementwise.logical_not(here)
                world.require_array(here, words=words)

    def _read(self, own: Value) -> Value:
        then, orelse = (self._read_side(side, own) for side in self._sides)
        return select(self._predicate.value, then, orelse)

    @staticmethod
    def _read_side(side: Side, own: Value) -> Value:
        if isinstance(side, Pick):
            return side._read(own)
        return own if isinstance(side, Own) else side.value

    def write(self, value: Value, own: Value) -> None:
        """Change the array that it is to `value`; `own` is what the tensor has."""
        for side, is_then in zip(self._sides, (True, False), strict=True):
            if isinstance(side, Own):
                continue
            if not isinstance(side, Pick) and side.is_locked:
                continue  # the run has raised if it is this one
            before = self._read_side(side, own)
            both = (value, before) if is_then else (before, value)
            changed = select(self._predicate.value, *both)
            if isinstance(side, Pick):
                side.write(changed, own)
            else:
                side.write(_of_kind(changed, side.spec))


def _pick_of(side: Side) -> Pick | None:
    """Which array a side is, where that depends on more than which side it is."""
    if isinstance(side, (Pick, Own)):
        return side if isinstance(side, Pick) else None
    return None if side.is_locked else side.root._pick


def _may_be_locked(side: Side) -> bool:
    if isinstance(side, Own):
        return side is Own.LOCKED
    if (pick := _pick_of(side)) is not None:
        return pick.may_be_locked
    return not isinstance(side, Pick) and side.is_locked


def _locked(side: Side) -> Tensor | bool:
    if (pick := _pick_of(side)) is not None:
        return pick.locked()
    return _may_be_locked(side)


def _of_kind(changed: Value, spec: TensorSpec) -> Value:
    """An array's new content, which is of its dtype whatever the others are of."""
    if spec.kinds or spec.describes_kinds(changed.spec):
        return changed
    frame = require_current("an array")
    return frame.add(as_kind, (changed,), {"kind": (spec.dtype, spec.weak)}, ())[0]


def possible(tensor: Tensor) -> tuple[Tensor, ...]:
    """The arrays that a tensor, or what it is a view of, may be on some path."""
    found: dict[int, Tensor] = {}
    waiting = [tensor.root]
    while waiting:
        one = waiting.pop()
        if id(one) not in found:
            found[id(one)] = one
            waiting += one.sources
            waiting += [] if one._pick is None else one._pick.roots()
    return tuple(found.values())


def select(predicate: Value, then: Value, orelse: Value) -> Value:
    """One of two values: no copy of either."""
    outer = require_current("this choice")
    then, orelse = outer.use(then), outer.use(orelse)
    if then is orelse:
        return then
    return one_of(predicate, lambda: then, lambda: orelse)


def one_of(
    predicate: Value, then: Callable[[], Value], orelse: Callable[[], Value]
) -> Value:
    """What one of two functions gives, whose nodes are those of a branch."""
    outer = require_current("this choice")
    sides = (Frame("then", outer), Frame("orelse", outer))
    ends = []
    for side, made in zip(sides, (then, orelse), strict=True):
        with building(side):
            ends.append(side.use(made()))
    captures = list(dict.fromkeys([*sides[0].captures, *sides[1].captures]))
    graphs = tuple(
        side.close([end], captures) for side, end in zip(sides, ends, strict=True)
    )
    inputs = (outer.use(predicate), *captures)
    (found,) = outer.add(control.if_, inputs, {}, graphs)
    return found


def _is(a: Value, b: Value) -> bool:
    return a is b


def require_writable(target: Tensor, words: str) -> None:
    """Raise NumPy's ValueError for a read-only view, or in runs where it is one."""
    if target.is_locked:
        raise ValueError(f"{words} is read-only")
    root, trace = target.root, require_current("an array").trace
    pick = root._pick
    for array in (root, *(pick.roots() if pick else ())):
        if array.owner:
            # A path that raises before it writes asks that, too.
            trace.written[id(array)] = array
    if pick:
        pick.require_writable(words)
        return
    if root.spec.shape is None and root.sources:
        want_references()  # it may be an element, which is told by them alone
    locked = trace.marks.get(LOCKED)
    for source in root.sources:
        if source is locked:
            # NumPy asks this before all else: what is stored may not fit either.
            make_stale(source)


def require_array(
    target: Tensor, words: str = "return arrays must be of ArrayType"
) -> None:
    """Raise NumPy's TypeError, for `out=` say, in runs where it is no array."""
    if target.root._pick:
        target.root._pick.require_array(words)


def require_items(target: Tensor) -> None:
    """Raise Python's TypeError for a store in runs where it goes into an element."""
    pick, dtype = target._pick, target.spec.dtype
    if pick and dtype is not None:
        kind = dtype.type.__name__
        pick.require_array(f"'numpy.{kind}' object does not support item assignment")


def may_be_number(x: Tensor) -> bool:
    """Whether the run may find a number, where it could find an array as well."""
    spec = x._value.spec
    if x.scalar or spec.shape is not None or isinstance(spec, LibrarySpec):
        return False
    if x._pick is not None:
        return x._pick.sides[0] is Own.ELEMENT
    if x._view is not None:
        # `.T` of a number is one, and so may be what an object of a library gives.
        return x._view.key is None and may_be_number(x._view.base)
    return not x.sources or any(map(may_be_number, x.sources))

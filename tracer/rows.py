"""rows: lists in lists whose length depends on data, that stay the lists they are.

What an `append` puts into a list may be changed by another name for it. A graph holds
no objects, so such a list is a number in it: that of a row of a Region, whose rows are
one value of the graph (`runtime.ops.rows`). In the program it is a list object that
holds a Row; what is done to it is done to the region, whatever the name.

Which lists are rows is told by where they are made, before anything is in them. So a
trace that meets a list that should have been one (RowsWanted) is made once more.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import optree

from runtime import build
from runtime.location import user_frame
from runtime.ops.template import Input
from runtime.structs import replace, struct
from runtime.tensor import Tensor
from tracer import plain, tree
from tracer.choice import Stands
from tracer.unconverted import ForConverted

# Where a list is made: file, first line of the function, its name, line, instruction.
Site = tuple[str, int, str, int, int]
NOWHERE: frozenset[Site] = frozenset()
# Where a list was made, and where those in it or in another structure were.
Births = tuple[frozenset[Site], frozenset[Site]]
UNBORN: Births = (NOWHERE, NOWHERE)


class RowsWanted(build.OperatorsWanted):
    """The trace is made once more, with lists as rows. Not for users to catch.

    groups:  sites whose lists are rows of one region
    refused: what the trace without them ended with
    """

    def __init__(self, *groups: Iterable[Site], refused: Any = None) -> None:
        super().__init__()
        self.refused = refused
        self.groups = tuple(map(frozenset, groups))


@struct
class Plan:
    """Which lists are rows: for each region the sites where its rows are made."""

    regions: tuple[frozenset[Site], ...] = ()

    def with_groups(self, groups: Iterable[frozenset[Site]]) -> Plan:
        """The plan with the sites of each group in one region."""
        found = list(self.regions)
        for group in groups:
            touched = [sites for sites in found if sites & group]
            found = [sites for sites in found if not sites & group]
            found.append(group.union(*touched))
        return replace(self, regions=tuple(found))


class Region:
    """The lists that are made at some sites; `held` holds their rows, a StagedList.

    given: the lists of lists among the arguments that its first rows are, as values
    first: what it held then
    """

    __slots__ = ("first", "given", "held", "sites")

    def __init__(self, sites: frozenset[Site]) -> None:
        self.sites = sites
        self.held: list[Any] = []
        self.given: list[Tensor] = []
        self.first: Any = None

    @property
    def is_changed(self) -> bool:
        """Whether it may hold something else than the lists that were given."""
        return self.held[0] is not self.first

    def forget(self) -> None:
        """Let go of the tensors of the trace."""
        self.held.clear()
        self.given.clear()
        self.first = None


class Row(ForConverted):
    """Stands in a list for all that it holds: the row `number` of a region."""

    __slots__ = ("number", "region")
    __hash__ = object.__hash__

    def __init__(self, region: Region, number: Any) -> None:
        build.note_standing()
        self.region = region
        self.number = number

    __reduce_ex__ = __deepcopy__ = ForConverted.refuse

    def __repr__(self) -> str:
        return "list"


@struct
class Numbered:
    """The place of a row in a template, by its number."""

    region: Region
    number: Input


def row_in(thing: Any) -> Row | None:
    """What a list that is a row holds; None for anything else."""
    if type(thing) is list and len(thing) == 1 and type(thing[0]) is Row:
        return thing[0]
    return None


def is_row(thing: Any) -> bool:
    """True for a list that is a row."""
    return row_in(thing) is not None


def is_one(a: Any, b: Any) -> Any:
    """Whether two names are one list, of which one is a row; None where none is."""
    one, other = row_in(a), row_in(b)
    if one is None and other is None:
        return None
    if one is None or other is None or one.region is not other.region:
        return False
    return one.number == other.number


def site_given(leaf: int) -> Site:
    """What stands for where lists were made that are passed, in the leaf `leaf`."""
    return "", 0, "", 0, leaf


def known() -> Rows | None:
    """The rows of the present trace, if lists are rows in it."""
    rows = _of_trace()
    return rows if rows is not None and rows.plan is not None else None


def _of_trace() -> Rows | None:
    frame = build.current()
    return None if frame is None else frame.trace.rows


class Rows:
    """The regions of a trace, and where its lists were made.

    plan:    None where no list is a row
    refused: it was tried with rows, and could not be traced so
    births:  by the id of a list, which `trace.created` keeps alive
    """

    def __init__(self, plan: Plan | None, refused: bool = False) -> None:
        self.plan = plan
        self.refused = refused
        # A list was met that may be refused for not being a row.
        self.would_help = False
        self.regions = [Region(sites) for sites in plan.regions] if plan else []
        self.births: dict[int, frozenset[Site]] = {}
        # What the trace leaves is being looked at, and made of the rows once.
        self.leaving = False
        self.made: dict[Any, Sequence[Tensor]] = {}

    def region_at(self, site: Site) -> Region | None:
        """The region of the lists that are made there."""
        return next((one for one in self.regions if site in one.sites), None)

    def given_changed(self) -> list[Region]:
        """The regions of a caller's lists, where they may hold something else now."""
        return [one for one in self.regions if one.given and one.is_changed]

    def note(self, whole: Any, births: Births) -> None:
        """Note where what has become a list, and the lists in it, was made."""
        own, inside = births
        if type(whole) is list and own:
            self.births[id(whole)] = own
        for thing in lists_in(whole) if inside else ():
            self.births[id(thing)] = inside

    def births_of(self, whole: Any) -> Births:
        """Where a list was made, and where the lists in a nested structure were."""
        found = (self.births.get(id(thing), NOWHERE) for thing in lists_in(whole))
        return self.births.get(id(whole), NOWHERE), NOWHERE.union(*found)

    def require(self, items: Iterable[Any]) -> None:
        """See that all lists in items of a list are rows. RowsWanted: they are not."""
        found = (thing for item in items for thing in lists_in((item,)))
        groups = [self.births.get(id(thing), NOWHERE) for thing in found]
        wanted = [group for group in groups if group]
        if wanted:
            raise RowsWanted(*wanted)

    def see(self, refused: Exception) -> None:
        """Look at how a trace has ended. RowsWanted: with rows it may end otherwise."""
        if self.would_help and self.plan is None and not self.refused:
            raise RowsWanted(refused=refused) from None

    def forget(self) -> None:
        """Let go of the tensors of the trace."""
        for region in self.regions:
            region.forget()
        self.births.clear()
        self.made.clear()


def site_here() -> Site | None:
    """Where the user's code is that runs now."""
    frame = user_frame(sys._getframe(1))
    if frame is None:
        return None
    code = frame.f_code
    first = code.co_firstlineno
    return code.co_filename, first, code.co_name, frame.f_lineno, frame.f_lasti


def lists_in(whole: Any) -> Iterator[Any]:
    """The lists in a nested structure that are no rows, but those in lists in it."""
    created = build.require_current("a list").trace.created
    waiting, seen = list(_inside(whole, created)), set[int]()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or row_in(thing) is not None:
            continue
        seen.add(id(thing))
        if type(thing) is list:
            yield thing
        else:
            waiting += _inside(thing, created)


def _inside(thing: Any, created: Any) -> Sequence[Any]:
    hidden = plain.is_plain(type(thing)) and id(thing) not in created
    return () if hidden else tree.inside(thing) or ()


def note_lists(item: Any) -> None:
    """Note that an item has no type for the lists in it, of lengths that data tell.

    RowsWanted: as rows they have one.
    """
    if any(isinstance(part, Stands) for one in lists_in([item]) for part in one):
        want_rows()


def want_row(thing: Any) -> None:
    """Before what is done with a list is refused: try it with the list as a row."""
    rows = _of_trace()
    if rows is not None and type(thing) is list:
        rows.would_help = True
        if rows.plan is not None:
            rows.require([thing])


def note_refusal() -> None:
    """Note that what a list gets is refused, which as rows may not be."""
    rows = _of_trace()
    if rows is not None:
        rows.would_help = True


def want_alike(items: Iterable[Any]) -> None:
    """Try it with rows where items have no type in common since they are lists."""
    if (rows := known()) is not None:
        rows.require(items)
    elif any(type(item) is list for item in items):
        want_rows()


def see_names(item: Any) -> None:
    """See to lists in what is put into a list, and may have another name.

    RowsWanted: only as a row is one of them the list that the others are.
    """
    frame = build.current()
    if frame is None or frame.trace.rows is None or frame.trace.rows.plan is not None:
        return
    created, frozen = frame.trace.created, frame.trace.frozen
    for thing in lists_in((item,)):
        made = created.get(id(thing))
        if id(thing) in frozen or (made is not None and made[1] is not frame):
            want_rows()


def want_rows() -> None:
    """Try it with rows: as choices, lists of many lengths in lists take long."""
    rows = _of_trace()
    if rows is not None:
        rows.would_help = True
        if rows.plan is None and not rows.refused:
            raise RowsWanted


def like_rows(a: Any, b: Any, births: tuple[Births, Births] = (UNBORN, UNBORN)) -> None:
    """See that lists at one place in two structures are rows alike.

    births: for each of the two where its lists were made, of those that do not tell
    RowsWanted: one is a row and the other is not, or one of another region.
    """
    one, other = row_in(a), row_in(b)
    if one is not None and other is not None:
        if one.region is not other.region:
            raise RowsWanted(one.region.sites | other.region.sites)
        return
    if type(a) is list and type(b) is list and not one is other is None:
        rows = known()
        second = one is not None
        row, thing, (own, _) = (one, b, births[1]) if second else (other, a, births[0])
        made = (rows.births.get(id(thing)) if rows else None) or own
        if row is not None and made:
            raise RowsWanted(row.region.sites | made)
        return
    if type(a) is type(b):
        pairs = zip(tree.children(a) or (), tree.children(b) or (), strict=False)
        # What is inside is now what is looked at itself.
        (_, mine), (_, others) = births
        for x, y in pairs:
            like_rows(x, y, ((mine, mine), (others, others)))


def _split(row: Row) -> tuple[tuple[Any, ...], Region]:
    return (row.number,), row.region


def _join(region: Region, parts: Iterable[Any]) -> Any:
    (number,) = parts
    if isinstance(number, Input):
        return Numbered(region, number)
    return number if isinstance(number, tree.Word) else Row(region, number)


_register: Any = optree.register_pytree_node  # its types say collections only
_register(Row, _split, _join, namespace=plain.NAMESPACE)
plain.ours.add(Row)

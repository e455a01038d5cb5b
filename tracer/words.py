"""words: what is said where two paths leave what no graph can hold as one thing."""

from __future__ import annotations

from runtime.errors import StagingTypeError, with_notes
from runtime.location import Location, here
from runtime.structs import struct
from tracer import contents
from tracer.assignments import assignments
from tracer.contents import Held


@struct(eq=False)
class Words:
    """How an error names the two sides of a join, and how to mend it.

    alternative: what else can be done about a name
    """

    first: str
    second: str
    remedy: str
    alternative: str = "."


IF_WORDS = Words(
    "after the main branch of this if",
    "after the else branch",
    "A graph needs one kind of value for {name}: make both branches give the same",
    ", or use another name in one of them.",
)
LOOP_WORDS = Words(
    "before this loop",
    "after one iteration",
    "A graph needs one kind of value for {name} in a loop: make both the same",
    ", or use another name inside.",
)
RECURSION_WORDS = Words(
    "where the recursion ends",
    "one level further out",
    "A graph needs one kind of value for {name} at every level: make them the same",
)
EXPRESSION_WORDS = Words(
    "in the first case of this expression",
    "in the other case",
    "A graph needs one kind of value here: make both cases give the same",
)


def cannot_join(
    name: str, first: Held, second: Held, words: Words, place: Location | None = None
) -> StagingTypeError:
    """The error for a place that holds two kinds of things on two paths.

    place: where it is said to be, if not at the user's current line
    """
    shown = f"`{name}`" if name.isidentifier() else name
    remedy = words.remedy.format(name=shown)
    remedy += words.alternative if name.isidentifier() else "."
    place = place or here()
    error = with_notes(
        StagingTypeError(
            f"{shown} is {contents.describe(first)} {words.first}, "
            f"but {contents.describe(second)} {words.second}"
        ),
        place,
    )
    for note in (*assignments(name, place), remedy):
        error.add_note(f"  {note}")
    return error

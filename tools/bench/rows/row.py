"""row: one line of the table: a program in NumPy, and what it is given.

A peer takes the program as it is, with its own module under the name `np`, and its own
idiom where the row has one. The files of rows are loaded once for each peer, so that
all functions in them see that `np`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Program = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Row:
    """What is measured.

    name:    how the table calls it
    program: the program, plain Python on NumPy
    sizes:   what a size is called -> makes the arguments
    idioms:  peer -> the name of its own program in the same file
    without: peer -> why it has no program
    digits:  of the results that must be the same
    fresh:   the program makes what is measured, given the peer's language
    """

    name: str
    program: Program
    sizes: Mapping[str, Callable[[], tuple[Any, ...]]]
    idioms: Mapping[str, str] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)
    digits: int = 5
    fresh: bool = False

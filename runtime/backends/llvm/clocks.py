"""clocks: the functions of `time` that tell a time, asked of the C library.

Nobody can tell whether a clock was asked twice, so a test of a loop may be begun anew;
what stands before is done before.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from runtime.backends.numpy.program import Step

if TYPE_CHECKING:
    from runtime.backends.llvm.helpers import Helper

# By the function: what CPython calls its clock, and whether it is told in seconds.
CLOCKS: dict[Any, tuple[str, bool]] = {
    getattr(time, name + end): (name, not end)
    for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time")
    for end in ("", "_ns")
    if hasattr(time, name + end)
}
# As CPython does it: whole seconds are divided as ints.
_TOLD = """\
  %told = alloca [2 x i64]
  %c = call i32 @m_clock_gettime(i32 NUMBER, ptr %told)
  %seconds = load i64, ptr %told
  %part_at = getelementptr i8, ptr %told, i64 8
  %part = load i64, ptr %part_at
  %large = mul i64 %seconds, 1000000000
  %all = add i64 %large, %part
"""
_IN_NANOSECONDS = "  ret i64 %all\n"
_IN_SECONDS = """\
  %is_whole = icmp eq i64 %part, 0
  %whole = sitofp i64 %seconds to double
  %nanoseconds = sitofp i64 %all to double
  %exact = fdiv double %nanoseconds, 1.0e9
  %found = select i1 %is_whole, double %whole, double %exact
  ret double %found
"""
_DECLARED = (("m_clock_gettime", "declare i32 @m_clock_gettime(i32, ptr)"),)


def is_clock(step: Step) -> bool:
    """Whether a step only asks for the time."""
    known = step.node.attributes
    if step.node.op.name != "host_call" or known["args"] or known["kwargs"]:
        return False
    return _named(known["function"]) is not None


def word_of(step: Step) -> str:
    """The name of the helper that tells the time of a step."""
    found = _named(step.node.attributes["function"])
    assert found is not None
    number, is_in_seconds = found
    return f"clock.{number}.{'seconds' if is_in_seconds else 'nanoseconds'}"


def _named(function: Any) -> tuple[int, bool] | None:
    try:
        name, is_in_seconds = CLOCKS[function]
    except (KeyError, TypeError):
        return None
    number = number_of(name)
    return None if number is None else (number, is_in_seconds)


@cache
def number_of(name: str) -> int | None:
    """The number of the C library's clock that Python asks; None: it asks another."""
    told: Any = time.get_clock_info
    found = re.fullmatch(r"clock_gettime\((CLOCK_\w+)\)", told(name).implementation)
    return None if found is None else getattr(time, found[1], None)


def clock_text(make: Callable[..., Helper], number: str, told: str) -> Helper:
    """The function that asks a clock of this number."""
    end = _IN_SECONDS if told == "seconds" else _IN_NANOSECONDS
    gives = "double" if told == "seconds" else "i64"
    return make({}, gives, _TOLD.replace("NUMBER", number) + end, declared=_DECLARED)

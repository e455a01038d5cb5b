"""log: what is converted, what is left alone and why, on the topic `convert`."""

from __future__ import annotations

import os.path
import time
import types
from typing import Any

from runtime.config import config
from runtime.location import is_internal
from runtime.spans import ended
from tracer.log import place_of


def named(function: Any) -> str:
    """A function's name, with its file and line where it has them."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", type(function).__name__)
    if not isinstance(code, types.CodeType):
        return name
    return f"{name} ({os.path.basename(code.co_filename)}:{code.co_firstlineno})"


def converted(function: Any, start: float) -> None:
    """The conversion of a function, begun at `start`, is done."""
    ended("convert", function.__qualname__, place_of(function.__code__), start)
    if log := config.logger("convert"):
        took = (time.perf_counter() - start) * 1e3
        log.info("converted %s in %.1f ms", named(function), took)


def left_alone(function: Any, why: str) -> None:
    """A function of the user's or of a library is called as it is."""
    log = config.logger("convert")
    if log and not is_internal(function.__code__.co_filename):
        module = function.__module__ or "<no module>"
        log.info("left alone %s.%s: %s", module, named(function), why)

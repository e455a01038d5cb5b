"""settings: what a user may switch, what it may be, and how the environment says it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from runtime import workers
from runtime.folders import usual_cache
from runtime.structs import struct

TOPICS = ("convert", "retrace", "cache", "exec")


def _switch(name: str) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError(f"`{name}` must be True or False, not {value!r}")
        return value

    return check


def _tracebacks(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f'`tracebacks` must be "short" or "full", not {value!r}')
    if value not in ("short", "full"):
        raise ValueError(f'`tracebacks` must be "short" or "full", not {value!r}')
    return value


def _backend(value: Any) -> str:
    known = '`backend` must be "auto", "native" or "numpy", not'
    if not isinstance(value, str):
        raise TypeError(f"{known} {value!r}")
    if value not in ("auto", "native", "numpy"):
        raise ValueError(f"{known} {value!r}")
    return value


def _traces(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"`traces` must be a number of traces, not {value!r}")
    if value < 1:
        raise ValueError(f"`traces` must be 1 or more, not {value!r}")
    return value


def _threads(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"`num_threads` must be a number of threads, not {value!r}")
    if value < 1:
        raise ValueError(f"`num_threads` must be 1 or more, not {value!r}")
    return value


def _log(value: Any) -> frozenset[str]:
    """A set of topics, from a text with commas or from several texts."""
    parts = value.split(",") if isinstance(value, str) else value or ()
    if not isinstance(parts, Iterable) or isinstance(parts, (Mapping, bytes)):
        raise TypeError(f'`log` must name topics, as "retrace,cache", not {value!r}')
    topics = [part.strip() if isinstance(part, str) else part for part in parts]
    for topic in topics:
        if not isinstance(topic, str):
            raise TypeError(f"`log` must hold names of topics, not {topic!r}")
        if topic and topic not in TOPICS:
            raise ValueError(
                f"`log` knows the topics {', '.join(TOPICS)}, but not {topic!r}"
            )
    return frozenset(filter(None, topics))


def _cache_dir(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"`cache_dir` must be a folder or None, not {value!r}")
    path = os.fspath(value)
    if not isinstance(path, str) or not path:
        raise ValueError(f"`cache_dir` must be a folder or None, not {value!r}")
    return os.path.abspath(os.path.expanduser(path))


def _folder(name: str, text: str) -> str | None:
    """A variable of the environment that names a folder, or none."""
    return None if text.lower() == "off" else text


def _flag(name: str, text: str) -> bool:
    """A variable of the environment that is on or off."""
    known = {"1": True, "true": True, "0": False, "false": False}
    if text.lower() not in known:
        raise ValueError(f"{name} must be 1 or 0, not {text!r}")
    return known[text.lower()]


def _number(name: str, text: str) -> int:
    """A variable of the environment that is a number."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, not {text!r}") from None


def _text(name: str, text: str) -> str:
    return text


@struct
class Setting:
    """What a setting may be, and how the environment says it.

    check: gives the value as it is kept, or raises TypeError or ValueError
    read:  the value in the text of its environment variable
    """

    check: Callable[[Any], Any]
    default: Any
    variable: str
    read: Callable[[str, str], Any]


SETTINGS = {
    "eager": Setting(_switch("eager"), False, "AUTOGRAPH_EAGER", _flag),
    "strict": Setting(_switch("strict"), False, "AUTOGRAPH_STRICT", _flag),
    "tracebacks": Setting(_tracebacks, "short", "AUTOGRAPH_TRACEBACKS", _text),
    "traces": Setting(_traces, 200, "AUTOGRAPH_TRACES", _number),
    "backend": Setting(_backend, "auto", "AUTOGRAPH_BACKEND", _text),
    "precise": Setting(_switch("precise"), True, "AUTOGRAPH_PRECISE", _flag),
    "num_threads": Setting(
        _threads, workers.available(), "AUTOGRAPH_NUM_THREADS", _number
    ),
    "log": Setting(_log, frozenset(), "AUTOGRAPH_LOG", _text),
    "cache_dir": Setting(
        _cache_dir, usual_cache(os.environ), "AUTOGRAPH_CACHE_DIR", _folder
    ),
}

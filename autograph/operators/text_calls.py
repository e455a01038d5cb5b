"""Functions of the library that get a text of the run: called by each run.

TEXTS says what each gives, by the names of its module and its own, so that no module is
imported for it. One of these modules that is not there gives what no graph can hold, as
a match or a parsed document, and is refused in the user's words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators.fstring import staged
from autograph.operators.library_calls import refuse
from runtime.objects import BYTES, TEXT, Result
from runtime.ops.basic import WEAK_BOOL, WEAK_INT
from runtime.spec import ListSpec
from tracer import tree

LINES = ListSpec(TEXT)
TEXTS: dict[str, dict[str, Result]] = {
    "re": {"sub": TEXT, "escape": TEXT, "split": LINES, "findall": LINES},
    "textwrap": {
        **dict.fromkeys(("fill", "dedent", "indent", "shorten"), TEXT),
        "wrap": LINES,
    },
    "string": {"capwords": TEXT},
    "html": dict.fromkeys(("escape", "unescape"), TEXT),
    "json": {"dumps": TEXT},
    "shlex": {"quote": TEXT, "split": LINES},
    "urllib.parse": dict.fromkeys(
        ("quote", "quote_plus", "unquote", "unquote_plus", "urljoin"), TEXT
    ),
    "unicodedata": {"normalize": TEXT, "name": TEXT, "category": TEXT},
    "posixpath": {
        **dict.fromkeys(("join", "basename", "dirname", "normpath"), TEXT),
        "splitext": (TEXT, TEXT),
        "isabs": WEAK_BOOL,
    },
    "base64": dict.fromkeys(("b64encode", "b64decode", "b16encode"), BYTES),
    "binascii": {"hexlify": BYTES, "unhexlify": BYTES, "crc32": WEAK_INT},
    "zlib": {"crc32": WEAK_INT, "adler32": WEAK_INT},
    "ast": {},
    "difflib": {},
}


def call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What a call becomes that gets a text of the run; None where it is as it is."""
    owner = getattr(function, "__self__", None)
    pattern = owner if isinstance(owner, re.Pattern) else None
    found = TEXTS.get("re" if pattern else getattr(function, "__module__", None) or "")
    if found is None or not tree.holds_tensor((args, kwargs)):
        return None
    result = found.get(getattr(function, "__name__", ""))
    called_back = any(map(callable, args))
    if result is None or called_back or _gives_tuples(function, pattern, args):
        refuse(function)
    return partial(staged, function, result)


def _gives_tuples(function: Any, pattern: re.Pattern[Any] | None, args: Any) -> bool:
    """True for what gives more than a text for each match, or a text or None."""
    if function.__name__ not in ("findall", "split"):
        return False
    if function.__module__ == "shlex":
        return False
    if pattern is None:
        pattern = re.compile(args[0]) if args and isinstance(args[0], str) else None
    return pattern is None or pattern.groups > (function.__name__ == "findall")

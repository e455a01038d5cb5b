"""sources: which of our own sources there are, as what is kept depends on them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from runtime import start_up


def sources_in(home: str, folders: Iterable[str]) -> list[tuple[str, int, int]]:
    """The sources in these folders of `home`: names, sizes, when they were written.

    Empty where that cannot be told, or one was written since the process began, which
    may be another text than what runs.
    """
    found = []
    try:
        for folder in folders:
            with os.scandir(os.path.join(home, folder)) as entries:
                sources = [one for one in entries if one.name.endswith(".py")]
            for one in sorted(sources, key=lambda one: one.name):
                at = one.stat()
                found.append((one.name, at.st_size, at.st_mtime_ns))
    except OSError:
        return []
    is_new = max((at for *_, at in found), default=0) >= start_up.BEGUN
    return [] if is_new else found

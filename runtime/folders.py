"""folders: where this user's programs keep what they can make again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def usual_cache(environment: Mapping[str, str]) -> str | None:
    """The folder for what is cached; None where the user has no home."""
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    elif sys.platform == "win32":
        local = os.path.join(home, "AppData", "Local")
        base = environment.get("LOCALAPPDATA") or local
    else:
        base = environment.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "autograph") if os.path.isabs(base) else None

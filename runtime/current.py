"""current: the frame under construction, which each call of a Function asks for."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime.build import Frame


class _State(threading.local):
    frame: Frame | None = None


STATE = _State()


def current() -> Frame | None:
    """The innermost frame under construction in this thread, or None."""
    return STATE.frame

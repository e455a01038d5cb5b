"""in_vain: looks that have found nothing again and again are made ever more seldom.

To look takes a hundred times as long as a short call. What is left out is only made
as Python, which is right whatever a look would have found.
"""

from __future__ import annotations

# Looks in vain in a row before any is left out, and how many are at most for one that
# is made: twice as many after each.
FIRST, MOST = 8, 64


class InVain:
    """Looks in a row that have found nothing, and those to be left out by now."""

    __slots__ = ("_left", "_looks")

    def __init__(self) -> None:
        self._looks = self._left = 0

    def leaves_out(self) -> bool:
        """Whether the next look is left out; it is then one less that is.

        >>> InVain().leaves_out()
        False
        """
        if not self._left:
            return False
        self._left -= 1
        return True

    def note(self, found: bool) -> None:
        """A look has found something, or nothing once more."""
        self._looks = 0 if found else self._looks + 1
        over = self._looks - FIRST
        self._left = min(2 ** min(over, MOST), MOST) if over >= 0 else 0

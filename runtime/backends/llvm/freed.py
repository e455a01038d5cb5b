"""freed: have the C library keep the memory of large arrays that come and go.

glibc maps each array from 128 KB on anew, and the system gives it pages one by one as
they are written first. Once a larger one was freed it does that no more for arrays up
to its size, and keeps twice as much free memory: so programs learn what comes and goes.
Here it learns that at once, of the largest size that it learns anything of.
"""

from __future__ import annotations

import functools
import sys

import numpy as np

# 32 MB, with what glibc adds.
_LARGEST = 2**25 - 2**13


@functools.cache
def keep() -> None:
    """Make and drop an array that is never written. A setting of the user's stays."""
    if sys.platform == "linux":
        np.empty(_LARGEST, np.uint8)

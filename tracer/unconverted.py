"""unconverted: what stands for a list or dict of data's, met by code as it is."""

from __future__ import annotations

from typing import Any, NoReturn

from runtime.errors import PythonTypeError, located
from tracer.choice import Stands


class ForConverted(Stands):
    """Stands for such a list; only the operators of converted code can use it.

    _ag_words: what it stands for
    """

    __slots__ = ()
    _ag_words = "a list whose length depends on data"

    def refuse(self, *_: Any) -> NoReturn:
        """Refuse a use of it that no operator of converted code has seen."""
        raise located(
            PythonTypeError(f"{self._ag_words} is used by code that is not converted"),
            "Make an array of it first (`np.array(x)`), or return it.",
        )

    __len__ = __iter__ = __getitem__ = __contains__ = __bool__ = refuse
    __eq__ = __add__ = __radd__ = __mul__ = __rmul__ = __array__ = refuse
    __sub__ = __rsub__ = __or__ = __ror__ = __and__ = __rand__ = refuse
    __lt__ = __le__ = __gt__ = __ge__ = __float__ = __index__ = refuse

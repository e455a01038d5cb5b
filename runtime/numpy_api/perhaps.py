"""Perhaps: results that are views of their argument, or copies, as the run finds.

`x.reshape(-1)` and `np.ascontiguousarray(x)` ask how x lies in memory, which depends on
the sizes, or on which of several arrays it is.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime import build
from runtime.aliases import note_aliases
from runtime.ops.placeholder import placeholder
from runtime.ops.places import apart, is_reshaped
from runtime.picked import Pick, one_of, possible
from runtime.places import NoPlacesError, places
from runtime.tensor import Tensor


def perhaps(
    base: Tensor, made: Tensor, here: Callable[[], Tensor], ravels: bool
) -> Tensor:
    """`made`, which is `here()` where NumPy reshapes `base` to it without a copy.

    ravels: what is not in one piece is copied even where strides would do
    """
    trace = build.require_current("an array").trace
    try:
        if not trace.references or any(map(_lies_anyhow, possible(base))):
            raise NoPlacesError
        lies = places(base, lambda _: None)
    except NoPlacesError:
        trace.may_refer = True
        made.sources = possible(base)
        return note_aliases(made)
    is_view = is_reshaped(lies, made, ravels=ravels)
    # Of its own it has other memory than the array, for all who change one of them.
    copy = one_of(
        is_view.value,
        lambda: placeholder(spec=made.spec).value,
        lambda: apart(made, base).value,
    )
    made._pick = Pick(is_view, here(), Tensor(copy, scalar=False))
    made._pick.note(made._value)
    return made


def _lies_anyhow(one: Tensor) -> bool:
    """True for an array that does not lie in C order, or may not, in one piece."""
    return one.layout is not None or (one._pick is None and bool(one.sources))

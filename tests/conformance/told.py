"""All that a call does, with what it warns of and at which line, on each backend."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograph as ag
from tests.conformance.harness import bits
from tests.conformance.laid import copies

BACKENDS = ("numpy", "native", "auto")


def told(function: Callable[..., Any], arguments: Sequence[Any]) -> dict[str, Any]:
    """What a call gives or raises, warns of, and leaves in its arguments."""
    own = copies(tuple(arguments))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            done = ("gave", shown(function(*own)))
        except Exception as error:  # of any class: it is compared
            done = ("raised", f"{type(error).__name__}: {error}")
    warned = [(one.category.__name__, str(one.message), one.lineno) for one in found]
    return {"done": done, "warned": warned, "left": shown(own)}


def shown(value: Any) -> Any:
    """A value with its types, and its numbers with their signs: of NaNs, too."""
    if isinstance(value, (tuple, list)):
        return type(value), [shown(part) for part in value]
    if isinstance(value, (np.ndarray, np.generic, float)):
        return type(value), bits(value), np.signbit(value).tolist()
    return type(value), value


def agreeing(function: Callable[..., Any], backend: str, *calls: Sequence[Any]) -> Any:
    """The decorated function, which has done in each of the calls what Python does."""
    with ag.config(backend=backend):
        staged = ag.function(function)
        for arguments in (*calls, *calls):
            assert told(staged, arguments) == told(function, arguments)
    return staged

"""excess: one warning where a Function is traced again and again for one argument."""

from __future__ import annotations

import itertools
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from runtime.location import here
from runtime.spec import TensorSpec
from tracer.parameters import Parameters
from tracer.signature import Literal, leaf_names
from tracer.traces import differences, known_of

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# The traces that are looked at.
LAST = 10


def warn(
    name: str, parameters: Parameters, concretes: Sequence[ConcreteFunction]
) -> None:
    """Name the argument that most of the last traces were made for, and the cure."""
    known = [known_of(parameters, concrete) for concrete in concretes[-LAST - 1 :]]
    # Each instance has traces of its own.
    is_method = "." in parameters.qualname.rpartition("<locals>.")[2]
    own = parameters.positional[: int(is_method) or parameters.instance]
    culprits: Counter[str] = Counter()
    words = {}
    for old, new in itertools.pairwise(known):
        for text in differences(old, new):
            if not text.startswith("argument "):
                continue
            _, argument, *rest = text.split("`")
            if argument in own:
                continue
            culprits[argument] += 1
            words[argument] = "`".join(rest)
    if not culprits:
        return
    argument, count = culprits.most_common(1)[0]
    if count < LAST // 2:
        return
    at = here()
    warnings.warn_explicit(
        f"{name}() has been traced {len(concretes)} times, the last ones for its "
        f"argument `{argument}`{words[argument]}. Each trace costs time and memory, so "
        "calls of a new kind are run as Python until they come again. "
        + _cure(concretes[-1], argument),
        RuntimeWarning,
        at.filename if at else name,
        at.line if at else 0,
    )


def _cure(concrete: ConcreteFunction, argument: str) -> str:
    leaf = _leaf(concrete, argument)
    for kind, cure in _CURES:
        if isinstance(leaf, kind):
            return cure.format(name=argument.partition("[")[0].partition(".")[0])
    return "Pass one object, or numbers and arrays in place of objects."


def _leaf(concrete: ConcreteFunction, argument: str) -> Any:
    signature = concrete.signature
    names = leaf_names(concrete.parameters, signature)
    found = dict(zip(names, signature.leaves, strict=True)).get(argument, ())
    return found.content if isinstance(found, Literal) else found


_CURES: tuple[tuple[Any, str], ...] = (
    (
        TensorSpec,
        "Give an input_signature, which may have unknown sizes, for `{name}`.",
    ),
    (
        (int, float),
        "Pass an array or a NumPy scalar for `{name}`, which is an input always.",
    ),
    ((str, bytes), "Pass few texts for `{name}`, or decorate what it does not reach."),
    ((tuple, list), "Pass an array for `{name}`, or lists of one length."),
)

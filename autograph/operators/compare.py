"""compare, in_, not_in: what converted comparison chains and memberships call."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.operators import compared_by_c, consumers, list_compare
from autograph.operators.fstring import staged
from autograph.operators.iterators import require_here
from autograph.operators.lists import LISTS
from autograph.operators.logical import and_, not_
from autograph.operators.number_calls import type_
from autograph.operators.objects import COMPARISONS
from autograph.operators.registry import (
    Staging,
    staging_of,
    staging_of_any,
    staging_of_key,
)
from autograph.operators.sequences import compared
from autograph.operators.slots import call, slot
from runtime import build, kinds, objects
from runtime.errors import PythonTypeError, StagingTypeError, located
from runtime.graph import Node
from runtime.ops import world
from runtime.ops.basic import WEAK_BOOL
from runtime.picked import Own, Side, possible
from runtime.spec import OBJECT_TYPES, PYTHON_NUMBERS, object_type
from runtime.tensor import Tensor
from tracer import captures, tree
from tracer.caught import TypeOfCaught, is_same
from tracer.choice import Choice, varying
from tracer.cond import choose
from tracer.dict_objects import is_keyed
from tracer.dict_rows import DictView
from tracer.frozen import same_object
from tracer.identities import note_asked, note_asked_of_arrays
from tracer.list_objects import is_staged
from tracer.picking import ask
from tracer.reads import note_passed
from tracer.state import EMPTY, State


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    item, container = map(captures.as_written, (item, container))
    function = slot(type(container), "__contains__")
    if function is not None:
        return not_(not_(call(function, container, item)))
    if objects.is_object(container):
        return staged(operator.contains, WEAK_BOOL, container, item)
    if type(container) in OBJECT_TYPES:
        return staged(operator.contains, WEAK_BOOL, container, item)
    require_here(container)
    if consumers.is_generator(container) and not hasattr(container, "__contains__"):
        return consumers.contains(item, container)
    if type(container) in (list, tuple) and not is_staged(container):
        if any(slot(type(one), "__eq__") for one in (item, *container)):
            return consumers.contains(item, container)
    staging = _staging_of_container(item, container)
    if staging is None:
        note_passed(operator.contains, (container,))
        return item in container
    return staging.contains(item, container)


def _staging_of_container(item: Any, container: Any) -> Staging | None:
    if type(container) is Choice or varying(container) is not None:
        return staging_of(container)
    if is_keyed(container) or type(container) is DictView:
        return LISTS
    if isinstance(container, (dict, set, frozenset)) and type(item) is tuple:
        return LISTS if staging_of_key(item) is not None else None
    if isinstance(container, _HASHED):
        return staging_of_key(item)
    return LISTS if is_staged(container) else staging_of_any(item, container)


# What is asked by hashes for what it holds.
_HASHED: tuple[type, ...] = (dict, set, frozenset, type({}.keys()))


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    return not_(in_(item, container))


def is_(left: Any, right: Any) -> Any:
    """`left is right`."""
    if type(left) is Choice:
        return ask(left, lambda option: is_(option, right))
    if type(right) is Choice:
        return ask(right, lambda option: is_(left, option))
    for one, other in ((left, right), (right, left)):
        if type(one) is TypeOfCaught:
            return one.is_(other)
        if type(other) is bool and kinds.is_mixed(one):
            return kinds.split(is_, one, other)
        if type(other) is bool and _is_bool(one):
            # There is one True, and one False.
            return one if other else not_(one)
        if isinstance(one, Tensor):
            _require_told(one, other)
    if isinstance(left, BaseException) and isinstance(right, BaseException):
        return is_same(left, right)
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        both = left.scalar and right.scalar
        return (_is_same_item if both else _is_same_array)(left, right)
    _require_clear(left, right)
    note_asked(left, right)
    return same_object(left, right)


def _require_clear(left: Any, right: Any) -> None:
    """PythonTypeError: the two may be one number, text or tuple, as a run tells."""
    kind, other = type(left), type(right)
    if kind is tuple and other is tuple and left is not right:
        # Lists of the run and joins make tuples anew.
        if left and len(left) == len(right) and tree.holds_tensor((left, right)):
            raise _unknown_identity("tuple")
    one = left if kind is Tensor else right
    constant = left if one is right else right
    if type(one) is Tensor and one.scalar and isinstance(constant, _ITEMS):
        if _are_alike(left, right):
            raise _unknown_identity("number or text")


_ITEMS = (*PYTHON_NUMBERS, *OBJECT_TYPES, np.generic)


def _require_told(one: Tensor, other: Any) -> None:
    """PythonTypeError: a library may give this very object, as np.ma does `masked`."""
    if isinstance(other, np.ndarray) and type(other) is not np.ndarray:
        raise located(
            PythonTypeError(
                f"only the run knows whether this is that {type(other).__name__}"
            ),
            "Ask for what it holds (`np.ma.is_masked(x)`), or outside of the function.",
        )


def _is_same_item(left: Tensor, right: Tensor) -> Any:
    """Whether two numbers or texts are one object, as items of a list may be."""
    if left is right or left._value is right._value:
        return True
    if not _are_alike(left, right):
        return False
    first, second = map(_maker, (left, right))
    # There is one True, and one False, of Python's and of NumPy's. What a loop has
    # carried machine code makes anew.
    is_bool = not kinds.is_mixed(left) and left.spec.dtype == bool
    if not is_bool and (first is None or second is None):
        raise _unknown_identity("number or text")
    taken = [one and (one.inputs, one.attributes) for one in (first, second)]
    if taken[0] == taken[1]:
        return True
    return world.python_call(left, right, function=operator.is_, result=WEAK_BOOL)


def _are_alike(left: Any, right: Any) -> bool:
    """Whether two numbers or texts, one of them of the run, are of one type."""
    unclear = kinds.is_mixed(left) or kinds.is_mixed(right)
    return unclear or type_(left) is type_(right)


def _maker(item: Tensor) -> Node | None:
    """The node that has taken an item out of a list; None for what is none."""
    frame = build.current()
    while frame is not None:
        for node in reversed(frame.nodes):
            if item._value in node.outputs:
                return node if node.op.name in _TAKING else None
        frame = frame.parent
    return None


# Those that give the very object that is in a list or tuple.
_TAKING = frozenset({"list_get", "tuple_get"})


def _is_same_array(left: Tensor, right: Tensor) -> Any:
    """Whether two tensors are one array, which a choice of arrays tells at the run."""
    if left is right:
        return True
    for one, other in ((left, right), (right, left)):
        if one._pick is not None:
            return _is_picked(one._pick, other)
    views = left._view is not None and right._view is not None
    handed = views and (_is_handed(left) or _is_handed(right))
    if handed and left.root is right.root:
        raise _unknown_identity()
    for one, other in ((left, right), (right, left)):
        if one._view is not None and one._view.which is not None:
            return _is_picked(one._view.which, other)
    if left.sources or right.sources:
        known = set(map(id, possible(left)))
        if any(id(array) in known for array in possible(right)):
            build.want_references()
            raise _unknown_identity()
    note_asked_of_arrays(left, right)
    return False


def _is_handed(one: Tensor) -> bool:
    """True for a view that a branch or loop has taken: it may have two names."""
    return one._view is not None and one._view.handed is not None


def _unknown_identity(word: str = "array") -> PythonTypeError:
    return located(
        PythonTypeError(f"whether two names are one {word} depends on data"),
        f"Keep a flag that says which {word} it is.",
    )


def _is_picked(side: Side, other: Tensor) -> Any:
    """Whether what a choice of arrays may be is this array."""
    if isinstance(side, Tensor):
        return _is_same_array(side, other)
    if isinstance(side, Own):
        # An array without another name.
        return False
    then, orelse = (partial(_is_picked, one, other) for one in side.sides)
    return choose(side.predicate, then, orelse)


def _is_bool(value: Any) -> bool:
    """True for a Python bool of the run."""
    return isinstance(value, Tensor) and value.spec.weak and value.spec.dtype == bool


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    return not_(is_(left, right))


def _compared(word: str, left: Any, right: Any) -> Any:
    if type(left) is Choice:
        return ask(left, lambda option: _compared(word, option, right))
    if type(right) is Choice:
        return ask(right, lambda option: _compared(word, left, option))
    if isinstance(left, np.dtype) or isinstance(right, np.dtype):
        _refuse_name(left, right)
    if is_staged(left) or is_staged(right):
        return list_compare.compare(word, left, right)
    left, right = map(captures.as_written, (left, right))
    compared_by_c.refuse_items(word, left, right)
    return compared(COMPARISONS[word][2], left, right)


def _refuse_name(*compared: Any) -> None:
    """Refuse a text of the run beside a dtype, which NumPy takes for a name of one."""
    if any(isinstance(one, Tensor) and object_type(one.spec) for one in compared):
        raise located(
            StagingTypeError("a dtype is compared with a text that only a run knows"),
            "Compare its name: `x.dtype.name == name`.",
        )


def eq(left: Any, right: Any) -> Any:
    """`left == right`."""
    return _compared("==", left, right)


def ne(left: Any, right: Any) -> Any:
    """`left != right`."""
    return _compared("!=", left, right)


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    **{word: partial(_compared, word) for word in COMPARISONS},
    "is": is_,
    "is not": is_not,
    "in": in_,
    "not in": not_in,
}


def compare(
    words: tuple[str, ...],
    left: Any,
    first: Any,
    *others: Callable[[], Any],
    state: State = EMPTY,
) -> Any:
    """`left w0 first w1 others[0]() ...`: each operand once, none after a false."""
    result = OPERATORS[words[0]](left, first)
    if not others:
        return result

    def rest() -> Any:
        return compare(words[1:], first, others[0](), *others[1:], state=state)

    return and_(result, rest, state=state)

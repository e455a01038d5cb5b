"""Objects: what Python's operators, functions and methods give of texts and bytes.

A text that is known only when the graph runs is a value like any other: a Tensor whose
spec says what type of Python object it is. Whatever is done to it is done by Python's
own function when the graph runs; OBJECTS says of what type the result is. Elements of
arrays of text are texts, too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import StagingTypeError, located
from runtime.operators import numpy_api, refuse
from runtime.ops.basic import WEAK_BOOL, WEAK_INT, constant
from runtime.ops.template import encode
from runtime.ops.world import host_call
from runtime.spec import OBJECT_TYPES, ListSpec, ObjectSpec, TensorSpec, object_type
from runtime.structs import struct
from runtime.tensor import Tensor, tensor
from runtime.unknown import require_class

TEXT, BYTES = ObjectSpec(str), ObjectSpec(bytes)
Result = TensorSpec | tuple[TensorSpec, ...]


@struct(eq=False)
class Kind:
    """What is known of the objects of one type.

    item, part: what an index gives, and a slice
    operators:  what Python's operators give, by the word of their method
    methods:    what its methods give, those that a graph can call
    """

    item: TensorSpec
    part: TensorSpec
    operators: Mapping[str, TensorSpec]
    methods: Mapping[str, Result]


def _methods(own: TensorSpec, **results: Result) -> dict[str, Result]:
    """The methods that texts and bytes share, and others."""
    parts = ListSpec(own)
    named: dict[str, Result] = {
        "upper lower title capitalize swapcase strip lstrip rstrip replace center": own,
        "ljust rjust zfill expandtabs removeprefix removesuffix translate join": own,
        "find rfind index rindex count __len__ __hash__": WEAK_INT,
        "startswith endswith isdigit isalpha isalnum isspace isupper": WEAK_BOOL,
        "islower istitle isascii __contains__": WEAK_BOOL,
        "split rsplit splitlines": parts,
        "partition rpartition": (own, own, own),
        **results,
    }
    return {name: kind for names, kind in named.items() for name in names.split()}


_COMPARISONS = dict.fromkeys("eq ne lt le gt ge".split(), WEAK_BOOL)
_TEXT_METHODS = _methods(
    TEXT,
    **{
        "casefold format format_map __str__ __repr__ __format__": TEXT,
        "isnumeric isdecimal isidentifier isprintable": WEAK_BOOL,
        "encode": BYTES,
    },
)
_BYTES_METHODS = _methods(BYTES, **{"decode hex __repr__": TEXT})
OBJECTS: dict[type, Kind] = {
    str: Kind(
        TEXT,
        TEXT,
        dict.fromkeys(("add", "mul", "mod"), TEXT) | _COMPARISONS,
        _TEXT_METHODS,
    ),
    bytes: Kind(
        WEAK_INT,
        BYTES,
        dict.fromkeys(("add", "mul", "mod"), BYTES) | _COMPARISONS,
        _BYTES_METHODS,
    ),
}
# What a text of the run is a subclass of.
_BASES: dict[type, type] = {np.str_: str, np.bytes_: bytes}


def type_of(thing: Any) -> type | None:
    """The type in OBJECTS of a text, of the run or not; None for anything else."""
    kind: type | None = type(thing)
    if isinstance(thing, Tensor):
        kind = object_type(thing.spec) if thing.scalar else None
    kind = _BASES.get(kind, kind)  # type: ignore[arg-type] # None is no key
    return kind if kind in OBJECTS else None


def is_object(thing: Any) -> bool:
    """True for a text, or another such object, that is known only at the run."""
    return isinstance(thing, Tensor) and type_of(thing) is not None


def held(thing: Any) -> Tensor:
    """`thing` as the object that it is: NumPy would make an array of a plain text."""
    if type(thing) in OBJECT_TYPES:
        frame = build.require_current("a text")
        return Tensor(frame.add(constant, (), {"value": thing})[0])
    return tensor(thing)


def text_of_item(dtype: np.dtype[Any] | None) -> TensorSpec | None:
    """What Python's text of an element is, of an array of text."""
    return None if dtype is None else _TEXTS.get(dtype.kind)


_TEXTS = {"U": TEXT, "S": BYTES, "T": TEXT}


def call(function: Callable[..., Any], result: Result, *args: Any, **named: Any) -> Any:
    """`function(*args, **named)`, by each run, which gives what `result` says."""
    (positional, keywords), inputs = encode((args, named), _is_tensor)
    made = host_call(
        *inputs,
        function=function,
        args=positional,
        kwargs=keywords,
        results=result if isinstance(result, tuple) else (result,),
        writes=False,
    )
    return _listed[0](made) if isinstance(result, ListSpec) else made


def _is_tensor(part: Any) -> bool:
    return isinstance(part, Tensor)


# How a list of the run is given to the user: entered by tracer.list_objects.
_listed: list[Callable[[Tensor], Any]] = []


def set_listed(listed: Callable[[Tensor], Any]) -> None:
    """Tell how the user sees a list that a run makes (done once)."""
    _listed[:] = [listed]


# What Python asks of them.


def takes(operands: Sequence[Any]) -> bool:
    """True when an operator of these is that of a text: none of them is an array."""
    if not any(type_of(operand) is not None for operand in operands):
        return False
    return not any(
        isinstance(x, np.ndarray) or (isinstance(x, Tensor) and not x.scalar)
        for x in operands
    )


def operate(word: str, *operands: Any) -> Any:
    """The operator whose method is `__word__`, of texts and what stands beside them."""
    function = _FUNCTIONS.get(word) or getattr(operator, word)
    kind = next(kind for kind in map(type_of, operands) if kind is not None)
    result = OBJECTS[kind].operators.get(word)
    if result is None or not (word in _EITHER_WAY or type_of(operands[0])):
        require_class(operands[0])
        numpy_api.raise_as_python(function, *operands)
    # Where there is none each run raises, so no result is ever seen.
    return call(function, result or ObjectSpec(kind), *operands)


# What a text has whichever of the operands it is.
_EITHER_WAY = frozenset({"mul", *_COMPARISONS})


_FUNCTIONS = {"and": operator.and_, "or": operator.or_, "divmod": divmod}


def get_item(of: Any, key: Any) -> Any:
    """`of[key]`."""
    kind = OBJECTS[_known(of)]
    result = kind.part if type(key) is slice else kind.item
    return call(operator.getitem, result, of, key)


def contains(of: Any, item: Any) -> Any:
    """`item in of`."""
    return call(operator.contains, WEAK_BOOL, of, item)


def length(of: Any) -> Any:
    """`len(of)`, of what has no dims, or as many as the run finds.

    TypeError: it has no length either.
    """
    if not is_object(of) and of.spec.shape is not None:
        raise TypeError("len() of unsized object")
    return call(len, WEAK_INT, of)


def text(of: Tensor) -> str:
    """`str(of)` by code that is not converted: only of what is printed while tracing.

    TypeError: each run would make another text.
    """
    frame = build.current()
    if frame is not None and frame.trace.python_effects == "run":
        refuse("the text of this tensor", "made by code that is not converted")
    return repr(of)


def items(of: Any) -> Any:
    """`list(of)`: its characters, or numbers."""
    return call(list, ListSpec(OBJECTS[_known(of)].item), of)


def _known(of: Any) -> type:
    kind = type_of(of)
    assert kind is not None, f"{of!r} is no text"
    return kind


class Method:
    """A method of a text of the run, bound to it."""

    def __init__(self, of: Any, name: str, kind: type, result: Result) -> None:
        self.__self__ = of
        self.__name__ = name
        self.function: Callable[..., Any] = getattr(kind, name)
        self.result = result

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call(self.function, self.result, self.__self__, *args, **kwargs)


def method(of: Any, name: str) -> Method:
    """A method of a text, also of a plain one; refused if no graph can call it."""
    kind = _known(of)
    row = OBJECTS[kind]
    result = row.methods.get(name) or row.operators.get(name.strip("_"))
    if result is None:
        raise located(
            StagingTypeError(f"a graph cannot call `.{name}` of a text"),
            "Call it outside of the decorated function, or by ag.py_function.",
        )
    return Method(of, name, kind, result)


def has(of: Tensor, name: str) -> bool:
    """True for an attribute of a text; an element of an array has NumPy's, too."""
    kind = type_of(of)
    return kind is not None and (hasattr(kind, name) or object_type(of.spec) is kind)


def attribute(of: Tensor, name: str) -> Any:
    """`of.name`.

    AttributeError: it has no such attribute.
    """
    kind = object_type(of.spec)
    if not hasattr(kind, name):
        raise AttributeError(f"'{_name(kind)}' object has no attribute '{name}'")
    return method(of, name)


def _name(kind: Any) -> str:
    return kind.__name__ if kind in OBJECTS else f"numpy.{kind.__name__}"

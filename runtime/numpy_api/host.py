"""Host calls: a NumPy or SciPy function without an op of its own, called by the graph.

What comes back is found by trials (see `trials`): dtypes, how many results there are,
and their shapes, for functions whose shapes depend on shapes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime import build, ongoing
from runtime.errors import UnforeseenTypeError
from runtime.foreign import PACKAGES, is_object
from runtime.layouts import Unknown, lying
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import callbacks, into
from runtime.numpy_api.found import (
    DTYPE_OF_CONTENT,
    NOTHING_KNOWN,
    UNKNOWN,
    Found,
    asked,
    of_any_dtype,
    uncertain,
)
from runtime.numpy_api.host_views import Call
from runtime.numpy_api.sample_sizes import asserts, checking
from runtime.numpy_api.trials import tried
from runtime.ops import random
from runtime.ops.basic import constant
from runtime.ops.template import Input, encode, refill
from runtime.ops.world import Looked
from runtime.quiet import drawing
from runtime.spec import TensorSpec
from runtime.structs import replace, struct
from runtime.tensor import Tensor, tensor

# Functions that do something, so they are not tried and run in their place.
WRITES: tuple[Callable[..., Any], ...] = (
    np.save,
    np.savetxt,
    np.savez,
    np.savez_compressed,
)
# Packages whose functions give shapes that depend on their arguments' shapes alone.
SHAPED_PACKAGES = (
    *("numpy.linalg", "numpy.fft", "scipy.linalg", "scipy.fft"),
    *("numpy.strings", "numpy.char"),
)
# Those of them that leave out what comes to nothing: rows of a matrix of low rank.
SIZES_OF_CONTENT = frozenset("lstsq null_space orth".split())
# NumPy's other functions of that kind.
SHAPED = frozenset(
    """
    interp convolve correlate cov corrcoef average percentile quantile nanpercentile
    nanquantile nan_to_num angle sinc i0 unwrap ediff1d isclose allclose
    array_equal array_equiv polyval polyfit vander partition argpartition lexsort
    digitize histogram nancumsum nancumprod isin rollaxis apply_along_axis
    cumulative_sum cumulative_prod trapezoid gradient kron cross select choose ix_
    array asarray asfortranarray ascontiguousarray require
    sliding_window_view as_strided broadcast_arrays unstack dsplit matrix_transpose
    einsum meshgrid frombuffer from_dlpack atleast_1d atleast_2d atleast_3d
    """.split()
)

# Those whose parts of an argument depend on its shape, and on the other arguments.
PARTS = frozenset("split array_split hsplit vsplit rot90 reshape call_method".split())


def call(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    results: TensorSpec | None = None,
    writes: bool = False,
    in_place: bool = False,
    faults: bool = False,
) -> Any:
    """A node that calls `function` when the graph runs.

    results:  the spec of its one result, when it is known; found by a trial if not
    writes:   it is called for what it does, and gives nothing
    in_place: it may change what is not in the graph, so it keeps its place
    faults:   it is called for what it raises, and gives nothing
    """
    checks, writes = checking(function), writes or function in WRITES
    callbacks.require_only_computing(_name(function), (function, args, kwargs))
    function, args = _made_callable(function, args)
    whole = callbacks.callbacks((args, kwargs))
    template, inputs = encode(whole, _is_input)
    tensors = tuple(held(part) if is_object(part) else tensor(part) for part in inputs)
    with drawing() as drawn:
        found = _found(function, template, tensors, results, writes or faults)
    acts = _comes_in_order(function, whole, template, tensors)
    in_place = in_place or bool(drawn) or acts
    if callbacks.holds_callback(whole):
        function = WithCallbacks(function)
    if found.changed:
        return _changing(function, template, tensors, found)
    if found.whole is not None and len(found.specs) == 1:
        function = Only(function)
    if results is None and any(map(_is_checked, found.specs)):
        function = Tried(function, found.specs)
    attributes = {
        "function": function,
        "args": template[0],
        "kwargs": template[1],
        "results": found.specs,
        "writes": writes or in_place or any(map(_is_object, found.specs)),
    }
    # What gives nothing is called for what it does: an assertion of NumPy's.
    if checks or not found.specs:
        attributes["checks"] = True
    made = Call(tensors, attributes)
    parts = made.made()
    return _rebuilt(found, parts, made) if found.specs else None


def _comes_in_order(
    function: Any, whole: Any, template: Any, tensors: tuple[Tensor, ...]
) -> bool:
    """True where it may do something: draw numbers, or what a user's function does.

    What is asked of an object comes in order too, since an object may change.
    """
    if encode(template, random.is_source)[1] or callbacks.acts((function, whole)):
        return True
    return any(_is_object(one.spec) for one in tensors)


def _changing(
    function: Callable[..., Any],
    template: Any,
    tensors: tuple[Tensor, ...],
    found: Found,
) -> Any:
    """A call of what changes arguments: they get what it leaves in copies of them."""
    changed = tuple(sorted(found.changed))
    for at in changed:
        tensors[at].require_writable("output array")
    if len(changed) == 1 and into.gives_it_back(found, changed[0]):
        base, given = tensors[changed[0]], refill(template, tensors)
        if into.suits(base, (function, given)):
            base.write(into.after(function, base, *given).value)
            return base if found.specs else None
    count = len(found.specs)
    attributes = {
        "function": into.Changing(function, template, changed, count),
        "args": tuple(map(Input, range(len(tensors)))),
        "kwargs": {},
        "results": (*found.specs, *(tensors[at].spec for at in changed)),
        "writes": False,
    }
    made = Call(tensors, attributes)
    parts = made.made()
    for at, after in zip(changed, parts[count:], strict=True):
        tensors[at].write(after.value)
    # What a result is a part of is not what the function was given, but that changed.
    if found.lies is not None:
        lies = (one and replace(one, certain=one.same) for one in found.lies)
        found = replace(found, lies=tuple(lies))
    return _rebuilt(found, parts[:count], made) if count else None


def _made_callable(
    function: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function that holds tensors itself becomes an argument of another."""
    held = callbacks.callback(function)
    return (function, args) if held is function else (_called, (held, *args))


def _called(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _found(
    function: Callable[..., Any],
    template: Any,
    inputs: Sequence[Tensor],
    results: TensorSpec | None,
    writes: bool,
) -> Found:
    if writes or asserts(function):
        return Found((), None, ())
    if results is not None:
        return Found((results,))
    if not is_known_pure(function) or _is_unknown_function(function):
        return NOTHING_KNOWN
    if encode(template, _is_unknown_function)[1]:
        return NOTHING_KNOWN
    # Of one of several arrays, which may be of several dtypes, as it is now.
    specs = [x.value.spec for x in inputs]
    layouts = list(map(lying, inputs))
    shaped = is_shaped(function) and not _is_estimated(function, template)
    found = tried(function, template, specs, shaped, layouts)
    found = replace(found, changed=found.changed | into.outputs(template[1], inputs))
    if not is_shaped(function) and getattr(function, "__name__", "") not in PARTS:
        found = uncertain(found)
    return (
        of_any_dtype(found) if asked(function, template) in DTYPE_OF_CONTENT else found
    )


@struct
class WithCallbacks:
    """A function whose arguments hold Callbacks."""

    function: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Its result for the functions of this run."""
        return callbacks.with_callbacks(self.function, args, kwargs)

    @property
    def __name__(self) -> str:
        return _name(self.function)


@dataclass(frozen=True)
class Only(Looked):
    """A function that gives a sequence of one; the one."""

    function: Callable[..., Any]

    def look(self, answer: Any) -> Any:
        """The one result. TypeError: there are others."""
        _require_count(self.function, 1, answer)
        return answer[0]


@dataclass(frozen=True)
class Tried(Looked):
    """A function that was tried, and what it gave; the graph was made for that."""

    function: Callable[..., Any]
    specs: tuple[TensorSpec, ...]

    def giving(self, specs: tuple[TensorSpec, ...]) -> Tried:
        """The same, tried on what gives these."""
        return Tried(self.function, specs)

    def look(self, answer: Any) -> Any:
        """The answer. TypeError: it is of another dtype, or number of dims."""
        parts = (answer,) if len(self.specs) == 1 else answer
        _require_count(self.function, len(self.specs), parts)
        for spec, part in zip(self.specs, parts, strict=True):
            if _is_checked(spec) and not _fits(spec, part):
                raise self._refusal(spec, part)
        return answer

    def _refusal(self, spec: TensorSpec, part: Any) -> UnforeseenTypeError:
        found = getattr(part, "dtype", type(part).__name__)
        dims = list(getattr(part, "shape", ())) or ""
        return _other(self.function, f"{found}{dims}", repr(spec))


def _require_count(function: Any, count: int, parts: Any) -> None:
    if len(parts) != count:
        raise _other(function, f"{len(parts)} results", str(count))


def _other(function: Any, found: str, known: str) -> UnforeseenTypeError:
    error = UnforeseenTypeError(
        f"{_name(function)} gives {found} here, but {known} for the arguments that it "
        "was tried with"
    )
    remedy = "Call it by ag.py_function, whose `result` says what it gives."
    error.add_note(f"  {remedy}")
    return error


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _is_checked(spec: TensorSpec) -> bool:
    return spec.dtype is not None and not spec.kinds


def _fits(spec: TensorSpec, part: Any) -> bool:
    if spec.weak:
        return type(part) is spec.python_type
    found = getattr(part, "dtype", None)
    if found is None:
        return False
    same = found == spec.dtype or spec.describes_kinds(TensorSpec((), found))
    return same and (spec.shape is None or len(spec.shape) == part.ndim)


def _is_object(spec: TensorSpec) -> bool:
    return isinstance(spec, LibrarySpec)


def held(thing: Any) -> Tensor:
    """The one tensor that stands for a library's object from outside of the trace."""
    frame = build.require_current("an object")
    known = frame.trace.arrays
    if id(thing) not in known:
        while frame.parent is not None:
            frame = frame.parent
        value = frame.add_array(constant, {"value": thing, "shared": True})
        with build.building(frame):
            known[id(thing)] = (thing, Tensor(value, scalar=False), None)
    made: Tensor = known[id(thing)][1]
    return made


def _is_input(part: Any) -> bool:
    """A tensor, or what the user may change: read at each call."""
    ongoing.refuse(part)
    if is_object(part):
        return True
    if type(part) in (np.ndarray, np.memmap):
        return part.dtype.kind in "biufc"
    return isinstance(part, Tensor)


def _is_unknown_function(part: Any) -> bool:
    """True for a callable that may do anything when it is called."""
    callbacks.refuse_method(part)
    if isinstance(part, callbacks.WHOSE_FUNCTION_IS_ASKED):
        return not callbacks.is_harmless(part)
    if not callable(part) or isinstance(part, type) or is_known_pure(part):
        return False
    return not callbacks.is_harmless(part)


def _rebuilt(found: Found, parts: Sequence[Tensor], made: Call) -> Any:
    """The results in the type that the function gives: tuple, list, named tuple."""
    for part, is_array in zip(parts, found.arrays, strict=True):
        if is_array:
            part.scalar = False
    for part, is_turned in zip(parts, found.turned, strict=False):
        if is_turned:
            part.layout = Unknown.LAYOUT
    if found.lies is not None:
        pairs = zip(parts, found.lies, strict=True)
        parts = [made.placed(part, at, where) for at, (part, where) in enumerate(pairs)]
    whole = found.whole
    if whole is None:
        return parts[0]
    return whole(*parts) if hasattr(whole, "_fields") else whole(parts)


def is_known_pure(function: Callable[..., Any]) -> bool:
    """True for functions of these libraries and of this package."""
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return True
    package = (getattr(function, "__module__", None) or "").split(".")[0]
    return package in (*PACKAGES, "runtime") or isinstance(function, np.ufunc)


def is_shaped(function: Callable[..., Any]) -> bool:
    """True when the results' shapes depend on the arguments' shapes alone."""
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if module.startswith(SHAPED_PACKAGES):
        return name not in SIZES_OF_CONTENT
    return module.startswith("numpy") and name in SHAPED


def _is_estimated(function: Callable[..., Any], template: Any) -> bool:
    """True for a histogram whose bins a rule finds in the data: `bins="auto"`."""
    args, kwargs = template
    return function is np.histogram and isinstance(
        kwargs.get("bins", args[1] if len(args) > 1 else None), str
    )


__all__ = ["UNKNOWN", "WRITES", "call", "is_known_pure"]

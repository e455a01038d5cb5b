"""Trials: what a function gives, found by calling it on samples while tracing.

It is called on samples of several sizes and signs, so that what depends on data is
seen to: a dtype (`np.emath.sqrt`), a number of dims (`np.squeeze`), how many results
there are (`np.split`). What these calls agree on is what is said of the result.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.errors import OnlyPythonError
from runtime.foreign import has_state
from runtime.layouts import Layout, Unknown, sampled
from runtime.library_spec import LibrarySpec
from runtime.numpy_api import aliasing, callbacks
from runtime.numpy_api.copies import like, require_unchanged, untouched
from runtime.numpy_api.found import (
    NOTHING_KNOWN,
    UNKNOWN,
    Found,
    agreed_by,
    is_turned,
)
from runtime.numpy_api.sample_sizes import (
    SAMPLES,
    common_size,
    filled_spec,
    samples_for,
    shrunk,
    told_apart,
)
from runtime.ops.random import is_source
from runtime.ops.template import encode, fill
from runtime.quiet import quietly
from runtime.shapes import Shape
from runtime.spec import (
    OBJECT_TYPES,
    PYTHON_NUMBERS,
    ListSpec,
    ObjectSpec,
    TensorSpec,
    any_width,
    holds_objects,
    spec_of,
)
from runtime.structs import replace, struct

Layouts = Sequence[Layout | Unknown | None]
NO_SIZES: Mapping[int, int] = {}


def tried(
    function: Callable[..., Any],
    template: Any,
    inputs: list[TensorSpec],
    shaped: bool,
    layouts: Layouts = (),
) -> Found:
    """What calls on samples say of `function(*args, **kwargs)`.

    template: (args, kwargs) with places for the inputs
    shaped:   the shapes of the results depend on the inputs' shapes alone
    layouts:  how the inputs lie in memory; None for C order
    """
    if any(_is_unclear(spec) for spec in inputs):
        return NOTHING_KNOWN
    known = min(map(_known, inputs), default=2)
    found = _trials(function, template, inputs, known, shaped, layouts)
    like = common_size(inputs)
    if not found and like is not None:
        # The sizes may have to be alike.
        filled = [filled_spec(spec, like) for spec in inputs]
        found = _trials(function, template, filled, known, shaped, layouts)
    agreed = agreed_by(found)
    if not shaped and any(lies and lies.same for lies in agreed.lies or ()):
        # What it gives back as it is may be what has no zeros at its end, or no NaN.
        given = function, template, inputs, known, shaped, layouts
        agreed = agreed_by([*found, *_trials(*given, contents=(0, np.nan))])
    # With another number of dims it may be another way.
    if known == 0 and agreed.lies is not None:
        lies = (aliasing.joined([place, None]) for place in agreed.lies)
        return replace(agreed, lies=tuple(lies))
    return agreed


def _trials(
    function: Callable[..., Any],
    template: Any,
    inputs: list[TensorSpec],
    known: int,
    shaped: bool,
    layouts: Layouts,
    contents: Sequence[float] = (),
) -> list[Found]:
    """What the trials say, each; contents: what arrays are full of, one by one."""
    found = []
    for which in range(len(contents)) if contents else samples_for(function):
        sizes = shrunk(inputs, which)
        real = {small: size for size, small in sizes.items()}
        # Some suit it only where they are alike: an assertion that two are equal.
        for apart in (True, False):
            plain = [sample(spec, which, sizes) for spec in inputs]
            if apart:
                plain = [told_apart(x, which, at) for at, x in enumerate(plain)]
            if contents:
                plain = [_full(x, contents[which]) for x in plain]
            samples = tuple(sampled(x, how, which) for x, how in _pairs(plain, layouts))
            before = tuple(map(_copied, samples))
            try:
                answer = _call(function, template, samples)
            except OnlyPythonError:
                raise
            except Exception:
                continue  # what it gives is seen at run time
            told = _Answer(known, shaped, real, samples).described(answer)
            found.append(replace(told, changed=aliasing.changed(before, samples)))
            break
    return found


def refused_output(
    function: Callable[..., Any],
    template: Any,
    inputs: list[TensorSpec],
    layouts: Layouts,
    scalars: Sequence[bool],
    small: bool = True,
) -> Exception | None:
    """What `function(*args, **kwargs, out=out)` says of its `out`, and not without it.

    template: (args, kwargs, out) with places for the inputs
    scalars:  which of them are NumPy scalars, and no arrays
    small:    large arrays are tried by smaller samples
    """
    args, named, out = template
    if any(_is_unclear(spec) or not spec.is_static for spec in inputs):
        return None
    if any(map(_may_be_axis, inputs)):
        return None  # which the run finds
    for which in SAMPLES:
        sizes = shrunk(inputs, which) if small else {}
        plain = [sample(spec, which, sizes) for spec in inputs]
        pairs = zip(plain, scalars, strict=True)
        # NumPy's own `np.cumsum` crashes with an `out` of no dims.
        made = [x if is_scalar else _as_array(x) for x, is_scalar in pairs]
        samples = tuple(sampled(x, how, which) for x, how in _pairs(made, layouts))
        try:
            _call(function, (args, named), samples)
        except Exception:
            continue  # the samples do not suit the function
        try:
            _call(function, (args, {**named, "out": out}), samples)
        except Exception as error:
            if sizes:
                # The real ones may add up, as those of two parts and their whole do.
                given = function, template, inputs, layouts, scalars
                return refused_output(*given, small=False)
            return error.with_traceback(None)
        return None
    return None


def _may_be_axis(spec: TensorSpec) -> bool:
    return spec.shape == () and spec.dtype is not None and spec.dtype.kind in "iu"


def _as_array(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, np.generic) else x


def _pairs(samples: Sequence[Any], layouts: Layouts) -> Any:
    return itertools.zip_longest(samples, layouts)


def _full(x: Any, content: float) -> Any:
    """An array like x that is full of it, if x is one of numbers that may be that."""
    is_array = isinstance(x, np.ndarray) and x.dtype.kind in "fc" + "iu" * (
        content == 0
    )
    return np.full_like(x, content) if is_array else x


def _copied(x: Any) -> Any:
    return x.copy() if isinstance(x, np.ndarray) else x


def _is_unclear(spec: TensorSpec) -> bool:
    """True where no sample says how many results there are."""
    if isinstance(spec, (LibrarySpec, ObjectSpec)):
        return False
    if isinstance(spec, ListSpec):
        return _is_unclear(spec.item)
    return spec.dtype is None or bool(spec.kinds)


def _call(function: Callable[..., Any], template: Any, samples: Any) -> Any:
    # A generator that is passed stays where it stands, an object as it is.
    own = set(map(id, samples))

    def stays(part: Any) -> bool:
        return is_source(part) or (has_state(part) and id(part) not in own)

    filled, kept = encode(fill(template, samples), stays)
    called, *copies = (like(one, 0) if stays(one) else one for one in (function, *kept))
    positional, named = fill(filled, tuple(copies))

    def watched(*args: Any, **kwargs: Any) -> Any:
        with untouched((args, kwargs)):
            return called(*args, **kwargs)

    watched.__name__ = getattr(called, "__name__", "a function")
    with quietly():
        answer = callbacks.with_callbacks(watched, positional, named)
    require_unchanged((function, *kept), (called, *copies))
    return answer


def _known(spec: TensorSpec) -> int:
    """How much of a shape is known: 2 all of it, 1 the rank, 0 nothing."""
    if isinstance(spec, LibrarySpec):
        return 1
    return 2 if spec.is_static else int(spec.shape is not None)


@struct
class _Answer:
    """How what a trial gives is described.

    known:  how much of the inputs' shapes is
    shaped: the results' shapes depend on these alone
    real:   the sizes that a sample's sizes stand for
    inputs: the samples
    """

    known: int
    shaped: bool
    real: dict[int, int]
    inputs: tuple[Any, ...]

    def described(self, answer: Any) -> Found:
        """What it is: one result, several, or none."""
        if answer is None:
            return Found((), None, (), ())
        several = _is_made_of_its_parts(type(answer))
        parts = tuple(answer) if several else (answer,)
        if not parts:
            return Found((UNKNOWN,), None, (False,), (None,))
        return Found(
            tuple(map(self._spec, parts)),
            type(answer) if several else None,
            tuple(type(part) is np.ndarray for part in parts),
            tuple(aliasing.lies(part, self.inputs) for part in parts),
            turned=tuple(map(is_turned, parts)),
        )

    def _spec(self, part: Any) -> TensorSpec:
        if type(part) in PYTHON_NUMBERS:
            return spec_of(part)
        if type(part) in OBJECT_TYPES:
            return ObjectSpec(type(part))
        if isinstance(part, np.generic) or type(part) is np.ndarray:
            if holds_objects(part.dtype):
                return UNKNOWN
            # How wide texts are is a matter of what they are.
            return TensorSpec(self._dims(part.shape), any_width(part.dtype))
        return UNKNOWN if isinstance(part, _PLAIN) else LibrarySpec(part)

    def _dims(self, shape: tuple[int, ...]) -> Shape:
        """What of a shape is said: all of it, the number of dims, or nothing."""
        if self.known == 0:
            return None
        exact = self.shaped and self.known == 2
        return tuple(self.real.get(dim, dim) if exact else None for dim in shape)


def _is_made_of_its_parts(kind: type) -> bool:
    """True for a tuple, a list and a namedtuple that holds no more than its items."""
    named = kind.__bases__ == (tuple,) and hasattr(kind, "_make")
    return kind in (tuple, list) or (named and "__init__" not in vars(kind))


# What is handed on as it is, and asked for nothing.
_PLAIN = (type(None), types.FunctionType, types.BuiltinFunctionType, type)


def spec_of_item(item: Any) -> TensorSpec:
    """The spec of what an object holds, of which the sizes are not known."""
    return _Answer(known=1, shaped=False, real={}, inputs=()).described([item]).specs[0]


def _sample_dims(
    spec: TensorSpec, which: int, sizes: Mapping[int, int]
) -> tuple[int, ...]:
    """Sizes for a sample: 3 or 2 where unknown, a square where even the rank is."""
    dims = (None, None) if spec.shape is None else spec.shape
    found = (dim if isinstance(dim, int) else _SIZES[which] for dim in dims)
    return tuple(sizes.get(dim, dim) for dim in found)


_SIZES = (3, 2, 3)
_NUMBERS = (1, 2, 0.5)


def sample(
    spec: TensorSpec, which: int = 0, sizes: Mapping[int, int] = NO_SIZES
) -> Any:
    """A harmless array of this spec.

    which: 0 for one that is positive, increasing, square matrices definite; 1 for one
           of both signs without an order; 2 for increasing fractions below 1
    sizes: that stand for larger ones
    """
    if isinstance(spec, LibrarySpec):
        return like(spec.example, which)
    if isinstance(spec, ObjectSpec):
        return spec.kind()
    if isinstance(spec, ListSpec):
        return [sample(spec.item, which)]
    if spec.weak:
        number = _NUMBERS[which]
        return number < 2 if spec.python_type is bool else spec.python_type(number)
    dims = _sample_dims(spec, which, sizes)
    count = int(np.prod(dims))
    ramp: Any = 1 + np.arange(count).reshape(dims) / (count + 1)
    assert spec.dtype is not None
    if spec.dtype.kind == "b" and which == 1:
        # So that what depends on how many are true is seen to.
        return (np.arange(count).reshape(dims) % 2 == 1)[()]
    square = len(dims) >= 2 and dims[-1] == dims[-2] > 0
    if spec.dtype.kind in "fc" and which:
        ramp = ramp / 4 if which == 2 else _of_both_signs(spec, ramp)
        ramp = _turned(ramp) if square else ramp
    elif square and not which:
        flat = np.eye(dims[-1]) * 4 * dims[-1]
        ramp = ramp + np.swapaxes(ramp, -1, -2) + flat
    elif dims and spec.dtype.kind in "iu":
        # They may be indices, of what is as small: some C code does not check them.
        ramp = np.arange(count).reshape(dims) % 2 if which else np.ones(dims)
        ramp = ramp * (1 not in dims)
    elif spec.dtype.kind in "iu":
        ramp = ramp + which
    made = np.asarray(ramp).astype(spec.dtype)
    return made[()] if spec.shape == () else made


def _of_both_signs(spec: TensorSpec, ramp: Any) -> Any:
    assert spec.dtype is not None
    # Not real where complex.
    sign = -1 + 0.5j if spec.dtype.kind == "c" else -1
    return sign * 4 * np.sin(2.5 * np.arange(1, ramp.size + 1)).reshape(ramp.shape)


def _turned(ramp: Any) -> Any:
    """A square matrix that turns, so that its eigenvalues are complex."""
    turn = np.triu(np.ones(ramp.shape[-2:]), 1)
    return ramp + 16 * (turn - turn.T)

"""Ufuncs called on tensors: `np.add(x, y)`, and their methods and keywords."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import kinds, objects, shapes
from runtime.dtypes import same_dtype
from runtime.errors import OnlyPythonError, StagingNotImplementedError, located
from runtime.numpy_api import host, into, library
from runtime.numpy_api.asking import answer
from runtime.numpy_api.indexing import key_of
from runtime.numpy_api.mutating import after
from runtime.numpy_api.operands import (
    as_array,
    has_tensor,
    is_number,
    static_axis,
    strong,
)
from runtime.numpy_api.operators import (
    assign_whole,
    check_casting,
    naming_output,
    write_result,
)
from runtime.numpy_api.outputs import as_output, require_fitting
from runtime.numpy_api.several_outputs import are_arrays, write_each
from runtime.numpy_api.table import check_output
from runtime.op import Op
from runtime.ops import reduce
from runtime.ops.elementwise import (
    UFUNCS,
    masked_ufunc,
    only_dtype,
    ufunc_at,
    ufunc_dtypes,
    ufunc_into,
)
from runtime.picked import require_array
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, tensor
from runtime.tensor_view import View

# What these keywords say by default; with another value the call is a host call.
DEFAULTS = {"order": "K", "subok": True, "casting": "same_kind"}


def call_ufunc(
    ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`ufunc.method(*inputs, **kwargs)` with tensors among them."""
    if (
        any(map(_is_other, inputs[: _COUNTS.get(method, 3)]))
        or kwargs.get("out") is Ellipsis
    ):
        called = ufunc if method == "__call__" else getattr(ufunc, method)
        return host.call(called, inputs, kwargs)
    kwargs = {k: v for k, v in kwargs.items() if k not in DEFAULTS or DEFAULTS[k] != v}
    if kinds.has_mixed(inputs, kwargs) and not _takes_mixed(ufunc, method, kwargs):
        return kinds.split(call_ufunc, ufunc, method, inputs, kwargs)
    return _METHODS[method](ufunc, inputs, kwargs)


# So many of what a method is given first are operands; others have three at most.
_COUNTS = {"reduce": 1, "accumulate": 1, "reduceat": 2}


def _is_other(operand: Any) -> bool:
    """What is no array for NumPy: it calls the operand's own methods, or refuses it."""
    return operand is None or library.has_own_say(operand)


_NOTHING = object()


def _takes_mixed(ufunc: np.ufunc, method: str, kwargs: dict[str, Any]) -> bool:
    """True when the op does at the run what NumPy does with each kind.

    An op that is a Python operator too would follow Python with two Python numbers.
    """
    op = UFUNCS.get(ufunc)
    if method != "__call__" or kwargs or op is None:
        return False
    return ufunc.nin == 1 or op.kernel is ufunc


def _call(ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(inputs) > ufunc.nin and "out" not in kwargs:
        # Outputs by position, as in `np.sqrt(x, x)`, perhaps not all of them.
        left = ufunc.nin + ufunc.nout - len(inputs)
        kwargs["out"] = (*inputs[ufunc.nin :], *[None] * left)
        inputs = inputs[: ufunc.nin]
    out = _arrays_given(ufunc, kwargs.pop("out", None))
    where = kwargs.pop("where", True)
    operands = _operands(inputs)
    casting = kwargs.pop("casting", "same_kind") if out else "same_kind"
    is_plain = where is True and casting == "same_kind" and not kwargs
    if out and ufunc.nout == 1 and not ufunc.signature:
        if not is_plain or not _fits(ufunc, out, operands):
            return _into(ufunc, out[0], where, operands, casting, kwargs)
    if len(out) > 1 and not is_plain:
        raise OnlyPythonError(f"np.{ufunc.__name__} with options and several `out`")
    if len(out) > 1 and are_arrays(out):
        return write_each(ufunc, out, operands)
    if where is not True:
        kwargs["where"] = where
    with naming_output(out[0] if out else None):
        op = UFUNCS.get(ufunc)
        if op is not None and not kwargs and not _is_of_scalars(op, operands):
            result = op(*operands)
        else:
            result = _host(ufunc, operands, kwargs)
    return _write(ufunc, out, result, operands, casting) if out else result


def _arrays_given(ufunc: np.ufunc, given: Any) -> tuple[Any, ...]:
    """The arrays that are given for results; nothing where there is none."""
    if isinstance(given, tuple) and len(given) != ufunc.nout:
        words = "The 'out' tuple must have exactly one entry per ufunc output"
        raise ValueError(words)
    out = _outputs(given)
    for one in out:
        if isinstance(one, (Tensor, np.ndarray)):
            # Before all else, as NumPy: what does not fit comes afterwards.
            tensor(one).require_writable("output array")
    return out


def _is_of_scalars(op: Op, operands: tuple[Any, ...]) -> bool:
    """True where the op would be the operator of scalars, which is another one.

    `-np.uint8(1)` warns, `np.negative(np.uint8(1))` does not. Of what nothing is known
    both may be Python's numbers: `np.add` of them gives one of NumPy's.
    """
    specs = [tensor(operand).spec for operand in operands]
    scalars = all(spec.shape == () and not spec.kinds for spec in specs)
    unknown = any(spec.shape is None and spec.dtype is None for spec in specs)
    return (scalars or unknown) and op.kernel is not op.numpy


def _fits(ufunc: np.ufunc, out: tuple[Any, ...], operands: tuple[Any, ...]) -> bool:
    """Whether the result is known to be of the shape of `out`, and of its dtype."""
    if len(out) != 1 or out[0] is None:
        return True
    target = tensor(out[0]).spec
    specs = tuple(tensor(operand).spec for operand in operands)
    shapes_ = [spec.shape for spec in specs]
    if not (target.is_static and all(map(shapes.is_static, shapes_))):
        return False
    (made,) = ufunc_dtypes(ufunc, specs)
    alike = made is None or same_dtype(made, target.dtype)
    return alike and shapes.broadcast(*shapes_) == target.shape


def _into(
    ufunc: np.ufunc,
    out: Any,
    where: Any,
    operands: tuple[Any, ...],
    casting: str,
    options: dict[str, Any],
) -> Any:
    """The ufunc itself, told to write into `out`."""
    target = tensor(out)
    target.require_writable("output array")
    if where is True and casting == "same_kind" and not options:
        tensors = tuple(map(tensor, operands))
        (found,) = ufunc_dtypes(ufunc, tuple(one.spec for one in tensors))
        check_casting(ufunc, found, target, tensors)
        made = ufunc_into(target, *operands, ufunc=ufunc)
    else:
        keywords: dict[str, Any] = {"ufunc": ufunc, "casting": casting}
        if options:
            keywords["options"] = tuple(options.items())
        made = masked_ufunc(target, where, *operands, **keywords)
    target.write(made.value)
    return out


def _outputs(out: Any) -> tuple[Any, ...]:
    if out is None:
        return ()
    found = out if isinstance(out, tuple) else (out,)
    if all(one is None for one in found):
        return ()
    for one in found:
        if is_number(one) or isinstance(one, (np.generic, list, tuple)):
            raise TypeError("return arrays must be of ArrayType")
        if isinstance(one, Tensor) and one.scalar:
            raise TypeError("return arrays must be of ArrayType")
        if isinstance(one, Tensor):
            require_array(one)
    return found


def _operands(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Python numbers stay weak beside arrays; alone they are made strong, as NumPy's.

    Lists become arrays.
    """
    if len(inputs) == 1:
        return (as_array(inputs[0]),)
    plain = tuple(
        x if is_number(x) or kinds.is_mixed(x) else as_array(x) for x in inputs
    )
    return tuple(map(strong, plain)) if all(map(is_number, plain)) else plain


def _write(
    ufunc: np.ufunc,
    out: tuple[Any, ...],
    result: Any,
    operands: tuple[Any, ...],
    casting: str,
) -> Any:
    results = result if isinstance(result, tuple) else (result,)
    tensors = tuple(map(tensor, operands))
    given = []
    # Of two that overlap the first is written last, as NumPy puts copies back.
    for target, made in reversed(list(zip(out, results, strict=True))):
        if target is None:
            given.append(made)
            continue
        if ufunc.signature and len(results) == 1:
            require_fitting(made, tensor(target), (ufunc, operands, {}))
        if len(results) == 1:
            write_result(ufunc, tensor(target), made, tensors, casting)
        else:
            assign_whole(tensor(target), made)
        given.append(target)
    return tuple(reversed(given)) if len(results) > 1 else given[0]


def _host(ufunc: np.ufunc, operands: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A ufunc without an op, or with rare keywords: its result is still known."""
    if ufunc.nout != 1 or ufunc.signature is not None:
        return host.call(ufunc, operands, kwargs)
    specs = tuple(tensor(operand).spec for operand in operands)
    shape = shapes.broadcast(*(spec.shape for spec in specs))
    if "dtype" in kwargs:
        dtype = only_dtype(ufunc) or np.dtype(kwargs["dtype"])
    else:
        (found,) = ufunc_dtypes(ufunc, specs)
        if found is None:
            return host.call(ufunc, operands, kwargs, TensorSpec(shape, None))
        dtype = found
    return host.call(ufunc, operands, kwargs, TensorSpec(shape, dtype))


_REDUCE: dict[np.ufunc, Op] = {
    np.add: reduce.sum_,
    np.multiply: reduce.prod,
    np.maximum: reduce.max_,
    np.minimum: reduce.min_,
    np.logical_or: reduce.any_,
    np.logical_and: reduce.all_,
}


def _reduce(ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return _along(ufunc, inputs, kwargs, "reduce")


def _accumulate(
    ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    return _along(ufunc, inputs, kwargs, "accumulate")


# The parameters of `ufunc.reduce` after the array, and what says nothing there.
_PLACES = ("axis", "dtype", "out", "keepdims", "initial", "where")
_LEFT_OUT: dict[str, Any] = {"dtype": None, "keepdims": False, "where": True}


def _along(
    ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any], method: str
) -> Any:
    x, *rest = inputs
    given = dict(zip(_PLACES, rest, strict=False)) | kwargs
    named = {n: v for n, v in given.items() if _LEFT_OUT.get(n, _NOTHING) is not v}
    out = _outputs(named.pop("out", None))
    asked = {"axis": 0, **named}
    axis = named.pop("axis", 0)
    if out:
        check_output(getattr(ufunc, method), (x,), asked, out[0])
    keepdims = bool(named.pop("keepdims", False))
    if named or has_tensor(axis):
        if out and into.suits(tensor(out[0]), asked):
            into.write_into(getattr(ufunc, method), tensor(out[0]), (x,), asked)
            return out[0]
        result = host.call(getattr(ufunc, method), (as_array(x),), asked)
    elif method == "accumulate":
        result = reduce.ufunc_accumulate(as_array(x), ufunc=ufunc, axis=int(axis))
    else:
        options: dict[str, Any] = {"axis": static_axis(axis), "keepdims": keepdims}
        named_op = _REDUCE.get(ufunc)
        if named_op is not None:
            result = named_op(as_array(x), **options)
        else:
            result = reduce.ufunc_reduce(as_array(x), ufunc=ufunc, **options)
    if not out:
        return result
    called = (getattr(ufunc, method), (x,), asked)
    require_fitting(tensor(result), tensor(out[0]), called)
    assign_whole(tensor(out[0]), as_output(tensor(result), tensor(out[0]), called))
    return out[0]


def _outer(ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, y = map(as_array, inputs)
    if y.spec.rank is None or (x.scalar and objects.is_object(x)):
        return host.call(ufunc.outer, (x, y), kwargs)
    return _call(ufunc, (x[(..., *(None,) * y.spec.rank)], y), kwargs)


def _reduceat(ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    names = ("array", "indices", *_PLACES[:3])
    given = dict(zip(names, inputs, strict=False)) | kwargs
    out = _outputs(given.pop("out", None))
    if not out:
        return host.call(ufunc.reduceat, (), given)
    into.write_into(ufunc.reduceat, tensor(out[0]), (), given)
    return out[0]


def _at(ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    target, indices, *content = inputs
    if not isinstance(target, (Tensor, np.ndarray)) or tensor(target).scalar:
        raise TypeError("first operand must be array")
    base = tensor(target)
    pick = base.root._pick
    if base.is_locked or (pick and pick.may_be_locked):
        _check_locked(ufunc, base, inputs[1:])
    key = key_of(indices)
    if not content:
        # One operand: every repeated index applies the ufunc once more.
        made = after(ufunc.at, base, indices)
    else:
        made = ufunc_at(base, content[0], *key.dynamic, ufunc=ufunc, index=key.index)
    base.write(made.value)


def _check_locked(ufunc: np.ufunc, base: Tensor, others: tuple[Any, ...]) -> None:
    """Raise for a read-only target, unless NumPy writes there all the same.

    It does not look whether it may, and some of its loops do: which one it takes
    depends on the sizes, too.
    OnlyPythonError: these are known when it runs
    """
    if base.is_locked and not base.spec.is_static:
        words = f"np.{ufunc.__name__}.at of a read-only view of sizes of the run"
        raise located(OnlyPythonError(words), "Copy it first (`x = x.copy()`).")
    itself = View(base, lambda x: x, lambda _, part: part, locked=True)
    shown = Tensor(base.value, scalar=False, view=itself)
    said = answer(ufunc.at, shown, *others)
    words, found, _ = str(said).partition(" is read-only")
    if found:
        base.require_writable(words)
    elif said is not True or not base.is_locked:
        raise located(
            StagingNotImplementedError(f"np.{ufunc.__name__}.at of a read-only view"),
            "Copy it first (`x = x.copy()`).",
        )


_METHODS = {
    "__call__": _call,
    "reduce": _reduce,
    "accumulate": _accumulate,
    "outer": _outer,
    "reduceat": _reduceat,
    "at": _at,
}

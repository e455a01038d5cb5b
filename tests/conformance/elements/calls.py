"""The calls of each op: what users write that becomes it, as templates.

{x}, {y}, {z} are arrays, scalars or numbers that go together; {i} indices, {b} bools,
{n} a number of the run, {o} an array of the result's shape; the words in WORDS are
chosen as text. Ufuncs and reductions have rows by what they are.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import numpy as np

import runtime.ops
from runtime.op import OPS, Op
from runtime.ops.elementwise import OPERATORS
from runtime.ops.reduce import REDUCTIONS

WORDS: dict[str, tuple[str, ...]] = {
    "axis": ("None", "0", "-1", "1", "0", "-1", "2"),
    "one_axis": ("0", "-1", "1", "0", "-1", "-2", "2"),
    "keep": ("True", "False"),
    "k": ("0", "1", "-1", "2"),
    "dtype": (
        *("float", "np.float32", "int", "np.int8", "complex", "bool", "'U3'", "'>f4'"),
        *("np.longdouble", "np.float16", "np.uint64", "'M8[D]'", "'m8[s]'", "object"),
    ),
    "casting": ("'safe'", "'unsafe'", "'no'", "'equiv'", "'same_kind'"),
    "order": ("'C'", "'F'", "'A'", "'K'"),
    "kind": ("None", "'stable'", "'heapsort'", "'mergesort'"),
    "size": ("0", "1", "3", "(2, 3)", "(3, 1)", "(2, 0)", "()", "(3, 2)"),
    "ufunc": ("subtract", "maximum", "logical_xor", "bitwise_or", "hypot", "fmin"),
}
OPERATOR_TEXTS = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//"},
    **{"mod": "%", "pow": "**", "and": "&", "or": "|", "xor": "^", "lshift": "<<"},
    **{"rshift": ">>", "lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">"},
    **{"ge": ">=", "neg": "-", "pos": "+", "abs": "abs", "invert": "~"},
    "divmod": "divmod",
}
COMPARISONS = {"<", "<=", "==", "!=", ">", ">="}

CALLS: dict[str, tuple[str, ...]] = {
    "all": ("np.all({x}, axis={axis})", "{x}.all()", "np.logical_and.reduce({x})"),
    "arange": ("np.arange({n})", "np.arange(1, {n}, 2)", "np.arange(0.5, {n})"),
    "argsort": (
        "np.argsort({x}, axis={axis}, kind='stable')",
        "{x}.argsort(kind='stable')",
    ),
    "argwhere": ("np.argwhere({x})",),
    "array_power": ("{x} ** {y}", "{x} ** 2", "{x} ** 0.5", "2 ** {x}", "{x} ** -1"),
    "bincount": ("np.bincount({i})", "np.bincount(abs({i}), minlength=7)"),
    "broadcast_to": ("np.broadcast_to({x}, {size})",),
    "cast": (
        *("{x}.astype({dtype})", "{x}.astype({dtype}, casting={casting})"),
        *("{x}.astype({dtype}, order={order})", "np.asarray({x}, {dtype})"),
    ),
    "changed": (
        *("np.put({x}, {i}, {y})", "np.fill_diagonal({x}, {y})", "{x}.put({i}, 1)"),
        *("np.putmask({x}, {b}, {y})", "np.place({x}, {b}, [1, 2])"),
    ),
    "clip": (
        *("np.clip({x}, {y}, {z})", "{x}.clip(0, 2)", "np.clip({x}, None, {y})"),
        *("np.clip({x}, 1, None)", "np.clip({x}, 0, 300)", "np.clip({x}, -1, 1)"),
    ),
    "concatenate": (
        *("np.concatenate([{x}, {y}], axis={axis})", "np.append({x}, {y})"),
        *("np.hstack([{x}, {y}])", "np.vstack([{x}, {y}])", "np.dstack([{x}, {y}])"),
        "np.column_stack([{x}, {y}])",
    ),
    "constant": ("np.add({x}, 1)",),
    "copy": ("{x}.copy()", "np.copy({x})", "{x}.copy({order})", "np.array({x})"),
    "cross": ("np.cross({x}, {y})",),
    "diag": ("np.diag({x}, {k})",),
    "diagonal": ("np.diagonal({x}, {k})", "{x}.diagonal()"),
    "diff": ("np.diff({x})", "np.diff({x}, 2)", "np.diff({x}, axis={one_axis})"),
    "dim": ("{x}.shape[0] + 0", "len({x})"),
    "dot": ("np.dot({x}, {y})", "{x}.dot({y})"),
    "einsum": (
        *("np.einsum('ij->ji', {x})", "np.einsum('i,i', {x}, {y})"),
        *("np.einsum('...i->...', {x})", "np.einsum('ij,jk', {x}, {y})"),
        *("np.einsum('ii->i', {x})", "np.einsum('ij,ij->i', {x}, {y}, optimize=True)"),
    ),
    "empty": ("np.empty({size}).shape", "np.empty_like({x}).dtype"),
    "expand_dims": ("np.expand_dims({x}, {one_axis})", "np.expand_dims({x}, (0, 2))"),
    "eye": ("np.eye({n})", "np.eye({n}, 3, 1, int)"),
    "flatnonzero": ("np.flatnonzero({x})",),
    "flip": ("np.flip({x}, {axis})", "np.flipud({x})", "np.fliplr({x})"),
    "full": ("np.full({size}, {x})", "np.full_like({x}, 3)", "np.full({n}, {x})"),
    "identity": ("{x}.view()",),
    "imag": ("{x}.imag", "np.imag({x})"),
    "index": (
        *("{x}[{i}]", "{x}[{b}]", "{x}[[0, -1]]", "{x}[..., {i}]", "{x}[{x} > 0]"),
        *("{x}[{i}, 0]", "{x}[{i}, {i}]", "{x}[{i}, None]", "{x}[:, {i}]"),
    ),
    "inner": ("np.inner({x}, {y})",),
    "kron": ("np.kron({x}, {y})",),
    "linspace": ("np.linspace({x}, {y}, 4)", "np.linspace(0, {n}, 5)"),
    "masked_ufunc": ("np.add({x}, {y}, out={o}, where={b})",),
    "matmul": ("{x} @ {y}", "np.matmul({x}, {y})"),
    "meshgrid": ("np.meshgrid({x}, {y})", "np.meshgrid({x}, {y}, sparse=True)"),
    "nonzero": ("np.nonzero({x})", "{x}.nonzero()", "np.where({x})"),
    "number_power": ("({n}.item()) ** 2",),
    "ones": ("np.ones({size}, {dtype})", "np.ones_like({x})", "np.ones({n})"),
    "outer": ("np.outer({x}, {y})",),
    "pad": (
        *("np.pad({x}, 1)", "np.pad({x}, (1, 2), 'edge')", "np.pad({x}, 1, 'wrap')"),
        "np.pad({x}, 1, constant_values=7)",
    ),
    "put_along_axis": ("np.put_along_axis({x}, {i}, 1, {one_axis})",),
    "ravel": ("np.ravel({x})", "{x}.ravel()", "{x}.ravel({order})", "{x}.flatten()"),
    "real": ("{x}.real", "np.real({x})"),
    "repeat": ("np.repeat({x}, 2, axis={axis})", "np.repeat({x}, {n})"),
    "reshape": (
        *("{x}.reshape(-1)", "np.reshape({x}, (3, -1))", "{x}.reshape({size})"),
        *("{x}.reshape(-1, order={order})", "np.atleast_2d({x})"),
    ),
    "roll": ("np.roll({x}, 1, axis={axis})", "np.roll({x}, {n})"),
    "rot90": ("np.rot90({x})", "np.rot90({x}, {k})"),
    "round": ("np.round({x})", "np.round({x}, 1)", "{x}.round(-1)", "np.around({x})"),
    "searchsorted": (
        "np.searchsorted(np.sort({x}), {y})",
        "np.searchsorted({x}, {y}, 'right')",
    ),
    "size": ("{x}.size + 0", "np.size({x})"),
    "slice": (
        *("{x}[0]", "{x}[-1]", "{x}[1:]", "{x}[::-1]", "{x}[..., 0]", "{x}[()]"),
        *("{x}[:, 1]", "{x}[None]", "{x}[{n}]", "{x}[:{n}]", "{x}['a']", "{x}[5]"),
        *("{x}[..., ::2]", "{x}[['b', 'a']]", "{x}['p']['x']", "{x}[{n}:, 0]"),
    ),
    "sort": (
        *("np.sort({x}, axis={axis})", "np.sort({x}, kind={kind})"),
        "np.sort({x}, axis={axis}, stable=True)",
    ),
    "split": (
        "np.array_split({x}, 2)",
        "np.split({x}, 3, axis={one_axis})",
        "np.split({x}, [1, 2])",
    ),
    "squeeze": ("np.squeeze({x})", "{x}.squeeze({axis})"),
    "stack": ("np.stack([{x}, {y}])", "np.stack([{x}, {y}], axis={one_axis})"),
    "store": (
        *("{x}[0] = {y}", "{x}[...] = {y}", "{x}.fill({y})", "{x}[{b}] = {y}"),
        *("{x}[{i}] = 1", "{x}[::2] = {y}", "np.copyto({x}, {y})", "{x}[{n}] = {y}"),
    ),
    "take": (
        *("np.take({x}, {i})", "np.take({x}, {i}, axis={axis})", "{x}.take({i})"),
        "np.take({x}, {n})",
    ),
    "take_along_axis": (
        "np.take_along_axis({x}, {i}, {one_axis})",
        "np.take_along_axis({x}, np.argsort({x}, kind='stable'), -1)",
    ),
    "tensordot": ("np.tensordot({x}, {y}, 1)", "np.tensordot({x}, {y}, 0)"),
    "tile": ("np.tile({x}, 2)", "np.tile({x}, (2, 1))", "np.tile({x}, {n})"),
    "trace": ("np.trace({x})", "np.trace({x}, 1)", "{x}.trace()"),
    "transpose": (
        *(
            "np.transpose({x})",
            "{x}.T",
            "{x}.transpose(1, 0)",
            "np.swapaxes({x}, 0, 1)",
        ),
        "np.moveaxis({x}, 0, -1)",
    ),
    "tri": ("np.tri({n})", "np.tri({n}, 3, -1)"),
    "tril": ("np.tril({x})", "np.tril({x}, {k})"),
    "triu": ("np.triu({x})", "np.triu({x}, {k})"),
    "truth": ("bool({x})", "1 if {x} else 2", "not {x}"),
    "ufunc_accumulate": (
        "np.{ufunc}.accumulate({x})",
        "np.{ufunc}.accumulate({x}, axis={one_axis})",
    ),
    "ufunc_at": (
        "np.add.at({x}, {i}, {y})",
        "np.{ufunc}.at({x}, {i}, {y})",
        "np.negative.at({x}, {i})",
    ),
    "ufunc_into": ("np.add({x}, {y}, out={o})", "np.sqrt({x}, out={o})"),
    "ufunc_into_each": (
        "np.modf({x}, out=({o}, None))",
        "np.divmod({x}, {y}, out=(None, {o}))",
        "np.frexp({x}, out=({o}, None))",
        "np.divmod({x}, {y}, {x}, {o})",
    ),
    "ufunc_reduce": (
        "np.{ufunc}.reduce({x}, axis={axis})",
        "np.{ufunc}.reduce({x}, axis={axis}, keepdims={keep})",
    ),
    "unique": ("np.unique({x})", "np.unique({x}, return_counts=True)"),
    "vdot": ("np.vdot({x}, {y})",),
    "view_bits": ("{x}.view('u1')", "{x}.view('i2')", "{x}.view({dtype})"),
    "where": (
        *("np.where({b}, {x}, {y})", "np.where({x}, {y}, {z})"),
        *("np.where({b}, {x}, 0)", "np.where({b}, 1, 2)"),
    ),
    "with_part": ("{x}.real.fill(1)", "{x}.imag[...] = {y}"),
    "write_through": ("{x}.flat[0] = 1", "np.put({x}, {i}, {y})"),
    "zeros": ("np.zeros({size}, {dtype})", "np.zeros_like({x})", "np.zeros({n})"),
}

# No elements are computed by the ops of these modules: they are what Python's
# statements and objects become, which tests of their own run.
NOT_OF_ARRAYS = (
    "characters control given heaps kind lists philox placeholder places random rows "
    "settings state tables tuples world"
)
# Of Python numbers, likewise.
OF_NUMBERS = "not strong"
# Of arrays whose number of dims a run finds: the tests of views have these.
OF_ANY_DIMS = "reshape_like"


@cache
def all_ops() -> dict[str, Op]:
    """Every op in the table."""
    for module in pkgutil.iter_modules(runtime.ops.__path__, "runtime.ops."):
        importlib.import_module(module.name)
    return dict(sorted(OPS.items()))


@cache
def calls_of(name: str) -> tuple[str, ...]:
    """The templates of an op; none for one without a row."""
    op = all_ops()[name]
    found = list(CALLS.get(name, ()))
    if isinstance(op.numpy, np.ufunc) and op.numpy.signature is None:
        found += _of_ufunc(op.numpy)
    if op.numpy in REDUCTIONS:
        found += _of_reduction(op.numpy)
    for word, other in OPERATORS.items():
        if other is op:
            found += _of_operator(OPERATOR_TEXTS[word], op)
    return tuple(found)


def _of_ufunc(ufunc: np.ufunc) -> list[str]:
    name = f"np.{ufunc.__name__}"
    plain = ["{x}", "{x}, {y}"][ufunc.nin - 1]
    found = [f"{name}({plain})"] * 4
    if ufunc.nout == 1:
        found += [
            f"{name}({plain}, dtype={{dtype}})",
            f"{name}({plain}, out={{o}})",
            f"{name}({plain}, out={{o}}, casting={{casting}})",
            f"{name}({plain}, order={{order}})",
        ]
    if ufunc.nin == 2 and ufunc.nout == 1:
        found += [
            f"{name}.reduce({{x}}, axis={{axis}})",
            f"{name}.accumulate({{x}}, {{one_axis}})",
            f"{name}.outer({{x}}, {{y}})",
            f"{name}.reduceat({{x}}, [0, 1])",
            f"{name}.at({{x}}, {{i}}, {{y}})",
        ]
    return found


def _of_reduction(function: object) -> list[str]:
    word = getattr(function, "__name__", "").removeprefix("a")
    word = {"ll": "all", "ny": "any", "rgmax": "argmax", "rgmin": "argmin"}.get(
        word, word
    )
    found = [f"np.{word}({{x}})", *[f"np.{word}({{x}}, axis={{axis}})"] * 2]
    if word not in ("cumsum", "cumprod"):
        found.append(f"np.{word}({{x}}, axis={{axis}}, keepdims={{keep}})")
    if word in ("sum", "prod", "mean", "cumsum", "cumprod", "std", "nansum"):
        found.append(f"np.{word}({{x}}, dtype={{dtype}})")
    if hasattr(np.ndarray, word):
        found.append(f"{{x}}.{word}()")
    return found


def _of_operator(text: str, op: Op) -> list[str]:
    if text == "abs":
        return ["abs({x})"]
    if text == "divmod":
        return ["divmod({x}, {y})"] * 4
    if op.numpy is not None and op.numpy.nin == 1:
        return [f"{text}{{x}}"]
    found = [f"{{x}} {text} {{y}}"] * 4
    return found if text in COMPARISONS else [*found, f"{{x}} {text}= {{y}}"]


def without_row() -> list[str]:
    """The ops that no call makes."""
    return [name for name in all_ops() if not calls_of(name) and not _is_exempt(name)]


def _is_exempt(name: str) -> bool:
    module = all_ops()[name].infer.__module__.rpartition(".")[2]
    apart = (*OF_NUMBERS.split(), *OF_ANY_DIMS.split())
    return module in NOT_OF_ARRAYS.split() or name in apart

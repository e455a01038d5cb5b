"""Trials: a call with its operands, run by NumPy and as a graph, and what differs.

    python -m tests.conformance.elements.trials SEED COUNT [OP]

prints those whose graphs do otherwise than NumPy. Values are compared bit by bit, and
types, dtypes, shapes, the order in memory, whether results are read-only and whose
memory they are, exceptions with their lines, warnings, and the arguments afterwards.
"""

from __future__ import annotations

import itertools
import linecache
import random
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag
from tests.conformance.elements import operands
from tests.conformance.elements.calls import WORDS, all_ops, calls_of

FORMS = {
    "alone": "def f({names}):\n    return {call}\n",
    "changing": "def f({names}):\n    {call}\n    return {first}\n",
    "inside": (
        "def f(turns, {names}):\n    r = None\n    for turn in range(turns):\n"
        "        r = {call}\n    return r\n"
    ),
    "changing inside": (
        "def f(turns, {names}):\n    for turn in range(turns):\n"
        "        {call}\n    return {first}\n"
    ),
}
LITERALS = (bool, int, float, complex, str, bytes)
_STATEMENT = re.compile(
    r"{x}\S* ([^=!<>\s]|<<|>>|//|\*\*)?= |.*\.(fill|at|put)\("
    r"|np\.(put|copyto|fill_diagonal|place)"
)


@dataclass(frozen=True)
class Trial:
    """One call: its text, the values of its names, and how it stands."""

    op: str
    call: str
    values: dict[str, Any]
    form: str
    sized: str

    def __str__(self) -> str:
        shown = ", ".join(f"{k}={told(v)}" for k, v in self.values.items())
        return f"{self.op} [{self.form}, {self.sized}] {self.call}   {shown}"


def told(value: Any) -> str:
    """A value, with what its repr does not say."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    flags = value.flags
    order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else value.strides
    lock = "" if flags.writeable else " locked"
    return f"{value.dtype}{list(value.shape)}({value.tolist()!r}, {order}{lock})"


def trials(chance: random.Random, count: int, only: str = "") -> Iterator[Trial]:
    """So many, of all ops or one."""
    names = [only] if only else [name for name in all_ops() if calls_of(name)]
    for _ in range(count):
        one = trial(chance, chance.choice(names))
        if one is not None:
            yield one


def trial(chance: random.Random, op: str) -> Trial | None:
    """One of an op; None of one that has no calls."""
    if not calls_of(op):
        return None
    template = chance.choice(calls_of(op))
    changing = bool(_STATEMENT.match(template))
    for word, texts in WORDS.items():
        template = template.replace(f"{{{word}}}", chance.choice(texts))
    letters = list(dict.fromkeys(re.findall(r"{(\w)}", template)))
    values = _values(chance, letters)
    call, kept = template, {}
    for letter, value in values.items():
        is_literal = type(value) in LITERALS
        text = _literal(value) if is_literal else letter
        call = call.replace(f"{{{letter}}}", text)
        if not is_literal:
            kept[letter] = value
    if changing and "x" not in kept:
        return None  # the target is no name
    form = "changing" if changing else "alone"
    if chance.random() < 0.25:
        form = "changing inside" if changing else "inside"
    sized = chance.choice(("known", "known", "sizes unknown", "rank unknown"))
    return Trial(op, call, kept, form, sized)


def _literal(value: Any) -> str:
    text = repr(value)
    for name in ("inf", "nan"):
        text = text.replace(name, f"float('{name}')")
    return f"({text})"


def _values(chance: random.Random, letters: list[str]) -> dict[str, Any]:
    shape = chance.choice(operands.SHAPES)
    group = operands.family(chance)
    found: dict[str, Any] = {}
    for letter in letters:
        if letter == "i":
            found[letter] = _indices(chance)
        elif letter == "b":
            dims = chance.choice((shape, shape, (3,)))
            found[letter] = operands.array(chance, np.dtype(bool), dims)
        elif letter == "n":
            found[letter] = np.int64(chance.choice((0, 1, 2, 3, 5, -1)))
        else:
            found[letter] = _operand(chance, letter, group, shape)
    if all(not isinstance(v, np.ndarray | np.generic) for v in found.values()):
        found["x"] = operands.array(chance, np.dtype(float), shape)
    return found


def _indices(chance: random.Random) -> Any:
    dims = chance.choice(((2,), (3,), (0,), (2, 2), (1, 3)))
    dtype = chance.choice((np.int64, np.int64, np.int32, np.uint8))
    low = 0 if dtype is np.uint8 else -2
    few = [chance.choice((low, 0, 1, 1, 2, 7)) for _ in range(int(np.prod(dims)))]
    return np.array(few, dtype).reshape(dims)


def _operand(chance: random.Random, letter: str, group: str, shape: Any) -> Any:
    name = group if chance.random() < 0.7 else operands.family(chance)
    what = chance.random()
    if letter in "yz" and what < 0.25 and name in operands.NUMBERS:
        return chance.choice(operands.NUMBERS[name])
    dtype = operands.dtype_of(chance, name)
    if letter != "o" and what < 0.35:
        return operands.content(chance, dtype, ())[()]
    dims = shape if chance.random() < 0.6 else chance.choice(operands.SHAPES)
    if letter in "yz" and chance.random() < 0.3:
        dims = shape[chance.randint(0, 1) :]
    return operands.array(chance, dtype, dims)


# --- running --------------------------------------------------------------------------


def difference(one: Trial) -> str | None:
    """What the graph does otherwise than NumPy, in a few lines; None where nothing."""
    plain = function_of(one)
    python = observe(plain, one)
    try:
        staged = ag.function(plain, input_signature=_signature(one))
    except Exception as error:
        return f"no function: {error!r}"
    for call in ("traced", "from the cache"):
        graph = observe(staged, one)
        if graph["refused"] and one.sized == "rank unknown":
            return None
        for what in python:
            if not same(what, python, graph):
                return f"{what}, {call}:\n  NumPy {python[what]}\n  graph {graph[what]}"
    return None


def same(what: str, python: dict[str, Any], graph: dict[str, Any]) -> bool:
    """Whether what was seen is the same, as far as it has to be."""
    if what == "warnings":
        # Where NumPy names a file of its own, the user's line is better.
        texts = [re.sub(r" in \S*numpy/\S*", " in .*", t) for t in python[what]]
        if python["exception"]:
            return True
        pairs = itertools.zip_longest(texts, graph[what], fillvalue="")
        return all(_fits(*pair) for pair in pairs)
    return python[what] == graph[what]


def _fits(text: str, other: str) -> bool:
    if text.endswith(" in .*"):
        return other.startswith(text[:-2]) and "/runtime/" not in other
    return text == other


_FUNCTIONS: dict[str, Callable[..., Any]] = {}


def function_of(one: Trial) -> Callable[..., Any]:
    """The function `f` of the trial's text; one for equal texts."""
    names = ", ".join(one.values)
    first = next(iter(one.values))
    text = FORMS[one.form].format(names=names, call=one.call, first=first)
    if text not in _FUNCTIONS:
        file = f"<trial {len(_FUNCTIONS)}>"
        source = f"import numpy as np\n{text}"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        namespace: dict[str, Any] = {"__name__": "trial"}
        exec(compile(source, file, "exec"), namespace)
        _FUNCTIONS[text] = namespace["f"]
    return _FUNCTIONS[text]


def _signature(one: Trial) -> Any:
    arrays = [v for v in one.values.values() if isinstance(v, np.ndarray)]
    if one.sized == "known" or any(array.ndim == 0 for array in arrays):
        return None
    specs = [] if "inside" not in one.form else [ag.TensorSpec((), np.int64)]
    for value in one.values.values():
        rank = np.ndim(value)
        dims: Any = (None,) * rank
        if one.sized == "rank unknown" and rank:
            dims = None
        specs.append(ag.TensorSpec(dims, value.dtype))
    return specs


def observe(function: Callable[..., Any], one: Trial) -> dict[str, Any]:
    """All that can be seen of a call."""
    own = {name: copied(value) for name, value in one.values.items()}
    arguments = [np.int64(2)] * ("inside" in one.form) + list(own.values())
    seen: dict[str, Any] = {"exception": "", "line": "", "refused": False}
    result = None
    with warnings.catch_warnings(record=True) as told_of:
        warnings.simplefilter("always")
        try:
            result = function(*arguments)
        except Exception as error:
            seen["refused"] = bool(getattr(error, "__notes__", ()))
            seen["exception"] = f"{type(error).__name__}: {error}"
            lines = traceback.extract_tb(error.__traceback__)
            users = [at for at in lines if at.filename.startswith("<trial")]
            seen["line"] = f"line {users[-1].lineno}" if users else "none"
    seen["result"] = shown(result, own)
    seen["arguments"] = str([shown(value, {}) for value in own.values()])
    seen["warnings"] = [_warning(w) for w in told_of]
    return seen


def _warning(w: Any) -> str:
    at = w.lineno if w.filename.startswith("<trial") else w.filename
    return f"{w.category.__name__}: {w.message} in {at}"


def copied(value: Any) -> Any:
    """A copy that lies in memory as `value` does."""
    if not isinstance(value, np.ndarray):
        return value
    locked, base = not value.flags.writeable, value
    while isinstance(base.base, np.ndarray):
        base = base.base
    # No buffer can be made to hold texts of any length.
    if base is value or not value.size or value.dtype.kind == "T":
        made = value.copy(order="K")
    else:
        # With the memory around it, and as it lies there.
        memory = base.copy(order="K")
        begins = (x.__array_interface__["data"][0] for x in (value, base))
        offset = next(begins) - next(begins)
        made = np.ndarray(value.shape, value.dtype, memory, offset, value.strides)
    if locked:
        made.flags.writeable = False
    return made


def shown(value: Any, own: dict[str, Any]) -> str:
    """Type, dtype, shape, bits, order, lock, and whose memory."""
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}{[shown(part, own) for part in value]}"
    if not isinstance(value, np.ndarray | np.generic):
        return f"{type(value).__name__} {value!r}"
    text = f"{type(value).__name__} {value.dtype!r}{list(value.shape)} {_bits(value)}"
    if isinstance(value, np.ndarray):
        flags = value.flags
        steps = [s for s, n in zip(value.strides, value.shape, strict=True) if n > 1]
        text += f" steps {steps if value.size else ''}" + "" * flags.owndata
        text += "" if flags.writeable else " read-only"
        shares = [
            name
            for name, other in own.items()
            if isinstance(other, np.ndarray) and np.may_share_memory(value, other)
        ]
        text += f" memory of {shares}" if shares else ""
    return text


def _bits(value: Any) -> str:
    whole = np.asarray(value)
    if whole.dtype.kind in "fc":
        with np.errstate(all="ignore"):
            return str([repr(item) for item in whole.ravel()])
    return str(whole.tolist())


# Where graphs are known to do otherwise: of calls that two things are wrong with, the
# one that NumPy names first (a trace does not know that an argument is read-only).
KNOWN = (
    "NumPy ValueError: output array is read-only",
    "graph TypeError: an array of Python objects cannot be in a graph",
)


def is_known(found: str) -> bool:
    """True for a difference that is documented."""
    _, *lines = (
        line.removeprefix("  NumPy ").removeprefix("  graph ")
        for line in found.split("\n")
    )
    if len(lines) == 2 and lines[0].replace("=: '", ": '") == lines[1]:
        return True  # `x -= y` of texts, which are no arrays, names the operator `-`
    if len(lines) == 2 and "[]" in lines[0]:
        # A view without dims of an array without dims is returned as a copy, which may
        # be written.
        lines[0] = re.sub(r" memory of \[[^\]]*\]| read-only", "", lines[0])
        if lines[0] == lines[1]:
            return True
    return any(text in found for text in KNOWN)


def main(seed: int, count: int, only: str = "") -> None:
    """Print the trials of a seed that differ."""
    ag.config(strict=True)
    for number, one in enumerate(trials(random.Random(seed), count, only)):
        try:
            found = difference(one)
        except Exception as error:
            found = f"CRASH {error!r}"
        if found and not is_known(found):
            print(f"{number}: {one}\n  {found}\n", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:4])

"""What tf.function makes of the programs; a process of its own, in an environment of
its own, which has TensorFlow:

    python -m tests.conformance.constructs.tensorflow_column

Arrays and numbers are given as tensors of 32 bits, as TensorFlow makes those of
Python, so that no program is refused for its dtypes; `np` is tf.experimental.numpy.
What comes out is compared by value alone: a tensor is as good as an array, and any
exception where Python raises one. So `right` is said generously.
"""

import contextlib
import copy
import importlib
import io
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
import tensorflow.experimental.numpy as tnp

from tests.conformance.constructs.rows import SECTIONS, sections

FILE = Path(__file__).with_name("tensorflow.json")
SECONDS = 12


class TooLongError(BaseException):
    """A program took longer than SECONDS."""


def main() -> None:
    """Measure every row, and write the column."""
    column: dict[str, str] = {}
    keys = [f"{file}:{row.name}" for _, file, rows in sections() for row in rows]
    while len(column) < len(keys):
        for line in _lines(len(column)):
            key, _, verdict = line.partition(" ")
            column[key] = verdict
            print(line, file=sys.stderr)
        if len(column) < len(keys):  # the row after the last does not end, or crashes
            column[keys[len(column)]] = "wrong: does not end"
    versions = {"tensorflow": tf.__version__, "numpy": np.__version__}
    text = json.dumps({"versions": versions, "rows": column}, indent=1)
    FILE.write_text(text + "\n")


def _lines(first: int) -> Iterator[str]:
    """What a process says that measures from row `first`, until it says no more."""
    name = "tests.conformance.constructs.tensorflow_column"
    child = subprocess.Popen(
        [sys.executable, "-m", name, str(first)], stdout=subprocess.PIPE, text=True
    )
    said: queue.Queue[str] = queue.Queue()
    assert child.stdout is not None
    out = child.stdout
    threading.Thread(target=lambda: [*map(said.put, out), said.put("")]).start()
    wait = 120.0  # for TensorFlow to start
    try:
        while line := said.get(timeout=wait).strip():
            yield line
            wait = 2 * SECONDS
    except queue.Empty:
        pass
    finally:
        child.kill()
        child.wait()


def measure(first: int) -> None:
    """Say the verdict of every row from `first` on."""
    signal.signal(signal.SIGALRM, _stop)
    rows = [(f"{file}:{row.name}", row) for _, file, rows in sections() for row in rows]
    plain = {key: _plain(row) for key, row in rows[first:]}
    tnp.experimental_enable_numpy_behavior(prefer_float32=True)
    for name in SECTIONS:
        module = importlib.import_module(f"tests.conformance.constructs.{name}")
        if hasattr(module, "np"):
            module.np = tnp  # type: ignore[attr-defined] # the module is made here
    for key, row in rows[first:]:
        print(key, _verdict(row, plain[key]), flush=True)


def _stop(*_: Any) -> None:
    raise TooLongError


def _plain(row: Any) -> list[Any]:
    return [_observe(row.program, args, row.keywords) for args in row.sets]


def _observe(f: Any, args: Any, keywords: Any) -> tuple[Any, Any, str]:
    """The result, the exception, the printed text."""
    own = copy.deepcopy(args)
    printed, result, raised = io.StringIO(), None, None
    signal.alarm(SECONDS)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        try:
            result = f(*own, **keywords)
        except Exception as error:
            raised = error
        except TooLongError:
            raised = TimeoutError(f"more than {SECONDS} s")
        finally:
            signal.alarm(0)
    return result, raised, printed.getvalue()


def _verdict(row: Any, plain: list[Any]) -> str:
    """`right`, `refused: ...` or `wrong: ...`."""
    function = tf.function(row.program, autograph=True)
    texts = {str(raised) for _, raised, _ in plain if raised is not None}
    found = []
    for args, (result, raised, printed) in zip(row.sets, plain, strict=True):
        given = _given(args)
        got, failed, said = _observe(function, given, row.keywords)
        if raised is not None:
            found.append("right" if failed is not None else "wrong: no exception")
        elif failed is not None:
            early = str(failed) and any(text and text in str(failed) for text in texts)
            found.append(
                "wrong: raises what another path raises" if early else "refused"
            )
        elif not _alike(result, got):
            found.append("wrong: another result")
        elif said != printed:
            found.append("wrong: another printed text")
        else:
            found.append("right")
    order = ("wrong", "refused", "right")
    return min(found, key=lambda word: order.index(word.partition(":")[0]))


def _given(args: Any) -> Any:
    return tuple(map(_tensor, copy.deepcopy(args)))


def _tensor(thing: Any) -> Any:
    if isinstance(thing, np.ndarray | np.generic):
        narrow = {"f": np.float32, "i": np.int32}.get(thing.dtype.kind)
        given = thing if narrow is None else thing.astype(narrow)
        return tf.convert_to_tensor(given) if thing.dtype.kind in "biufcU" else thing
    if isinstance(thing, list):
        return [_tensor(item) for item in thing]
    if isinstance(thing, dict):
        return {key: _tensor(item) for key, item in thing.items()}
    return thing


def _alike(a: Any, b: Any) -> bool:
    if isinstance(b, tf.Tensor):
        b = b.numpy()
    if isinstance(a, str) and isinstance(b, bytes):
        return a == b.decode()
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_alike(a[key], b[key]) for key in a)
    if a is None or b is None or isinstance(a, str):
        return a is b or bool(a == b)
    try:
        x, y = np.asarray(a), np.asarray(b)
        if x.dtype.kind in "biufc" and y.dtype.kind in "biufc":
            return x.shape == y.shape and np.allclose(x, y, 1e-4, equal_nan=True)
        return bool(np.all(x == y))
    except Exception:
        return bool(a == b)


if __name__ == "__main__":
    measure(int(sys.argv[1])) if len(sys.argv) > 1 else main()

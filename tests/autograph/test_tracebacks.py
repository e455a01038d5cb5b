"""Tracebacks show the user's own file, lines, functions and columns."""

import linecache
import os
import re
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.autograph.process import ROOT, run

PACKAGES = tuple(
    str(ROOT / name) + os.sep for name in ("autograph", "tracer", "runtime")
)

PROGRAM = """\
import numpy as np


def helper(y):
    if y > 0:
        return (y +
                undefined_name)
    return y


def trace_error(x):
    total = x * 2
    if total > 3:
        total = helper(total)
    return total


def trace_error_in_a_nested_function(x):
    def inner(y):
        z = y * 2
        return z.reshape(7, 7)

    for _ in range(3):
        x = inner(x)
    return x


def index_in_a_loop(x):
    i = 0
    total = 0.0
    while i < 10:
        total = total + x[i] * 2.0
        i += 1
    return total


def division_in_a_loop(x):
    n = 0
    total = 0
    while n < x.sum():
        n = n + 1
        total = total + 7 // (n - 2)
    return total


def assertion_in_a_loop(x):
    for value in x:
        assert value > 0, f"{value} is not positive"
    return x


def raise_in_a_loop(x):
    for value in x:
        if value < 0:
            raise ValueError("negative")
    return x


def multi_line(x):
    return np.stack(
        [
            x,
            x[np.int64(7) + x.shape[0]:].reshape(5),
        ]
    )


class Model:
    def method(self, x):
        while x.sum() > 0:
            x = x - self.missing
        return x


in_a_lambda = lambda x: x + [1, 2, 3][x.ndim + 9]


def a_cause(x):
    if x.sum() > 0:
        try:
            {}["key"]
        except KeyError as error:
            raise ValueError("no such key") from error
    return x
"""

# The call, the exception, and the frames: function name, line and what carets mark.
CASES: list[tuple[str, Any, str, list[tuple[str, str, str]]]] = [
    (
        "trace_error",
        np.float64(4),
        "NameError: name 'undefined_name' is not defined",
        [
            ("trace_error", "total = helper(total)", "helper(total)"),
            ("helper", "undefined_name)", "undefined_name"),
        ],
    ),
    (
        "trace_error_in_a_nested_function",
        np.ones(4),
        "ValueError: cannot reshape array of size 4 into shape (7,7)",
        [
            ("trace_error_in_a_nested_function", "x = inner(x)", "inner(x)"),
            ("inner", "return z.reshape(7, 7)", "z.reshape(7, 7)"),
        ],
    ),
    (
        "index_in_a_loop",
        np.ones(3),
        "IndexError: index 3 is out of bounds for axis 0 with size 3",
        [("index_in_a_loop", "total = total + x[i] * 2.0", "x[i]")],
    ),
    (
        "division_in_a_loop",
        np.ones(3),
        "ZeroDivisionError: integer division or modulo by zero",
        [("division_in_a_loop", "total = total + 7 // (n - 2)", "7 // (n - 2)")],
    ),
    (
        "assertion_in_a_loop",
        np.array([1.0, -2.0]),
        "AssertionError: -2.0 is not positive",
        [
            (
                "assertion_in_a_loop",
                'assert value > 0, f"{value} is not positive"',
                "",
            )
        ],
    ),
    (
        "raise_in_a_loop",
        np.array([1.0, -2.0]),
        "ValueError: negative",
        [("raise_in_a_loop", 'raise ValueError("negative")', "")],
    ),
    (
        "multi_line",
        np.ones(3),
        "ValueError: cannot reshape array of size 0 into shape (5,)",
        [
            (
                "multi_line",
                "x[np.int64(7) + x.shape[0]:].reshape(5),",
                "x[np.int64(7) + x.shape[0]:].reshape(5)",
            )
        ],
    ),
    (
        "method",
        np.ones(3),
        "AttributeError: 'Model' object has no attribute 'missing'",
        [("method", "x = x - self.missing", "self.missing")],
    ),
    (
        "in_a_lambda",
        np.ones(3),
        "IndexError: list index out of range",
        [
            (
                "<lambda>",
                "in_a_lambda = lambda x: x + [1, 2, 3][x.ndim + 9]",
                "[1, 2, 3][x.ndim + 9]",
            )
        ],
    ),
    (
        "a_cause",
        np.ones(3),
        "ValueError: no such key",
        [("a_cause", 'raise ValueError("no such key") from error', "")],
    ),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("programs") / "program.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def program(path: Path) -> dict[str, Any]:
    """The functions of PROGRAM, decorated."""
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(PROGRAM, str(path), "exec"), names)
    functions = {**names, "method": names["Model"]().method}
    return {name: ag.function(f) for name, f in functions.items() if callable(f)}


def raised(function: Any, *arguments: Any) -> BaseException:
    with np.errstate(all="ignore"), pytest.raises(Exception) as caught:  # noqa: PT011
        function(*arguments)
    return caught.value


def frames(error: BaseException) -> list[tuple[str, str, str]]:
    """The function, the line and the part with carets of each frame in the program."""
    shown = []
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.endswith("program.py"):
            line = linecache.getline(frame.filename, frame.lineno or 0)
            one_line = frame.lineno == frame.end_lineno
            part = line[frame.colno : frame.end_colno] if one_line else ""
            # Where a whole line is marked, Python shows no carets.
            part = "" if part == line.strip() else part
            shown.append((frame.name, line.strip(), part))
    return shown


@pytest.mark.parametrize(
    ("name", "argument", "message", "expected"), CASES, ids=[c[0] for c in CASES]
)
def test_a_traceback_shows_the_users_line_function_and_columns(
    program, name, argument, message, expected
) -> None:
    for _ in range(2):  # while it is traced, or at its first run, and at a later call
        error = raised(program[name], argument)
        assert traceback.format_exception_only(error)[0].rstrip("\n") == message
        assert frames(error) == expected


@pytest.mark.parametrize(
    ("name", "argument"), [case[:2] for case in CASES], ids=[c[0] for c in CASES]
)
def test_one_frame_of_ours_is_in_a_traceback(program, name, argument) -> None:
    error = raised(program[name], argument)
    ours = [
        entry.name
        for entry in traceback.extract_tb(error.__traceback__)
        if entry.filename.startswith((*PACKAGES, "<"))
    ]
    assert ours == ["__call__"]


def test_a_bound_method_has_no_further_frame(path) -> None:
    names: dict[str, Any] = {}
    text = PROGRAM.replace("    def method", "    @ag.function\n    def method")
    decorated = path.with_name("decorated.py")
    decorated.write_text(text)
    exec(compile(text, str(decorated), "exec"), {"ag": ag}, names)
    error = raised(names["Model"]().method, np.ones(2))
    assert [e.name for e in traceback.extract_tb(error.__traceback__)][1:] == [
        "__call__",
        "method",
    ]


def test_a_cause_is_kept(program) -> None:
    error = raised(program["a_cause"], np.ones(3))
    assert isinstance(error.__cause__, KeyError)


def without_our_frame(text: str) -> str:
    """The text but for the one frame of ours, whose lines may change."""
    pattern = rf'  File "{re.escape(str(ROOT))}.*\n(    .*\n)*'
    found, count = re.subn(pattern, "", text)
    assert count == 1, text
    return found


TEXT = """\
Traceback (most recent call last):
  File "{main}", line 4, in <module>
    print(ag.function(program.index_in_a_loop)(np.ones(3)))
          {carets}
  File "{program}", line 32, in index_in_a_loop
    total = total + x[i] * 2.0
                    ~^^^
IndexError: index 3 is out of bounds for axis 0 with size 3
"""


def test_the_whole_text_of_a_traceback(path) -> None:
    main = path.with_name("main.py")
    main.write_text(
        "import autograph as ag\nimport numpy as np\nimport program\n"
        "print(ag.function(program.index_in_a_loop)(np.ones(3)))\n"
    )
    done = run(path.parent, str(main))
    newer = sys.version_info >= (3, 13)
    mark = "~" * 36 + "^" * 12 if newer else "^" * 48
    expected = TEXT.format(main=main, program=path, carets=mark)
    assert without_our_frame(done.stderr) == expected


def entries(error: BaseException) -> list[TracebackType]:
    found = []
    entry = error.__traceback__
    while entry is not None:
        found.append(entry)
        entry = entry.tb_next
    return found


def test_a_frame_while_tracing_has_the_users_variables(program) -> None:
    error = raised(program["trace_error_in_a_nested_function"], np.ones(4))
    innermost = entries(error)[-1].tb_frame
    assert {"y", "z"} <= set(innermost.f_locals)


def test_full_tracebacks_show_our_frames_too_and_end_at_the_same_line():
    @ag.function
    def item(x, i):
        y = x * 2
        return y[i]

    kinds = []
    for tracebacks in ("short", "full"):
        with ag.config(tracebacks=tracebacks), pytest.raises(IndexError) as caught:
            item(np.ones(3), np.int64(7))
        entries = traceback.extract_tb(caught.value.__traceback__)
        assert entries[-1].line == "return y[i]"
        kinds.append([e.name for e in entries][1:])
    # Of the generated functions `read` finds the trace, and `run` calls the graph's
    # `run`, which says to be at the user's line too.
    assert kinds == [
        ["__call__", "item"],
        ["__call__", "read", "run", "run", "item"],
    ]


def test_a_full_traceback_of_a_refusal_shows_the_frames_of_the_trace():
    @ag.function
    def refused(x):
        y = ()
        while x > 0:
            x, y = x - 1, (y, "a")
        return y

    settings = ag.config(tracebacks="full", strict=True)
    with settings, pytest.raises(TypeError) as caught:
        refused(np.float64(1.0))
    names = [entry.name for entry in traceback.extract_tb(caught.value.__traceback__)]
    assert {"call", "_look_up", "trace", "refused"} < set(names)

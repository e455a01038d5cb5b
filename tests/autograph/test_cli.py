"""autograph-show: what it prints, in a pipe and on a terminal, and how it refuses."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograph.cli import main

ROOT = Path(__file__).resolve().parents[2]
RUN = "import sys; from autograph.cli import main; sys.exit(main())"

MODEL = '''\
raise SystemExit("the file was run")


def scale(x, n):
    # This comment is not in the tree.
    if n > 0:
        x = x * n
    return x


class Net:
    """A class."""

    size: int = 3

    @property
    def wide(self):
        return self.size > 2

    def step(self, x: "array" = None) -> int:
        def inner(y):
            return y if y else x

        return inner(x)

    class Layer:
        def run(self):
            return lambda q: q and 1


async def wait():
    pass
'''

SCALE = """\
def scale(x, n):
    def get_state():
        return ag__.ldu(lambda: x),

    def set_state(vars_):
        nonlocal x
        x, = vars_

    def if_body():
        nonlocal x
        x = x * n
    else_body = ag__.nothing
    ag__.if_stmt(n > 0, if_body, else_body, get_state, set_state, ('x',), 1)
    return x
"""

STEP = """\
# Net.step
def step(self, x: 'array' = None) -> int:
    def inner(y):
        return ag__.if_exp(y, lambda: y, lambda: x)
    return ag__.converted_call(inner, (x,))
"""

INNER = """\
# Net.step.<locals>.inner
def inner(y):
    return ag__.if_exp(y, lambda: y, lambda: x)
"""

WIDE = """\
# Net.wide
@property
def wide(self):
    return self.size > 2
"""

LAYER = """\
# Net.Layer.run
def run(self):
    return lambda q: ag__.and_(q, lambda: 1)
"""

WAIT = """\
# line 31: an async function cannot be converted
async def wait():
    pass
"""

TRACED = """\
import numpy as np
import autograph as ag

print("imported")
NUMBER = 3


@ag.function
def double(x, n):
    return x * n


def plain(x, word):
    if x.sum() > 0:
        x = -x
    return x if word == "a" else x[0]


class Net:
    @ag.function
    def step(self, x):
        return x + 1


def crossed(x):
    return x @ np.ones(3)


def odd(x):
    for i in x:
        try:
            pass
        except* ValueError:
            pass
        finally:
            break
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {
        "model.py": MODEL,
        "traced.py": TRACED,
        "wrong.py": "x = 1\ndef f(:\n    pass\n",
        "raises.py": 'raise RuntimeError("no data\\nin two lines")\n',
        "leaves.py": "raise SystemExit(3)\n",
        "empty.py": "x = 1\n",
    }
    made = tmp_path_factory.mktemp("shown")
    for name, text in files.items():
        (made / name).write_text(text)
    (made / "binary.py").write_bytes(b"\xff\xfe\x00")
    return made


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The standard output of a run that succeeds."""
    assert main(arguments) == 0
    return capsys.readouterr().out


def run(folder: Path, *arguments: str, **options: str) -> subprocess.CompletedProcess:
    """The command in a process of its own, its output in pipes."""
    return subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **options},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_every_function_of_a_file_is_shown_and_the_file_not_run(folder, capsys) -> None:
    text = shown(capsys, f"{folder}/model.py")
    assert text == "\n\n".join([SCALE, WIDE, STEP, LAYER, WAIT])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scale", SCALE),
        ("Net.step", STEP),
        ("Net.Layer.run", LAYER),
        ("Net.step.<locals>.inner", INNER),
        ("Net.step.inner", INNER),
        ("Net", f"{WIDE}\n\n{STEP}\n\n{LAYER}"),
        ("wait", WAIT),
    ],
)
def test_a_name_shows_that_function(folder, capsys, name, text) -> None:
    assert shown(capsys, f"{folder}/model.py::{name}") == text


def test_a_real_file_of_the_examples_is_shown_without_a_gap(capsys) -> None:
    text = shown(capsys, str(ROOT / "examples" / "kmeans.py"))
    assert "ag__.while_stmt(loop_test, loop_body, get_state, set_state" in text
    assert "# line" not in text
    compile(text, "shown", "exec")


@pytest.mark.parametrize(
    ("name", "types", "header", "part"),
    [
        ("double", "float64[n], int32", "(a: float64[n], b: int32[])", "(a, b)"),
        ("plain", "float64[2], 'a'", "(a: float64[2])", " if"),
        ("plain", "float64[2], 'a,b'", "(a: float64[2])", " if"),
        ("Net.step", "None, int8[4]", "(a: int8[4])", "add(a"),
    ],
)
def test_a_graph_is_traced_for_the_types(
    folder, capsys, name, types, header, part
) -> None:
    text = shown(capsys, f"{folder}/traced.py::{name}", "--graph", types)
    graph = name.rpartition(".")[2]
    assert text.startswith(f"graph {graph}{header} {{\n")
    assert part in text
    assert "imported" not in text


@pytest.mark.parametrize(
    ("types", "header"),
    [
        ("float32[?,3], 2", "graph double(a: float32[?,3]) {"),
        ("float64[...], int64", "graph double(a: float64[...], b: int64[]) {"),
        ("int16, (1, 2)[0]", None),
        ("bool[n,n], True", "graph double(a: bool[n,n]) {"),
    ],
)
def test_types_name_dims_unknown_dims_unknown_ranks_and_literals(
    folder, capsys, types, header
) -> None:
    arguments = f"{folder}/traced.py::double", "--graph", types
    if header is None:
        assert main(arguments) == 2
        assert "is neither a type nor a Python literal" in capsys.readouterr().err
    else:
        assert shown(capsys, *arguments).startswith(header)


REFUSALS = [
    ("gone.py", None, "there is no file gone.py"),
    (".", None, ". cannot be read: Is a directory"),
    ("wrong.py", None, "wrong.py line 2: invalid syntax"),
    (
        "binary.py",
        None,
        "binary.py: invalid or missing encoding declaration for 'binary.py'",
    ),
    ("empty.py", None, "empty.py has no functions"),
    ("model.py::nothing", None, "model.py has no function 'nothing'"),
    ("model.py::scael", None, "model.py has no function 'scael'; there is scale"),
    ("model.py::step", None, "model.py has no function 'step'; there is Net.step"),
    ("traced.py", "int32", "--graph needs one function: traced.py::name"),
    ("traced.py::nothing", "int32", "traced.py has no function 'nothing'"),
    ("traced.py::NUMBER", "int32", "traced.py has no function 'NUMBER'"),
    ("traced.py::double", "float99", "'float99' is no dtype"),
    (
        "traced.py::double",
        "float64[n",
        "'float64[n' is neither a type nor a Python literal",
    ),
    (
        "traced.py::double",
        "float64[n+1], 2",
        "'n+1' is no dim: use a number, a name or ?",
    ),
    (
        "traced.py::double",
        "float64",
        "double cannot be traced: TypeError: double() missing 1 required positional "
        "argument: 'n'",
    ),
    (
        "traced.py::odd",
        "float64[3]",
        "odd cannot be traced: UnsupportedError: break, continue or return inside "
        "`finally` cannot be converted",
    ),
    (
        "raises.py::f",
        "float64",
        "raises.py cannot be imported: RuntimeError: no data",
    ),
    ("leaves.py::f", "float64", "leaves.py cannot be imported: SystemExit: 3"),
    ("gone.py::f", "float64", "there is no file gone.py"),
    ("wrong.py::f", "float64", "wrong.py line 2: invalid syntax"),
]


@pytest.mark.parametrize(("target", "types", "message"), REFUSALS)
def test_a_refusal_is_one_line_and_status_two(
    folder, capsys, monkeypatch, target, types, message
) -> None:
    monkeypatch.chdir(folder)
    arguments = [target] if types is None else [target, "--graph", types]
    assert main(arguments) == 2
    written = capsys.readouterr()
    assert written.out == ""
    said = written.err.replace("imported\n", "")
    assert said == f"autograph-show: {message}\n"


def test_wrong_usage_is_status_two(capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert "the following arguments are required: target" in capsys.readouterr().err


def test_output_in_a_pipe_is_plain(folder) -> None:
    done = run(folder, "model.py::scale")
    assert (done.returncode, done.stdout, done.stderr) == (0, SCALE, "")


def test_what_the_file_prints_is_not_mixed_into_the_graph(folder) -> None:
    done = run(folder, "traced.py::double", "--graph", "int8, int8")
    assert done.stdout.startswith("graph double(")
    assert done.stderr == "imported\n"


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    functions = "".join(f"def f{i}(x):\n    return x and {i}\n" for i in range(3000))
    (tmp_path / "long.py").write_text(functions)
    command = f'"{sys.executable}" -c "{RUN}" long.py | head -n 1'
    done = subprocess.run(
        ["bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "def f0(x):\n0\n"
    assert done.stderr == ""


def on_a_terminal(folder: Path, *arguments: str, **options: str) -> str:
    """What the command writes when its standard output is a terminal."""
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT), **options},
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not part:
                break
            written += part
    os.close(ours)
    assert process.returncode == 0
    return written.decode().replace("\r\n", "\n")


COLOUR = re.compile("\x1b\\[[0-9;]*m")
TERMINAL = [("model.py::scale",), ("traced.py::double", "--graph", "float64[n], int32")]


@pytest.mark.parametrize("arguments", TERMINAL, ids=["source", "graph"])
def test_output_on_a_terminal_is_the_same_text_in_colour(folder, arguments) -> None:
    coloured = on_a_terminal(folder, *arguments)
    assert COLOUR.search(coloured)
    assert COLOUR.sub("", coloured) == run(folder, *arguments).stdout


def test_no_color_is_respected(folder) -> None:
    assert on_a_terminal(folder, "model.py::scale", NO_COLOR="1") == SCALE


def test_an_empty_no_color_counts_as_none(folder) -> None:
    assert COLOUR.search(on_a_terminal(folder, "model.py::scale", NO_COLOR=""))

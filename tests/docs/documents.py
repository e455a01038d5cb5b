"""Run the code in a document and compare what it prints with what the document shows.

A `python` block is run, all blocks of a document in one namespace; what it prints is
shown by the `text` block that follows it, if it prints anything. A block whose first
line is `# name.py` is also the file of that name, for `console` blocks: a line
`$ autograph-show ...` and its output. Blocks of other kinds are not run.

    python -m tests.docs.documents README.md docs/*.md    write what is printed now
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from autograph.cli import main as autograph_show

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    *sorted(path.name for path in ROOT.glob("*.md")),
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")


@dataclass(frozen=True, slots=True)
class Shown:
    """What a document shows at [start, stop) of its text, and what is printed now."""

    start: int
    stop: int
    text: str
    printed: str


def run(text: str) -> Iterator[Shown]:
    """Run the blocks of a document, in the folder that is the present one."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = None
    for number, block in enumerate(BLOCK.finditer(text)):
        kind, body = block.groups()
        if kind == "text" and printed is not None:
            yield Shown(block.start(2), block.end(2), body, printed)
            printed = None
            continue
        # What the block before printed is shown nowhere.
        assert not printed, f"not shown: {printed}"
        printed = None
        if kind == "python":
            printed = run_python(body, number, namespace)
        elif kind == "console":
            yield Shown(block.start(2), block.end(2), body, run_console(body))
    assert not printed, f"not shown: {printed}"


def run_python(body: str, number: int, namespace: dict[str, Any]) -> str:
    """What a block prints; it is a file, as the source of functions must be found."""
    named = FILE.match(body)
    path = Path(named[1] if named else f"block_{number}.py")
    path.write_text(body)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(body, str(path), "exec"), namespace)
    return output.getvalue()


def run_console(body: str) -> str:
    """The command and what it prints."""
    command = body.partition("\n")[0]
    prompt, program, *arguments = shlex.split(command)
    assert (prompt, program) == ("$", "autograph-show")
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        autograph_show(arguments)
    return f"{command}\n{output.getvalue()}"


@contextlib.contextmanager
def folder(path: Path) -> Iterator[None]:
    """Make `path` the present folder, and put back what running there changes."""
    before, search = Path.cwd(), sys.path.copy()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = search


def rewritten(text: str) -> str:
    """The document with what its code prints now."""
    for shown in reversed(list(run(text))):
        text = text[: shown.start] + shown.printed + text[shown.stop :]
    return text


def main(names: list[str]) -> None:
    """Rewrite documents."""
    for path in map(Path, names):
        if path.name == "errors.md":
            # Imports every test of a message, which the other documents do not need.
            import_module("tests.docs.errors_page").write()
            continue
        with tempfile.TemporaryDirectory() as temporary:
            text = path.read_text()
            with folder(Path(temporary)):
                text = rewritten(text)
        path.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Check that files stay within 400 lines and functions within 40.

Docstrings of functions are not counted. What is longer hides two ideas, unless it is
one table or one story: then it stands in EXCEPTIONS with its reason. An exception that
is no longer needed is a problem as well.

    python tools/check_limits.py [ROOT]
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

FOLDERS = ("autograph", "tracer", "runtime", "tools", "examples", "tests")
FILE_LINES = 400
FUNCTION_LINES = 40

# "folder/file.py" or "folder/file.py::Class.function" -> why it stays in one piece.
EXCEPTIONS: dict[str, str] = {
    "tools/bench/object_programs.py::constraints": "one program",
    "tools/bench/object_programs.py::linked": "one program",
    "tools/bench/planning_programs.py::explorer": "one program",
    "tools/bench/planning_programs.py::swarm": "one program",
    "tests/conformance/builtin_rows.py": "one table",
    "tests/conformance/library_rows.py": "one table",
}

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def problems(root: Path, exceptions: Mapping[str, str]) -> list[str]:
    """What is too long under `root`, one line each."""
    long = {
        name: complaint
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*.py"))
        for name, complaint in too_long(path.relative_to(root).as_posix(), path)
    }
    lines = [text for name, text in long.items() if name not in exceptions]
    return lines + [
        f"tools/check_limits.py: EXCEPTIONS names {name}, which is within the limits"
        for name in exceptions
        if name not in long
    ]


def too_long(name: str, path: Path) -> Iterator[tuple[str, str]]:
    """What in one file is too long: its name in EXCEPTIONS, and the complaint."""
    source = path.read_bytes()
    count = len(source.splitlines())
    if count > FILE_LINES:
        yield name, f"{name}: {count} lines, the limit is {FILE_LINES}"
    for qualname, node in functions(ast.parse(source, filename=str(path))):
        count = function_lines(node)
        if count > FUNCTION_LINES:
            yield (
                f"{name}::{qualname}",
                f"{name}:{node.lineno}: {qualname} has {count} lines, "
                f"the limit is {FUNCTION_LINES}",
            )


def functions(
    node: ast.AST, prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function under `node` at any depth, with the names around it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Definition):
            yield from functions(child, prefix)
            continue
        qualname = prefix + child.name
        if not isinstance(child, ast.ClassDef):
            yield qualname, child
        yield from functions(child, f"{qualname}.")


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, without decorators and without the docstring."""
    assert node.end_lineno is not None  # trees made by `ast.parse` carry it
    count = node.end_lineno - node.lineno + 1
    if ast.get_docstring(node, clean=False) is not None:
        docstring = node.body[0]
        assert docstring.end_lineno is not None
        count -= docstring.end_lineno - docstring.lineno + 1
    return count


def main(arguments: list[str]) -> int:
    """Print what is too long under the folder named, by default the project's."""
    default = Path(__file__).resolve().parent.parent
    root = Path(arguments[0]).resolve() if arguments else default
    lines = problems(root, EXCEPTIONS)
    print("\n".join(lines) if lines else "limits: files and functions are small")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

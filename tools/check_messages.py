"""Check that every refusal's message stands in full in a test of tests/errors.

The message of each `StagingTypeError(...)`, `UnsupportedError(...)` and their like in
the packages is read from the source, with anything where something is filled in; a text
of a test has to match it. A message that no program can cause stands in UNREACHABLE.

    python tools/check_messages.py [ROOT]
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("autograph", "tracer", "runtime")
TESTS = "tests/errors"

# The errors of refusals -> what stands after the first argument in the message.
ERRORS = {
    "StagingTypeError": "",
    "StagingValueError": "",
    "StagingNotImplementedError": "",
    "LeakedTensorError": "",
    "UnsupportedError": " cannot be converted",
}

# "folder/file.py: message" -> why no test can cause it.
UNREACHABLE: dict[str, str] = {
    "tracer/identities.py: which tuples are one is asked": (
        "another trace is made then, with the list apart"
    ),
    "tracer/encoding.py: a result may be undefined, depending on data": (
        "a name is looked at when it is read, so no result holds an unbound one"
    ),
    "tracer/lookup.py: it holds for other sizes and numbers only": (
        "another trace is made then, for these sizes and numbers"
    ),
    "tracer/raising.py: this fails, as a text or list itself may not": (
        "another trace is made then, for the very text, or with the list apart"
    ),
}


@dataclass(frozen=True, slots=True)
class Message:
    """What one place in the source says; `…` where something is filled in."""

    path: str
    line: int
    text: str

    @property
    def name(self) -> str:
        """How UNREACHABLE names it."""
        return f"{self.path}: {self.text}"

    def is_in(self, text: str) -> bool:
        """Whether the text says it."""
        parts = (re.escape(part) for part in self.text.split("…"))
        return re.search(".+".join(parts), text) is not None


def messages(root: Path) -> Iterator[Message]:
    """Those of all refusals under `root`, in order."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            tree = ast.parse(path.read_bytes(), filename=str(path))
            name = path.relative_to(root).as_posix()
            for scope in ast.walk(tree):
                if isinstance(scope, ast.FunctionDef):
                    yield from _said_in(scope, name)


def _said_in(scope: ast.FunctionDef, path: str) -> Iterator[Message]:
    """The messages that a function says itself, not those of functions inside it."""
    own = list(_own_nodes(scope))
    assigned: dict[str, list[ast.expr]] = {}
    for node in own:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assigned.setdefault(node.targets[0].id, []).append(node.value)
    for node in own:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if called in ERRORS:
            for text in _texts(node.args[0], assigned):
                yield Message(path, node.lineno, _short(text + ERRORS[called]))


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef):
            yield child
            yield from _own_nodes(child)


def _texts(node: ast.expr, assigned: dict[str, list[ast.expr]]) -> list[str]:
    """What an expression may say."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            texts = [""]
            for part in parts:
                texts = [a + b for a in texts for b in _texts(part, assigned)]
            return texts
        case ast.FormattedValue(value=value):
            return _texts(value, assigned)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return [
                a + b for a in _texts(left, assigned) for b in _texts(right, assigned)
            ]
        case ast.IfExp(body=body, orelse=orelse):
            return _texts(body, assigned) + _texts(orelse, assigned)
        case ast.Name(id=name) if name in assigned:
            # A name that is given from itself says anything.
            outer = {key: value for key, value in assigned.items() if key != name}
            return [text for value in assigned[name] for text in _texts(value, outer)]
    return ["…"]


def _short(text: str) -> str:
    return re.sub("…+", "…", text)


def said(root: Path) -> list[str]:
    """The texts of the tests, without their line breaks."""
    texts = []
    for path in sorted((root / TESTS).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes(), filename=str(path))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(re.sub(r" *\n\s+", " ", node.value))
    return texts


def problems(root: Path, unreachable: Mapping[str, str]) -> list[str]:
    """The messages that no test says, one line each."""
    texts = said(root)
    untold = {
        message.name: message
        for message in messages(root)
        if message.text != "…" and not any(map(message.is_in, texts))
    }
    lines = [
        f"{message.path}:{message.line}: no test says: {message.text}"
        for name, message in untold.items()
        if name not in unreachable
    ]
    return lines + [
        f"tools/check_messages.py: UNREACHABLE names what is tested or gone: {name}"
        for name in unreachable
        if name not in untold
    ]


def main(arguments: list[str]) -> int:
    """Print the messages without a test under the folder named, or the project's."""
    default = Path(__file__).resolve().parent.parent
    lines = problems(
        Path(arguments[0]).resolve() if arguments else default, UNREACHABLE
    )
    print("\n".join(lines) if lines else "messages: each stands in a test")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Make a program that disagrees smaller, as long as it still disagrees in the same way.

Statements are dropped, or replaced by the statements inside of them, and expressions by
an expression inside of them, until nothing can go any more.
"""

import ast
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.conformance.generator import Program
from tests.conformance.harness import Disagreement

Check = Callable[[Program], Disagreement | None]

# Each check traces a graph: the reduction ends after this many at the latest.
CHECKS = 800


def reduced(program: Program, check: Check, found: Disagreement) -> Program:
    """The smallest program found that disagrees by `check` as `found` says."""
    checks, place, shrunk = 0, 0, True
    while shrunk and checks < CHECKS:
        shrunk = False
        # What could not go before `place` hardly can now: go on from there, and begin
        # anew only at the end.
        while checks < CHECKS:
            text = next(itertools.islice(_valid(program.text), place, None), None)
            if text is None:
                break
            checks += 1
            candidate = replace(program, text=text)
            if _same(check(candidate), found):
                program, shrunk = candidate, True
            else:
                place += 1
        place = 0
    return program


def _valid(text: str) -> Iterator[str]:
    for candidate in smaller(text):
        try:
            compile(candidate, "<candidate>", "exec")
        except SyntaxError:  # a `break` whose loop went
            continue
        yield candidate


def _same(candidate: Disagreement | None, found: Disagreement) -> bool:
    if candidate is None or candidate.what != found.what:
        return False
    if words(candidate.refusal) != words(found.refusal):
        return False
    raised = candidate.python.raised
    if raised is None:
        return True
    # What fails must stay observed, which a statement that is dropped may have done.
    return found.python.raised is not None and raised[0] == found.python.raised[0]


def words(message: str) -> str:
    """A message without what differs where two have one cause: names and numbers."""
    return re.sub(
        r"`.*?`|\[[^]]*\]|~?[a-z]+\d+|[a-z]\d|[-\d.]+|program_\w+", "_", message
    )


def smaller(text: str) -> Iterator[str]:
    """Programs that are one step smaller, the larger steps first."""
    tree = ast.parse(text)
    for owner, name, index in _places(tree):
        statements = getattr(owner, name)
        statement = statements[index]
        for replacement in ([], *_bodies(statement)):
            # A body must not be empty, but an `else` may be.
            keep = [*statements[:index], *replacement, *statements[index + 1 :]]
            if not keep and name in ("body", "cases"):
                continue
            setattr(owner, name, keep)
            yield ast.unparse(tree) + "\n"
            setattr(owner, name, statements)
    yield from _smaller_expressions(tree)


def _places(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int]]:
    for owner in ast.walk(tree):
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            statements = getattr(owner, name, None)
            if not isinstance(statements, list):
                continue
            for index in reversed(range(len(statements))):
                if not _is_kept(owner, statements[index]):
                    yield owner, name, index


def _is_kept(owner: ast.AST, statement: ast.stmt) -> bool:
    """Whether `statement` is the program itself, or what ends a while loop."""
    if isinstance(owner, ast.Module):
        return isinstance(statement, ast.FunctionDef) and statement.name == "program"
    if not isinstance(owner, ast.While):
        return False
    if isinstance(statement, ast.If):
        return _counts(statement.test)
    return isinstance(statement, ast.AugAssign) and _counts(statement.target)


def _counts(expression: ast.expr) -> bool:
    """Whether the counter of a while loop is in `expression`."""
    names = (n.id for n in ast.walk(expression) if isinstance(n, ast.Name))
    return any(name[0] == "w" for name in names)


def _bodies(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of statements in a statement."""
    parts = [statement, *getattr(statement, "handlers", ())]
    for part in [*parts, *getattr(statement, "cases", ())]:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(part, name, None)
            if isinstance(block, list) and block and not _is_clause(statement):
                yield block


def _is_clause(statement: ast.AST) -> bool:
    return isinstance(statement, ast.ExceptHandler | ast.match_case | ast.FunctionDef)


def _smaller_expressions(tree: ast.AST) -> Iterator[str]:
    for owner in ast.walk(tree):
        for name, value in ast.iter_fields(owner):
            values = value if isinstance(value, list) else [value]
            for index, old in enumerate(values):
                if not isinstance(old, ast.expr) or _counts(old):
                    continue
                for new in ast.iter_child_nodes(old):
                    if not isinstance(new, ast.expr):
                        continue
                    whole = [*values[:index], new, *values[index + 1 :]]
                    setattr(owner, name, whole if isinstance(value, list) else new)
                    yield ast.unparse(tree) + "\n"
                setattr(owner, name, value)

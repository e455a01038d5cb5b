"""Scopes: to which function each name belongs, by Python's rules.

One walk over a function builds the tree of the scopes in it (inner functions, lambdas,
classes, comprehensions, generator expressions, annotation scopes). When something is
read is not known here; see `cfg`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from autograph.syntax.names import bound_by_import
from autograph.syntax.walking import children
from runtime.structs import field, struct

# Comprehensions that run where they stand; a generator expression runs later.
INLINE = (gast.ListComp, gast.SetComp, gast.DictComp)
COMPREHENSIONS = (*INLINE, gast.GeneratorExp)
FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
SCOPES = (*COMPREHENSIONS, *FUNCTIONS, gast.ClassDef, gast.TypeAlias)


@struct(eq=False, frozen=False)
class Scope:
    """The names of one scope.

    bound: names bound or deleted in it, declared elsewhere or not.
    loads: the Name nodes read in it, those of inner scopes left out.
    writes_around: names of a surrounding function that it binds itself (`nonlocal`, or
    `:=` in a comprehension); deletes_around: those it deletes.
    """

    node: Any
    parent: Scope | None = None
    children: list[Scope] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    loads: list[gast.Name] = field(default_factory=list)
    walrus: set[str] = field(default_factory=set)
    has_yield: bool = False

    @property
    def own(self) -> set[str]:
        """The names that live in this scope."""
        return self.bound - self.globals - self.nonlocals

    @property
    def runs_inline(self) -> bool:
        """Whether it runs to its end at the statement where it stands."""
        return isinstance(self.node, INLINE)

    @property
    def has_frame(self) -> bool:
        """Whether Python makes it a function; since 3.12 not all comprehensions are."""
        return not (self.runs_inline and sys.version_info >= (3, 12))

    def outer_loads(self) -> list[gast.Name]:
        """Name nodes read in it or in scopes inside of it that belong further out."""
        inner = [name for child in self.children for name in child.outer_loads()]
        own, hidden = self.own, self.own | self.globals
        if isinstance(self.node, gast.ClassDef):  # inner functions do not see its names
            return [n for n in self.loads if n.id not in own | self.globals] + inner
        return [name for name in self.loads + inner if name.id not in hidden]

    def outer_writes(self) -> set[str]:
        """Names that belong further out and that it, or a scope inside, may bind."""
        inner = {name for child in self.children for name in child.outer_writes()}
        if not isinstance(self.node, gast.ClassDef):
            inner -= self.own
        return (self.bound & self.nonlocals) | self.walrus | inner

    def outer_deletes(self) -> set[str]:
        """Names that belong further out and that it, or a scope inside, may delete."""
        inner = {name for child in self.children for name in child.outer_deletes()}
        if not isinstance(self.node, gast.ClassDef):
            inner -= self.own
        return (self.deleted & self.nonlocals) | inner

    def captured(self) -> set[str]:
        """Names further out that stay in use after its statement: cells."""
        if not self.runs_inline:
            return {name.id for name in self.outer_loads()} | self.outer_writes()
        later = {name for child in self.children for name in child.captured()}
        return later - self.own


@struct(frozen=False)
class Scopes:
    """The scopes of one function: its own, and each inner one by its node's id."""

    root: Scope
    inner: dict[int, Scope]
    parameters: frozenset[str]

    @property
    def read_here(self) -> frozenset[int]:
        """The ids of the Name nodes that the function itself reads, no inner one."""
        return frozenset(map(id, loads_of_frame(self.root)))

    @property
    def captured(self) -> frozenset[str]:
        """Locals of the function that an inner scope keeps."""
        names = {name for child in self.root.children for name in child.captured()}
        return frozenset(names & self.root.own)

    @property
    def written_inside(self) -> frozenset[str]:
        """Names of the function that inner functions bind, at a time not known."""
        names = {name for child in self.root.children for name in _late_writes(child)}
        return frozenset(names & self.root.bound)

    @property
    def deleted_inside(self) -> frozenset[str]:
        """Names of the function that inner functions delete."""
        names = {n for child in self.root.children for n in child.outer_deletes()}
        return frozenset(names)


def loads_of_frame(scope: Scope) -> Iterator[gast.Name]:
    """The Name nodes that the function of a scope reads itself."""
    yield from scope.loads
    for child in scope.children:
        if not child.has_frame:
            yield from loads_of_frame(child)


def _late_writes(scope: Scope) -> set[str]:
    """Outer names written by what does not run where it stands."""
    if not scope.runs_inline:
        return scope.outer_writes()
    return {name for child in scope.children for name in _late_writes(child)}


def build_scopes(function: Any) -> Scopes:
    """The scopes of `function`, a FunctionDef, AsyncFunctionDef or Lambda."""
    root = Scope(function)
    inner: dict[int, Scope] = {}
    body = function.body if isinstance(function.body, list) else [function.body]
    root.bound.update(argument.id for argument in arguments_of(function))
    # Its type parameters, annotations and defaults belong to the scope around it.
    waiting: list[tuple[Any, Scope]] = [(node, root) for node in body]
    while waiting:
        node, scope = waiting.pop()
        record = _RECORD.get(type(node))
        if record is not None:
            record(node, scope)
        if isinstance(node, SCOPES):
            made = Scope(node, scope)
            scope.children.append(made)
            inner[id(node)] = made
            waiting += [(part, scope) for part in outside(node)]
            waiting += [(part, made) for part in inside(node)]
        else:
            waiting += [(part, scope) for part in _parts(node, scope)]
    parameters = frozenset(argument.id for argument in arguments_of(function))
    return Scopes(root, inner, parameters)


def outside(node: Any) -> list[Any]:
    """What Python evaluates around a scope when it comes to it, in order."""
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, gast.TypeAlias):
        return []
    if isinstance(node, gast.ClassDef):
        return [*node.decorator_list, *(() if node.type_params else _bases(node))]
    defaults = [*node.args.defaults, *node.args.kw_defaults]
    parts = [*getattr(node, "decorator_list", ()), *filter(None, defaults)]
    return parts if getattr(node, "type_params", None) else parts + annotations_of(node)


def inside(node: Any) -> list[Any]:
    """What runs in the scope that `node` opens.

    With type parameters, annotations and bases have a scope of their own between; what
    they read is counted as read inside, which is as late or later.
    """
    if isinstance(node, COMPREHENSIONS):
        first, *others = node.generators
        values = [node.key, node.value] if hasattr(node, "key") else [node.elt]
        return [*values, first.target, *first.ifs, *others]
    if isinstance(node, gast.TypeAlias):
        return [*node.type_params, node.value]
    if isinstance(node, gast.ClassDef):
        bases = _bases(node) if node.type_params else ()
        return [*node.type_params, *bases, *node.body]
    body = node.body if isinstance(node.body, list) else [node.body]
    type_params = getattr(node, "type_params", None) or []
    late = annotations_of(node) if type_params else []
    names = [gast.Name(a.id, a.ctx, None, None) for a in arguments_of(node)]
    return [*type_params, *late, *names, *body]


def arguments_of(function: Any) -> list[gast.Name]:
    """The parameters of a function, as gast's Name nodes."""
    a = function.args
    optional = [p for p in (a.vararg, a.kwarg) if p is not None]
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *optional]


def annotations_of(function: Any) -> list[Any]:
    """The annotations of a function's parameters and result."""
    found = [argument.annotation for argument in arguments_of(function)]
    found.append(getattr(function, "returns", None))
    return [annotation for annotation in found if annotation is not None]


def _bases(node: gast.ClassDef) -> Iterable[Any]:
    return (*node.bases, *node.keywords)


def _parts(node: Any, scope: Scope) -> Iterable[Any]:
    if isinstance(node, gast.NamedExpr):  # its target is recorded with it
        return [node.value]
    if isinstance(node, gast.AnnAssign) and isinstance(scope.node, FUNCTIONS):
        # Functions do not evaluate the annotations of their variables. `(x): int`
        # does not even make a local.
        names_nothing = node.value is None and not node.simple
        target = [] if names_nothing and _is_name(node.target) else [node.target]
        return target if node.value is None else [*target, node.value]
    return children(node)


def _is_name(node: Any) -> bool:
    return isinstance(node, gast.Name)


def _record_name(node: Any, scope: Scope) -> None:
    if isinstance(node.ctx, gast.Load):
        scope.loads.append(node)
        return
    scope.bound.add(node.id)
    if isinstance(node.ctx, gast.Del):
        scope.deleted.add(node.id)


def _record_named_expr(node: Any, scope: Scope) -> None:
    target = scope
    while isinstance(target.node, COMPREHENSIONS) and target.parent is not None:
        target.walrus.add(node.target.id)
        target = target.parent
    target.bound.add(node.target.id)


def _record_aug_assign(node: Any, scope: Scope) -> None:
    if _is_name(node.target):  # which is read, too
        scope.loads.append(node.target)


def _record_alias(node: Any, scope: Scope) -> None:
    if node.name != "*":
        scope.bound.add(bound_by_import(node))


def _record_definition(node: Any, scope: Scope) -> None:
    scope.bound.add(node.name if isinstance(node.name, str) else node.name.id)


def _record_capture(node: Any, scope: Scope) -> None:
    name = node.rest if isinstance(node, gast.MatchMapping) else node.name
    if name is not None:
        scope.bound.add(name)


def _record_yield(node: Any, scope: Scope) -> None:
    scope.has_yield = True


_RECORD: dict[type, Callable[[Any, Scope], None]] = {
    gast.Name: _record_name,
    gast.NamedExpr: _record_named_expr,
    gast.AugAssign: _record_aug_assign,
    gast.alias: _record_alias,
    gast.FunctionDef: _record_definition,
    gast.AsyncFunctionDef: _record_definition,
    gast.ClassDef: _record_definition,
    gast.TypeAlias: _record_definition,
    gast.TypeVar: _record_definition,
    gast.ParamSpec: _record_definition,
    gast.TypeVarTuple: _record_definition,
    gast.MatchAs: _record_capture,
    gast.MatchStar: _record_capture,
    gast.MatchMapping: _record_capture,
    gast.Yield: _record_yield,
    gast.YieldFrom: _record_yield,
    gast.Global: lambda node, scope: scope.globals.update(node.names),
    gast.Nonlocal: lambda node, scope: scope.nonlocals.update(node.names),
}

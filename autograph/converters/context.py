"""Context: what the converters of one function share.

It walks the tree and looks up the converter of each construct in the tables, and it
knows the analysis of the original tree, the names not yet taken, and whether exits are
returned as values (in a generated body) or as themselves (in the function's own body).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gast

from autograph.analysis import Analysis
from autograph.analysis.exits import holds_yield
from autograph.converters import layout
from autograph.converters.state import StateFunctions
from autograph.errors import UnsupportedError
from autograph.syntax import Namer, children, expression, statements, walk

StatementConverter = Callable[["Context", Any], list[gast.stmt]]
ExpressionConverter = Callable[["Context", Any], gast.expr]
LeavingConverter = Callable[["Context", Any], tuple[list[gast.stmt], gast.expr]]
Block = Sequence[gast.stmt]

# The first lines of a generated function. The user's names are filled in as parts, for
# as text they could be taken for a template's placeholders.
DECLARED = "    global GLOBALS\n    nonlocal NONLOCALS\n"


class Tables:
    """The converter of each construct, by node type."""

    def __init__(
        self,
        statements: dict[type, StatementConverter],
        expressions: dict[type, ExpressionConverter],
        leaving: dict[type, LeavingConverter],
    ) -> None:
        self.statements = statements
        self.expressions = expressions
        # For each compound statement: (statements before, the expression of its exit).
        self.leaving = leaving


class Context:
    """The conversion of one function (and, by `inner`, of those inside it)."""

    # Of a generator that is run: what its body calls for each item.
    emit_name = ""
    # Of a generator that stays one of Python's: converts what has a `yield` in it.
    keep: StatementConverter | None = None

    def __init__(
        self,
        node: Any,
        analysis: Analysis,
        tables: Tables,
        namer: Namer,
        outer: Context | None = None,
        first_parameter: str | None = None,
    ) -> None:
        self.node = node
        self.analysis = analysis
        self.tables = tables
        self.namer = namer
        self.outer = outer
        self.first_parameter = first_parameter
        self.in_body = False
        # Names of generated functions, each shown as this function in tracebacks.
        self.generated: dict[str, str] = outer.generated if outer else {}
        self.declared: set[str] = set()
        # The parameter of every set_state.
        self.content_name: str = outer.content_name if outer else namer.fresh("vars_")
        # The first parameter of the steps of comprehensions.
        self.comp_name: str = outer.comp_name if outer else namer.fresh("comp")
        # Targets of the comprehensions around, which hide names of the function's.
        self.hidden: frozenset[str] = (
            outer.hidden - analysis.locals if outer else frozenset()
        )
        # Of them, those of a function around; a graph's loop may not have bound them.
        self.kept = self.hidden
        self._see_as(outer)
        self.prelude: list[gast.stmt] = []
        self.state_functions = StateFunctions(self)
        self._depth = 0  # of the statement that is being converted
        self._before: list[gast.stmt] = []  # what is to stand before the outermost one
        self._nothing = ""
        # For an if that took in what follows it: the whole region, by the if's id.
        self.moved: dict[int, list[gast.stmt]] = {}

    def _see_as(self, outer: Context | None) -> None:
        """What is known of the world outside of the function."""
        # Globals and closure variables that hold arrays.
        self.outer_arrays: frozenset[str] = (
            outer.outer_arrays - self.analysis.locals if outer else frozenset()
        )
        # Those that hold an object which is no module, class or function.
        self.outer_objects: frozenset[str] = (
            outer.outer_objects if outer else frozenset()
        )
        # Whether a class of the user's with operators is in sight.
        self.overloads: bool = outer.overloads if outer else False
        # Names of attributes that may be properties of the user's.
        self.computed: frozenset[str] = outer.computed if outer else frozenset()

    # Walking.

    def block(self, body: Block) -> list[gast.stmt]:
        """The converted statements of a block."""
        made: list[gast.stmt] = []
        for index, statement in enumerate(body):
            leaves = self.analysis.exits([statement])
            if self._is_kept(statement):
                assert self.keep is not None
                made += self._converted(statement, self.keep)
                continue
            if leaves and isinstance(statement, (*COMPOUND, gast.Expr)):
                rest = list(body[index + 1 :])
                return made + self._converted(statement, leave, rest)
            made += self._converted(statement, Context._statement)
            if isinstance(statement, (gast.Return, gast.Break, gast.Continue)):
                break
        return made

    def _is_kept(self, statement: Any) -> bool:
        """True for what stays a Python statement in a Python generator."""
        if self.keep is None or self.in_body or not isinstance(statement, COMPOUND):
            return False
        return holds_yield(statement) or bool(self.analysis.exits([statement]))

    def _statement(self, statement: Any) -> list[gast.stmt]:
        converter = self.tables.statements.get(type(statement))
        return converter(self, statement) if converter else [self.inside(statement)]

    def _converted(
        self, statement: Any, convert: Callable[..., list[gast.stmt]], *args: Any
    ) -> list[gast.stmt]:
        """What a statement becomes, after the functions that its expressions need."""
        outer, self.prelude = self.prelude, []
        self._depth += 1
        try:
            made = convert(self, statement, *args)
            made = self.prelude + made
        finally:
            self._depth -= 1
            self.prelude = outer
        if self._depth:
            return made
        # Of a statement of the function's own: what is placed here, all can see.
        before, self._before = self._before, []
        return self.state_functions.place(statement) + before + made

    def body(self, body: Block) -> list[gast.stmt]:
        """A block as the body of a generated function: exits become values."""
        before, self.in_body = self.in_body, True
        try:
            return self.block(body)
        finally:
            self.in_body = before

    def expression(self, node: Any) -> Any:
        """The converted expression (None stays None)."""
        if node is None:
            return None
        converter = self.tables.expressions.get(type(node))
        return converter(self, node) if converter else self.inside(node)

    def inside(self, node: Any) -> Any:
        """`node` itself, with all that it contains converted."""
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                if value and isinstance(value[0], gast.stmt):
                    setattr(node, name, self.block(value))
                else:
                    setattr(node, name, [self._part(part) for part in value])
            elif isinstance(value, gast.AST):
                setattr(node, name, self._part(value))
        return node

    def _part(self, part: Any) -> Any:
        if isinstance(part, gast.expr):
            return self.expression(part)
        return self.inside(part) if isinstance(part, gast.AST) else part

    # Building.

    def fresh(self, base: str) -> str:
        """A new name for a generated function, shown as the user's in tracebacks."""
        name = self.namer.fresh(base)
        self.generated[name] = getattr(self.node, "name", "<lambda>")
        return name

    def function(
        self, name: str, body: Block, at: gast.AST, flat: bool = False
    ) -> list[gast.stmt]:
        """`def name(): body`, which shares the function's names.

        at: the statement's header; a def on a line of the body would make a debugger
        stop there before, and coverage count the line as run
        flat: what its last statement needs stands beside it
        """
        return self.define(name, self.body(body), at, self.assigned(body), flat=flat)

    def define(
        self,
        name: str,
        body: list[gast.stmt],
        at: gast.AST,
        names: Any,
        parameters: Sequence[str] = (),
        flat: bool = False,
    ) -> list[gast.stmt]:
        """`def name(parameters): body`, already converted, which may bind the names."""
        others: list[gast.stmt] = []
        if flat and body:
            body, others = layout.beside(body, self.generated, names, at)
        text = f"def name(PARAMETERS):\n{DECLARED}    BODY"
        declared = self.declare(layout.bound(body).intersection(names))
        given = {"name": name, "PARAMETERS": parameters, "BODY": body}
        return statements(text, at, **given, **declared) + others

    def nothing(self, name: str, at: gast.AST) -> tuple[list[gast.stmt], str]:
        """A name for what does nothing, one for all that need it, and what binds it.

        It stands before the outermost statement, where all that follow can see it.
        """
        if self._nothing:
            return [], self._nothing
        self._nothing = self.namer.fresh(name)
        made = statements("name = ag__.nothing", at, name=self._nothing)
        if self._depth == 1:
            return made, self._nothing
        self._before = made
        return [], self._nothing

    def assigned(self, region: Block) -> frozenset[str]:
        """Names that the statements may bind; they need not be neighbours."""
        return frozenset().union(*map(self.analysis.assigned_by, region))

    def live_after(self, node: Any) -> frozenset[str]:
        """Names that are read after a statement, and what was moved into it."""
        return self.analysis.live_out(self.moved.get(id(node), [node]))

    def declare(self, names: Any) -> dict[str, Any]:
        """The parts of DECLARED: they make the names the user's in a generated def."""
        outside = self.analysis.globals - self.hidden
        at_module = sorted(n for n in names if n in outside)
        own = sorted(n for n in names if n not in outside)
        self.declared.update(n for n in own if n in self.analysis.locals)
        return {"GLOBALS": at_module, "NONLOCALS": own}

    def state(
        self,
        names: Any,
        at: gast.AST,
        inputs: Any = frozenset(),
        kept: Any = frozenset(),
    ) -> dict[str, Any]:
        """The template parts that pass the names with the functions for their state.

        names:  may change and are read afterwards
        inputs: are set too, but must be as they were before for what else is traced
        kept:   those that are read by another block of the statement
        """
        read = {*names, *kept}
        groups = (set(names), read - set(names), set(inputs) - read)
        ordered = tuple(name for group in groups for name in sorted(group))
        return self.state_functions.parts(ordered, len(names), at)

    def leave_with(self, exit_: gast.expr, at: gast.AST) -> list[gast.stmt]:
        """`return` an exit: as a value in a generated body, else what it returns."""
        text = "return EXIT" if self.in_body else "return ag__.returned(EXIT)"
        return statements(text, at, EXIT=exit_)

    def refuse(self, what: str, at: gast.AST, remedy: str) -> UnsupportedError:
        """The error for a construct that cannot be converted."""
        return UnsupportedError(what, at.lineno, remedy)

    def holds_object(self, name: str) -> bool:
        """True when the name may hold an object of the user's, not a module."""
        context: Context | None = self
        while context is not None:
            if name in context.analysis.locals or name in context.hidden:
                return True
            context = context.outer
        return name in self.outer_objects

    def may_be_undefined(self, name: gast.Name) -> bool:
        """True when some path reads the name before it is bound."""
        return self._owner(name) is not None

    def is_free(self, name: gast.Name) -> bool:
        """True when a function reads a name of another one, around it."""
        owner = self._owner(name)
        return owner is not None and not owner.analysis.reads(name)

    def _owner(self, name: gast.Name) -> Context | None:
        """Where a name belongs that some path reads before it is bound."""
        context: Context | None = self
        while context is not None and not context.analysis.may_be_undefined(name):
            context = context.outer
        return context


COMPOUND = (
    gast.If,
    gast.While,
    gast.For,
    gast.With,
    gast.Try,
    gast.Match,
    *((gast.TryStar,) if hasattr(gast, "TryStar") else ()),
)


def walrus_names(node: gast.AST) -> set[str]:
    """The names that evaluating the expression binds."""
    if isinstance(node, gast.Lambda):
        return set()
    found = {node.target.id} if isinstance(node, gast.NamedExpr) else set()
    return found.union(*(walrus_names(child) for child in children(node)))


def leave(context: Context, statement: Any, rest: list[gast.stmt]) -> list[gast.stmt]:
    """A compound statement that may be left from inside, and what follows it."""
    analysis = context.analysis
    if isinstance(statement, gast.If) and rest:
        context.moved[id(statement)] = [statement, *rest]
        # When one branch always leaves, what follows belongs to the other one.
        if analysis.always_exits(statement.body):
            statement.orelse = [*statement.orelse, *rest]
            rest = []
        elif statement.orelse and analysis.always_exits(statement.orelse):
            statement.body = [*statement.body, *rest]
            rest = []
        else:
            del context.moved[id(statement)]
    made, exit_ = context.tables.leaving[type(statement)](context, statement)
    if not rest:
        return made + context.leave_with(exit_, statement)
    following = context.fresh("rest")
    assigned = context.assigned(rest)
    names = assigned & analysis.live_out(rest)
    parts = context.state(names, statement, assigned)
    made += _rest(context, statement, rest, following)
    left = expression(
        "ag__.after(EXIT, REST, GET, SET, NAMES, N)",
        statement,
        EXIT=exit_,
        REST=following,
        **parts,
    )
    return made + context.leave_with(left, statement)


def _rest(
    context: Context, statement: Any, rest: list[gast.stmt], name: str
) -> list[gast.stmt]:
    """What follows, as a function.

    A name may be unbound where the statement is left, yet bound wherever it is not;
    then its reads carry no check, so it is taken for certain here.
    """
    both = context.assigned([statement]) & context.analysis.bound_before(rest[0])
    certain = both & names_read(rest) & context.analysis.live_in(rest)
    body = take_for_certain(certain, rest[0]) + context.body(rest)
    names = context.assigned(rest) | certain
    return context.define(name, body, statement, names, flat=True)


def take_for_certain(names: Iterable[str], at: gast.AST) -> list[gast.stmt]:
    """Statements that drop the flags of names that every path here binds."""
    return [
        made
        for name in sorted(names)
        for made in statements("NAME = ag__.certain(NAME)", at, NAME=name)
    ]


def names_read(body: Block) -> set[str]:
    """Every name that the statements read, at any depth."""
    return {
        node.id
        for statement in body
        for node in walk(statement)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)
    }

"""Write one function of a random program, statement by statement.

The writer keeps account of the names that are set for sure: only these are read, except
in a few places where the value is observed (a print, the running totals), so that
Python's UnboundLocalError must come out of the graph as well.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.conformance import attempts, blocks, grammar, holders
from tests.conformance.choices import Choices
from tests.conformance.grammar import Helper

FIELD = re.compile(r"\{\{|\}\}|\{(\w+)\}")  # two braces stand for one
NESTED = 4  # how deep statements nest
LOOPS = 3  # how many of these may be loops
INDENT = "    "


class Writer:
    """Writes one function, and keeps account of the names that are set so far."""

    def __init__(
        self,
        choices: Choices,
        parameters: tuple[str, ...],
        results: str,
        helpers: tuple[Helper, ...],
        observes: bool = False,
        yields: bool = False,
    ) -> None:
        self.pick, self.chance = choices.pick, choices.chance
        self.below = choices.below
        self.parameters = parameters
        self.results = results
        self.helpers = helpers
        self.observes = observes
        self.yields = yields
        self.definite = set(parameters)
        self.assigned = set(parameters)
        self.lines: list[str] = []
        self.inside: list[str] = []
        self.counters = self.budget = 0

    # -- the function ------------------------------------------------------------------

    def write(self, name: str, budget: int) -> str:
        """The text of a function called `name` of about `budget` statements."""
        self.emit(f"def {name}({', '.join(self.parameters)}):", at=0)
        if self.observes:
            self.emit("total, observed = 0, 0.0")
        if "m" in self.results:
            self.assign("m0", "0")
        for kind, pool in grammar.POOL.items():
            if kind in holders.KINDS and not self.chance(25):
                continue
            for target in pool[: None if self.observes else 1]:
                if not self.chance(25):
                    self.assign(target, self.reduced(kind, depth=0))
        self.budget = budget
        while self.budget > 0:
            self.statement()
        if self.observes:
            self.observe_all()
        if self.yields:
            self.yield_()
        else:
            self.return_()
        return "\n".join(self.lines) + "\n"

    def emit(self, line: str, at: int = 1) -> None:
        self.lines.append(INDENT * (at + len(self.inside)) + line)

    def assign(self, target: str, text: str) -> None:
        self.emit(f"{target} = {text}")
        self.define(target)

    def define(self, *targets: str) -> None:
        self.definite.update(targets)
        self.assigned.update(targets)

    # -- expressions -------------------------------------------------------------------

    def fill(self, template: str, depth: int = 2, **fixed: str) -> str:
        """The template with every field replaced, at random unless it is `fixed`."""

        def field(match: re.Match[str]) -> str:
            symbol = match[1]
            if symbol is None:
                return match[0][0]
            if symbol in fixed:
                return fixed[symbol]
            if symbol in grammar.GRAMMAR:
                return self.expression(symbol, depth)
            return TERMINALS[symbol](self)

        return FIELD.sub(field, template)

    def expression(self, kind: str, depth: int = 2) -> str:
        rules = grammar.GRAMMAR[kind]
        deeper = depth > 0 and self.chance(65)
        template = self.pick(rules.compound if deeper else rules.simple)
        return self.fill(template, depth - 1)

    def reduced(self, kind: str, depth: int = 2) -> str:
        """An expression whose value may be kept in a name."""
        return grammar.REDUCED[kind].format(self.expression(kind, depth))

    def risky(self, kind: str) -> str:
        """An expression that may fail, if the function has something for it."""
        unset = [
            name
            for name in sorted(self.assigned - self.definite)
            if kind_of(name) == kind
        ]
        if unset and self.chance(40):
            return self.pick(unset)
        if kind in grammar.RISKY and self.chance(25):
            return self.fill(self.pick(grammar.RISKY[kind]))
        return self.expression(kind)

    def name(self, kind: str) -> str:
        """A name that is set for sure, or what stands for one."""
        names = [name for name in sorted(self.definite) if kind_of(name) == kind]
        return self.pick(names) if names else grammar.FALLBACK[kind]

    def target(self, kind: str) -> str:
        return self.pick(grammar.POOL[kind])

    def call(self, results: str, yields: bool = False) -> str | None:
        """A call of a helper that returns `results`, or None if there is none."""
        fitting = [
            helper
            for helper in self.helpers
            if (helper.results, helper.yields) == (results, yields)
        ]
        if not fitting:
            return None
        helper = self.pick(fitting)
        # Reduced, and NumPy's: what the grammar asks of a function's `x0` and `y0`.
        arguments = [
            f"(x0 + {self.expression('i', 0)}) % 50",
            f"y0 * {self.expression('f', 0)}",
            *([self.store("a")] if helper.takes_array else []),
        ]
        return f"{helper.name}({', '.join(arguments)})"

    def store(self, kind: str) -> str:
        """An array that may be changed in place, which a row of another may not."""
        names = [n for n in sorted(self.definite) if kind_of(n) == kind and n[0] != "r"]
        return self.pick(names) if names else grammar.FALLBACK[kind]

    # -- statements --------------------------------------------------------------------

    def statement(self) -> bool:
        """Write one statement; whether control never comes to what follows it."""
        self.budget -= 1
        return bool(self.pick(STATEMENTS)(self))

    def block(self, inside: str) -> bool:
        """Write an indented block of statements; whether its end is never reached."""
        self.inside.append(inside)
        count = len(self.lines)
        for _ in range(1 + self.below(4)):
            if self.budget <= 0:
                break
            if self.statement():
                self.inside.pop()
                return True
        if len(self.lines) == count:
            self.assign_one()
        self.inside.pop()
        return False

    def assign_one(self) -> None:
        kind = self.pick("iiifffbaan")
        self.assign(self.target(kind), self.reduced(kind))

    def assign_several(self) -> None:
        form = self.pick(("same", "swap", "unpack", "call"))
        if form == "same":
            a, b = self.target("i"), self.target("i")
            self.emit(f"{a} = {b} = {self.reduced('i')}")
            self.define(a, b)
        elif form == "swap":
            kind = self.pick("if")
            a, b = self.name(kind), self.name(kind)
            if {a, b} <= set(grammar.POOL[kind]):
                self.emit(f"{a}, {b} = {b}, {a}")
        elif form == "unpack":
            self.emit(self.fill("f0, f1, f2 = {a}"))
            self.define("f0", "f1", "f2")
        elif call := self.call("if"):
            a, b = self.target("i"), self.target("f")
            self.emit(f"{a}, {b} = {call}")
            self.define(a, b)

    def augment(self) -> None:
        template = self.pick(grammar.AUGMENTED)
        kind = "i" if "{Vi}" in template else "f"
        names = [name for name in grammar.POOL[kind] if name in self.definite]
        if names:
            target = self.pick(names)
            self.emit(self.fill(template, Vi=target, Vf=target))

    def store_item(self) -> None:
        line = self.fill(self.pick(grammar.STORES))
        if not line.startswith("np."):  # which stands for an array of no name
            self.emit(line)

    def print_(self) -> None:
        values = ", ".join(
            self.risky(self.pick("ifban")) for _ in range(1 + self.below(2))
        )
        separator = ', sep="|"' if self.chance(20) else ""
        self.emit(f'print("line {len(self.lines)}", {values}{separator})')

    def assert_(self) -> None:
        test = self.fill(self.pick(("{b} or {b}", "{t}", "{i} < 60", "{f} == {f}")))
        message = f', "line {len(self.lines)}"' if self.chance(60) else ""
        self.emit(f"assert {test}{message}")

    def observe(self) -> None:
        if not self.observes:
            return
        if self.chance(40):
            self.emit(f"observed = observed * 0.5 + {self.risky('f')}")
        else:
            self.emit(f"total = (total * 3 + {self.risky('i')}) % 1009")

    def observe_all(self) -> None:
        names = ", ".join(sorted(self.definite))
        self.emit(f"print({names})")
        for name in sorted(self.assigned - self.definite):
            if self.chance(10):
                self.emit(f"print({name})")

    def mix(self) -> None:
        if "m" in self.results:
            text = self.fill(self.pick(grammar.MIXED))
            self.assign("m0", f"({text}) % 50")

    def return_(self) -> None:
        if self.yields:
            self.emit("return")
            return
        texts = [
            "m0" if kind == "m" else self.reduced(kind, depth=1)
            for kind in self.results
        ]
        kept = ["total", "observed"] if self.observes else []
        self.emit(f"return {', '.join(kept + texts)}")

    def yield_(self) -> None:
        """An item of a generator; elsewhere a name bound by `:=` in a comprehension."""
        if self.yields:
            self.emit(f"yield {self.reduced(self.results, depth=1)}")
            return
        target, flag = self.target("f"), self.target("b")
        limit, rows = self.expression("f", 1), self.store("a")
        self.emit(f"{flag} = any(({target} := e) > {limit} for e in {rows})")
        self.define(target, flag)

    def leave(self) -> bool:
        """A bare exit, which ends its block: only ever in a branch."""
        if not self.inside or self.inside[-1] != "if":
            return self.leave_if()
        words = ("break", "continue") if "loop" in self.inside else ()
        word = self.pick((*words, "return"))
        if word == "return":
            self.return_()
        else:
            self.emit(word)
        return True

    def leave_if(self) -> bool:
        if "loop" not in self.inside:
            return False
        self.emit(f"if {self.expression('t')}:")
        with self.nested("if"):
            self.leave()
        return False

    def if_(self) -> bool:
        if len(self.inside) >= NESTED:
            return False
        before = set(self.definite)
        ends: list[bool] = []
        falls: list[set[str]] = []
        for word in ("if", *("elif",) * (self.below(4) // 2)):
            self.emit(f"{word} {self.expression('t')}:")
            self.branch(before, ends, falls)
        if self.chance(60):
            self.emit("else:")
            self.branch(before, ends, falls)
        else:
            ends.append(False)
            falls.append(before)
        self.definite = set.intersection(*falls) if falls else before
        return all(ends)

    def branch(self, before: set[str], ends: list[bool], falls: list[set[str]]) -> None:
        self.definite = set(before)
        ends.append(self.block("if"))
        if not ends[-1]:
            falls.append(self.definite)

    def loop(self) -> None:
        if len(self.inside) >= NESTED or self.inside.count("loop") >= LOOPS:
            return
        before = set(self.definite)
        self.pick((self.for_, self.for_, self.while_))()
        self.definite = before
        if self.chance(8):
            self.emit("else:")
            self.block("if")
            self.definite = before

    def for_(self) -> None:
        kinds, template = self.pick(grammar.ITERABLES + holders.ITERABLES)
        if kinds == "r" and "q0" not in self.parameters:
            return self.while_()
        iterable = self.fill(template, depth=1)
        targets = ["r0" if kind == "r" else self.target(kind) for kind in kinds]
        self.emit(f"for {', '.join(targets)} in {iterable}:")
        self.define(*targets)
        self.block("loop")
        return None

    def while_(self) -> None:
        counter, self.counters = f"w{self.counters}", self.counters + 1
        self.emit(f"{counter} = 0")
        bound = f"{counter} < {1 + self.below(4)}"
        test, first = self.pick(grammar.WHILES)
        self.emit(f"while {self.fill(test, W=bound)}:")
        with self.nested("loop"):
            if first:
                self.emit(f"if not {bound}:")
                self.emit(INDENT + "break")
            self.emit(f"{counter} += 1")
        self.block("loop")

    @contextmanager
    def nested(self, inside: str) -> Iterator[None]:
        self.inside.append(inside)
        yield
        self.inside.pop()


def kind_of(name: str) -> str:
    """What a name holds: see grammar.py."""
    return grammar.KIND_OF.get(name[0], name[0])


# What the fields of a template stand for that are not expressions.
TERMINALS: dict[str, Callable[[Writer], str]] = {
    "I": lambda w: w.name("i"),
    "F": lambda w: w.name("f"),
    "B": lambda w: w.name("b"),
    "A": lambda w: w.name("a"),
    "N": lambda w: w.name("n"),
    "D": lambda w: w.pick(grammar.INTS),
    "G": lambda w: w.pick(grammar.FLOATS),
    "Hi": lambda w: w.call("i") or w.name("i"),
    "Hf": lambda w: w.call("f") or w.name("f"),
    "Gi": lambda w: w.call("i", yields=True) or f"[{w.name('i')}]",
    "Gf": lambda w: w.call("f", yields=True) or f"[{w.name('f')}]",
    **holders.NAMES,
    "Sa": lambda w: w.store("a"),
    "Sn": lambda w: w.store("n"),
}

# How often each is picked.
STATEMENTS: tuple[Callable[[Writer], bool | None], ...] = tuple(
    method
    for method, weight in (
        (Writer.assign_one, 9),
        (Writer.assign_several, 3),
        (Writer.augment, 4),
        (Writer.store_item, 4),
        (Writer.if_, 7),
        (Writer.loop, 6),
        (Writer.leave, 4),
        (Writer.print_, 3),
        (Writer.observe, 3),
        (Writer.assert_, 1),
        (Writer.mix, 3),
        (attempts.try_, 4),
        (attempts.risky, 3),
        (attempts.raise_, 2),
        (Writer.yield_, 2),
        (blocks.match_, 3),
        (blocks.with_, 2),
        (blocks.walrus, 2),
        *holders.STATEMENTS,
    )
    for _ in range(weight)
)

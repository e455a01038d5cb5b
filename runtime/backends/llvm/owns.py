"""owns: the functions of our own mathematics that a text calls, as parts of it."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.backends.llvm.calls import Calls
from runtime.backends.llvm.mathematics import definition, name_of


class Owns(Calls):
    """The text, with functions of our own.

    defined: their text, by name
    mapped:  the names of those that only LLVM will call, where it makes vectors
    """

    def __init__(
        self, written: frozenset[int], loops: Mapping[str, tuple[int, int]]
    ) -> None:
        super().__init__(written, loops)
        self.defined: dict[str, str] = {}
        self.mapped: dict[str, None] = {}

    def own_function(self, name: str, kind: str, count: int) -> str:
        """The name of a function of our own, which becomes part of the text."""
        text, declared = definition(name, kind, count)
        for symbol, declaration in declared.items():
            self.symbol(symbol, declaration)
        self.defined[name_of(name, kind, count)] = text
        return f"@{name_of(name, kind, count)}"

    def owns(self) -> list[str]:
        """The functions of our own; those that LLVM is told of must be kept for it."""
        found = [*self.helpers.values(), *self.defined.values()]
        if self.mapped:
            names = ", ".join(f"ptr @{name}" for name in self.mapped)
            found.append(
                f"@llvm.compiler.used = appending global [{len(self.mapped)} x ptr] "
                f'[{names}], section "llvm.metadata"'
            )
        return found

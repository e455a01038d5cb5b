"""table_functions: what machine code calls for the table of a set.

It remembers how it came about, so Python takes out of it.
"""

from __future__ import annotations

from runtime.ops.tables import Members, Table


def take_member(table: Members, key: object) -> None:
    """Take a key that is there out of the table of a set."""
    table.pop(key)


def copied(table: Table) -> Table:
    """Another table of the same keys."""
    return table.copy()


# By the names that they have in the text.
FUNCTIONS = {
    "take_member": take_member,
    "copied_table": copied,
}

"""rows_alike: lists at one place on two paths are rows of one region, or none is."""

from __future__ import annotations

from tracer import rows, tree
from tracer.contents import Form, HeldForm, Static
from tracer.frozen import ITEM, freeze
from tracer.rows import Row, RowsWanted, like_rows


def see_to_rows(known: Form, held: HeldForm) -> None:
    """See that lists at one place of both are rows alike. RowsWanted: they are not."""
    if rows.known() is None or tree.same(known.structure, held.structure):
        return
    leaves = [
        leaf.content if isinstance(leaf, Static) else None for leaf in known.leaves
    ]
    like_rows(
        tree.unflatten(known.structure, leaves),
        tree.unflatten(held.structure, held.leaves),
        (known.births, held.births),
    )


def see_to_items(known: Form, held: HeldForm) -> None:
    """See that lists in what becomes one list of a length of data are rows."""
    inside = known.births[1] | held.births[1]
    if inside and rows.known() is not None:
        raise RowsWanted(inside)


def see_to_names(*forms: Form | HeldForm) -> None:
    """See to what may have another name in lists that become one of staged length."""
    leaves = [leaf for form in forms for leaf in form.leaves]
    contents = [one.content if isinstance(one, Static) else one for one in leaves]
    for leaf in contents:
        if type(leaf) is list and rows.known() is None:
            # It may have another name.
            rows.want_rows()
        freeze(leaf, ITEM)


def is_row_form(structure: tree.Structure) -> bool:
    """True for a list that is a row."""
    return any(child.type is Row for child in structure.children())

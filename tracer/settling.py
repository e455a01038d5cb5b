"""settling: what becomes of a place whose type a loop does not find an end of.

A choice of ever more texts becomes one text that the run makes, and ever longer lists
of texts become a list whose length depends on data.
"""

from __future__ import annotations

from runtime.structs import replace
from tracer.contents import Chosen, ContentType, Form, LeafType
from tracer.joining import bare, chosen, one_text, text_type
from tracer.rows import want_rows
from tracer.tree import Structure

# As many texts that a loop has found in a place, and is not at the end: it makes them.
MANY_TEXTS = 5
FEW_LISTS = 2


def with_texts(kind: ContentType) -> ContentType:
    """The type with choices of many texts as one text that the run makes."""
    return kind if kind.form is None else replace(kind, form=_with_texts(kind.form))


def _with_texts(form: Form) -> Form:
    return bare(Form(form.structure, tuple(map(_leaf_with_texts, form.leaves))))


def _holds_lists(structure: Structure, inside: bool = False) -> bool:
    """True for a list with lists in it."""
    is_list = structure.type is list
    return (is_list and inside) or any(
        _holds_lists(child, inside or is_list) for child in structure.children()
    )


def _leaf_with_texts(leaf: LeafType) -> LeafType:
    if not isinstance(leaf, Chosen):
        return leaf
    options = tuple(map(_with_texts, leaf.options))
    if sum(_holds_lists(option.structure) for option in options) > FEW_LISTS:
        want_rows()
    texts = [option for option in options if text_type(option) is not None]
    if len(texts) >= MANY_TEXTS:
        options = one_text(options)
    return chosen(options, FEW_LISTS)

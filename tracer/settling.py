"""settling: what becomes of a place whose type a loop does not find an end of.

A choice of ever more texts becomes one text that the run makes, and ever longer lists
of texts become a list whose length depends on data.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from tracer.contents import LEAF, Chosen, ContentType, Form, LeafType
from tracer.item_type import NoItemType
from tracer.joining import chosen, list_form, one_text, stand_ins, text_type
from tracer.list_objects import content_type, joined_type

# As many texts that a loop has found in a place, and is not at the end: it makes them.
MANY_TEXTS = 5
MANY_LISTS = 3


def with_texts(kind: ContentType) -> ContentType:
    """The type with choices of many texts as one text that the run makes."""
    return kind if kind.form is None else replace(kind, form=_with_texts(kind.form))


def _with_texts(form: Form) -> Form:
    made = Form(form.structure, tuple(map(_leaf_with_texts, form.leaves)))
    inside = made.leaves[0] if made.structure == LEAF else None
    few = isinstance(inside, Chosen) and len(inside.options) == 1
    return inside.options[0] if few else made  # type: ignore[union-attr] # it is few


def _leaf_with_texts(leaf: LeafType) -> LeafType:
    if not isinstance(leaf, Chosen):
        return leaf
    options = tuple(map(_with_texts, leaf.options))
    texts = [option for option in options if text_type(option) is not None]
    if len(texts) >= MANY_TEXTS:
        options = one_text(options)
    return chosen(_one_list(options))


def _one_list(options: tuple[Form, ...]) -> tuple[Form, ...]:
    """The options with all lists of texts as one whose length depends on data."""
    lists = [option for option in options if option.structure.type is list]
    try:
        kinds = [content_type(stand_ins(option)) for option in lists]
        kind = reduce(joined_type, kinds) if len(lists) >= MANY_LISTS else None
    except NoItemType:
        kind = None
    if kind is None:
        return options
    others = tuple(option for option in options if option not in lists)
    return (*others, list_form(kind, lists[0]))

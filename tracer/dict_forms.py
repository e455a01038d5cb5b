"""dict_forms: one type for a dict on two paths, if on one its keys depend on data."""

from __future__ import annotations

from runtime.build import note_varying
from runtime.graph import Value
from tracer import tree
from tracer.contents import (
    Carried,
    Form,
    HeldForm,
    content_of,
    stand_ins,
)
from tracer.dict_objects import MAPPINGS, as_staged, dict_type, made_like
from tracer.item_type import NoItemType
from tracer.staged_dict import DictType, StagedDict, bare, joined


def join_dicts(known: Form, held: HeldForm) -> Form | None:
    """The form of the dicts of both; None where they are none, or cannot be one."""
    kinds = _types(known, held)
    if kinds is None:
        return None
    kind = joined(*kinds)
    note_varying()
    like = stand_ins(known)
    whole = made_like(like, bare(kind))
    leaves, structure = tree.flatten_to_choices(whole)
    return Form(structure, tuple(Carried(leaf.spec, True) for leaf in leaves))


def served(form: Form, held: HeldForm) -> DictType | None:
    """The type of the form, if it serves the dict held; None for anything else."""
    # A form may say of some parts that they are there already.
    whole = all(isinstance(leaf, Carried) for leaf in form.leaves)
    if not (whole and _is_keyed(form.structure)):
        return None
    kinds = _types(form, held)
    return kinds[0] if kinds is not None and joined(*kinds) == kinds[0] else None


def values_of(form: Form, held: HeldForm) -> list[Value] | None:
    """The values of what is held, for a form that serves it."""
    kind = served(form, held)
    if kind is None:
        return None
    leaves, _ = tree.flatten(as_staged(content_of(held), kind))
    return [leaf.value for leaf in leaves]


def _types(form: Form, held: HeldForm) -> tuple[DictType, DictType] | None:
    kind = form.structure.type
    if kind not in MAPPINGS or held.structure.type is not kind:
        return None
    if not (_is_keyed(form.structure) or _is_keyed(held.structure)):
        return None
    one, other = stand_ins(form), content_of(held)
    if getattr(one, "default_factory", None) is not getattr(
        other, "default_factory", None
    ):
        return None
    try:
        found = dict_type(one), dict_type(other)
        joined(*found)
    except NoItemType:
        return None
    return found


def _is_keyed(structure: tree.Structure) -> bool:
    children = structure.children()
    return len(children) == 1 and children[0].type is StagedDict

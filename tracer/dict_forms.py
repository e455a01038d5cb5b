"""dict_forms: one type for a dict on two paths, if on one its keys depend on data."""

from __future__ import annotations

from typing import Any

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
from tracer.dict_objects import (
    MAPPINGS,
    as_staged,
    dict_type,
    made_like,
    require_own,
    staged_dict,
)
from tracer.item_type import NoItemType
from tracer.staged_dict import DictType, StagedDict, bare, joined


def join_dicts(known: Form, held: HeldForm) -> Form | None:
    """The form of the dicts of both; None where they are none, or cannot be one."""
    kinds = _types(known, held)
    if kinds is None:
        return None
    kind = joined(*kinds)
    note_varying()
    whole = bare(kind)
    if known.structure.type in MAPPINGS:
        whole = made_like(stand_ins(known), whole)
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
    whole = _of_sets(content_of(held))
    if staged_dict(whole) is None:
        require_own(whole)
    leaves, _ = tree.flatten(as_staged(whole, kind))
    return [leaf.value for leaf in leaves]


def _types(form: Form, held: HeldForm) -> tuple[DictType, DictType] | None:
    structures = (form.structure, held.structure)
    if not any(map(_is_keyed, structures)):
        return None
    # A leaf is a set: a dict that is one is a reference, and not what is in it.
    kinds = {StagedDict if of.is_leaf() else of.type for of in structures}
    if len(kinds) > 1:
        return None
    one, other = _of_sets(stand_ins(form)), _of_sets(content_of(held))
    kind = type(one)
    if kind not in (*MAPPINGS, set) or type(other) is not kind:
        return None
    factories = (getattr(of, "default_factory", None) for of in (one, other))
    if next(factories) is not next(factories):
        return None
    try:
        found = dict_type(one), dict_type(other)
        joined(*found)
    except NoItemType:
        return None
    return found


def _of_sets(content: Any) -> Any:
    """What a place holds that is a set's: a set, as a dict is what a dict's holds."""
    return {content} if type(content) is StagedDict else content


def _is_keyed(structure: tree.Structure) -> bool:
    children = structure.children()
    of_dict = len(children) == 1 and children[0].type is StagedDict
    return of_dict or structure.type is StagedDict

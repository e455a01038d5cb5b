"""joining: the one type that serves what two paths leave in a place.

Sizes that differ become unknown; what no single form serves is a choice of several.
"""

from __future__ import annotations

from functools import partial, reduce
from typing import Any

from runtime import spec as specs
from runtime.build import Frame, note_varying
from runtime.graph import Value
from runtime.layouts import is_contiguous
from runtime.picked import possible
from runtime.spec import ListSpec, ObjectSpec, object_type
from runtime.structs import replace
from runtime.tensor import Tensor
from tracer import tree
from tracer.choice import MOST_OPTIONS
from tracer.contents import (
    LEAF,
    CannotJoin,
    Carried,
    Chosen,
    ContentType,
    Form,
    Held,
    HeldChoice,
    HeldForm,
    LeafType,
    Static,
    content_of,
    form_of,
    is_equal_set,
    stand_ins,
    type_of,
)
from tracer.dict_forms import join_dicts, served
from tracer.frozen import freeze_equal
from tracer.item_type import ItemType, NoItemType
from tracer.leaves import is_numeric, is_text, leaf_spec, same_constant
from tracer.list_objects import SEQUENCES, content_type, is_mixed, joined_type
from tracer.marks import locked, marks_among
from tracer.rows_alike import is_row_form, see_to_items, see_to_names, see_to_rows
from tracer.staged_list import StagedList

# Choices in choices, deeper than this, are taken for a structure without an end.
MOST_NESTED = 6
MOST_TEXTS = 8  # More are one text of the run: two choices are a branch for each pair.
MOST_LISTS = 6  # More lists that cannot be one are a list that grows by lists.
# Tuples of one type of items, and of more lengths than this, are one staged tuple.
MOST_LENGTHS = 4


def join(
    known: ContentType, held: Held, inner: Frame | None, texts: bool = False
) -> ContentType:
    """The type that serves `known` and what another path, ending in `inner`, holds.

    texts: lists of other lengths become one list even if their texts differ
    CannotJoin: they are more kinds of things than a choice may have options.
    """
    maybe = known.maybe or held.defined is not True
    if held.form is None:
        return replace(known, maybe=True)
    if known.form is None:
        return replace(type_of(held, inner, carry_numbers=True), maybe=True)
    form = _join_forms(known.form, held.form, inner, texts)
    if _depth(form) > MOST_NESTED:
        raise CannotJoin
    return ContentType(form, maybe)


def _depth(form: Form) -> int:
    """How deep choices are nested in it."""
    inside = (leaf.options for leaf in form.leaves if isinstance(leaf, Chosen))
    return max((1 + _depth(o) for options in inside for o in options), default=0)


def _join_forms(known: Form, held: HeldForm, inner: Frame | None, texts: bool) -> Form:
    made = _joined_forms(known, held, inner, texts)
    pairs = zip(known.births, held.births, strict=True)
    own, inside = (a | b for a, b in pairs)
    return replace(made, births=(own, inside)) if own or inside else made


def _joined_forms(
    known: Form, held: HeldForm, inner: Frame | None, texts: bool
) -> Form:
    see_to_rows(known, held)
    if tree.same(known.structure, held.structure):
        triples = zip(known.leaves, held.leaves, held.values, strict=True)
        return bare(Form(known.structure, tuple(_join(*t, inner) for t in triples)))
    if (
        grown := join_dicts(known, held) or _join_lists(known, held, texts)
    ) is not None:
        return grown
    options = _options(known)
    for other in held_options(held):
        options = _with_option(options, other, inner)
    return bare(Form(LEAF, (chosen(options),)))


def bare(form: Form) -> Form:
    """The form itself, of what is a choice of one."""
    first, *others = _options(form)
    return form if others else first


def chosen(options: tuple[Form, ...], most: int = MOST_LENGTHS) -> LeafType:
    """A choice of these; what one form serves, such as a text, is none."""
    for kind in (tuple, list):
        options = _with_one(kind, options, most)
    first, *others = options
    return Chosen(options) if others or first.structure != LEAF else first.leaves[0]


def _with_one(
    kind: type, options: tuple[Form, ...], most: int, mixed: bool = False
) -> tuple[Form, ...]:
    """The options with one staged list or tuple for those of more lengths than `most`.

    What a loop adds to has another length at each round; mixed: so may its items.
    """
    found = [o for o in options if o.structure.type is kind]
    if len(found) <= most:
        return options
    try:
        kinds = [content_type(stand_ins(form), mixed=mixed) for form in found]
        whole = list_form(reduce(partial(joined_type, mixed=mixed), kinds), found[0])
    except NoItemType:
        return options
    see_to_names(*found)
    at = options.index(found[0])
    others = [o for o in options if o.structure.type is not kind]
    return (*others[:at], whole, *others[at:])


def _join_lists(known: Form, held: HeldForm, texts: bool) -> Form | None:
    """The form of two lists of other lengths; None where they cannot be one list."""
    own, other = known.structure, held.structure
    if own.type is tuple and not _one_is_staged(own, other):
        # A choice of the two tells each item's own type.
        return None
    if own.type is other.type is list:
        see_to_items(known, held)
    kinds = _item_types(known, held, texts)
    if kinds is None:
        return None
    see_to_names(known, held)
    return list_form(joined_type(*kinds, texts), known)


def _one_is_staged(*structures: tree.Structure) -> bool:
    return any(child.type is StagedList for of in structures for child in of.children())


def _item_types(
    form: Form, held: HeldForm, texts: bool
) -> tuple[ItemType | None, ItemType | None] | None:
    """The types of the items of two lists that one staged list can be."""
    kind = form.structure.type
    if kind not in SEQUENCES or held.structure.type is not kind:
        return None
    if is_row_form(form.structure) or is_row_form(held.structure):
        return None
    try:
        one, other = stand_ins(form), content_of(held)
        mixed = is_mixed(one) or is_mixed(other)
        found = content_type(one, texts, mixed), content_type(other, texts, mixed)
        # A deque of a greatest length drops items.
        limited = getattr(one, "maxlen", None) is not None
        joined_type(*found, texts)
    except NoItemType:
        return None
    return None if limited else found


def list_form(kind: ItemType | None, like: Form) -> Form:
    """The form of a list, or a tuple as `like`, whose length depends on data."""
    assert kind is not None, "lists of no items are equal"
    note_varying()
    specs_ = [ListSpec(spec) for spec in kind.specs]
    held = StagedList(kind.shape, [Tensor(Value(spec)) for spec in specs_])
    whole = (like.structure.type or list)([held])
    _, structure = tree.flatten_to_choices(whole)
    return Form(structure, tuple(Carried(spec, True) for spec in specs_))


def _join(
    known: LeafType, leaf: Any, value: Value | HeldChoice | None, inner: Frame | None
) -> LeafType:
    try:
        return _join_plainly(known, leaf, value, inner)
    except CannotJoin:
        options = _options(Form(LEAF, (known,)))
        for other in held_options(HeldForm(LEAF, (leaf,), (value,))):
            options = _with_option(options, other, inner)
        return chosen(options)


def _options(form: Form) -> tuple[Form, ...]:
    """The options that the whole is a choice of; itself, if it is none."""
    first = form.leaves[0] if form.structure == LEAF else None
    return first.options if isinstance(first, Chosen) else (form,)


def held_options(held: HeldForm) -> tuple[HeldForm, ...]:
    """As for a form: the options of what a place holds."""
    first = held.values[0] if held.structure == LEAF else None
    return first.options if isinstance(first, HeldChoice) else (held,)


def _with_option(
    options: tuple[Form, ...], held: HeldForm, inner: Frame | None
) -> tuple[Form, ...]:
    """The options with one more, or with one of them widened to serve it."""
    for index, option in enumerate(options):
        try:
            wider = _join_forms_plainly(option, held, inner)
        except CannotJoin:
            continue
        options = (*options[:index], wider, *options[index + 1 :])
        return one_text(options) if text_type(wider, carried=True) else options
    # Two may be told apart, and changed; of more a loop may find no end.
    one = next((o for o in options if is_equal_set(o, held)), None)
    if len(options) > 2 and one is not None:
        # What a body changes is put back by now, so that only its log tells.
        leaf = held.leaves[0]
        if inner is None or not any(s.holder() is leaf for s, _ in inner.changes):
            assert isinstance(one.leaves[0], Static)
            freeze_equal(one.leaves[0].content, leaf)
            return options
    options = (*options, form_of(held, inner, carry_numbers=False))
    if sum(text_type(option) is not None for option in options) > MOST_TEXTS:
        options = one_text(options)
    options = _with_one(list, options, MOST_LISTS, mixed=True)
    lists = sum(option.structure.type is list for option in options)
    if len(options) <= MOST_OPTIONS and lists <= MOST_LISTS:
        return options
    raise CannotJoin


def text_type(form: Form, carried: bool = False) -> type | None:
    """The type of a text; None for what is none, or is no text of the run."""
    leaf = form.leaves[0] if form.structure == LEAF else None
    if isinstance(leaf, Carried):
        return object_type(leaf.spec) if leaf.scalar else None
    if carried or not isinstance(leaf, Static) or not is_text(leaf.content):
        return None
    return object_type(leaf_spec(leaf.content))


def one_text(options: tuple[Form, ...]) -> tuple[Form, ...]:
    """The options with all texts of one type as one that the run makes."""
    kinds = [text_type(option) for option in options]
    made: dict[Any, Form] = {}
    for kind, option in zip(kinds, options, strict=True):
        if kind is None or kinds.count(kind) == 1:
            made[option] = option
        else:
            made[kind] = Form(LEAF, (Carried(ObjectSpec(kind), True),))
    return tuple(made.values())


def _join_forms_plainly(known: Form, held: HeldForm, inner: Frame | None) -> Form:
    see_to_rows(known, held)
    if not tree.same(known.structure, held.structure):
        grown = join_dicts(known, held) or _join_lists(known, held, texts=False)
        if grown is None:
            raise CannotJoin
        return grown
    triples = zip(known.leaves, held.leaves, held.values, strict=True)
    return Form(known.structure, tuple(_join_plainly(*t, inner) for t in triples))


def _join_plainly(
    known: LeafType, leaf: Any, value: Value | HeldChoice | None, inner: Frame | None
) -> LeafType:
    """One leaf's type with no choice that was not there. CannotJoin: there is none."""
    if isinstance(known, Chosen) and isinstance(value, HeldChoice):
        options = known.options
        for other in value.options:
            options = _with_option(options, other, inner)
        return chosen(options)
    if isinstance(known, Chosen) or isinstance(value, HeldChoice):
        raise CannotJoin
    if isinstance(known, Static):
        if same_constant(known.content, leaf):
            return known
        plain = is_text(known.content) and not isinstance(leaf, Tensor)
        if plain or not _is_held(known.content):
            raise CannotJoin
        known = _carry(known.content, None)
    if not _is_held(leaf):
        raise CannotJoin
    other_type = _carry(leaf, value)
    if not _same_nature(known, other_type):
        raise CannotJoin
    sources = {id(x): x for x in (*known.sources, *other_type.sources)}
    try:
        spec = specs.join(known.spec, other_type.spec)
    except TypeError:
        raise CannotJoin from None
    scalar = known.scalar and other_type.scalar
    anyhow = known.anyhow or other_type.anyhow
    return Carried(spec, scalar, tuple(sources.values()), anyhow)


def _is_held(leaf: Any) -> bool:
    """True for what the graph can hold."""
    return is_numeric(leaf) or is_text(leaf)


def _same_nature(a: Carried, b: Carried) -> bool:
    """False for a number and an array, unless nothing is known of one."""
    return a.scalar == b.scalar or a.spec.dtype is None or b.spec.dtype is None


def _carry(leaf: Any, value: Value | None) -> Carried:
    """A numeric leaf as carried; an array from outside is one of its sources."""
    if isinstance(leaf, Tensor):
        sources = () if leaf.scalar else (*possible(leaf), *locked(leaf))
        spec = leaf.spec if value is None else value.spec
        anyhow = not leaf.scalar and not is_contiguous(leaf)
        return Carried(spec, leaf.scalar, sources, anyhow)
    return Carried(leaf_spec(leaf), getattr(leaf, "shape", ()) == ())


def fits(form: Form, held: HeldForm) -> bool:
    """True when the form serves what is held as it stands."""
    if not tree.same(form.structure, held.structure):
        return bool(serving_type(form, held) or served(form, held))
    triples = zip(form.leaves, held.leaves, held.values, strict=True)
    return all(_leaf_fits(*triple) for triple in triples)


def serving_type(form: Form, held: HeldForm) -> ItemType | None:
    """The items' type of a staged list that serves a list held; None if it is none."""
    kinds = _item_types(form, held, texts=True)
    if kinds is None or kinds[0] is None or joined_type(*kinds) != kinds[0]:
        return None
    return kinds[0] if same_form(form, list_form(kinds[0], form)) else None


def _leaf_fits(kind: LeafType, leaf: Any, value: Value | HeldChoice | None) -> bool:
    if isinstance(kind, Chosen):
        held = HeldForm(LEAF, (leaf,), (value,))
        return all(
            any(fits(o, other) or is_equal_set(o, other) for o in kind.options)
            for other in held_options(held)
        )
    if isinstance(value, HeldChoice):
        whole = Form(LEAF, (kind,))
        texts = text_type(whole, carried=True) is not None
        return texts and all(fits(whole, option) for option in value.options)
    if isinstance(kind, Static):
        return same_constant(kind.content, leaf)
    if not _is_held(leaf):
        return False
    other = _carry(leaf, value)
    if not _same_nature(kind, other):
        return False
    try:
        return specs.join(kind.spec, other.spec) == kind.spec
    except TypeError:
        return False


def same_type(a: ContentType, b: ContentType) -> bool:
    """True when two types need the same placeholders."""
    if a.form is None or b.form is None or a.maybe != b.maybe:
        return a.form is b.form and a.maybe == b.maybe
    return same_form(a.form, b.form)


def same_form(a: Form, b: Form) -> bool:
    """True when both have the same structure and the same type for each leaf."""
    if not tree.same(a.structure, b.structure):
        return False
    return all(_same_leaf(x, y) for x, y in zip(a.leaves, b.leaves, strict=True))


def _same_leaf(a: LeafType, b: LeafType) -> bool:
    if isinstance(a, Static) and isinstance(b, Static):
        return same_constant(a.content, b.content)
    if isinstance(a, Carried) and isinstance(b, Carried):
        same = (a.spec, a.scalar, a.anyhow) == (b.spec, b.scalar, b.anyhow)
        marks = ({*map(id, marks_among(kind.sources))} for kind in (a, b))
        return same and next(marks) == next(marks)
    if isinstance(a, Chosen) and isinstance(b, Chosen):
        pairs = zip(a.options, b.options, strict=False)
        same = all(same_form(x, y) for x, y in pairs)
        return same and len(a.options) == len(b.options)
    return False

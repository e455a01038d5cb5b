"""The number of a class is another one after the class or a base was changed."""

from runtime import class_versions


class Base:
    pass


class Kind(Base):
    pass


def test_a_change_of_a_class_or_of_its_base_takes_its_number_away():
    place = class_versions.place_of(Kind)
    assert place is not None, "no number is found in this build of Python"
    seen = [class_versions.number_of(Kind, place)]
    for changed in (Kind, Base):
        changed.attribute = 1
        assert place.value == class_versions.NONE
        seen.append(class_versions.number_of(Kind, place))
    assert len({*seen}) == len(seen)
    assert class_versions.NEVER not in seen


def test_what_is_set_on_objects_leaves_the_number():
    place = class_versions.place_of(Kind)
    before = class_versions.number_of(Kind, place)
    Kind().attribute = 1
    assert place.value == before

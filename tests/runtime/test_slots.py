"""A log of changes: it is gone back on, and tells what places held."""

from runtime.slots import ItemWas, held_before, is_latest, undo
from tracer.places import ContainerSlot


def test_items_and_whole_lists_are_put_back_in_turn():
    xs = [1, 2, 3]
    slot, changes = ContainerSlot(xs), []
    changes.append((slot, ItemWas(0, 1)))
    xs[0] = 10
    changes.append((slot, [10, 2, 3]))
    xs.append(4)
    changes.append((slot, ItemWas(3, 4)))
    xs[3] = 40
    assert held_before(changes) == {slot: [1, 2, 3]}
    assert held_before(changes[1:]) == {slot: [10, 2, 3]}
    assert held_before(changes[2:]) == {slot: [10, 2, 3, 4]}
    assert xs == [10, 2, 3, 40]
    undo(changes)
    assert xs == [1, 2, 3]
    assert held_before(changes) == {slot: [1, 2, 3]}


def test_an_item_does_not_remember_the_whole_list():
    slot = ContainerSlot([1])
    assert not is_latest(slot, [(slot, ItemWas(0, 1))])
    assert is_latest(slot, [(slot, [1])])
    assert not is_latest(slot, [(ContainerSlot([1]), [1])])

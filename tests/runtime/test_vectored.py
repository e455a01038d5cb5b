"""Objects that are methods are called without a bound method, where that can be."""

from functools import partial

from runtime.vectored import Room, Vectored, binds_at_once, has_room


class Called(Vectored):
    """Tells what it was called with, and how often it was bound."""

    bound = 0

    def __call__(self, *args, **named):
        return self, args, named

    def __get__(self, instance, owner=None):
        Called.bound += instance is not None
        return self if instance is None else partial(self, instance)


class Holder:
    method = Called()


def called(holder):
    return holder.method(1, a=2), holder.method(), Holder.method(3), Holder.method()


def test_a_method_is_called_with_its_instance_and_not_bound():
    holder, one = Holder(), Holder.__dict__["method"]
    wanted = (one, (holder, 1), {"a": 2}), (one, (holder,), {}), (one, (3,), {})
    assert called(holder)[:3] == wanted
    before = Called.bound
    assert before > 0
    if binds_at_once(Called):
        assert called(holder)[:3] == wanted
        assert Called.bound == before
        # What is not called at once is bound.
        assert holder.method.args == (holder,)
    else:
        assert not has_room(Called) or Room.__basicsize__ == object.__basicsize__


def test_a_class_of_another_make_is_left_as_it_is():
    class Derived(Called):
        pass

    assert not binds_at_once(Derived)

"""What goes through a generator: `sum(v for v in x)`, `any`, `next`, `zip` and others.

Each goes through it by one loop, as Python does, so that its control flow may depend on
data; `any` and `all` leave the loop at the item that decides.
"""

from __future__ import annotations

import builtins
import collections
import math
import operator
from collections.abc import Callable, Mapping, Sized
from functools import partial
from typing import Any

import numpy as np

from autograph.operators.comprehension import generator_exp, list_comp, listed
from autograph.operators.for_ import iterate
from autograph.operators.generators import Generator
from autograph.operators.if_ import branch
from autograph.operators.iteration_calls import zippable
from autograph.operators.iterators import asked, goes_by_items, is_users, started, step
from autograph.operators.logical import and_, not_
from autograph.operators.registry import staging_of
from autograph.operators.sequences import compared
from autograph.operators.stores import get_item
from autograph.operators.sums import total
from runtime import build
from runtime.errors import StagingError
from runtime.objects import Method
from runtime.tensor import Tensor
from tracer import leaving
from tracer.cond import choose
from tracer.emitting import Emit
from tracer.exits import BREAK, Exit
from tracer.iterated import FRESH, Going, Once
from tracer.raising import sure
from tracer.state import EMPTY, Box, State, with_boxes
from tracer.undefined import UNDEFINED, without_flag

Call = Callable[..., Any]


def takes(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """True when a generator, or what is gone through as one, is among the arguments."""
    if function is filter or function is iter or function is next:
        return True
    if (function is max or function is min) and len(args) > 1:
        return False  # they are compared, and not gone through
    return any(map(is_generator, (*args, *kwargs.values())))


def is_generator(arg: Any) -> bool:
    """True for what is gone through item by item, by converted code."""
    kind = type(arg)
    if kind in _PLAIN:
        return False
    if isinstance(arg, Once):
        return arg.begun
    own = any(is_users(kind, name) for name in _ITERATION)
    return kind is Generator or own or goes_by_items(kind)


_ITERATION = ("__iter__", "__next__")
_PLAIN = frozenset({int, float, bool, str, list, tuple, dict, range, Tensor})


def consumer(function: Any, call: Call) -> Call | None:
    """What `function` of a generator becomes; None where it is as it is.

    call: how what takes the items, or a function for each item, is called
    """
    owner = getattr(function, "__self__", None)
    try:
        of_owner = type(owner) in _OWNERS or type(function) is Method
        goes_through = of_owner and function.__name__ in _GOING_THROUGH
        if goes_through or function in WHOLE:
            return partial(_of_lists, function, call)
        consumes = CONSUMERS.get(function)
    except TypeError:
        # Unhashable, so it is in no table.
        return None
    return None if consumes is None else partial(consumes, call)


def _of_lists(function: Any, call: Call, *args: Any, **kwargs: Any) -> Any:
    """`function`, which goes through the whole generator at once, of a list."""
    asks = _asks_keys(function)
    given = [_whole(call, arg, asks) if is_generator(arg) else arg for arg in args]
    return call(function, tuple(given), kwargs)


def _asks_keys(function: Any) -> Callable[[Any], bool]:
    """Of what `function` asks for its keys and what they stand for, as of a mapping."""
    if isinstance(getattr(function, "__self__", None), dict):
        function = type(function.__self__)
    if function is collections.Counter:
        return lambda arg: isinstance(arg, Mapping)
    if function in (dict, collections.OrderedDict, collections.defaultdict):
        return lambda arg: hasattr(arg, "keys")
    return lambda arg: False


def _whole(call: Call, arg: Any, asks_keys: Callable[[Any], bool]) -> Any:
    if not asks_keys(arg):
        return listed(arg)
    keys = call(arg.keys, ())
    pairs = list_comp(keys, lambda comp, key: comp.yield_((key, get_item(arg, key))))
    return call(dict, (pairs,))


def _sum(call: Call, iterable: Any, /, start: Any = 0) -> Any:
    return total(partial(iterate, iterable), start)


def _carried(box: Box, words: str = "the result so far") -> State:
    return with_boxes(EMPTY, {words: box})


def _any(call: Call, iterable: Any, /) -> Any:
    return _found(iterable, lambda item: item)


def _all(call: Call, iterable: Any, /) -> Any:
    return not_(_found(iterable, not_))


def _found(iterable: Any, test: Callable[[Any], Any]) -> Any:
    """Whether the test of an item is true; those after it are not looked at."""
    found = Box(False)
    state = _carried(found)

    def yes() -> Exit:
        found.content = True
        return BREAK

    iterate(iterable, lambda item: branch(test(item), yes, _go_on, state), state)
    return found.content


def contains(item: Any, iterable: Any) -> Any:
    """`item in iterable`, of what has no method for it: up to the first that is it."""
    return _found(
        iterable, lambda other: other is item or compared(operator.eq, other, item)
    )


def _go_on() -> Exit:
    return None


def _extreme(better: Call, name: str) -> Call:
    def extreme(call: Call, iterable: Any, /, **options: Any) -> Any:
        function = getattr(builtins, name)
        key, default = options.pop("key", None), options.pop("default", UNDEFINED)
        if options:
            return function((), **options)
        return _best(call, iterable, better, key, default, name)

    return extreme


def _best(
    call: Call, iterable: Any, better: Call, key: Any, default: Any, name: str
) -> Any:
    some, best, best_key = Box(False), Box(UNDEFINED), Box(UNDEFINED)
    state = with_boxes(
        EMPTY,
        {"whether there is one": some, "the result so far": best, "its key": best_key},
    )

    def body(item: Any) -> Exit:
        its_key = item if key is None else call(key, (item,))

        def take() -> Exit:
            some.content, best.content, best_key.content = True, item, its_key
            return None

        def compare() -> Exit:
            known = without_flag(best_key.content)
            if known is UNDEFINED:
                return None  # there is none, so nobody comes here
            return branch(better(its_key, known), take, _go_on, state)

        return branch(some.content, compare, take, state)

    iterate(iterable, body, state)

    def empty() -> Exit:
        # Of nothing, Python's own raises, in the words of its version.
        nothing = default is UNDEFINED
        best.content = sure(getattr(builtins, name), ()) if nothing else default
        return None

    branch(some.content, _go_on, empty, with_boxes(EMPTY, {"the result": best}))
    return without_flag(best.content)


def _next(call: Call, generator: Any, /, *default: Any) -> Any:
    """The next item; of a new generator by its body, where that depends on data."""
    if type(generator) is not Generator:
        return step(generator, *default)
    frame = build.require_current("next")
    mark, is_new = frame.mark(), generator.state == FRESH
    try:
        return next(generator, *default)
    except StagingError:
        frame.go_back(mark)
        if not is_new or not generator.runs:
            raise
    first = Box(UNDEFINED)
    state = _carried(first, "the next item")

    def body(item: Any) -> Exit:
        first.content = item
        return BREAK

    def ended() -> Exit:
        if not default:
            raise StopIteration
        (first.content,) = default
        return None

    iterate(generator, body, state, ended)
    return without_flag(first.content)


def _enumerate(call: Call, iterable: Any, /, start: Any = 0) -> Any:
    count = Box(operator.index(start))
    state = _carried(count, "the count")

    def step(comp: Any, item: Any) -> Any:
        index = count.content
        count.content = index + 1
        return comp.yield_((index, item))

    return generator_exp(iterable, step, state)


def _zip(call: Call, *iterables: Any, strict: bool = False) -> Any:
    """`zip` of one generator, which is run, and of what has items at indices."""
    found = [i for i, one in enumerate(iterables) if type(one) is Generator]
    if not strict and (not found or any(isinstance(one, Once) for one in iterables)):
        ones = [_one_by_one(iterable) for iterable in iterables]
        # Not `map`, which would end at the StopIteration of one.
        return asked(lambda: tuple([step(one) for one in ones]), _zip)
    at = found[0] if found else 0
    driver, others = iterables[at], (*iterables[:at], *iterables[at + 1 :])
    indexed = all(staging_of(o) is not None or isinstance(o, Sized) for o in others)
    if strict or not indexed or not driver.runs:
        return builtins.zip(*iterables, strict=strict)
    rows = [zippable(other) for other in others]
    return Generator(
        partial(_run_zip, driver, rows[:at], rows[at:]),
        lambda: builtins.zip(*iterables, strict=False),
    )


def _one_by_one(iterable: Any) -> Any:
    """What is asked for the next item, in a loop that depends on data, too."""
    if isinstance(iterable, (list, tuple, range, np.ndarray)):
        return Going(zippable(iterable))
    return started(iterable)


def _run_zip(
    driver: Generator, before: list[Any], after: list[Any], emit: Emit, collects: bool
) -> None:
    count = Box(0)
    state = _carried(count, "the index")
    limits = [row.length() for row in before], [row.length() for row in after]

    def is_left(which: int) -> Any:
        """Whether each of these has an item at the count."""
        return and_(
            True, *(partial(operator.lt, count.content, n) for n in limits[which])
        )

    def body(item: Any) -> Exit:
        def give() -> Exit:
            index = count.content
            items = [row.item(index) for row in before], [r.item(index) for r in after]
            count.content = index + 1
            exit_ = emit((*items[0], item, *items[1]))
            # Python asks those before the generator first: it is not gone on with.
            return leaving.after(exit_, partial(_unless_over, is_left(0), state), state)

        return branch(is_left(1), give, lambda: BREAK, state)

    branch(is_left(0), partial(iterate, driver, body, state), _go_on, state)


def _unless_over(is_left: Any, state: State) -> Exit:
    return branch(is_left, _go_on, lambda: BREAK, state)


def _map(call: Call, function: Any, iterable: Any, /, *others: Any) -> Any:
    if others:
        pairs = call(zip, (iterable, *others))
        return generator_exp(pairs, lambda c, items: c.yield_(call(function, items)))
    return generator_exp(iterable, lambda c, item: c.yield_(call(function, (item,))))


def _filter(call: Call, function: Any, iterable: Any, /) -> Any:
    """`filter`, whose function may depend on data."""

    def step(comp: Any, item: Any) -> Any:
        test = item if function is None else call(function, (item,))
        return comp.if_(test, lambda: comp.yield_(item))

    return generator_exp(iterable, step)


def _iter(call: Call, iterable: Any, /, *sentinel: Any) -> Any:
    if not sentinel:
        return started(iterable)
    (last,) = sentinel

    def following() -> Any:
        item = call(iterable, ())
        is_last = compared(operator.eq, item, last)
        if isinstance(is_last, Tensor):
            return choose(is_last, _stop, lambda: item)
        return _stop() if is_last else item

    return asked(following, _iter)


def _stop() -> Any:
    raise StopIteration


# Their methods go through all of an iterable: join, extend, update.
_OWNERS: tuple[type, ...] = (str, bytes, list, dict, set, collections.deque)
# Methods of theirs that go through their arguments: `append` puts one there as it is.
_GOING_THROUGH = frozenset(
    "join extend extendleft update union intersection difference symmetric_difference "
    "intersection_update difference_update symmetric_difference_update "
    "issubset issuperset isdisjoint __init__ __iadd__ __ior__".split()
)
WHOLE = frozenset(
    {
        *(list, tuple, set, frozenset, dict, sorted),
        *(collections.deque, collections.Counter, collections.OrderedDict),
        *(math.fsum, math.prod, np.fromiter),
    }
)
CONSUMERS: dict[Any, Call] = {
    sum: _sum,
    any: _any,
    all: _all,
    min: _extreme(partial(compared, operator.lt), "min"),
    max: _extreme(partial(compared, operator.gt), "max"),
    next: _next,
    enumerate: _enumerate,
    zip: _zip,
    map: _map,
    filter: _filter,
    iter: _iter,
}

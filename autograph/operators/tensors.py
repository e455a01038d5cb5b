"""How runtime's Tensor is staged: the registry's first entry, over the tracer."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph.operators.fstring import staged_or_plain
from autograph.operators.number_calls import called, type_
from autograph.operators.registry import Body, register, staging_of
from autograph.operators.slots import call, slot
from runtime import build, kinds, objects
from runtime.aliases import note_aliases
from runtime.errors import PythonTypeError, StagingError, StagingTypeError, located
from runtime.numpy_api import library
from runtime.numpy_api.fields import is_record
from runtime.numpy_api.operands import is_number
from runtime.ops import basic, world
from runtime.ops.template import encode
from runtime.picked import possible
from runtime.spec import PYTHON_NUMBERS, TensorSpec
from runtime.tensor import Tensor, tensor, tensor_of_array
from runtime.unknown import require_class
from runtime.variable import Variable
from tracer import asked_dicts, cond, for_loop, iterated, leaving, places, while_loop
from tracer.choice import MOST_OPTIONS, Choice
from tracer.dict_objects import is_keyed
from tracer.dict_rows import DictRows, DictView
from tracer.exits import Exit
from tracer.list_objects import is_staged
from tracer.list_rows import ListRows
from tracer.picking import each_body
from tracer.staged_range import StagedRange
from tracer.state import EMPTY, State
from tracer.truth import truth
from tracer.words import IF_WORDS, Words

# Items of a list or dict that a staged key picks from, by one `if` each.
MOST_PICKED = 64
# Iterations that a loop which cannot be staged is unrolled to at most.
MOST_UNROLLED = 1000
ITERABLES = (
    for_loop.Rows,
    StagedRange,
    iterated.Going,
    for_loop.Enumerated,
    for_loop.Zipped,
    for_loop.Reversed,
    for_loop.Listed,
    for_loop.Mapped,
    ListRows,
    DictRows,
    DictView,
)


def _decided(value: Any) -> Any:
    """What a test gave as a bool of the graph, if it is no number or array."""
    staging = staging_of(value)
    if staging is None or staging is TENSORS:
        return value
    opposite = staging.not_(value)
    other = staging_of(opposite)
    return not opposite if other is None else other.not_(opposite)


class TensorStaging:
    """Stages what depends on Tensors."""

    def if_stmt(
        self,
        condition: Any,
        body: Body,
        orelse: Body,
        state: State,
        words: Words = IF_WORDS,
    ) -> Exit:
        """An `if` node."""
        return cond.cond(condition, body, orelse, state, words)

    def while_stmt(
        self, test: Callable[[], Any], body: Body, state: State, orelse: Body | None
    ) -> Exit:
        """A `while` node; its test may ask another kind of value in each round."""
        return while_loop.while_loop(lambda: _decided(test()), body, state, orelse)

    def for_stmt(
        self,
        iterable: Any,
        body: Callable[[Any], Exit],
        state: State,
        orelse: Body | None,
    ) -> Exit:
        """A `while` node that counts; one for each of several dicts."""
        if type(iterable) is DictView and type(iterable.of) is Choice:

            def among(one: Any) -> Exit:
                view = DictView(one, iterable.what)
                return self.for_stmt(view, body, state, orelse)

            return each_body(iterable.of, among, state)
        return for_loop.for_loop(staged_iterable(iterable), body, state, orelse)

    def items(self, iterable: Any) -> Iterator[Any] | None:
        """The items one by one, unless there are too many to unroll."""
        rows = staged_iterable(iterable)
        once = isinstance(rows, iterated.Once)
        length = rows.rest() if once else rows.length()
        if isinstance(length, Tensor) or length > MOST_UNROLLED:
            return None
        items: Iterator[Any] = iter(iterable)
        return items

    def if_exp(
        self,
        condition: Any,
        body: Callable[[], Any],
        orelse: Callable[[], Any],
        state: State,
    ) -> Any:
        """An `if` node that gives one value, and what `:=` binds in its cases."""
        return cond.choose(condition, body, orelse, state)

    def not_(self, operand: Any) -> Any:
        """The staged bool."""
        return basic.not_(operand)

    def assert_stmt(
        self, condition: Any, message: Callable[[], Any] | None, state: State
    ) -> None:
        """An `assert` node; the message is made when it fails."""
        frame = build.require_current("an assert")
        mark, before = frame.mark(), state.get()
        try:
            parts = () if message is None else (message(),)
        except StagingError:
            raise
        except (Exception, cond.Unreachable):
            # Python would raise this only when the assertion fails.
            parts = None
        # Only a run that fails binds what the message binds, and nobody reads it then.
        state.put(before)
        if parts is None or frame.trace.guards or len(frame.nodes) > mark.nodes:
            # What the message needs is computed when it is needed; and the handlers of
            # a try around it are to know what is raised.
            frame.go_back(mark)
            cond.cond(condition, lambda: None, lambda: _fail(message), state)
            return
        template, inputs = encode(parts, lambda part: isinstance(part, Tensor))
        world.assert_(truth(condition), *inputs, message=template)

    def get_item(self, of: Any, key: Any) -> Any:
        """A node that reads an item; a plain array or list of numbers is captured."""
        if isinstance(of, np.ndarray):
            of = tensor_of_array(of)
        elif type(of) is range and type(key) is slice:
            return plain_range(of)[key]
        elif not isinstance(of, Tensor):
            values = asked_dicts.values_of(of) if isinstance(key, Tensor) else None
            if values is not None:
                return asked_dicts.item(of, values, key)
            if not _is_table(of) or _holds_arrays(of, key):
                return picked(of, key)
            return _looked_up(of, key)
        return of[_indices(key)]

    def set_item(self, value: Any, of: Any, key: Any) -> None:
        """A node that stores; a user's own array is written back after the call."""
        if isinstance(of, np.ndarray):
            of = tensor_of_array(of)
        elif isinstance(of, dict):
            refuse_key("set")
        of[_indices(key)] = value

    def set_known(self, value: Any, of: dict[Any, Any], key: Any) -> None:
        """`of[key] = value`, where `of` has the key, for its item has been read."""
        _set_known(value, of, key, list(of))

    def contains(self, item: Any, container: Any) -> Any:
        """`item in container`: any element equal, as for an ndarray or a list."""
        require_class(container)
        if kinds.is_mixed(container) and container.scalar:
            return kinds.split(self.contains, item, container)
        if is_record(container) and container.scalar:
            return self.contains(item, tuple(container))
        if isinstance(container, Tensor) and container.scalar:
            # TypeError: a number holds nothing, in the words of this Python.
            return operator.contains(type_(container)(), item)
        if isinstance(container, (Tensor, np.ndarray)):
            return truth((tensor(container) == item).any())
        if isinstance(container, StagedRange):
            return container.contains(item)
        if any(element is item for element in container):
            return True
        if isinstance(item, Tensor) and asked_dicts.is_long(container):
            return asked_dicts.contains(container, item)
        found: Any = False
        for element in container:
            found = _either(element == item, found)
        return found

    def go_on(self, exit_: Exit, body: Body, state: State) -> Exit:
        """One more iteration of an unrolled loop that may have been left."""
        return leaving.go_on(exit_, body, state)

    def end_loop(self, exit_: Exit, orelse: Body | None, state: State) -> Exit:
        """The end of an unrolled loop that may have been left."""
        return leaving.end_loop(exit_, orelse, state)


def _indices(key: Any) -> Any:
    """A key of an array, with arrays in the place of staged ranges."""
    if type(key) is tuple:
        return tuple(map(_indices, key))
    return key.indices() if isinstance(key, StagedRange) else key


def _fail(message: Any) -> None:
    raise AssertionError(*(() if message is None else (message(),)))


def _either(equal: Any, found: Any) -> Any:
    return cond.choose(tensor(equal), lambda: True, lambda: found)


def _looked_up(of: Any, key: Any) -> Any:
    """An item of a list, tuple, range or dict of numbers, or a character of a str."""
    if type(of) is str:
        return staged_or_plain(operator.getitem, of, key)
    classes = {type(item) for item in (of.values() if type(of) is dict else of)}
    if isinstance(key, Tensor) and len(classes) == 1 and classes <= set(PYTHON_NUMBERS):
        # A copy, as what it holds now is what counts.
        table = of if isinstance(of, (tuple, range)) else of.copy()
        return called(
            table.__getitem__, (key,), {}, (TensorSpec((), classes.pop(), True),)
        )
    whole = tensor(of)
    # Its rows are copies: who changes one, or what it is made of, is to be refused.
    arrays = [one for one in of if isinstance(one, Tensor) and not one.scalar]
    whole.sources = tuple(one for array in arrays for one in possible(array))
    found = note_aliases(whole)[key]
    return found.item() if all(map(is_number, of)) else found


def _set_known(value: Any, of: dict[Any, Any], key: Any, keys: list[Any]) -> None:
    """Set the item of the one of `keys` that equals `key`; tried one by one."""
    known, *others = keys

    def put() -> None:
        places.changing(of)
        of[known] = value

    # What was read before is there, so the last one needs no question.
    equal = key == known if others else True
    if isinstance(equal, Tensor):
        go_on = partial(_set_known, value, of, key, others)
        cond.cond(equal, put, go_on, EMPTY)
    elif equal:
        put()
    else:
        _set_known(value, of, key, others)


def refuse_key(done: str) -> NoReturn:
    """Tensors are told apart by identity, which is not how equal keys are."""
    raise located(
        StagingTypeError(
            f"an item of a dict is {done} by a key that is known only when the graph "
            "runs"
        ),
        "Use a dict itself, or an array with an index as the key.",
    )


def get(of: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`of.get(key, default)`, where the key is known only when the graph runs."""
    values = asked_dicts.values_of(of) if isinstance(key, Tensor) else None
    if values is not None:
        return asked_dicts.item_or(of, values, key, partial(_itself, default))
    return picked(of, key, partial(_itself, default))


def picked(of: Any, key: Any, missing: Callable[[], Any] | None = None) -> Any:
    """An item of a short list, tuple or dict by a number of the run."""
    if not isinstance(of, (list, tuple, dict)):
        return of[key]
    if not isinstance(key, Tensor) or not key.scalar or len(of) > MOST_PICKED:
        raise located(
            PythonTypeError(
                f"an item of a {type(of).__name__} is asked for by a key that is known "
                "only when the graph runs"
            ),
            "Use an array, or a list of numbers, and an index; or choose with if.",
        )
    if isinstance(of, dict):
        return _pick(list(of.items()), key, missing or partial(_missing, of, key))
    if kinds.is_mixed(key):
        return kinds.split(picked, of, key)
    word = f"{type(of).__name__} index out of range"
    kind = key.spec.dtype
    if kind is not None and kind.kind not in "iub":
        wrong = key.spec.python_type() if key.spec.weak else kind.type()
        return _pick([], key, partial(operator.getitem, of, wrong))
    at = cond.choose(key < 0, lambda: key + len(of), lambda: key)
    return _pick(list(enumerate(of)), at, partial(_raise, IndexError, word))


def _pick(pairs: list[tuple[Any, Any]], key: Any, missing: Callable[[], Any]) -> Any:
    """The value beside the key that equals `key`; tried one after the other."""
    for at, (known, value) in enumerate(pairs):
        equal = key == known
        if isinstance(equal, Tensor):
            others = partial(_pick, pairs[at + 1 :], key, missing)
            return cond.choose(equal, partial(_itself, value), others)
        if equal:
            return value
    return missing()


def _missing(of: dict[Any, Any], key: Any) -> Any:
    """What `of[key]` is where no key equals `key`."""
    if isinstance(of, Counter):
        return 0
    if getattr(of, "default_factory", None) is not None:
        refuse_key("made")
    own = slot(type(of), "__missing__")
    if own is not None:
        return call(own, of, key)
    raise KeyError(key)


def _itself(value: Any) -> Any:
    return value


def _raise(kind: type[Exception], content: Any) -> Any:
    raise kind(content)


def _is_table(of: Any) -> bool:
    if isinstance(of, (str, range)):
        return True
    numbers = (bool, int, float, complex, np.generic, Tensor)
    if type(of) is dict:
        classes = {type(item) for item in of.values()}
        return len(classes) == 1 and classes <= set(PYTHON_NUMBERS)
    if not isinstance(of, (list, tuple)) or not all(isinstance(x, numbers) for x in of):
        return False
    # Of arrays of several shapes none is made.
    return len({x.spec.shape if isinstance(x, Tensor) else () for x in of}) < 2


def _holds_arrays(of: Any, key: Any) -> bool:
    """Whether an item of a short tuple may be an array, which is that very array."""
    if type(of) is not tuple or not isinstance(key, Tensor) or not key.scalar:
        return False
    is_array = (isinstance(one, Tensor) and not one.scalar for one in of)
    return len(of) <= MOST_OPTIONS and any(is_array)


def staged_iterable(iterable: Any) -> Any:
    """A Tensor by its rows; the staged forms of range, enumerate, zip as they are."""
    if objects.is_object(iterable):
        return ListRows(objects.items(iterable))
    if library.is_object(iterable) and (found := library.items(iterable)) is not None:
        return ListRows(found)
    if isinstance(iterable, (Tensor, Variable)):
        return for_loop.Rows(tensor(iterable))
    if is_keyed(iterable):
        return DictView(iterable).rows()
    if type(iterable) is DictView:
        return iterable.rows()
    return ListRows(iterable) if is_staged(iterable) else iterable


def plain_range(numbers: range) -> StagedRange:
    """A range of Python ints, to be staged."""
    return StagedRange(numbers.start, numbers.stop, numbers.step)


TENSORS = TensorStaging()
register(Tensor, TENSORS)
register(Variable, TENSORS)
for _kind in ITERABLES:
    register(_kind, TENSORS)

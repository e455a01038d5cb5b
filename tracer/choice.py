"""Choice: what a name holds that is one of several kinds of things, known at the run.

A path that leaves None, a word, a function or a dict with other keys where another
leaves something else cannot meet it in one tensor. The name holds a Choice then: the
things and a staged number that says which. Whatever is done to a Choice is done to each
of them, in a branch of its own, so an error of one (None + 1) is raised only if it is
the one.
"""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

from runtime import build
from runtime.build import note_varying
from runtime.errors import PythonTypeError, StagingTypeError, located
from runtime.operators import refuse
from runtime.spec import TensorSpec
from runtime.structs import struct
from runtime.tensor import Tensor

# The number of the option that a Choice is.
TAG = TensorSpec((), int, weak=True)
# More options than this are taken for a value that is new at each step.
MOST_OPTIONS = 32

Dispatch = Callable[["Choice", Callable[[Any], Any]], Any]
_dispatch: list[Dispatch] = []


def set_dispatch(dispatch: Dispatch) -> None:
    """Tell choices how something is done to each option (done once, by `picking`)."""
    _dispatch[:] = [dispatch]


class Choice:
    """One of `options`, by the staged int `tag`; used as that one would be."""

    __slots__ = ("__weakref__", "_ag_left", "_ag_options", "_ag_tag")
    __hash__ = object.__hash__
    # An ndarray on the left must ask us instead of going through its elements.
    __array_ufunc__ = None

    def __init__(self, tag: Any, options: Sequence[Any]) -> None:
        self._ag_tag = tag
        self._ag_options = tuple(options)
        # The options that are left where a test has told some of them apart.
        self._ag_left: tuple[int, ...] = tuple(range(len(self._ag_options)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_ag_") or (name[:2] == "__" and name not in _ATTRIBUTES):
            raise AttributeError(name)
        return each(self, lambda option: getattr(option, name))

    def _ag_put_into(self, operation: Callable[[Any, Any], Any], target: Any) -> Any:
        """`target += self` and the like, which changes the array `target`."""
        made = []

        def put(option: Any) -> Any:
            made.append(operation(target, option))
            return made[-1]

        result = each(self, put)
        return target if all(one is target for one in made) else result

    def __bool__(self) -> bool:
        raise located(
            StagingTypeError(
                "whether this value, one of several, is true is known only when the "
                "graph runs"
            ),
            "Only converted code can depend on it: no function that is marked with "
            "@ag.do_not_convert, has no source, belongs to a library, or is called by "
            "one.",
        )

    def __iter__(self) -> Iterator[Any]:
        lengths = {_length(option) for option in options_of(self)}
        if len(lengths) > 1 or None in lengths:
            raise located(
                StagingTypeError(
                    "the items of a value that is one of several cannot be taken one "
                    "by one, for not all have the same number"
                ),
                "Test which one it is first, by an if.",
            )
        (length,) = lengths
        assert length is not None
        return (each(self, operator.itemgetter(i)) for i in range(length))

    def __repr__(self) -> str:
        if isinstance(self._ag_tag, Tensor) and build.current() is not None:
            refuse("the text of one of several values", "made by a library")
        return " or ".join(map(repr, options_of(self)))


def _length(option: Any) -> int | None:
    return len(option) if isinstance(option, (tuple, list, str)) else None


class Stands:
    """Stands in a container for all that it holds."""

    __slots__ = ()


class Varying(Stands):
    """Stands in a list, dict or set for all that it holds, which is a choice."""

    __slots__ = ("content",)
    __hash__ = object.__hash__

    def __init__(self, content: Choice) -> None:
        self.content = content

    def _refuse(self, *_: Any) -> NoReturn:
        raise located(
            PythonTypeError(
                "a container is used by code that is not converted, but what it holds "
                "depends on data"
            ),
            "Copy what is needed into an array, or a container of fixed keys, first.",
        )

    __len__ = __iter__ = __getitem__ = __contains__ = __bool__ = __eq__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = __lt__ = __gt__ = _refuse
    __float__ = __index__ = __array__ = __getattr__ = _refuse


class Keys:
    """Stands for the keys of one dict that varies."""


def varying(thing: Any) -> Choice | None:
    """What a container that varies holds; None for anything else."""
    kind = type(thing)
    if kind not in _VARYING or len(thing) != 1:
        return None
    held = next(iter(thing.values() if issubclass(kind, dict) else thing))
    return held.content if type(held) is Varying else None


def standing(members: set[Any]) -> Stands | None:
    """What stands in a set for all that it holds, and is no choice; None if nothing."""
    if len(members) != 1:
        return None
    (held,) = members
    known = isinstance(held, Stands) and not isinstance(held, Varying)
    return held if known else None


def vary(container: Any, content: Choice) -> None:
    """Make the container hold one of several contents."""
    note_varying()
    container.clear()
    if isinstance(container, dict):
        container[Keys()] = Varying(content)
    elif isinstance(container, set):
        container.add(Varying(content))
    else:
        container.append(Varying(content))


def may_vary(container: Any) -> bool:
    """False for a bytearray, and for containers of classes of the user's."""
    return type(container) in _VARYING


_VARYING = frozenset({list, dict, set, deque, defaultdict, OrderedDict, Counter})


def options_of(choice: Choice) -> tuple[Any, ...]:
    """The things that the choice may be here."""
    return tuple(choice._ag_options[i] for i in choice._ag_left)


def tag_of(choice: Choice) -> Any:
    """The staged int that says which of all its options it is."""
    return choice._ag_tag


def resolved(content: Any) -> Any:
    """The content itself; the option of a choice that has but one left."""
    if isinstance(content, Choice) and len(content._ag_left) == 1:
        return resolved(content._ag_options[content._ag_left[0]])
    return content


def each(choice: Choice, function: Callable[[Any], Any]) -> Any:
    """What `function` gives of the option that it is."""
    return _dispatch[0](choice, function)


@contextmanager
def narrowed(choice: Choice, left: tuple[int, ...]) -> Iterator[None]:
    """Inside the block the choice is known to be one of the options `left`."""
    before = choice._ag_left
    choice._ag_left = tuple(i for i in before if i in left)
    try:
        yield
    finally:
        choice._ag_left = before


def all_options(choice: Choice) -> tuple[Any, ...]:
    """The things that the choice may be anywhere."""
    return choice._ag_options


@struct(eq=False)
class Test:
    """What a staged bool tells of a choice: the options left if true, if false."""

    choice: Choice
    if_true: tuple[int, ...]
    if_false: tuple[int, ...]


def note_tests(predicate: Any, tests: Sequence[Test]) -> None:
    """Remember what `predicate` tells of choices."""
    if tests and isinstance(predicate, Tensor):
        frame = build.require_current("a test")
        frame.trace.tests[id(predicate)] = (predicate, tuple(tests))


def tests_of(predicate: Any) -> tuple[Test, ...]:
    """What is known to be told by `predicate`."""
    frame = build.current()
    found = frame.trace.tests.get(id(predicate)) if frame is not None else None
    return found[1] if found is not None else ()


def note_implied(result: Any, operands: Sequence[Any], is_true: bool) -> None:
    """`result` is true (or false) only if all the operands are."""
    tests = []
    for test in (test for operand in operands for test in tests_of(operand)):
        everything = tuple(range(len(test.choice._ag_options)))
        left = test.if_true if is_true else test.if_false
        known = (left, everything) if is_true else (everything, left)
        tests.append(Test(test.choice, *known))
    note_tests(result, tests)


def note_opposite(result: Any, operand: Any) -> None:
    """`result` is true where `operand` is false."""
    tests = [Test(t.choice, t.if_false, t.if_true) for t in tests_of(operand)]
    note_tests(result, tests)


@contextmanager
def told_apart(predicate: Any, is_true: bool) -> Iterator[None]:
    """A body that runs only if the predicate is true, or only if it is false."""
    with ExitStack() as stack:
        for test in tests_of(predicate):
            left = test.if_true if is_true else test.if_false
            stack.enter_context(narrowed(test.choice, left))
        yield


# Attributes with two underscores that options are asked for.
_ATTRIBUTES = frozenset({"__name__", "__qualname__", "__doc__", "__class_getitem__"})

_BINARY = (
    "add sub mul matmul truediv floordiv mod pow lshift rshift and_ or_ xor".split()
)
_COMPARISONS = "eq ne lt le gt ge".split()
_UNARY = "neg pos abs invert".split()


def _dunder(word: str) -> str:
    return f"__{word.rstrip('_')}__"


def _define() -> None:
    """Each operator of Python's, done to each option."""

    def binary(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda self, other: each(self, lambda option: function(option, other))

    def reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        return lambda self, other: each(self, lambda option: function(other, option))

    def unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda self: each(self, function)

    for word in _BINARY:
        function = getattr(operator, word)
        setattr(Choice, _dunder(word), binary(function))
        setattr(Choice, f"__r{word.rstrip('_')}__", reflected(function))
        in_place = getattr(operator, "i" + word.rstrip("_"))
        setattr(Choice, f"__i{word.rstrip('_')}__", binary(in_place))
    for word in (*_COMPARISONS, "getitem"):
        setattr(Choice, _dunder(word), binary(getattr(operator, word)))
    for word in _UNARY:
        setattr(Choice, _dunder(word), unary(getattr(operator, word)))


_define()

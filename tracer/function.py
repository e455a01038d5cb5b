"""Function: the life of a call, top to bottom.

signature -> lookup -> convert -> trace -> optimise -> compile -> run
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Concatenate, Generic, cast, overload

from runtime import build
from runtime.config import WATCH, config
from runtime.depth import deeper
from runtime.errors import OnlyPythonError, StagingTypeError, as_builtin
from runtime.spans import spanned
from runtime.traceback import cut
from runtime.variable import VariableMade
from runtime.vectored import Vectored
from tracer import again, containers, log, tree
from tracer.forms import Forms, Unsettled
from tracer.generated import MISS
from tracer.identities import is_met_twice
from tracer.input_signature import check_parameters, fit
from tracer.many_traces import ManyTraces, asked
from tracer.memory import lies_unlike
from tracer.method import OF_PYTHON, Method, P, Q, R, S, of_python
from tracer.only_python import Known, noted, noted_long, patient
from tracer.short_keys import Call, ShortKeys
from tracer.shown import Shown
from tracer.signature import (
    Bound,
    Foreign,
    Literal,
    Parameters,
    Signature,
    example,
    signature_of,
)
from tracer.whole_lists import WholeLists
from tracer.widening import Widening, needs_values

if TYPE_CHECKING:
    from tracer.around import Around
    from tracer.concrete import ConcreteFunction
    from tracer.outer import Place
    from tracer.read_checks import Read

Convert = Callable[[Callable[..., Any]], Callable[..., Any]]


class Function(Shown, Vectored, Generic[P, R]):
    """A Python function that runs as graphs: one per signature of its arguments.

    Made by `autograph.function`; keeps the function's name, doc, signature and types.
    """

    __name__: str
    __qualname__: str
    __code__, __defaults__, __kwdefaults__ = map(of_python, OF_PYTHON)

    def __init__(
        self,
        python_function: Callable[P, R],
        convert: Convert,
        input_signature: Sequence[Any] | None = None,
        python_effects: str = "run",
        widening: Widening | None = None,
        precise: bool | None = None,
    ) -> None:
        self.python_function = python_function
        self.input_signature = input_signature
        self.python_effects = python_effects
        self.precise = precise
        self._convert = convert
        self._parameters = Parameters(python_function)
        self._widening = widening or Widening(reduces=input_signature is None)
        self._concrete: dict[Signature, ConcreteFunction] = {}
        # The one used the longest ago first, as far as is known.
        self._used: dict[ConcreteFunction, None] = {}
        self._many = ManyTraces()
        self._made_variables: set[Signature] = set()
        self._forms: dict[Signature, Forms] = {}
        self._short = ShortKeys()
        self._readers = self._short.readers
        self.around: dict[ConcreteFunction, Around] = {}
        self._lists = WholeLists(self._widening, self._parameters)
        self._lock = threading.RLock()
        self._only_python: Known = {}
        self.__name__ = self.__qualname__ = type(python_function).__name__
        functools.update_wrapper(self, python_function)
        self._widening.check(self.__name__, self._parameters)
        if input_signature is not None:
            check_parameters(self.__name__, input_signature, self._parameters)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result for these arguments, by its graph for them."""
        if build.current() is not None:
            # Called inside another trace: becomes part of it.
            return cast(R, self._convert(self.python_function)(*args, **kwargs))
        if WATCH.on:
            return cast(R, self._watched_call(args, kwargs))
        try:
            form: Any = (len(args), *kwargs) if kwargs else len(args)
            for read in self._readers.get(form, ()):
                result = read(self, args, kwargs)
                if result is not MISS:
                    return cast(R, result)
            return cast(R, self._first_call(args, kwargs))
        except Exception as error:
            # One frame of ours is left in a traceback: this one.
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept

    def _watched_call(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """A call that is run as Python, or logged."""
        try:
            with spanned("call", self.__name__, log.place_of(self._parameters.code)):
                if config.eager:
                    return self._call_eagerly(args, kwargs)
                return self._first_call(args, kwargs)
        except Exception as error:
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept

    def _call_eagerly(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """The user's own function, its arguments fitted to an input_signature."""
        specs = self.input_signature
        if specs is not None:
            args, kwargs = self.bound(args, kwargs)
            _, args = fit(self.__name__, specs, args, kwargs, self._parameters)
        if not WATCH.on:
            return self.python_function(*args, **kwargs)
        with spanned("python", self.__name__, log.place_of(self._parameters.code)):
            return self.python_function(*args, **kwargs)

    def _first_call(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """A call whose graph is not yet known by a short key, if it has one."""
        concrete, python = None, self.as_python(args, kwargs)
        try:
            concrete, leaves, bound = self._look_up(args, kwargs)
        except (Foreign, Unsettled, OnlyPythonError) as reason:
            return python(reason.why)
        except Exception as error:
            if not again.is_raised(error):
                raise
        if concrete is None:
            return again.raised((args, kwargs), python)
        found = containers.found_in(bound) if concrete.needs_containers else []
        if is_met_twice(concrete, bound) or lies_unlike(concrete, leaves, found):
            return python(log.SHARES)
        specs = self.input_signature
        first = None if specs is None else self._parameters.instance + len(specs)
        call = Call(self, args, kwargs, bound, self.bound, first)
        if concrete.outer is not None:
            from tracer.around import call_around

            return call_around(self, concrete, leaves, call)
        self.remember(call, concrete, leaves)
        made_again = python if concrete.made_again else None
        return log.run(concrete, leaves, found, made_again)

    def remember(self, call: Call, concrete: ConcreteFunction, leaves: Any) -> None:
        """Let calls like this one find the trace by a short key."""
        if not concrete.traced.asks_identity:
            self._short.remember(call, concrete, leaves)

    def bound(self, args: Any, kwargs: Any) -> Bound:
        """The arguments as the parameters take them."""
        if self._parameters.renew():
            self._only_python.clear()
            for concrete in self.concrete_functions:  # none is of the new code
                self._forget(concrete)
        return self._parameters.bind(args, kwargs, self.__name__)

    def as_python(self, args: Any, kwargs: dict[str, Any]) -> Callable[..., Any]:
        """The call as Python, for a reason: its graph has failed, if none is given."""

        def call(why: str = log.FAILED) -> Any:
            log.run_as_python(self.__name__, why)
            return self._call_eagerly(args, kwargs)

        return call

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments; TensorSpecs may stand for arrays.

        One array passed twice is an example of two: the trace takes any two arrays.
        """
        specs = self.input_signature
        if specs is not None and len(args) == self._parameters.instance and not kwargs:
            args = (*args, *specs)
        args, kwargs = tree.map_leaves(example, (args, kwargs))
        try:
            return self._look_up(args, kwargs, exact=True)[0]
        except Exception as error:
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces that are kept, oldest first."""
        return list(self._concrete.copy().values())

    def concrete_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> ConcreteFunction:
        """The trace that a call with these arguments is run by.

        TypeError: it is run as Python
        """
        try:
            with asked():
                return self._look_up(args, kwargs)[0]
        except (Foreign, Unsettled, OnlyPythonError) as reason:
            words = f"{self.__name__} is run as Python, as {reason.why}"
            raise TypeError(words) from None
        except Exception as error:
            raise cut(as_builtin(error))  # noqa: B904 - its cause is kept

    def _look_up(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], exact: bool = False
    ) -> tuple[ConcreteFunction, list[Any], Any]:
        """The trace, the arguments' leaves fitted to it, and the bound arguments.

        exact: a trace for these sizes and numbers, and for no others
        """
        bound = args, kwargs = self.bound(args, kwargs)
        specs = self.input_signature
        if specs is not None:
            known, args = fit(self.__name__, specs, args, kwargs, self._parameters)
            signature, _ = signature_of(known, kwargs)
            leaves = tree.flatten((args, kwargs))[0]
            return self._fitting(bound, signature, leaves, exact), leaves, bound
        if exact:
            signature, leaves = signature_of(args, kwargs)
            return self._fitting(bound, signature, leaves, exact), leaves, bound
        whole = self._lists.found(bound, functools.partial(self._fitting, bound))
        if whole is not None:
            return *whole, bound
        with noted_long(self._only_python, args, kwargs):
            signature, leaves = signature_of(args, kwargs)
            return self._fitting(bound, signature, leaves), leaves, bound

    def _fitting(
        self, bound: Bound, signature: Signature, leaves: list[Any], exact: bool = False
    ) -> ConcreteFunction:
        """The trace for a signature, made if there is none."""
        concrete = self._known(signature)
        if concrete is None and not exact:
            wide = self._widening.widened(signature, self._parameters)
            concrete = next(filter(None, map(self._known, wide)), None)
        if WATCH.on:
            log.looked_up(self.__name__, concrete, self.concrete_functions)
        if concrete is None:
            with self._lock, noted(self._only_python, signature):
                concrete = self._widest(signature, leaves, bound, exact)
        return concrete

    def _known(self, signature: Signature) -> ConcreteFunction | None:
        forms = self._forms.get(signature)
        found = None if forms is None else forms.fitting()
        if found is not None and len(self._used) > 1:
            self._used.pop(found, None)
            self._used[found] = None
        return found

    def _widest(
        self, signature: Signature, leaves: Any, bound: Bound, exact: bool
    ) -> ConcreteFunction:
        """A further trace, which serves other sizes and numbers too if it can."""
        if exact:
            with patient():
                return self._another(signature, leaves, bound, exact)
        return self._widening.made(
            signature,
            signature not in self._forms,
            lambda: self._widening.widened(signature, self._parameters),
            lambda another: self._another(another, leaves, bound),
        )

    def _another(
        self, signature: Signature, leaves: Any, bound: Bound, exact: bool = False
    ) -> ConcreteFunction:
        """A further trace for these arguments, unless another thread has made it."""
        forms = self._forms.get(signature) or Forms()
        concrete = forms.fitting()
        if concrete is not None:
            return concrete
        if not exact and forms.is_unsettled():
            forms.warn(self.__name__)
            raise Unsettled(log.UNSETTLED)
        if not exact:
            self._many.look(signature, len(self._concrete))
        self._forget(forms.dropped())
        changed = forms.changed()
        places = forms.places(changed)
        try:
            concrete = self.specialize(signature, leaves, bound, places, changed)
        except VariableMade as made:
            if exact or signature in self._made_variables:
                raise made.error from None
            self._made_variables.add(signature)
            raise Unsettled(log.VARIABLES) from None
        forms.add(concrete)
        self._forms[signature] = forms
        return concrete

    def specialize(
        self,
        signature: Signature,
        leaves: Sequence[Any],
        bound: Bound,
        places: Sequence[Place] = (),
        changed: Sequence[Read] = (),
    ) -> ConcreteFunction:
        from tracer.concrete import ConcreteFunction
        from tracer.tracing import trace

        parameters, known = self._parameters, self.concrete_functions
        while signature in self._concrete:
            signature = replace(signature, form=signature.form + 1)
        why = tuple(read.words() for read in changed)
        tracing = log.tracing(self.__name__, parameters, signature, known, why)
        with tracing as made, deeper(), config.block(precise=self.precise):
            names = parameters.leaf_names(signature)
            of = (self.python_function, self.__name__, signature, leaves, names)
            how = (self.python_effects, self._convert, places)
            traced = trace(*of, *how, containers.found_in(bound))
            if self._widening.is_wide(signature) and needs_values(traced.graph):
                raise StagingTypeError("it holds for other sizes and numbers only")
            given = (self.__name__, parameters, signature, names, traced)
            concrete = ConcreteFunction(*given, self._convert)
            concrete.changes_outside = why
            made(concrete)
        self._concrete[signature] = concrete
        self._used[concrete] = None
        self._tidy_up(concrete)
        return concrete

    def _tidy_up(self, made: ConcreteFunction) -> None:
        """Keep as many traces as are wanted, and those of living objects."""
        for leaf in made.signature.leaves:
            if isinstance(leaf, Literal):
                leaf.when_gone(weakref.WeakMethod(self._forget_gone))
        self._forget_gone()
        self._short.note_used(self._used)
        while len(self._concrete) > config.traces:
            self._forget(next(iter(self._used.copy())))
        self._many.warn(self.__name__, self._parameters, self.concrete_functions)

    def _forget_gone(self) -> None:
        """Forget the traces for objects that are gone, unless one is being made."""
        if self._lock.acquire(blocking=False):
            try:
                for known, concrete in self._concrete.copy().items():
                    if known.is_gone:
                        self._forget(concrete)
            finally:
                self._lock.release()

    def _forget(self, concrete: ConcreteFunction | None) -> None:
        if concrete is None:
            return
        # Calls by short keys do not say that a trace is used: the next ones do.
        self._short.clear(concrete)
        self._keep_entries(self._short.entries.values())
        self._concrete.pop(concrete.signature, None)
        self._used.pop(concrete, None)
        self.around.pop(concrete, None)
        first = replace(concrete.signature, form=0)
        forms = self._forms.get(first)
        if forms is not None:
            forms.discard(concrete)
            if forms.is_empty or first.is_gone:
                self._forms.pop(first, None)

    def __set_name__(self, owner: type, name: str) -> None:
        self._parameters.is_method()

    @overload
    def __get__(self, instance: None, owner: type) -> Function[P, R]: ...
    @overload
    def __get__(
        self: Function[Concatenate[S, Q], R], instance: S, owner: type | None = None
    ) -> Method[Q, R]: ...
    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method: the instance is the first argument."""
        return self if instance is None else Method(self, instance)

    def __reduce__(self) -> str:
        """By reference, as functions are pickled and copied."""
        return self.__qualname__

    def __repr__(self) -> str:
        traces = "1 trace" if (count := len(self._concrete)) == 1 else f"{count} traces"
        return f"<Function {self.__qualname__}{self._parameters.signature}: {traces}>"

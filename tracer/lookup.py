"""lookup: the traces of a Function, and the one for a call: found, or made.

signature -> known trace | wider signature -> convert -> trace -> optimise -> compile
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from runtime.config import WATCH, config
from runtime.depth import as_python, deeper
from runtime.errors import OnlyPythonError, StagingError, StagingTypeError
from runtime.signals import apart
from runtime.spans import spanned
from runtime.structs import replace
from runtime.variable import VariableMade
from tracer import again, containers, foreign_calls, idle, log, tree
from tracer import ending as ending  # it is loaded with the first call
from tracer.around import Around, call_around
from tracer.as_python import Told
from tracer.concrete import ConcreteFunction
from tracer.forms import Forms, Unsettled
from tracer.generated import MISS
from tracer.identities import is_met_twice
from tracer.input_signature import fit, of_examples
from tracer.many_traces import ManyTraces, asked
from tracer.memory import lies_unlike
from tracer.new_objects import those_for
from tracer.only_python import Known, noted, noted_long, patient
from tracer.parameters import Bound, Inputs, Parameters
from tracer.parts_passed import PassedParts
from tracer.put_off import PutOffCalls
from tracer.raised_calls import RaisedCalls
from tracer.refusals import Refusals, Tried
from tracer.seldom import Seldom
from tracer.short_keys import Call, ShortKeys
from tracer.signature import Foreign, Literal, Signature, leaf_names, signature_of
from tracer.tracing import trace
from tracer.whole_lists import WholeLists, passed_in
from tracer.widening import Widening, needs_values

if TYPE_CHECKING:
    from tracer.function import Function
    from tracer.outer import Place
    from tracer.read_checks import Read


class Lookup:
    """What a Function knows of its traces; it does not keep the Function alive."""

    def __init__(
        self,
        function: Function[..., Any],
        convert: Callable[[Callable[..., Any]], Callable[..., Any]],
        parameters: Parameters,
        short: ShortKeys,
        inputs: Inputs,
    ) -> None:
        self._function = weakref.ref(function)
        self._convert, self._parameters, self._short = convert, parameters, short
        self._widening = Widening(inputs)
        self._concrete: dict[Signature, ConcreteFunction] = {}
        # The one used the longest ago first, as far as is known.
        self._used: dict[ConcreteFunction, None] = {}
        self._many = ManyTraces()
        self._objects = self._many.objects
        self._made_variables: set[Signature] = set()
        self._forms: dict[Signature, Forms] = {}
        self.around: dict[ConcreteFunction, Around] = {}
        self._lists = WholeLists(self._widening, self._parameters)
        self._lock, self._parts, self._told = threading.RLock(), PassedParts(), Told()
        self._put_off = PutOffCalls()
        self._only_python: Known = {}
        self._refusals, self._seldom, self._raised = Refusals(), Seldom(), RaisedCalls()

    @property
    def function(self) -> Function[..., Any]:
        """The Function that this is of: it is being called."""
        function = self._function()
        assert function is not None
        return function

    @property
    def _name(self) -> str:
        return self.function.__name__

    def watched_call(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """A call that is run as Python, or logged."""
        with spanned("call", self._name, log.place_of(self._parameters.code)):
            if config.eager:
                return self._call_eagerly(args, kwargs)
            return self.call(args, kwargs)

    def _call_eagerly(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """The user's own function, its arguments fitted to an input_signature."""
        function, specs = self.function, self.function.input_signature
        if specs is not None:
            args, kwargs = self.bound(args, kwargs)
            _, args = fit(self._name, specs, args, kwargs, self._parameters)
        if not WATCH.on:
            return as_python(function.python_function, args, kwargs)
        with spanned("python", self._name, log.place_of(self._parameters.code)):
            return as_python(function.python_function, args, kwargs)

    def call(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """A call whose graph is not yet known by a short key, if it has one."""
        if new := self._objects.found(args, kwargs):
            return self._put_off.call_new(self, args, kwargs, self._objects, new)
        if not kwargs and (known := self._parts.known(args)):
            python = self.as_python(args, kwargs) if known[0].made_again else None
            return log.run(*known, (), python)
        return self._call_by_signature(args, kwargs)

    def _call_by_signature(self, args: Any, kwargs: dict[str, Any]) -> Any:
        concrete, why, python = None, "", self.as_python(args, kwargs)
        if (made := self._made_before(args, kwargs, python)) is not MISS:
            return made
        try:
            function: Any = self.function
            with self._put_off.looking(function, args, kwargs):
                concrete, leaves, bound = self._look_up(args, kwargs)
        except (Foreign, Unsettled, StagingError) as reason:
            why = self._told.why(self._name, self.function.python_effects, reason)
        except Exception as error:
            if not again.is_raised(error):
                raise
        if why:  # past the `except`, which Python would name as what led to its errors
            return self._given_way(args, kwargs, why)
        if concrete is None:
            return self._raised.first(args, kwargs, python)
        found = passed_in(bound, leaves) if concrete.needs_containers else []
        if is_met_twice(concrete, bound):
            return self._given_way(args, kwargs, log.SHARES)
        if lies_unlike(concrete, leaves, found):
            return self._call_by_parts(args, kwargs, concrete, bound, found)
        self._seldom.note(args, kwargs, "")
        function, specs = self.function, self.function.input_signature
        first = None if specs is None else self._parameters.instance + len(specs)
        call = Call(function, args, kwargs, bound, self.bound, first)
        if concrete.outer is not None:
            return call_around(self, concrete, leaves, call)
        self.remember(call, concrete, leaves)
        return log.run(concrete, leaves, found, python if concrete.made_again else None)

    def _made_before(self, args: Any, kwargs: Any, python: Callable[..., Any]) -> Any:
        """A call as Python, as others like it were made; MISS: it may have a graph."""
        if why := self._seldom.why(args, kwargs):
            return python(why)
        if config.strict:
            return MISS
        if self._many.in_vain.leaves_out():
            return python(log.NEW)
        made = self._put_off.call(self, args, kwargs)
        wait = functools.partial(self._put_off.wait, cast(Any, self.function))
        return self._raised.call(args, kwargs, python, wait) if made is MISS else made

    def _call_by_parts(
        self,
        args: Any,
        kwargs: dict[str, Any],
        concrete: ConcreteFunction,
        bound: Bound,
        found: list[Any],
    ) -> Any:
        """A call whose arrays lie as the trace was not made for: parts of one, say."""
        made, python = None, self.as_python(args, kwargs)
        if self.function.input_signature is None:
            trace = functools.partial(self._fitting, bound)
            made = self._parts.found(concrete, (args, kwargs), bound, found, trace)
        if made is None:
            return self._given_way(args, kwargs, log.SHARES)
        self._seldom.note(args, kwargs, "")
        concrete, leaves = made
        return log.run(concrete, leaves, found, python if concrete.made_again else None)

    def _given_way(self, args: Any, kwargs: dict[str, Any], why: str) -> Any:
        """The call as Python; others may be made so without a look."""
        self._seldom.note(args, kwargs, why)
        if why == log.PUT_OFF:
            return self._put_off.call(self, args, kwargs)
        if why == Foreign.why:
            foreign_calls.note(self.function, args, kwargs)
        return self.as_python(args, kwargs)(why)

    def remember(self, call: Call, concrete: ConcreteFunction, leaves: Any) -> None:
        """Let calls like this one find the trace by a short key."""
        if not concrete.traced.asks_identity:
            self._short.remember(call, concrete, leaves)

    def bound(self, args: Any, kwargs: Any) -> Bound:
        """The arguments as the parameters take them."""
        if self._parameters.renew():
            self._only_python.clear()
            self._refusals.clear()
            for concrete in self.kept:  # none is of the new code
                self._forget(concrete)
        return self._parameters.bind(args, kwargs, self._name)

    def as_python(self, args: Any, kwargs: dict[str, Any]) -> Callable[..., Any]:
        """The call as Python, for a reason: its graph has failed, if none is given."""

        def call(why: str = log.FAILED) -> Any:
            log.run_as_python(self._name, why)
            return self._call_eagerly(args, kwargs)

        return call

    def by_example(self, args: Any, kwargs: dict[str, Any]) -> ConcreteFunction:
        """The trace for these arguments, for which TensorSpecs may stand."""
        specs, own = self.function.input_signature, self._parameters.instance
        args, kwargs = of_examples(specs, own, args, kwargs)
        return self._look_up(args, kwargs, exact=True)[0]

    def of_call(self, args: Any, kwargs: dict[str, Any]) -> ConcreteFunction:
        """The trace that a call is run by. TypeError: it is run as Python."""
        try:
            with asked():
                return self._look_up(args, kwargs)[0]
        except (Foreign, Unsettled, OnlyPythonError) as reason:
            raise TypeError(f"{self._name} is run as Python, as {reason.why}") from None

    @property
    def kept(self) -> list[ConcreteFunction]:
        """The traces that are kept, oldest first."""
        return list(self._concrete.copy().values())

    def kept_for(self, instance: Any) -> list[ConcreteFunction]:
        """Those for an instance, of a Function that is a method."""
        return those_for(instance, self.kept)

    def _look_up(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], exact: bool = False
    ) -> tuple[ConcreteFunction, list[Any], Any]:
        """The trace, the arguments' leaves fitted to it, and the bound arguments.

        exact: a trace for these sizes and numbers, and for no others
        """
        bound = args, kwargs = self.bound(args, kwargs)
        specs = self.function.input_signature
        if specs is not None:
            known, args = fit(self._name, specs, args, kwargs, self._parameters)
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
            log.looked_up(self._name, concrete, self.kept)
        if concrete is None:
            with self._lock, noted(self._only_python, signature, exact):
                if not exact:
                    self._refusals.look(signature, bound)
                concrete = self._widest(signature, leaves, bound, exact)
        self._many.in_vain.note(found=True)
        return concrete

    def _known(self, signature: Signature) -> ConcreteFunction | None:
        forms = self._forms.get(signature)
        found = None if forms is None else forms.fitting()
        if found is not None and len(self._used) > 1:
            self._used[found] = self._used.pop(found, None)
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
        if not exact:
            if forms.is_unsettled():
                forms.warn(self._name)
                raise Unsettled(log.UNSETTLED)
            given_up = self._widening.given_up(signature)
            self._many.look(signature, len(self._concrete), given_up)
            idle.begin()
        self._forget(forms.dropped())
        changed = forms.changed()
        places = forms.places(changed)
        of = (signature, leaves, bound)
        refusals = self._refusals.noted(*of, self.function.python_function)
        try:
            with self._objects.noted(signature), refusals as tried:
                concrete = self.specialize(*of, places, changed, tried)
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
        tried: Tried | None = None,
    ) -> ConcreteFunction:
        """The trace for a signature, which is made now; tried: see `trace`."""
        parameters, known, function = self._parameters, self.kept, self.function
        while signature in self._concrete:
            signature = replace(signature, form=signature.form + 1)
        why = tuple(read.words() for read in changed)
        tracing = log.tracing(self._name, parameters, signature, known, why)
        with apart(), tracing as made, deeper(), config.block(precise=function.precise):
            names = leaf_names(parameters, signature)
            of = (function.python_function, self._name, signature, leaves, names)
            how = (function.python_effects, self._convert, places)
            traced = trace(*of, *how, containers.found_in(bound), tried)
            if self._widening.is_wide(signature) and needs_values(traced.graph):
                raise StagingTypeError("it holds for other sizes and numbers only")
            given = (self._name, parameters, signature, names, traced)
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
        self._many.warn(self._name, self._parameters, self.kept)

    def _forget_gone(self) -> None:
        """Forget the traces for objects that are gone, unless one is being made."""
        if self._lock.acquire(blocking=False):
            try:
                for known, concrete in self._concrete.copy().items():
                    if known.is_gone:
                        self._objects.note_gone()
                        self._forget(concrete)
            finally:
                self._lock.release()

    def _forget(self, concrete: ConcreteFunction | None) -> None:
        if concrete is None:
            return
        # Calls by short keys do not say that a trace is used: the next ones do.
        self._short.clear(concrete)
        self._parts.clear()
        function = self._function()
        if function is not None:
            function._keep_entries(self._short.entries.values())
        self._concrete.pop(concrete.signature, None)
        self._used.pop(concrete, None)
        self.around.pop(concrete, None)
        first = replace(concrete.signature, form=0)
        forms = self._forms.get(first)
        if forms is not None:
            forms.discard(concrete)
            if forms.is_empty or first.is_gone:
                self._forms.pop(first, None)

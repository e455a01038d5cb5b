"""ConcreteFunction: one signature, one graph, compiled; what is shown and saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime import build
from runtime.backends.numpy import InPlace, Run, compile_graph, explain, locate
from runtime.config import WATCH
from runtime.graph import Graph
from runtime.ops.settings import has_settings, left_when_it_fails
from runtime.passes import optimize
from runtime.passes.outline import outline
from runtime.spans import spanned
from runtime.spec import TensorSpec
from runtime.structs import replace
from runtime.tensor import Tensor
from runtime.traceback import point_at
from runtime.vectored import Vectored
from tracer import again, log, tree
from tracer.described import described, result_in_words
from tracer.finishing import Outputs, finisher
from tracer.generated import MISS
from tracer.leaf_keys import kind_of_items
from tracer.leaves import describe
from tracer.memory import outer_arrays
from tracer.parameters import Bound, Parameters, code_of
from tracer.parts_passed import with_wholes
from tracer.short_keys import Call, ShortKeys
from tracer.signature import (
    Literal,
    Signature,
    in_words,
    is_tensor_leaf,
    leaf_type,
)
from tracer.traced import (
    Container,
    Leaf,
    Traced,
    leaves_of,
)
from tracer.whole_lists import copied, leaves_like, passed_in

if TYPE_CHECKING:
    from tracer.cost import Cost
    from tracer.profile import Profile


class ConcreteFunction(Vectored):
    """A traced function: strict about dtypes and shapes, and about nothing else.

    Called by position and keyword like the function it comes from; its literal
    arguments may be left out.
    """

    # Why it was made, where the arguments do not tell.
    changes_outside: tuple[str, ...] = ()
    # The leaves, and sources, that are kept where what fails is made again as Python.
    kept: tuple[int, ...] = ()
    drawn: tuple[Any, ...] = ()

    def __init__(
        self,
        name: str,
        parameters: Parameters,
        signature: Signature,
        leaf_names: Sequence[str],
        traced: Traced,
        convert: Callable[[Callable[..., Any]], Callable[..., Any]],
    ) -> None:
        self.name = name
        self._convert = convert
        self.signature = signature
        # As it was traced, and as it is run, after the passes.
        self.traced_graph = _named(traced.graph, traced.inputs, leaf_names)
        self.graph = self._optimize()
        self.parameters, self.code = parameters, parameters.code
        self._leaf_names, self.traced = tuple(leaf_names), traced
        changed = {leaf for leaf, _ in traced.arguments_changed}
        self.outer = traced.outer
        self.once = traced.once
        self.asks_layout = traced.asks_layout
        self.reads = traced.reads
        # Other threads see arrays outside, and what the run writes when it ends.
        self.ends = {} if self.outer else again.ends(traced)
        self.donated = frozenset(self.ends)
        self.late = again.cannot_be_undone(self.graph)
        self.run_by(run := self._compile())
        self.writes_arrays = bool(
            changed or traced.arrays_changed or traced.loses_writes
        )
        others = traced.containers_changed or traced.rows_changed or self.outer
        self.writes = bool(self.writes_arrays or others)
        # The arrays that the graph reads by name.
        self.outer_arrays = outer_arrays(self.graph)
        self.needs_containers = bool(others) or any(
            isinstance(leaf, Container) for leaf in leaves_of(traced)
        )
        self.finish = finisher(traced, self.writes)
        self._plan_again(run.in_place)

    def _plan_again(self, in_place: InPlace) -> None:
        plan = again.Plan(self.traced, self.traced_graph, self.graph, in_place)
        self.made_again = plan.is_made_again(self.writes)
        if self.made_again:
            self.kept, self.drawn = plan.kept(), plan.drawn()

    def _optimize(self) -> Graph:
        with spanned("optimize", self.name):
            return optimize(self.traced_graph)

    def _compile(self) -> Run:
        with spanned("compile", self.name):
            return compile_graph(self.graph, self.donated, self.ends, late=self.late)

    def run_by(self, run: Callable[..., Outputs]) -> None:
        """Let calls run this function of the graph's inputs."""
        self.compiled = run
        self.run = left_when_it_fails(run) if has_settings(self.graph) else run
        self._short = ShortKeys()

    def holds(self) -> bool:
        """Whether what it has read outside as constants is still the same."""
        return self.reads is None or self.reads.hold()

    def written_arrays(self, leaves: Sequence[Any]) -> list[Any]:
        """The arrays, among the leaves and outside, that a run writes."""
        traced = self.traced
        arguments = [leaf for leaf, _ in traced.arguments_changed]
        arrays = [array for array, _ in traced.arrays_changed]
        found = (*arguments, *arrays, *traced.loses_writes)
        return [leaves[one] if isinstance(one, int) else one for one in found]

    def call_leaves(self, leaves: Sequence[Any], found: Sequence[Any] = ()) -> Any:
        """The result for all leaves of the arguments, known to fit the signature.

        found: the arguments' containers, if this trace `needs_containers`
        """
        try:
            outputs = self.run(*[leaves[i] for i in self.traced.inputs])
        except BaseException as error:
            raise self.failed(error)  # noqa: B904 - its cause is kept
        return self.finish(outputs, leaves, found)

    def failed(self, error: BaseException) -> BaseException:
        """What a run has raised, pointed at the user's line."""
        explain(error)
        return point_at(error, locate(error))

    def call_again(
        self, leaves: Sequence[Any], found: Sequence[Any], python: Callable[[], Any]
    ) -> Any:
        """The same; what fails is made again as Python, which knows what it leaves.

        leaves: of the arguments, then of the places outside; python: the call
        """
        if not self.made_again:
            return self.call_leaves(leaves, found)
        before, failed = again.Kept(leaves, self.kept, self.drawn), None
        try:
            outputs = self.run(*[leaves[i] for i in self.traced.inputs])
        except Exception as error:
            failed = error
        if failed is None:
            return self.finish(outputs, leaves, found)
        return self.as_python(failed, before, python)

    def as_python(
        self, failed: Exception, before: again.Kept | None, python: Callable[..., Any]
    ) -> Any:
        """A run has failed: make the call as Python, from what was `before`."""
        if before is not None:
            before.put_back()
        for result in again.made(failed, self.graph, python):
            return result
        # Python has raised, unless the graph is wrong: that must not pass unseen.
        raise self.failed(failed)

    # Strict calls, from outside.

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run on arguments of exactly this signature.

        TypeError: a structure, dtype, shape or literal differs; both sides are named.
        """
        if not WATCH.on and build.current() is None:
            form: Any = (len(args), *kwargs) if kwargs else len(args)
            for read in self._short.readers.get(form, ()):
                result = read(self, args, kwargs)
                if result is not MISS:
                    return result
        bound = self._bind(args, kwargs)
        leaves = leaves_like(self.signature, bound)
        if leaves is None:
            raise self._mismatch(
                f"the arguments {describe((*args, *kwargs.values()))} are nested in "
                f"another way than {self.describe_arguments()}, which this trace was "
                "made for"
            )
        for i, leaf in enumerate(copied(leaves)):
            leaves[i] = self._check(i, leaf)
        self._check_memory(leaves)
        self._check_reads()
        if build.current() is not None:
            # Called inside another trace: becomes part of it.
            args, kwargs = tree.unflatten(self.signature.structure, leaves)
            return self._convert(self.parameters.function)(*args, **kwargs)
        found = passed_in(bound, leaves) if self.needs_containers else ()
        if self.signature.wholes:
            return log.run(self, self._with_wholes(leaves), found)
        if self.outer is None:
            self._remember(args, kwargs, bound, leaves)
            return log.run(self, leaves, found)
        held = self.outer.read()
        if held is None:
            raise self._mismatch(
                "what it changes outside is not what this trace was made for"
            )
        return log.run(self, [*leaves, *held], found)

    def _remember(self, args: Any, kwargs: Any, bound: Any, leaves: Any) -> None:
        """Let calls like this one be checked quickly."""
        call = Call(self, args, kwargs, tree.map_leaves(_content, bound), self.bound)
        self._short.remember(call, self, leaves)

    def bound(self, args: Any, kwargs: dict[str, Any]) -> Bound:
        """The arguments as the parameters take them, constants where they are left."""
        bound: Bound = tree.map_leaves(_content, self._bind(args, kwargs))
        return bound

    def _bind(self, args: Any, kwargs: dict[str, Any]) -> Bound:
        traced_args, traced_kwargs = tree.unflatten(
            self.signature.structure,
            [_placeholder(leaf) for leaf in self.signature.leaves],
        )
        return self.parameters.with_defaults(
            args, kwargs, traced_args, traced_kwargs, self.name
        )

    def _check(self, i: int, leaf: Any) -> Any:
        wanted = self.signature.leaves[i]
        name = self._leaf_names[i]
        if isinstance(leaf, _Traced):
            if isinstance(wanted, TensorSpec):
                raise TypeError(f"{self.name}() is missing the argument `{name}`")
            return leaf.content
        if isinstance(wanted, Literal):
            if Literal(leaf) != wanted:
                raise self._mismatch(
                    f"`{name}` is {describe(leaf)}, but this trace was made for the "
                    f"constant {wanted!r}"
                )
            return leaf
        if type(leaf) is list:
            fits = kind_of_items(leaf) is not None and leaf_type(leaf) == wanted
        elif isinstance(leaf, Tensor):
            fits = wanted.describes(leaf.spec)
        else:
            fits = is_tensor_leaf(leaf) and wanted.accepts(np.asarray(leaf))
        if not fits and not (wanted.weak and type(leaf) is wanted.python_type):
            raise self._mismatch(
                f"`{name}` is {describe(leaf)}, but this trace was made for {wanted!r}"
            )
        return leaf

    def _check_reads(self) -> None:
        """Refuse where what the trace has read outside is something else now."""
        if code_of(self.parameters.function) is not self.code:
            raise self._mismatch("the code of the function is another one now")
        if self.reads is None or self.reads.hold():
            return
        changed = "; ".join(read.words() for read in self.reads.changed()[:2])
        raise self._mismatch(f"what it reads outside has changed: {changed}")

    def _check_memory(self, leaves: Sequence[Any]) -> None:
        """Refuse arrays that are one memory otherwise than in the trace."""
        first: dict[int, int] = {}
        for i, leaf in enumerate(leaves):
            alias = self.signature.aliases[i]
            array = isinstance(leaf, np.ndarray)
            same = first.setdefault(id(leaf), i) if array else i
            if alias != i and leaves[alias] is not leaf:
                names = f"`{self._leaf_names[alias]}` and `{self._leaf_names[i]}`"
                raise self._mismatch(
                    f"{names} are two arrays, but this trace was made for one, passed "
                    "twice"
                )
            if self.writes and same != alias:
                raise self._mismatch(
                    f"`{self._leaf_names[i]}` is passed twice, but this trace, which "
                    "changes its arguments, was made for two arrays"
                )

    def _with_wholes(self, leaves: list[Any]) -> list[Any]:
        """The leaves, and what some of them are parts of."""
        if (found := with_wholes(self.signature, leaves)) is None:
            parts = (self._leaf_names[i] for i in sorted(self.signature.parts))
            names = " and ".join(f"`{name}`" for name in parts)
            raise self._mismatch(f"{names} are not parts of one array as in the trace")
        return found

    def _mismatch(self, what: str) -> TypeError:
        error = TypeError(f"{self.name}: {what}")
        error.add_note(
            f"  Convert the argument, or call `{self.name}` itself, which makes a "
            "trace for each kind of arguments."
        )
        return error

    @property
    def result(self) -> tuple[tree.Structure | None, Sequence[Leaf]]:
        """The structure of what is returned, None if nothing is, and its leaves."""
        return self.traced.structure, self.traced.result

    def describe_arguments(self) -> str:
        """The signature, one `name: type` after the other."""
        pairs = zip(self._leaf_names, self.signature.leaves, strict=True)
        inside = ", ".join(f"{name}: {in_words(leaf)}" for name, leaf in pairs)
        return f"({inside})"

    def inspect(self, stage: str = "loops") -> str:
        """Its machine code as text: stage "loops", "llvm" or "asm".

        ValueError: there is no such stage
        """
        from tracer.inspected import inspected_trace

        return inspected_trace(self, self, stage)

    @property
    def outlined(self) -> Graph:
        """The graph as it was traced, with a node for each call of a function."""
        return outline(self.traced_graph)

    def profile(self, /, *args: Any, **kwargs: Any) -> Profile:
        """Call it, and tell how long each node took and how often it ran."""
        from tracer.profile import profile

        return profile(self, args, kwargs)

    def cost(self, /, *args: Any, **kwargs: Any) -> Cost:
        """Call it, and count what it computes and moves: see `Function.cost`."""
        from tracer.cost import cost

        return cost(self, args, kwargs)

    def twin(self, run: Callable[..., Outputs]) -> ConcreteFunction:
        """The same trace, run by another function of the graph's inputs."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        made.run_by(run)
        return made

    def __copy__(self) -> ConcreteFunction:
        return self

    def __deepcopy__(self, memo: Any) -> ConcreteFunction:
        return self

    def __reduce__(self) -> str:
        error = TypeError(f"the trace of `{self.name}` cannot be pickled")
        error.add_note("  Pickle the function, and ask it for the trace again.")
        raise error

    def __repr__(self) -> str:
        arguments = self.describe_arguments()
        return f"<ConcreteFunction {self.name}{arguments} -> {result_in_words(self)}>"

    def __str__(self) -> str:
        return described(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """For notebooks: the graph's picture, and what it takes and returns."""
        bundle = self.graph._repr_mimebundle_()
        return {**bundle, "text/plain": repr(self)}


def _named(graph: Graph, inputs: Sequence[int], names: Sequence[str]) -> Graph:
    """The graph with the arguments' names; places outside, after them, have none."""
    found = (names[leaf] if leaf < len(names) else "" for leaf in inputs)
    return replace(graph, input_names=tuple(found))


class _Traced:
    """Stands for an argument that a strict call left out."""

    def __init__(self, content: Any) -> None:
        self.content = content


def _content(leaf: Any) -> Any:
    return leaf.content if isinstance(leaf, _Traced) else leaf


def _placeholder(leaf: TensorSpec | Literal) -> _Traced:
    return _Traced(leaf.content if isinstance(leaf, Literal) else None)

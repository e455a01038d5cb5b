"""From a graph to a Python function of arrays: text, compiled once.

The text is kept as `run.source`. An exception of a node leaves `run` as it is; `locate`
tells which line of the user's program the node stands for.
"""

from __future__ import annotations

import sys
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from runtime.backends.llvm.switch import Native, is_on, is_precise
from runtime.backends.numpy.emit import Writer
from runtime.backends.numpy.emit_calls import CALLED
from runtime.backends.numpy.lines import (
    Places,
    at_users_lines,
    is_debugged,
    line_at,
)
from runtime.backends.numpy.list_sharing import share_lists
from runtime.backends.numpy.outliving import mark_outliving
from runtime.backends.numpy.program import Body, Step, Variable, flatten, release
from runtime.backends.numpy.regions import Asked, InPlace
from runtime.backends.numpy.sharing import Sharing, share
from runtime.backends.numpy.watching import Watch
from runtime.config import config
from runtime.graph import Graph, Node
from runtime.location import MADE, Location
from runtime.passes.inline import inline
from runtime.structs import field, struct

if TYPE_CHECKING:
    from runtime.backends.llvm.hot import HotLoop, Region


# How the names of generated texts begin, in place of files'.
TEXT = "<graph"


class Run(Protocol):
    """A compiled graph: a function of its inputs.

    source:   its text
    in_place: what it does to the inputs that it may overwrite
    native:   whether parts of it may be machine code
    precise:  whether that gives NumPy's bits for functions like exp
    """

    source: str
    native: bool
    precise: bool
    in_place: InPlace

    def __call__(self, *inputs: Any) -> tuple[Any, ...]:
        """The graph's outputs."""


@struct(frozen=False)
class _Made:
    """What a generated text stands for: the place of each of its lines.

    originals: the code with the lines of the text, for code with the user's lines
    """

    places: Places
    originals: dict[CodeType, CodeType] = field(default_factory=dict)

    def place(self, code: CodeType, instruction: int) -> Location | None:
        """The place of an instruction of one of the functions; None: of another one.

        Ours that makes a function when it is first called (`rests.py`) has its globals.
        """
        own = self.originals.get(code, code)
        line = line_at(own, instruction) if own.co_filename.startswith(TEXT) else 0
        return self.places[line - 1] if line else None


def compile_graph(
    graph: Graph,
    donated: Iterable[int] = (),
    ends: Mapping[int, int] = MappingProxyType({}),
    origins: Mapping[Node, Step] = MappingProxyType({}),
    *,
    late: bool = False,
    watch: Watch | None = None,
) -> Run:
    """A function of the graph's inputs, positional, that returns its outputs, a tuple.

    donated: positions of inputs that it may overwrite; no other input is changed
    ends:    the outputs that are what these hold at the end, where that is known
    late:    they must not be written before Python would, for it may fail
    origins: nodes that write, and copy, as these steps of another program do
    watch:   what is written around each step
    returns: a Python function with the attributes of a Run

    Inputs are ndarrays or NumPy scalars, Python numbers where the spec is weak; outputs
    the same, 0-d ones NumPy scalars. Nothing is checked against the specs.
    """
    asked = Asked(frozenset(donated), ends, late, not origins)
    program, inputs, sharing = prepared(graph, asked)
    _as_the_origins(program, origins)
    native = () if origins or not is_on() else (_hot_loop, _regions)
    writer = Writer(sharing, *native)
    writer.watch = watch
    source, places = writer.write(program, inputs)
    namespace = writer.namespace
    code = compile(source, f"{TEXT} {graph.name}>", "exec", dont_inherit=True)
    made = _Made(places)
    if not is_debugged():
        code = at_users_lines(code, places, made.originals)
    namespace[MADE] = made
    namespace.update(_as_users_module(places))
    exec(code, namespace)
    # Its globals do not hold it, so it goes with its last user.
    run: Run = namespace.pop("run")
    run.source = source
    run.in_place = sharing.in_place(program.outputs)
    run.native = bool(native)
    run.precise = is_precise()
    if writer.has_hot_loops:
        weakref.finalize(run, release, program)
    else:
        release(program)
    return run


def compile_watched(
    run: Any,
    graph: Graph,
    donated: Iterable[int],
    ends: Mapping[int, int],
    late: bool,
    watch: Watch,
) -> Run:
    """The program of `run` once more, watched; they have their machine code in common.

    run: made of the same graph with the same options
    """
    backend = "auto" if run.native else "numpy"
    with config.block(backend=backend, precise=run.precise):
        made: Any = compile_graph(graph, donated, ends, late=late, watch=watch)
    for name, thing in made.__globals__.items():
        known = run.__globals__.get(name)
        # The two texts name them alike, in the same order.
        if isinstance(thing, Native) and isinstance(known, Native):
            made.__globals__[name] = known
    watched: Run = made
    return watched


def prepared(graph: Graph, asked: Asked) -> tuple[Body, list[Variable], Sharing]:
    """The graph's program, the variables of its inputs, and what it may overwrite."""
    graph = inline(graph)
    program, inputs = flatten(graph)
    mark_outliving(program, graph)
    sharing = share(program, inputs, asked)
    share_lists(program, inputs, asked)
    return program, inputs, sharing


def _hot_loop(step: Step) -> HotLoop | None:
    from runtime.backends.llvm.having import may_be_native
    from runtime.backends.llvm.hot import HotLoop

    return HotLoop(step, compile_rest) if may_be_native(step) else None


def _regions(body: Body) -> dict[int, Region]:
    from runtime.backends.llvm.regions import regions

    return regions(body, compile_rest)


def compile_rest(graph: Graph, origins: Mapping[Node, Step]) -> Run:
    """What Python goes on with where machine code is left, or calls it."""
    return compile_graph(graph, origins=origins)


def _as_the_origins(body: Body, origins: Mapping[Node, Step]) -> None:
    """Let steps write in place where those that they repeat do."""
    for step in body.steps if origins else ():
        origin = origins.get(step.node)
        if origin is not None:
            step.in_place, step.copied = origin.in_place, origin.copied
            step.moved, step.written = origin.moved, origin.written
            if origin.into is not None and origin.stored is None:
                step.into = step.inputs[origin.inputs.index(origin.into)]
                step.in_order = origin.in_order
        elif step.node.op.name == "while":
            step.copied = set()  # a loop that is entered already
        for inner in step.bodies:
            _as_the_origins(inner, origins)


def locate(error: BaseException) -> Location | None:
    """Where in the user's program the node stands whose run raised `error`."""
    traceback = error.__traceback__
    place: Location | None = None
    while traceback is not None:
        frame = traceback.tb_frame
        made = frame.f_globals.get(MADE)
        if isinstance(made, _Made):
            # The innermost line of the outermost graph: its helpers call one another.
            place = made.place(frame.f_code, traceback.tb_lasti) or place
        elif place is not None and MADE not in frame.f_globals:
            return place
        traceback = traceback.tb_next
    return place


def explain(error: BaseException) -> None:
    """Word Python's recursion limit for the user, where the graph's calls met it."""
    if not isinstance(error, RecursionError):
        return
    place = locate(error)
    names = Counter(_open_functions(error.__traceback__))
    name, depth = names.most_common(1)[0] if names else ("", 0)
    if not name.startswith(CALLED) or depth < names.total() / 4:
        # Something else that a graph called went too deep.
        return
    error.args = (
        f"`{place.function if place else name.removeprefix(CALLED)}` called itself "
        f"{depth} deep: Python's recursion limit is {sys.getrecursionlimit()}",
    )
    error.add_note(
        "  Raise the limit by sys.setrecursionlimit, or write the recursion as a loop."
    )


def _open_functions(traceback: TracebackType | None) -> Iterator[str]:
    """The functions that calls were open of, those of the graph by their names."""
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_name
        traceback = traceback.tb_next


def _as_users_module(places: Places) -> dict[str, Any]:
    """The user's module's name and its memory of warnings that were shown."""
    named = (place.module for place in places if place and place.module)
    name = next(named, "")
    held = vars(sys.modules[name]) if name in sys.modules else {}
    shown = held.setdefault("__warningregistry__", {}) if held else {}
    return {"__name__": name, "__warningregistry__": shown} if name else {}

"""entry: a whole trace as machine code that takes a call's arguments as they come.

It looks at the arguments' headers and at what the trace takes for granted, and gives
`MISS` where a call is another one than it was made for, before anything is done: then
Python makes the call. So whoever calls it need not know what it was made for.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from runtime.backends.llvm import hot
from runtime.backends.llvm.call_form import FAILED, FINISH, WARN, Form, Given
from runtime.backends.llvm.entry_places import PlacesText
from runtime.backends.llvm.entry_text import EntryText
from runtime.backends.llvm.hot import LOOK, Compilable
from runtime.backends.llvm.loops import Block, Function
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.rests import Rests
from runtime.backends.llvm.span import Span, is_constant
from runtime.backends.llvm.text import Text
from runtime.backends.llvm.values import NotLowered
from runtime.backends.numpy.executor import compile_rest, prepared
from runtime.backends.numpy.program import Variable, release
from runtime.backends.numpy.regions import Asked
from runtime.graph import Graph


class Entry(Compilable):
    """The machine code of a graph for calls of a form.

    due: when it is to be asked again, in seconds that Python has spent
    """

    def __init__(
        self, graph: Graph, asked: Asked, form: Form, precise: bool = True
    ) -> None:
        program, inputs, _ = prepared(graph, asked)
        self.form = form
        self.due = 0.0
        given = [p for p in form.passed if isinstance(p, Given)]
        unused = [p for p in given if p.index is None]
        self.places = {id(p): len(inputs) + n for n, p in enumerate(unused)}
        self.places |= {id(p): p.index for p in given if p.index is not None}
        self._is_made = False
        more = [Variable(p.spec, program, -1) for p in unused]
        span = Span(program, 0, len(program.steps), list(program.outputs))
        super().__init__(span, [*inputs, *more], compile_rest)
        self.precise = precise

    def lower(self, lowering: Lowering) -> Function:
        """All steps in loop IR."""
        if len(self.places) != len(self.inputs):
            raise NotLowered("inputs that no argument is")
        if not self.span.steps:
            raise NotLowered("nothing to compute")
        if self.form.run is not None:
            given = [lowering.entering(variable) for variable in self.inputs]
            return Function("entry", given, Block(), [])
        function = lowering.function("entry", self.inputs)
        arrays = (v for v in self.span.outputs if v.spec.shape != ())
        if lowering.draws and self.form.places:
            raise NotLowered("draws in a call that Python may have to make anew")
        if lowering.calls or lowering.says or any(map(is_constant, arrays)):
            raise NotLowered("what only Python does")
        return function

    def is_settled(self, spent: float) -> bool:
        """Do what is next; whether `run` is the code, or it is refused.

        spent: the seconds that Python has spent in these calls
        """
        self.seconds = spent
        return self._goes_on()

    def text(self, lowering: Lowering, function: Function) -> Text:
        """LLVM's text of the function, to be written."""
        write = PlacesText if self.form.places else EntryText
        return write(function, lowering, self.form, self.places)

    def told(self, rests: Rests) -> Callable[..., Any]:
        """What the machine code tells of exits and of numbers that overflow."""
        rests.may_be_missed = False  # its outputs are in the arguments already
        left = Left(rests, self.form)
        weakref.finalize(left, release, self.span.body)
        self._is_made = True
        return left

    def said(self) -> None:
        """Its form names objects."""

    def wait(self, seconds: float) -> None:
        """Come again when Python has spent so many seconds."""
        self.due = seconds

    def come_again(self) -> None:
        """Come again soon: it is being compiled."""
        self.due = self.seconds + LOOK

    @property
    def is_begun(self) -> bool:
        """Whether it is being compiled."""
        return self._making is not None

    def release(self) -> None:
        """Let go of the program, if no machine code needs it."""
        if not self._is_made:
            self.stop()
            release(self.span.body)


class Left:
    """What the machine code of an entry calls where it is left.

    It keeps what the code is made of, and what stands in it by address.
    """

    def __init__(self, rests: Rests, form: Form) -> None:
        self.rests = rests
        self.form = form

    def __call__(self, number: int, flags: int, passed: Any, *handed: Any) -> Any:
        """Warn, by the flags; or the call's result: from an exit on, or of outputs."""
        form = self.form
        if number == FINISH:
            return form.finish(handed, passed)
        if number >= 0 and self.rests.left + 1 >= hot.LEAVINGS:
            form.stop()
        failed: BaseException | None = handed[0] if number == FAILED else None
        if failed is None:
            try:
                outputs = self.rests.resume(number, flags, *handed)
            except BaseException as error:
                failed = error
        if failed is not None:
            # One frame of ours is left in a traceback: this one.
            raise form.failed(failed, passed)
        return None if number == WARN else form.finish(outputs, passed)

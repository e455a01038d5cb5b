"""shown: what a Function tells of itself: its traces, their code, what a call costs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction
    from tracer.cost import Cost
    from tracer.parameters import Parameters
    from tracer.traces import Traces


class Shown(ABC):
    """The part of a Function that people ask, and no call."""

    __name__: str
    _parameters: Parameters

    @property
    @abstractmethod
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces that are kept, oldest first."""

    @abstractmethod
    def concrete_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> ConcreteFunction:
        """The trace that a call with these arguments is run by."""

    def traces(self) -> Traces:
        """Each trace with its signature, and why it was needed; print it.

        >>> import numpy as np
        >>> from tracer.function import Function
        >>> double = Function(lambda x: x * 2, convert=lambda f: f)
        >>> print(double(np.ones(3)), double.traces())
        [2. 2. 2.] <lambda>: 1 trace
          1. (x: float64[3])
             the first call
        """
        from tracer.traces import traces

        return traces(self.__name__, self._parameters, self.concrete_functions)

    def inspect(self, stage: str = "loops") -> str:
        """The machine code of each trace as text: see `ConcreteFunction.inspect`.

        Calls that come often enter code of their own, which follows the trace's.
        ValueError: there is no such stage
        """
        from tracer.inspected import inspected_trace, require_stage

        require_stage(stage)
        traces = self.concrete_functions
        return "\n".join(inspected_trace(one, self, stage) for one in traces)

    def cost(self, /, *args: Any, **kwargs: Any) -> Cost:
        """Call it, and count what the graph computes and moves.

        returns: a Cost: `flops`, `functions`, bytes `read` and `written`, `memory` at
                 its peak, the `result`; shown as a table by the lines of the function
        TypeError: the call is run as Python, and no graph says what it costs

        It is a call: what the function prints and changes, it prints and changes.

        >>> import numpy as np
        >>> from tracer.function import Function
        >>> product = Function(lambda x, y: x @ y + 1, convert=lambda f: f)
        >>> cost = product.cost(np.ones((2, 3)), np.ones((3, 4)))
        >>> cost.flops, cost.read, cost.written, cost.memory
        (56, 208, 128, 64)
        """
        return self.concrete_for(args, kwargs).cost(*args, **kwargs)

    def pretty_printed_concrete_signatures(self) -> str:
        """Each trace's arguments and result, for people."""
        return "\n\n".join(map(str, self.concrete_functions))

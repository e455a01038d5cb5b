"""What a tensor refers to, and how a view is taken: places that a branch may change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from runtime import build
from runtime.errors import StagingNotImplementedError, located
from runtime.graph import Value
from runtime.structs import struct

if TYPE_CHECKING:
    from runtime.tensor import Tensor


@struct(eq=False)
class TensorSlot:
    """What a tensor refers to, as a place that a branch may change."""

    tensor: Tensor

    def __hash__(self) -> int:
        return id(self.tensor)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSlot) and other.tensor is self.tensor

    def get(self) -> Value:
        """The value referred to now."""
        return self.tensor._value

    def set(self, held: Value) -> None:
        """Refer to `held`, unlogged."""
        self.tensor._value = held

    def content(self) -> Tensor:
        """A reference to the value referred to now."""
        return type(self.tensor)(self.tensor._value, scalar=self.tensor.scalar)

    def change(self, frame: build.Frame, content: Tensor) -> None:
        """Refer to what `content` refers to."""
        frame.change(self, content.value)

    def is_local(self, frame: build.Frame) -> bool:
        """True when the tensor was made in `frame`."""
        return self.tensor._frame is frame

    def holder(self) -> Tensor:
        """The tensor."""
        return self.tensor

    def __str__(self) -> str:
        return self.tensor.owner or "an array that is changed in place"


@struct(eq=False)
class ViewSlot:
    """How a view is taken: `.shape` of it was set. No branch can leave it changed."""

    tensor: Tensor

    def __hash__(self) -> int:
        return hash((ViewSlot, id(self.tensor)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ViewSlot) and other.tensor is self.tensor

    def get(self) -> Any:
        """The value, how it is taken, and of what."""
        return self.tensor.view_state()

    def set(self, held: Any) -> None:
        """Take it as `held` says, unlogged."""
        self.tensor.set_view_state(held)

    def content(self) -> NoReturn:
        """Refused: a join would have to be two views in one."""
        raise located(
            StagingNotImplementedError(
                "`.shape` of a view is set in a branch or loop that depends on data"
            ),
            "Use `.reshape()`, which gives a view with that shape.",
        )

    def change(self, frame: build.Frame, content: Any) -> NoReturn:
        """Refused."""
        self.content()

    def is_local(self, frame: build.Frame) -> bool:
        """True when the view was taken in `frame`."""
        return self.tensor._frame is frame

    def holder(self) -> Tensor:
        """The view."""
        return self.tensor

    def __str__(self) -> str:
        return "a view whose `.shape` is set"

"""building: LLVM's text to machine code, by way of the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from runtime import store
from runtime.backends.llvm.versions import exact, known, versions
from runtime.structs import struct

if TYPE_CHECKING:
    from runtime.backends.llvm.linking import Compiled


@struct
class Source:
    """What machine code is made of.

    text:    gives LLVM's, of a function called `name`
    symbols: the addresses of what it names, beside what all texts may name
    held:    the objects that these belong to
    """

    name: str
    text: Callable[[], str]
    symbols: Mapping[str, int]
    held: tuple[Any, ...]


def built(source: Source, key: str) -> Compiled:
    """The machine code, from the store, or else compiled now and stored."""
    from runtime.backends.llvm.linking import Compiled

    image = store.found(key, versions())
    if image is not None:
        try:
            return Compiled(source, image)
        except RuntimeError:
            pass  # it cannot be linked: it is made once more
    from runtime.backends.llvm.engine import image_of

    image = image_of(source.text())
    store.keep(key, exact(), image)
    return Compiled(source, image)


def is_kept(key: str) -> bool:
    """Whether there is an object of these versions, which is in memory then.

    Where LLVM would have to be loaded to know: whether there seems to be one.
    """
    name = known()
    return store.found(key, name) is not None if name else store.may_hold(key)


def found_by(key: str) -> bytes | None:
    """What was kept by these versions on this kind of machine; None where nothing."""
    return store.found(key, versions())


def keep_as(key: str, content: bytes) -> None:
    """Keep something that was found out with machine code of this machine."""
    store.keep(key, versions(), content)

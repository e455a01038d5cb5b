"""few_passes: machine code that means the same, made in a seventh of the time.

LLVM's passes and its best code take three quarters of what the tests of machine code
take. What a program means is in the text that we write: one pass, and code made
instruction by instruction, show it as well. A quarter of the tests has all passes, as
users do, always the same quarter; with WHOLE_SUITE=1 all have.
"""

import functools
import os
import zlib
from collections import OrderedDict
from typing import Any

import pytest

from runtime import store
from runtime.backends.llvm import engine, machine
from runtime.backends.llvm.beside import LLVM

# One test of so many has all passes, whichever of them has entries, too.
OF = 1 if os.environ.get("WHOLE_SUITE") == "1" else 4
PASSES = ("sroa",)

_whole = engine.image_of
# Objects that were made so are none of the others'.
_kept: OrderedDict[str, bytes] = OrderedDict()


def image_of(text: str) -> bytes:
    """The object of a text, in place of `engine.image_of`."""
    with LLVM, pytest.MonkeyPatch.context() as patched:
        patched.setattr(engine, "_pass_over", _pass_over)
        patched.setattr(engine, "_machine", _machine)
        return _whole(text)


def is_drawn(name: str) -> bool:
    """Whether the test of this name is one of those that have few passes."""
    return zlib.crc32(name.encode()) // 2 % OF != 0


def have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all machine code so."""
    monkeypatch.setattr(engine, "image_of", image_of)
    monkeypatch.setattr(store, "_kept", _kept)


def _pass_over(module: Any, text: str, builder: Any) -> None:
    engine._run(module, builder, engine._passes(PASSES))


@functools.cache
def _machine() -> Any:
    cpu, features = machine.host()
    return machine.target().create_target_machine(
        cpu=cpu, features=features, opt=0, codemodel="large", jit=True
    )

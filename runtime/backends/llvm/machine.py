"""machine: what LLVM says of this machine, and what makes objects for it."""

from __future__ import annotations

import functools
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from runtime.backends.llvm.beside import LLVM


@functools.cache
def words() -> tuple[str, ...]:
    """The versions of LLVM, and this kind of machine."""
    llvms = (llvmlite.__version__, *map(str, llvm.llvm_version_info))
    with LLVM:
        return *llvms, llvm.get_default_triple(), *host()


@functools.cache
def target() -> Any:
    """The kind of machine that this runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    return llvm.Target.from_default_triple()


@functools.cache
def host() -> tuple[str, str]:
    """This processor, and what it can do; its vectors are as wide as it has them.

    LLVM prefers half of that on some processors with AVX-512 (decision 154).
    """
    found = llvm.get_host_cpu_features()
    preferred = ",-prefer-256-bit" if found.get("avx512f") else ""
    return llvm.get_host_cpu_name(), found.flatten() + preferred


def new_machine() -> Any:
    """What makes objects for this machine, or links them."""
    cpu, features = host()
    return target().create_target_machine(
        cpu=cpu, features=features, opt=2, codemodel="large", jit=True
    )

"""languages: how each peer takes a program, its arguments, and gives its result.

A peer's module is imported when its `Language` is made, in a worker of its own.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import FunctionType, ModuleType
from typing import Any

Program = Callable[..., Any]


def same(value: Any) -> Any:
    """The value itself."""
    return value


@dataclass(frozen=True, slots=True)
class Language:
    """What a worker needs of a peer.

    modules: the distributions whose versions are printed
    idiom:   the name under which rows have this peer's own programs
    names:   what a copy of a file of rows gets in place of its own names
    compile: the program, decorated
    give:    an argument, as this peer likes it
    wait:    for a result to be there
    fetch:   a result as NumPy's
    reset:   forget what was compiled
    wraps:   whether helpers have to be decorated, too
    warm:    seconds of calls before the first measurement
    """

    modules: tuple[str, ...]
    idiom: str
    compile: Callable[[Program], Program] = same
    names: dict[str, Any] = field(default_factory=dict)
    give: Callable[[Any], Any] = same
    wait: Callable[[Any], Any] = same
    fetch: Callable[[Any], Any] = same
    reset: Callable[[], Any] = lambda: None
    wraps: bool = False
    warm: float = 0.5


def plain() -> Language:
    """Python and NumPy themselves."""
    return Language(("numpy",), "numpy")


def autograph() -> Language:
    """This project, as it comes: it compiles while it is called, and not before."""
    ag: Any = importlib.import_module("autograph")
    return Language(("autograph-numpy",), "autograph", ag.function, warm=4.0)


def executor() -> Language:
    """This project without machine code."""
    os.environ["AUTOGRAPH_BACKEND"] = "numpy"
    return autograph()


def native() -> Language:
    """This project with machine code for all, at once."""
    os.environ["AUTOGRAPH_BACKEND"] = "native"
    return replace(autograph(), warm=1.0)


def numba() -> Language:
    """Numba's njit."""
    nb: Any = importlib.import_module("numba")
    return Language(("numba",), "numba", nb.njit, wraps=True)


def jax() -> Language:
    """JAX's jit, with 64 bits where the program has them."""
    jax: Any = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    jnp: Any = importlib.import_module("jax.numpy")
    names = {"np": jnp, "lax": jax.lax}
    return Language(
        ("jax", "jaxlib"),
        "jax",
        lambda program: jax.jit(program, static_argnames=_static(program)),
        names,
        give=lambda value: value if isinstance(value, int) else jnp.asarray(value),
        wait=jax.block_until_ready,
        reset=jax.clear_caches,
    )


def torch() -> Language:
    """torch.compile."""
    torch: Any = importlib.import_module("torch")
    numpy: Any = importlib.import_module("numpy")
    torch.set_default_dtype(torch.float64)  # as NumPy's is

    def give(value: Any) -> Any:
        if isinstance(value, int):
            return value
        return torch.from_numpy(numpy.asarray(value))

    def compiled(program: Program) -> Program:
        whole = torch.compile(program)

        def run(*args: Any) -> Any:
            with torch.no_grad():
                return whole(*args)

        return run

    return Language(
        ("torch",),
        "torch",
        compiled,
        {"np": torch, "torch": torch},
        give=give,
        fetch=lambda x: x.numpy() if isinstance(x, torch.Tensor) else x,
        reset=torch.compiler.reset,
    )


def tensorflow() -> Language:
    """tf.function."""
    return _tensorflow({})


def tensorflow_xla() -> Language:
    """tf.function(jit_compile=True)."""
    return _tensorflow({"jit_compile": True})


def _tensorflow(options: dict[str, Any]) -> Language:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tf: Any = importlib.import_module("tensorflow")
    tnp: Any = tf.experimental.numpy
    tnp.experimental_enable_numpy_behavior()
    return Language(
        ("tensorflow_cpu", "tensorflow"),
        "tensorflow",
        lambda program: tf.function(program, **options),
        {"np": tnp, "tf": tf},
        give=lambda value: value if isinstance(value, int) else tf.constant(value),
        fetch=lambda x: x.numpy() if hasattr(x, "numpy") else x,
    )


def _static(program: Program) -> tuple[str, ...]:
    """The parameters of a program that are Python ints: sizes that are known."""
    annotations = getattr(program, "__annotations__", {})
    return tuple(name for name, kind in annotations.items() if kind is int)


# As the table has them; the last two only where they are asked for.
LANGUAGES: dict[str, Callable[[], Language]] = {
    "numpy": plain,
    "autograph": autograph,
    "numba": numba,
    "jax": jax,
    "torch": torch,
    "tf": tensorflow,
    "tf-xla": tensorflow_xla,
    "executor": executor,
    "native": native,
}


def copy_of(module: ModuleType, language: Language) -> ModuleType:
    """A file of rows loaded once more, with the peer's names in it."""
    spec = importlib.util.spec_from_file_location(
        f"{module.__name__}_", module.__file__
    )
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    vars(made).update(language.names)
    if language.wraps:
        for name, thing in list(vars(made).items()):
            if isinstance(thing, FunctionType) and thing.__module__ == made.__name__:
                setattr(made, name, language.compile(thing))
    return made

"""Functions that look at the world or change it: clocks, files, logs; by each run.

A row names a function, or a method of a class, and what it gives. What gives an object
that no graph holds, and what is of a library of the world's (`world_libraries`), is no
part of a graph, since its one call would be the trace's: such a function is Python's.
"""

from __future__ import annotations

import functools
import inspect
import io
import re
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from autograph.operators import world_libraries
from autograph.operators.placed_calls import placed
from autograph.operators.warned import warner
from autograph.rules import CONVERTED, GENERATOR, why_left_alone
from runtime import build
from runtime.errors import OnlyPythonError, located
from runtime.ops import world
from runtime.ops.template import encode
from runtime.spec import TensorSpec
from runtime.tensor import Tensor

_CLOCKS = "time perf_counter monotonic process_time thread_time"
_LOGS = "debug info warning error exception critical log"
_LOGGERS = ("logging", "logging.Logger", "logging.LoggerAdapter")
_CHANGES = "remove unlink rename replace mkdir makedirs rmdir removedirs".split()
_PATHS = ("genericpath", "posixpath", "ntpath", "nt")
_TESTS = "exists lexists isfile isdir islink"
_SIZES = {"getsize": int, "getmtime": float, "getatime": float, "getctime": float}
_LOCAL_TIMES = "localtime gmtime ctime asctime strftime"

# What is called by each run, and the types of what it gives.
CALLED: dict[str, tuple[type, ...]] = {
    **{f"time.{name}": (float,) for name in _CLOCKS.split()},
    **{f"time.{name}_ns": (int,) for name in _CLOCKS.split()},
    "time.sleep": (),
    "_warnings.warn": (),
    **{f"{owner}.{name}": () for owner in _LOGGERS for name in _LOGS.split()},
    "_io._TextIOBase.write": (int,),
    "_io._TextIOBase.writelines": (),
    "_io._IOBase.flush": (),
    "_io._IOBase.writelines": (),
    "_pytest.capture.EncodedFile.write": (int,),
    **{f"{name}.write": (int,) for name in ("os", "posix", "nt")},
    **{f"{name}.{own}": () for name in ("os", "posix", "nt") for own in _CHANGES},
    **{f"{name}.{own}": (bool,) for name in _PATHS for own in _TESTS.split()},
    **{f"genericpath.{own}": (kind,) for own, kind in _SIZES.items()},
    **{f"pathlib.Path.{own}": (bool,) for own in "exists is_file is_dir".split()},
    **{f"pathlib.Path.{own}": () for own in "mkdir rmdir unlink touch".split()},
    **{f"pathlib.Path.{own}": (int,) for own in ("write_text", "write_bytes")},
}
CALLED["_io.TextIOWrapper.flush"] = CALLED["_io.StringIO.flush"] = ()
CALLED.update({f"gc.{name}": () for name in ("enable", "disable", "freeze")})
CALLED.update({"gc.collect": (int,), "sys.setrecursionlimit": ()})

# What changes nothing, so that a run that fails after it can be made again.
LOOKS = frozenset(
    {f"time.{name}{unit}" for name in _CLOCKS.split() for unit in ("", "_ns")}
    | {f"{name}.{own}" for name in _PATHS for own in _TESTS.split()}
    | {f"genericpath.{own}" for own in _SIZES}
    | {f"pathlib.Path.{own}" for own in "exists is_file is_dir".split()}
)

_REFUSED: dict[str, str] = {
    "builtins": "input open",
    "io": "open open_code",
    "_io": "open open_code FileIO",
    "os": "urandom getloadavg times system popen listdir scandir stat getcwd chdir "
    "putenv unsetenv walk fdopen",
    "time": _LOCAL_TIMES,
    "datetime.datetime": "now utcnow today",
    "datetime.date": "today",
    "uuid": "uuid1 uuid4",
    "secrets": "token_bytes token_hex token_urlsafe randbelow randbits choice",
    "subprocess": "run call check_call check_output Popen",
    "pathlib.Path": "open read_text read_bytes iterdir glob rglob stat",
    "_io._TextIOBase": "read readline",
    "_io.StringIO": "getvalue read readline",
    "_io.TextIOWrapper": "read readline readlines close",
    "_io._IOBase": "read readline readlines read1 readinto readinto1 readall peek "
    "write getvalue getbuffer seek tell truncate close detach",
    **dict.fromkeys(("json", "pickle", "_pickle"), "dump load"),
    **{"gzip": "open GzipFile", "bz2": "open BZ2File", "lzma": "open LZMAFile"},
    **{"zipfile": "ZipFile", "tarfile": "TarFile", "tarfile.TarFile": "open"},
    **{"_csv.writer": "writerow writerows", "csv.DictWriter": "writerow writerows"},
    "numpy": "load fromfile memmap loadtxt genfromtxt fromregex set_printoptions "
    "seterrcall setbufsize geterr geterrcall getbufsize get_printoptions "
    "info show_config show_runtime nested_iters",
    # How many children it has had is no state that a graph puts back.
    "numpy.random.bit_generator.SeedSequence": "spawn",
    "logging.Logger": "setLevel",
    "logging": "basicConfig disable",
    "pprint": "pformat saferepr",
    "pprint.PrettyPrinter": "pprint pformat",
    # What the interpreter, a thread or a context has, and what others wait for.
    "sys": "settrace setprofile setswitchinterval set_int_max_str_digits _getframe "
    "exc_info getrefcount getsizeof exit",
    # What ends the program, and has said why.
    **{"_sitebuiltins.Quitter": "__call__", "argparse.ArgumentParser": "error exit"},
    "traceback": "print_exc format_exc",
    # Names of the caller's frame, and what is called when an object is gone.
    **{"inspect": "currentframe stack", "weakref": "finalize"},
    # Those of the tracer are among them.
    "gc": "set_threshold set_debug get_objects get_referrers get_referents get_count",
    "_warnings": "warn_explicit",
    "warnings": "simplefilter filterwarnings resetwarnings",
    **{"locale": "setlocale", "_locale": "setlocale"},
    "atexit": "register unregister",
    # Its precision and rounding are the context's, which keeps flags of it.
    **dict.fromkeys(("decimal", "_decimal"), "setcontext getcontext Decimal"),
    "decimal.Context": "clear_flags clear_traps",
    "tracemalloc": "start stop clear_traces",
    "_contextvars.ContextVar": "set reset",
    "_contextvars.Context": "run",
    "_thread": "start_new_thread start_new",
    **dict.fromkeys(
        ("_thread.lock", "_thread.RLock"),
        "acquire release locked acquire_lock __enter__ __exit__",
    ),
    "threading.Thread": "start run join",
    "threading.Barrier": "wait reset abort",
    "threading.Event": "wait",
    "threading.Condition": "acquire release wait wait_for notify notify_all "
    "__enter__ __exit__",
    "concurrent.futures._base.Executor": "submit map shutdown",
    "concurrent.futures.thread.ThreadPoolExecutor": "submit map shutdown",
    "concurrent.futures.process.ProcessPoolExecutor": "submit map shutdown",
    "concurrent.futures._base.Future": "result exception set_result cancel done",
    # What goes on where only C knows.
    "_sre.SRE_Scanner": "match search",
    "functools._lru_cache_wrapper": "cache_info cache_clear",
}
# What they tell of an exception is the function's own where it handles one itself.
_OF_HANDLED = frozenset({"sys.exc_info", "traceback.print_exc", "traceback.format_exc"})
# Given a list, these go through its lines.
_OF_LINES = frozenset({"numpy.loadtxt", "numpy.genfromtxt"})
REFUSED = {
    f"{owner}.{name}" for owner, names in _REFUSED.items() for name in names.split()
}


def call(function: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The staged form of a function of the tables; None for others."""
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        return None
    for name in _names(function):
        if _is_in_memory(name, function, args, frame):
            continue
        if name in CALLED:
            own = name.startswith("logging.")
            return _calling(placed(function) if own else function, name)
        if name in REFUSED:
            return _refusing(name)
    if (called := _coroutine_function(function)) is not None:
        return _refusing(called.__qualname__)
    of_world = world_libraries.name_of(function, frame)
    return None if of_world is None else _refusing(of_world)


def _coroutine_function(function: Any) -> Any:
    """The function that makes a coroutine; who awaits what it gives, no trace sees."""
    called = function.func if isinstance(function, functools.partial) else function
    is_python = type(called) in (types.FunctionType, types.MethodType)
    return called if is_python and inspect.iscoroutinefunction(called) else None


def _is_in_memory(
    name: str, function: Any, args: tuple[Any, ...], frame: build.Frame
) -> bool:
    """Whether a call reads, or writes, nothing but what the trace holds."""
    if name in _OF_LINES:
        return bool(args) and type(args[0]) in (list, tuple)
    if name in _OF_HANDLED:
        return sys.exc_info()[1] is not frame.trace.handled
    owner = getattr(function, "__self__", None)
    return isinstance(owner, io.BytesIO) and world_libraries.is_own(owner, frame)


def to_stream(function: Any, given: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What refuses a function of a library's that is given `sys.stdout` to print to.

    Each run prints to what that is then, and what it prints is the run's.
    """
    if not any(one is sys.stdout or one is sys.stderr for one in given):
        return None
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        return None
    own = (None, CONVERTED, GENERATOR)
    if isinstance(function, type) or why_left_alone(function) in own:
        return None
    return _refusing(getattr(function, "__qualname__", type(function).__name__))


def refuse_to_read(thing: Any) -> None:
    """WorldError: it is a file, and a loop over it, or `list` of it, reads it."""
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        return
    if isinstance(thing, io.IOBase):
        _refusing(f"{type(thing).__name__}.__next__")()


def _names(function: Any) -> list[str]:
    """How the tables may name a function: its owner's module and name, then its own."""
    own = getattr(function, "__name__", None)
    if type(own) is not str:
        return []
    owner = getattr(function, "__self__", None)
    if owner is None or isinstance(owner, types.ModuleType):
        whole = getattr(function, "__qualname__", own)
        return [f"{_module(function)}.{whole.replace('PathBase.', 'Path.')}"]
    kinds = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    return [f"{_module(kind)}.{kind.__qualname__}.{own}" for kind in kinds]


def _module(thing: Any) -> str:
    module = str(getattr(thing, "__module__", None))
    # From 3.13 on it is a package, and a Path is a PathBase.
    return "pathlib" if module.startswith("pathlib.") else module


class WorldError(OnlyPythonError):
    """What is called looks at the world outside, or changes it."""

    why = "it looks at the world outside, or changes it, by what no graph calls"


def _calling(function: Any, name: str) -> Callable[..., Any]:
    results = tuple(TensorSpec((), kind, weak=True) for kind in CALLED[name])
    noted = {"looks": True} if name in LOOKS else {}
    function = _of_stream(function)

    def staged(*args: Any, **kwargs: Any) -> Any:
        called = warner(args, kwargs) if function is warnings.warn else function
        if called is None:
            return _refusing("warnings.warn")()
        template, inputs = encode((args, kwargs), lambda part: isinstance(part, Tensor))
        positional, named = template
        made = world.host_call(
            *inputs,
            function=called,
            args=positional,
            kwargs=named,
            results=results,
            writes=True,
            **noted,
        )
        return made if results else None

    return staged


def _of_stream(function: Any) -> Any:
    """A method of sys.stdout or sys.stderr asks, at each run, what they are then."""
    owner = getattr(function, "__self__", None)
    for name in ("stdout", "stderr"):
        if owner is not None and owner is getattr(sys, name):
            method = function.__name__
            return lambda *args, **kwargs: getattr(getattr(sys, name), method)(
                *args, **kwargs
            )
    return function


# What users do not write before the name of a builtin, or of a method of a file.
_PREFIX = re.compile(r"^(builtins\.|_?io\.)")


def _refusing(name: str) -> Callable[..., Any]:
    def refused(*_: Any, **__: Any) -> Any:
        word = _PREFIX.sub("", name).replace("posix.", "os.")
        raise located(
            WorldError(
                f"{word}() would be called once, while tracing, and not when the graph "
                "runs"
            ),
            "Call it outside of the decorated function, or by ag.py_function.",
        )

    return refused

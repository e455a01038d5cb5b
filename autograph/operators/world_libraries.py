"""world_libraries: the libraries whose functions look at the world, or change it.

Sockets, processes, databases, files: what they do shows nowhere where a trace could
look. And objects with a state that only C knows, as a hash: where the trace itself has
made one, it may change it; one that others have is changed by each call of theirs.
"""

from __future__ import annotations

import datetime
import types
from typing import Any

from autograph.rules import why_module
from runtime.build import Frame

# Those that keep what is done in objects of their own, and in modules: each call of
# theirs is the run's, also of what the trace has made.
_KEEPING = frozenset({"matplotlib", "mpl_toolkits", "IPython"})
# By their own names and those of the C modules that they are made of.
_LIBRARIES = frozenset(
    "posix nt os shutil tempfile glob fileinput subprocess _posixsubprocess "
    "socket _socket select selectors ssl _ssl signal fcntl termios resource syslog pty "
    "sqlite3 _sqlite3 dbm _dbm _gdbm shelve urllib.request http.client ftplib smtplib "
    "multiprocessing asyncio _asyncio getpass webbrowser readline curses _curses "
    "winreg _winapi msvcrt ctypes _ctypes _cffi_backend mmap".split()
)
# What of these only computes, or gives what is the same for all of a program.
_COMPUTES = frozenset(
    "fspath fsencode fsdecode getpid cpu_count process_cpu_count sysconf strerror "
    "get_exec_path get_blocking device_encoding sizeof alignment byref addressof "
    "pointer POINTER cast getenv inet_aton inet_ntoa inet_pton inet_ntop htons "
    "htonl ntohs ntohl".split()
)
# Of objects: the modules of classes whose instances have a state that shows nowhere.
_STATES = frozenset(
    "_hashlib hashlib _md5 _sha1 _sha2 _sha256 _sha512 _sha3 _blake2 hmac zlib _bz2 "
    "bz2 _lzma lzma _queue".split()
)
# `os.environ` is looked at as any object of Python's.
_OF_OBJECTS = (_LIBRARIES | _STATES) - {"os"}
# The modules of classes that open something where they are called.
_OPENING = frozenset(
    "socket _socket mmap select selectors ssl sqlite3 shelve dbm dbm.dumb tempfile "
    "subprocess multiprocessing http.client smtplib ftplib".split()
)


def name_of(function: Any, frame: Frame) -> str | None:
    """What a message calls a function that each call has to make; None: none such."""
    owner = getattr(function, "__self__", None)
    for kept in (function, type(owner)):
        if _is_keeping(kept):
            return f"{kept.__module__}.{_own_name(function) or type(kept).__name__}"
    if _is_of_module(function, owner):
        return _of_library(function) or _of_unknown(function)
    name = _own_name(function)
    if isinstance(owner, type) or name in _COMPUTES:
        return None
    hides = has_hidden_state(owner) or _is_unknown(owner, name)
    if not hides or is_own(owner, frame):
        return None
    return f"{type(owner).__name__}.{name}"


def _is_of_module(function: Any, owner: Any) -> bool:
    """Whether nothing is bound to it, but a module or what stands for one."""
    return owner is None or type(owner) is _CAPSULE or type(owner) is types.ModuleType


def _is_keeping(thing: Any) -> bool:
    module: Any = getattr(thing, "__module__", None)
    return type(module) is str and module.partition(".")[0] in _KEEPING


_CAPSULE = type(datetime.datetime_CAPI)
_C_FUNCTIONS = frozenset({"cython_function_or_method", "nb_func"})


def _of_unknown(function: Any) -> str | None:
    """The name of a function in C of a library that nothing is known of."""
    kind = type(function)
    in_c = kind is types.BuiltinFunctionType or kind.__name__ in _C_FUNCTIONS
    module: Any = getattr(function, "__module__", None)
    if not in_c or type(module) is not str or why_module(module) is not None:
        return None
    return f"{module}.{_own_name(function)}"


def _is_unknown(owner: Any, name: str) -> bool:
    """Whether a method is in C, of a class of a library that nothing is known of."""
    kind = next((kind for kind in type(owner).__mro__ if name in vars(kind)), object)
    if isinstance(
        vars(kind).get(name), types.FunctionType | staticmethod | classmethod
    ):
        return False
    is_method = isinstance(vars(kind).get(name), types.MethodDescriptorType)
    return is_method and why_module(kind.__module__) is None


def has_hidden_state(thing: Any) -> bool:
    """True for an object of such a library: who holds it may change it."""
    return any(_is_in(_OF_OBJECTS, base.__module__) for base in type(thing).__mro__)


def _of_library(function: Any) -> str | None:
    kind = type(function)
    if any(base.__module__ == "_ctypes" for base in kind.__mro__):
        return getattr(function, "__name__", kind.__name__)
    module: Any = getattr(function, "__module__", None)
    name = _own_name(function)
    libraries = _OPENING if isinstance(function, type) else _LIBRARIES
    if name in _COMPUTES or not _is_in(libraries, module):
        return None
    return f"{module.lstrip('_')}.{name}"


def _own_name(function: Any) -> str:
    name = getattr(function, "__name__", "")
    return name if type(name) is str else ""


def _is_in(libraries: frozenset[str], module: Any) -> bool:
    if type(module) is not str:
        return False
    return module in libraries or module.rpartition(".")[0] in libraries


def is_own(thing: Any, frame: Frame) -> bool:
    """Whether the trace has made it, in the branch or loop in which it is now."""
    made = frame.trace.created.get(id(thing))
    return made is not None and made[0] is thing and made[1] is frame

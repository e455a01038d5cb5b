"""Say clearly when `tracer` or `runtime` on the import path is somebody else's.

Both names are common, on PyPI too, so a user's own `tracer.py` or a foreign
distribution can stand before ours. Only the standard library is imported here, and
nothing of the foreign module runs: it is found and not loaded.
"""

import os.path
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec

_NEIGHBOURS = ("tracer", "runtime")

# Our `__init__.py` files say `__distribution__ = "autograph-numpy"`. The text is looked
# for in the file: another distribution may have overwritten it, in the right place.
_MARKER = b"autograph-numpy"


def _check_neighbours() -> None:
    """Raise ImportError when a neighbour of `autograph` is missing or not ours."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for name in _NEIGHBOURS:
        spec = _find(name)
        place = _place(spec)
        if not place:
            raise _error(
                f"`{name}`, a part of autograph-numpy, is not installed in {home}",
                "Install it anew: pip install --force-reinstall autograph-numpy",
                name,
            )
        if not _same_folder(_folder(place), os.path.join(home, name)):
            raise _shadowed(name, place, home)
        if not _is_marked(spec):
            raise _overwritten(name, place)


def _find(name: str) -> ModuleSpec | None:
    """The spec of what `import name` gives or would give; None if that is nothing."""
    module = sys.modules.get(name)
    if module is None:
        return find_spec(name)
    # A module made by hand may have no spec, at which find_spec would raise.
    origin = getattr(module, "__file__", None) or "sys.modules"
    return module.__spec__ or ModuleSpec(name, None, origin=origin)


def _place(spec: ModuleSpec | None) -> str:
    """The file behind a spec, or its folder if that holds no `__init__.py`; or ""."""
    if spec is None:
        return ""
    if spec.origin:
        return spec.origin
    return next(iter(spec.submodule_search_locations or ()), "")


def _folder(place: str) -> str:
    """The package folder of an `__init__` file; anything else stays what it is."""
    folder, file = os.path.split(place)
    return folder if file.startswith("__init__.") else place


def _same_folder(one: str, other: str) -> bool:
    """Whether two paths lead to one place; inside a zip file too."""
    one, other = os.path.abspath(one), os.path.abspath(other)
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def _is_marked(spec: ModuleSpec | None) -> bool:
    """Whether the module's file, source or compiled, in a folder or a zip, is ours."""
    loader, origin = getattr(spec, "loader", None), getattr(spec, "origin", None)
    read = getattr(loader, "get_data", None)
    return origin is not None and read is not None and _MARKER in read(origin)


def _shadowed(name: str, place: str, home: str) -> ImportError:
    """The error for a module that stands before ours on the import path."""
    folder = _folder(place)
    remedy = f"Rename {folder}, or take {os.path.dirname(folder)} off sys.path."
    if not os.path.isabs(place):
        remedy = f"Take it out: del sys.modules[{name!r}]"
    elif os.path.basename(os.path.dirname(folder)) in (
        "site-packages",
        "dist-packages",
    ):
        remedy = (
            f"Uninstall the distribution it came with, likely: pip uninstall {name}"
        )
    return _error(
        f"`{name}` is imported from {place}, which is not part of autograph-numpy; "
        f"`autograph` needs the `{name}` in {home}",
        remedy,
        name,
        place,
    )


def _overwritten(name: str, place: str) -> ImportError:
    """The error for a foreign module that was installed over ours."""
    return _error(
        f"{place} is not part of autograph-numpy: another distribution has "
        f"overwritten the `{name}` that `autograph` needs",
        f"Uninstall that one, likely: pip uninstall {name}; "
        "then: pip install --force-reinstall autograph-numpy",
        name,
        place,
    )


def _error(
    message: str, remedy: str, name: str, place: str | None = None
) -> ImportError:
    error = ImportError(message, name=name, path=place)
    error.add_note(f"  {remedy}")
    return error

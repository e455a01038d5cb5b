"""Modules of ours are found and read as Python would, with fewer questions."""

import importlib
import importlib.util
import inspect
import os
import shutil
import sys
from importlib.machinery import PathFinder

import pytest

import runtime.spec
from runtime import loading


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a module; gives its folder, and what imports a module anew."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(loading, "PACKAGES", frozenset({"early"}))
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "early"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "part.py").write_text("answer = 41\n")

    def load(name="early.part"):
        for known in [one for one in sys.modules if one.partition(".")[0] == "early"]:
            del sys.modules[known]
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield folder, load
    for known in [one for one in sys.modules if one.partition(".")[0] == "early"]:
        del sys.modules[known]


def changed(file, text):
    """Write a file whose time says that it is a newer one."""
    file.write_text(text)
    later = file.stat().st_mtime + 10
    os.utime(file, (later, later))


def test_a_module_has_what_python_gives_it(package):
    _, load = package
    module = load()
    ours, path = module.__spec__, sys.modules["early"].__path__
    pythons = PathFinder.find_spec("early.part", path)
    assert isinstance(ours.loader, loading.Loader)
    for name in ("name", "origin", "cached", "has_location", "parent"):
        assert getattr(ours, name) == getattr(pythons, name), name
    assert ours.submodule_search_locations is None
    assert (module.__file__, module.__cached__) == (pythons.origin, pythons.cached)
    assert module.__package__ == "early"
    assert inspect.getsource(module) == "answer = 41\n"


def test_modules_of_ours_are_loaded_so():
    assert isinstance(runtime.spec.__spec__.loader, loading.Loader)
    known = importlib.util.cache_from_source(runtime.spec.__file__)
    assert runtime.spec.__cached__ == known


def test_bytecode_is_written_and_read(package):
    _, load = package
    cached = load().__cached__
    assert os.path.exists(cached)
    loader = load().__spec__.loader
    assert loader._read() is not None


def test_a_newer_source_is_what_runs(package):
    folder, load = package
    load()
    changed(folder / "part.py", "answer = 43\n")
    assert load().answer == 43
    assert load().__spec__.loader._read() is not None


def test_a_source_of_another_size_is_what_runs(package):
    folder, load = package
    before = os.stat(load().__file__)
    (folder / "part.py").write_text("answer = 4300\n")
    os.utime(folder / "part.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert load().answer == 4300


@pytest.mark.parametrize("kept", [0, 3, 12, 20, -1])
def test_a_file_that_is_cut_off_is_not_read(package, kept):
    _, load = package
    cached = load().__cached__
    with open(cached, "rb") as file:
        data = file.read()
    with open(cached, "wb") as file:
        file.write(data[:kept])
    loader = loading.Loader("early.part", sys.modules["early.part"].__file__, cached)
    assert loader._read() is None


def test_bytecode_that_its_digest_guards_is_left_to_python(package):
    folder, load = package
    import py_compile

    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    cached = py_compile.compile(str(folder / "part.py"), invalidation_mode=mode)
    assert cached is not None
    changed(folder / "part.py", "answer = 44\n")
    assert load().answer == 44


def test_a_package_that_was_moved_says_where_it_is(package, tmp_path, monkeypatch):
    folder, load = package
    changed(folder / "part.py", "def where():\n    pass\n")
    load()
    other = tmp_path / "other"
    shutil.copytree(folder, other / "early", copy_function=shutil.copy2)
    monkeypatch.syspath_prepend(other)
    code = load().where.__code__
    assert code.co_filename == str(other / "early" / "part.py")


def test_a_package_of_the_name_goes_first(package):
    folder, load = package
    (folder / "part").mkdir()
    (folder / "part" / "__init__.py").write_text("answer = 'package'\n")
    assert load().answer == "package"


def test_what_another_compiler_has_made_goes_first(package):
    folder, load = package
    load("early")
    path = sys.modules["early"].__path__
    assert loading.spec_of("early.part", path) is not None
    loading.modules_in.cache_clear()
    (folder / "part.cpython-311-x86_64-linux-gnu.so").write_text("")
    assert loading.spec_of("early.part", path) is None


def test_a_module_that_came_later_is_found(package):
    folder, load = package
    load()
    (folder / "late.py").write_text("answer = 45\n")
    assert load("early.late").answer == 45


def test_a_module_that_is_not_there_is_pythons_error(package):
    _, load = package
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'early\.none'"):
        load("early.none")


def test_other_modules_are_pythons():
    assert loading.spec_of("numpy.linalg", ["/nowhere"]) is None
    assert loading.spec_of("runtime", None) is None

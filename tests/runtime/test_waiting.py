"""Modules that are loaded when they are first asked for something."""

import importlib
import sys
import threading
from types import ModuleType

import pytest

from runtime import waiting


@pytest.fixture
def late(tmp_path, monkeypatch):
    """Writes a module that waits, and gives its name and the list of its runs."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(waiting, "MODULES", frozenset({"late_module"}))
    monkeypatch.delitem(sys.modules, "late_module", raising=False)
    runs = []
    monkeypatch.setattr(sys, "late_runs", runs, raising=False)

    def write(text):
        whole = f"import sys\nsys.late_runs.append(1)\n{text}"
        (tmp_path / "late_module.py").write_text(whole)
        importlib.invalidate_caches()
        return importlib.import_module("late_module")

    yield write, runs
    sys.modules.pop("late_module", None)


def test_a_module_runs_when_a_name_of_it_is_first_asked_for(late):
    write, runs = late
    module = write("answer = 42\n")
    assert runs == []
    assert module.__name__ == module.__spec__.name == "late_module"
    assert module.__file__.endswith("late_module.py")
    assert runs == []
    assert (module.answer, module.answer, runs) == (42, 42, [1])
    assert type(module) is ModuleType
    assert "answer" in vars(module)


def test_taking_a_name_from_it_runs_it(late):
    write, runs = late
    write("answer = 42\n")
    scope = {}
    exec("from late_module import answer", scope)
    assert (scope["answer"], runs) == (42, [1])


def test_what_is_set_stays_set(late):
    write, runs = late
    module = write("answer = 42\n")
    module.answer = 43
    assert (module.answer, runs) == (43, [1])


def test_its_names_are_listed(late):
    write, runs = late
    assert "answer" in dir(write("answer = 42\n"))
    assert runs == [1]


def test_a_name_that_it_does_not_have_is_an_error(late):
    write, runs = late
    module = write("answer = 42\n")
    with pytest.raises(AttributeError, match="module 'late_module' has no attribute"):
        module.question
    assert runs == [1]


def test_one_that_fails_fails_again(late):
    write, runs = late
    module = write("raise ValueError('no')\n")
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            module.answer
    assert runs == [1, 1]


def test_another_thread_waits_until_it_has_run(late):
    write, runs = late
    module = write("import time\nfirst = 1\ntime.sleep(0.1)\nlast = first + 1\n")
    found = []
    look = [
        threading.Thread(target=lambda: found.append((module.first, module.last)))
        for _ in range(4)
    ]
    for thread in look:
        thread.start()
    for thread in look:
        thread.join()
    assert (found, runs) == ([(1, 2)] * 4, [1])


def test_each_module_that_waits_is_there():
    for name in waiting.MODULES:
        assert importlib.util.find_spec(name) is not None

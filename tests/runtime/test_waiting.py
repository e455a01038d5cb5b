"""Modules that are loaded when they are first asked for something."""

import ast
import importlib
import inspect
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from runtime import loading, waiting

ROOT = Path(waiting.__file__).parents[1]
PACKAGES = ("autograph", "runtime", "tracer")


@pytest.fixture
def late(tmp_path, monkeypatch):
    """Writes a module that waits, and gives it and the list of its runs."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(loading, "PACKAGES", frozenset({"lately"}))
    monkeypatch.setattr(waiting, "LATE", frozenset({"lately.functions"}))
    runs = []
    monkeypatch.setattr(sys, "late_runs", runs, raising=False)
    (tmp_path / "lately").mkdir()
    (tmp_path / "lately" / "__init__.py").write_text("")

    def write(text, name="part"):
        whole = f"import sys\nsys.late_runs.append(1)\n{text}"
        (tmp_path / "lately" / f"{name}.py").write_text(whole)
        importlib.invalidate_caches()
        return importlib.import_module(f"lately.{name}")

    yield write, runs
    waiting._paths.pop("lately", None)
    for name in [one for one in sys.modules if one.partition(".")[0] == "lately"]:
        del sys.modules[name]


def test_a_module_runs_when_a_name_of_it_is_first_asked_for(late):
    write, runs = late
    module = write("answer = 42\n")
    assert not waiting.has_run("lately.part")
    assert module.__name__ == module.__spec__.name == "lately.part"
    assert module.__file__.endswith("part.py")
    assert module.__package__ == "lately"
    assert runs == []
    assert (module.answer, module.answer, runs) == (42, 42, [1])
    assert waiting.has_run("lately.part")
    assert type(module) is ModuleType
    assert "answer" in vars(module)
    assert importlib.reload(module) is module
    assert runs == [1, 1]


def test_taking_a_name_from_it_runs_it(late):
    write, runs = late
    write("answer = 42\n")
    scope = {}
    exec("from lately.part import answer", scope)
    assert (scope["answer"], runs) == (42, [1])


def test_those_beside_it_are_there_too(late, tmp_path):
    write, runs = late
    (tmp_path / "lately" / "other.py").write_text("answer = 43\n")
    write("answer = 42\n")
    assert not waiting.has_run("lately.other")
    scope = {}
    exec("import lately.other\nfound = lately.other.answer", scope)
    assert (scope["found"], runs) == (43, [])


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
    with pytest.raises(AttributeError, match=r"module 'lately\.part' has no attribute"):
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


FUNCTIONS = '''
def two(x, y=2, *, z=3):
    """Two of them."""
    return one(x), y, z, two

two.mark = "here"

def one(x):
    return [x]
'''


def test_a_function_that_is_taken_runs_its_module_when_it_is_called(late):
    write, runs = late
    module = write(FUNCTIONS, "functions")
    taken = module.two
    assert (taken.__name__, taken.__module__, runs) == ("two", "lately.functions", [])
    assert taken is module.two
    assert (taken(1), runs) == (([1], 2, 3, taken), [1])
    assert taken(1, z=4) == ([1], 2, 4, taken)
    assert taken is module.two
    assert (taken.__doc__, taken.mark) == ("Two of them.", "here")
    assert (taken.__defaults__, taken.__kwdefaults__) == ((2,), {"z": 3})
    assert taken.__code__.co_filename == module.__file__
    with pytest.raises(TypeError, match=r"two\(\) missing 1 required positional"):
        taken()


def test_it_is_that_function_when_another_one_has_run_the_module(late):
    write, _ = late
    module = write(FUNCTIONS, "functions")
    two, one = module.two, module.one
    assert one(1) == [1]
    assert two.__defaults__ == (2,)
    assert two(5)[3] is two


def test_what_is_a_function_by_another_way_is_called_by_it(late):
    write, runs = late
    module = write(
        "from functools import cache\n@cache\ndef f(x): return [x]\n", "functions"
    )
    taken = module.f
    assert runs == []
    assert taken(1) is taken(1) is module.f(1)
    assert module.f.cache_info().currsize == 1


def test_a_generators_function_is_called_by_the_one_that_is_taken(late):
    write, runs = late
    module = write("def f(n):\n    yield from range(n)\n", "functions")
    taken = module.f
    kind = taken.__code__.co_flags & inspect.CO_GENERATOR
    for count in (2, 3):
        assert [*taken(count)] == [*range(count)]
    # Python 3.13 warns of a function that takes the code of another kind.
    assert taken.__code__.co_flags & inspect.CO_GENERATOR == kind == 0
    assert runs == [1]


def test_a_module_whose_functions_wait_runs_for_other_names(late):
    write, runs = late
    module = write("LIMIT = 3\ndef f(): return LIMIT\n", "functions")
    taken = module.f
    assert (module.LIMIT, runs) == (3, [1])
    assert taken() == 3
    assert taken is module.f


def test_a_function_of_a_module_that_fails_fails_again(late):
    write, runs = late
    taken = write("raise ValueError('no')\n", "functions").f
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            taken()
    assert runs == [1, 1]


def test_threads_that_call_a_function_at_once_run_its_module_once(late):
    write, runs = late
    module = write(
        "import time\ntime.sleep(0.1)\ndef f(x, *, y=1): return x + y\n", "functions"
    )
    taken, found = module.f, []
    calls = [
        threading.Thread(target=lambda i=i: found.append(taken(i) - i))
        for i in range(4)
    ]
    for thread in calls:
        thread.start()
    for thread in calls:
        thread.join()
    assert (found, runs) == ([1] * 4, [1])


def test_a_function_of_one_that_another_thread_is_half_way_through_waits(late):
    write, runs = late
    module = write(
        "import time\ndef f(): return last\ntime.sleep(0.2)\nlast = 2\n", "functions"
    )
    begun = threading.Thread(target=module.f)
    begun.start()
    while not runs:
        pass
    assert (module.f(), runs) == (2, [1])
    begun.join()


# What the lists say, by the sources.


def named(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {
    named(path): ast.parse(path.read_text())
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}


def test_each_module_that_is_named_is_there():
    assert SOURCES.keys() >= waiting.AT_ONCE | waiting.LATE
    assert not waiting.AT_ONCE & waiting.LATE


def at_run(tree):
    """The statements of a module that its run reaches."""
    for node in tree.body:
        test = getattr(node, "test", None)
        if not (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"):
            yield node


def test_what_has_small_letters_in_those_whose_functions_wait_is_a_function():
    wrong = []
    for name, tree in SOURCES.items():
        for node in at_run(tree):
            if isinstance(node, ast.ImportFrom) and node.module in waiting.LATE:
                wrong += [
                    f"{name}: {node.module}.{one.name}"
                    for one in node.names
                    if one.name[0].islower()
                    and not is_function(SOURCES[node.module], one.name)
                ]
    assert wrong == []


def is_function(tree, name):
    return any(isinstance(n, ast.FunctionDef) and n.name == name for n in tree.body)


def test_their_other_names_are_no_functions_names():
    wrong = [
        f"{name}.{target.id}"
        for name in sorted(waiting.LATE)
        for node in at_run(SOURCES[name])
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in getattr(node, "targets", None) or [node.target]
        if isinstance(target, ast.Name) and target.id[0].islower()
    ]
    assert wrong == []


def test_they_do_not_ask_which_frame_is_so_far_away():
    # A first call has a frame more.
    wrong = [
        f"{name}: {ast.unparse(node)}"
        for name in sorted(waiting.LATE)
        for node in ast.walk(SOURCES[name])
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") != "user_frame"
        and any(
            isinstance(arg, ast.Call) and getattr(arg.func, "attr", "") == "_getframe"
            for arg in node.args
        )
    ]
    assert wrong == []


def test_what_fills_tables_of_others_runs_at_once():
    """A statement that changes what is imported, or calls it for nothing."""
    wrong = [
        f"{name}: {ast.unparse(node)[:60]}"
        for name, tree in SOURCES.items()
        if name.count(".") > 0
        and name.rpartition(".")[0] not in waiting._AS_PYTHON
        and name not in waiting.AT_ONCE
        and not (ROOT / name.replace(".", "/")).is_dir()
        for node in at_run(tree)
        if acts(node, imported(tree))
    ]
    assert wrong == []


def imported(tree):
    nodes = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    return {
        (one.asname or one.name).partition(".")[0] for n in nodes for one in n.names
    }


# Calls of these change nothing, or what is of this module alone.
_HARMLESS = {"register_at_fork", "overload", "cache", "contextmanager", "fixture"}
_HARMLESS |= {"struct", "textual", "recursive_repr", "lru_cache", "contextlib"}
_HARMLESS |= {"functools", "runtime_checkable", "dataclass_transform"}
_HARMLESS |= {"dataclass", "np", "final", "suppress", "fields", "opened", "wraps"}


def acts(node, names):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return any(first(one) in names - _HARMLESS for one in node.decorator_list)
    if isinstance(node, (ast.For, ast.If, ast.With)):
        return any(acts(inner, names) for inner in node.body)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        is_harmless = last(node.value) in _HARMLESS or first(node.value) == "atexit"
        return first(node.value) in names and not is_harmless
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = getattr(node, "targets", None) or [node.target]
        changed = [t for t in targets if not isinstance(t, ast.Name)]
        added = [t for t in targets if isinstance(node, ast.AugAssign)]
        return any(first(t) in names for t in changed + added)
    return False


def first(node):
    while not isinstance(node, ast.Name):
        inner = getattr(node, "func", None) or getattr(node, "value", None)
        if inner is None:
            return ""
        node = inner
    return node.id


def last(node):
    return getattr(node.func, "attr", getattr(node.func, "id", ""))

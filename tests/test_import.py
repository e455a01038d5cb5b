"""What `import autograph` loads, and that it checks its neighbours first."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import autograph as ag

ROOT = Path(__file__).resolve().parents[1]

# Each is large or belongs to a backend that the user has not asked for.
NOT_LOADED = [
    "IPython",
    "jax",
    "jaxlib",
    "llvmlite",
    "matplotlib",
    "onnx",
    "onnxruntime",
    "pandas",
    "pytest",
    "scipy",
    "tensorflow",
    "torch",
]


def run(
    code: str, *sys_path: Path, kept: Path | str = "off"
) -> subprocess.CompletedProcess[str]:
    """Run code in a Python that knows no modules but those on its own path.

    kept: the folder of what processes before it have made
    """
    path = os.pathsep.join(str(folder) for folder in (*sys_path, ROOT))
    own = {"PYTHONPATH": path, "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **own, "AUTOGRAPH_CACHE_DIR": str(kept)},
        cwd=os.path.dirname(__file__),
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """The top-level modules that are loaded after `import autograph`."""
    done = run("import sys, autograph; print(*{m.split('.')[0] for m in sys.modules})")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("name", NOT_LOADED)
def test_importing_autograph_does_not_load(loaded, name):
    assert name not in loaded


def test_importing_autograph_loads_its_neighbours(loaded):
    assert {"autograph", "tracer", "runtime", "numpy"} <= loaded


def test_importing_autograph_prints_and_warns_nothing():
    done = run("import autograph")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", ["tracer", "runtime"])
def test_a_module_that_shadows_a_neighbour_is_named_and_not_run(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("print('the foreign module was run')\n")
    done = run("import autograph", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(
        f"ImportError: `{name}` is imported from {tmp_path}/{name}.py, which is not "
        f"part of autograph-numpy; `autograph` needs the `{name}` in {ROOT}\n"
        f"  Rename {tmp_path}/{name}.py, or take {tmp_path} off sys.path.\n"
    )


def test_the_check_of_the_neighbours_takes_well_under_a_millisecond():
    code = (
        "import importlib, runpy, sys, time\n"
        f"check = runpy.run_path({str(ROOT / 'autograph' / '_neighbours.py')!r})\n"
        "times = []\n"
        "for _ in range(20):\n"
        "    importlib.invalidate_caches()\n"
        "    start = time.perf_counter()\n"
        "    check['_check_neighbours']()\n"
        "    times.append(time.perf_counter() - start)\n"
        "assert 'tracer' not in sys.modules\n"
        "print(min(times))\n"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.5e-3


@pytest.mark.parametrize("name", ["runtime", "tracer", "autograph"])
def test_a_package_is_marked_as_typed(name):
    assert (ROOT / name / "py.typed").is_file()


def test_importing_leaves_garbage_collection_as_it_was():
    for before, after in (("gc.enable()", "True"), ("gc.disable()", "False")):
        code = f"import gc; {before}; import autograph; print(gc.isenabled())"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == [after]


def test_importing_loads_what_decorating_needs_and_a_trace_the_rest():
    program = (
        "import sys, autograph as ag, numpy as np\n"
        "names = 'gast', 'tracer.tracing', 'runtime.numpy_api', 'numpy.random'\n"
        "print(*[name in sys.modules for name in names])\n"
        "ag.function(lambda x: x + 1)(np.float64(1.0))\n"
        "print(*[name in sys.modules for name in names])\n"
    )
    done = run(program)
    # NumPy loads its random numbers when they are first asked for.
    assert done.stdout == "False False False False\nTrue True True False\n", done.stderr


def test_a_first_call_loads_no_module_that_few_programs_need(tmp_path):
    program = tmp_path / "first.py"
    program.write_text(
        "import sys, autograph as ag, numpy as np\n"
        "@ag.function\n"
        "def double(x):\n"
        "    return x * 2 + 1\n"
        "from runtime.waiting import has_run\n"
        "assert double(np.ones(3)).sum() == 9.0\n"
        "print(*sorted(filter(has_run, sys.modules)))\n"
    )
    done = run(f"import runpy; runpy.run_path({str(program)!r})")
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert "tracer.tracing" in loaded
    few = {"astunparse", "decimal", "hashlib", "pathlib", "random"}
    few |= {"string", "traceback", "tracer.checkpoints", "tracer.referred"}
    assert few.isdisjoint(loaded)


@pytest.mark.parametrize(
    ("line", "most", "where_it_was_kept"),
    [
        ("return x * 2 + 1", 296, 275),
        ("return [v * 2 if v > 0 else v for v in x]", 330, 305),
        ("return sum(x[i] for i in range(len(x)) if i % 2)", 330, 305),
    ],
)
def test_a_first_call_leaves_modules_waiting_that_few_programs_need(
    tmp_path, line, most, where_it_was_kept
):
    program = tmp_path / "first.py"
    program.write_text(
        "import sys, autograph as ag, numpy as np\n"
        "from runtime.waiting import has_run\n"
        "@ag.function\n"
        "def first(x):\n"
        f"    {line}\n"
        "first(np.ones(3))\n"
        "ours = 'autograph', 'runtime', 'tracer'\n"
        "found = [n for n in sys.modules if n.partition('.')[0] in ours]\n"
        "print(sum(map(has_run, found)))\n"
    )
    code, kept = f"import runpy; runpy.run_path({str(program)!r})", tmp_path / "kept"
    done = [run(code, kept=folder) for folder in ("off", kept, kept)]
    counts = [int(one.stdout) for one in done]
    assert counts[0] <= most, done[0].stderr
    assert counts[2] <= where_it_was_kept < counts[1], done[2].stderr


def test_no_collection_goes_through_what_a_first_call_has_loaded(tmp_path):
    program = tmp_path / "first.py"
    program.write_text(
        "import gc, autograph as ag, numpy as np\n"
        "young = []\n"
        "def note(phase, info):\n"
        "    if phase == 'start':\n"
        "        young.append(len(gc.get_objects(0)))\n"
        "@ag.function\n"
        "def double(x):\n"
        "    return x * 2 + 1\n"
        "gc.callbacks.append(note)\n"
        "double(np.ones(3))\n"
        "gc.callbacks.clear()\n"
        "print(max(young, default=0) < 6_000, young)\n"
    )
    done = run(f"import runpy; runpy.run_path({str(program)!r})")
    assert done.stdout.startswith("True"), done.stdout + done.stderr


def test_every_public_name_is_listed_and_is_there():
    names = {name for name in dir(ag) if not name.startswith("_")}
    assert {"function", "convert", "print", "to_code", "UnsupportedError"} <= names
    assert all(hasattr(ag, name) for name in names)
    with pytest.raises(AttributeError) as caught:
        ag.fonction
    assert str(caught.value) == "module 'autograph' has no attribute 'fonction'"


def test_all_of_it_is_imported_but_what_is_a_name_of_pythons():
    done = run("from autograph import *; print(Variable(1.0), py_function, print)")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("<built-in function print>\n")
    own = {name for name in ag._LATER if name not in ("breakpoint", "print")}
    eager = {"Function", "config", "do_not_convert", "function"}
    assert set(ag.__all__) == own | eager


def test_no_name_that_is_loaded_later_is_that_of_a_module():
    # Importing the module would put it under the name.
    assert [name for name in ag._LATER if find_spec(f"autograph.{name}")] == []

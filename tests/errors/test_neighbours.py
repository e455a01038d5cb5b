"""What `import autograph` says when `tracer` or `runtime` is somebody else's.

Each test lays out an installation in which `autograph` is the check alone, and imports
it in a Python of its own, without the modules installed here. That the real `autograph`
runs the check is tested in tests/test_import.py.
"""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = (ROOT / "autograph" / "_neighbours.py").read_text()
OURS = '__distribution__ = "autograph-numpy"\n'
FOREIGN = "raise SystemExit('the foreign module was run')\n"
LAYOUT = {
    "autograph/__init__.py": "from ._neighbours import _check_neighbours\n"
    "_check_neighbours()\n",
    "autograph/_neighbours.py": CHECK,
    "tracer/__init__.py": OURS,
    "runtime/__init__.py": OURS,
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def import_error(*sys_path: Path, before: str = "") -> str:
    """The text that ends the traceback of `import autograph`; "" if there is none."""
    paths = [str(path) for path in sys_path]
    code = f"import sys\nsys.path[:0] = {paths!r}\n{before}\nimport autograph\n"
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(
        command, cwd=sys_path[0].parent, capture_output=True, text=True
    )
    _, found, text = done.stderr.partition("ImportError: ")
    assert done.stderr == "" or found, done.stderr
    return text


@pytest.fixture
def site(tmp_path):
    """A folder with the three packages, as pip would write it."""
    return write(tmp_path / "site", LAYOUT)


def test_our_own_neighbours_are_silent(site):
    assert import_error(site) == ""


def test_neighbours_imported_before_are_silent(site):
    assert import_error(site, before="import tracer, runtime") == ""


def test_neighbours_reached_through_a_link_are_silent(site, tmp_path):
    (tmp_path / "link").symlink_to(site)
    through_link = "sys.path.insert(0, 'link'); import tracer; del sys.path[0]"
    assert import_error(site, before=through_link) == ""


def test_compiled_neighbours_without_source_are_silent(site):
    for name in ("tracer", "runtime"):
        source = site / name / "__init__.py"
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", "-b", source], check=True
        )
        source.unlink()
    assert import_error(site) == ""


def test_neighbours_in_a_zip_file_are_silent(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, text in LAYOUT.items():
            archive.writestr(name, text)
    assert import_error(tmp_path / "all.zip") == ""


def test_a_folder_of_the_same_name_without_init_does_not_shadow(site, tmp_path):
    other = write(tmp_path / "work", {"tracer/notes.txt": ""})
    assert import_error(other, site) == ""


@pytest.mark.parametrize("name", ["tracer", "runtime"])
def test_a_module_of_the_user_is_named(site, tmp_path, name):
    work = write(tmp_path / "work", {f"{name}.py": FOREIGN})
    assert import_error(work, site) == (
        f"`{name}` is imported from {work}/{name}.py, which is not part of "
        f"autograph-numpy; `autograph` needs the `{name}` in {site}\n"
        f"  Rename {work}/{name}.py, or take {work} off sys.path.\n"
    )


@pytest.mark.parametrize("name", ["tracer", "runtime"])
def test_a_package_of_the_user_is_named(site, tmp_path, name):
    work = write(tmp_path / "work", {f"{name}/__init__.py": FOREIGN})
    assert import_error(work, site) == (
        f"`{name}` is imported from {work}/{name}/__init__.py, which is not part of "
        f"autograph-numpy; `autograph` needs the `{name}` in {site}\n"
        f"  Rename {work}/{name}, or take {work} off sys.path.\n"
    )


def test_a_foreign_module_imported_before_is_named(site, tmp_path):
    work = write(tmp_path / "work", {"tracer.py": ""})
    assert import_error(work, site, before="import tracer") == (
        f"`tracer` is imported from {work}/tracer.py, which is not part of "
        f"autograph-numpy; `autograph` needs the `tracer` in {site}\n"
        f"  Rename {work}/tracer.py, or take {work} off sys.path.\n"
    )


def test_a_module_made_by_hand_is_named(site):
    by_hand = "sys.modules['runtime'] = type(sys)('runtime')"
    assert import_error(site, before=by_hand) == (
        "`runtime` is imported from sys.modules, which is not part of "
        f"autograph-numpy; `autograph` needs the `runtime` in {site}\n"
        "  Take it out: del sys.modules['runtime']\n"
    )


def test_a_foreign_distribution_in_another_site_is_named(site, tmp_path):
    other = tmp_path / "site-packages"
    write(other, {"runtime/__init__.py": FOREIGN})
    assert import_error(other, site) == (
        f"`runtime` is imported from {other}/runtime/__init__.py, which is not part of "
        f"autograph-numpy; `autograph` needs the `runtime` in {site}\n"
        "  Uninstall the distribution it came with, likely: pip uninstall runtime\n"
    )


def test_a_foreign_distribution_written_over_ours_is_named(site):
    write(site, {"tracer/__init__.py": FOREIGN})
    assert import_error(site) == (
        f"{site}/tracer/__init__.py is not part of autograph-numpy: another "
        "distribution has overwritten the `tracer` that `autograph` needs\n"
        "  Uninstall that one, likely: pip uninstall tracer; "
        "then: pip install --force-reinstall autograph-numpy\n"
    )


@pytest.mark.parametrize("name", ["tracer", "runtime"])
def test_a_neighbour_that_is_gone_is_named(site, name):
    (site / name / "__init__.py").unlink()
    (site / name).rmdir()
    assert import_error(site) == (
        f"`{name}`, a part of autograph-numpy, is not installed in {site}\n"
        "  Install it anew: pip install --force-reinstall autograph-numpy\n"
    )


def test_a_neighbour_that_lost_its_init_is_named(site):
    (site / "tracer" / "__init__.py").unlink()
    assert import_error(site) == (
        f"{site}/tracer is not part of autograph-numpy: another distribution has "
        "overwritten the `tracer` that `autograph` needs\n"
        "  Uninstall that one, likely: pip uninstall tracer; "
        "then: pip install --force-reinstall autograph-numpy\n"
    )

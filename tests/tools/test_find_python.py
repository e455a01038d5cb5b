"""Which interpreter `tools/find_python.sh` gives the Makefile."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "find_python.sh"
VERSION = "{}.{}".format(*sys.version_info)


def find_python(
    folder: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the script with only `folder` and the system's tools on PATH."""
    return subprocess.run(
        ["/bin/sh", str(SCRIPT), *arguments],
        env={"PATH": f"{folder}:/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
    )


def write_program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def no_python(tmp_path):
    """A folder in which every name of a Python is one that does not work."""
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        write_program(tmp_path / name, "exit 127")
    return tmp_path


def test_python3_is_taken_when_it_fits(no_python):
    write_program(no_python / "python3", f'exec "{sys.executable}" "$@"')
    done = find_python(no_python)
    assert (done.returncode, Path(done.stdout.strip()).name[:6]) == (0, "python")
    assert done.stderr == ""


def test_another_name_is_taken_when_python3_does_not_work(no_python):
    write_program(no_python / f"python{VERSION}", f'exec "{sys.executable}" "$@"')
    assert find_python(no_python).returncode == 0


def test_an_interpreter_under_pyenv_is_found(no_python):
    write_program(no_python / "pyenv", f'echo "{no_python}/root"')
    home = no_python / "root" / "versions" / f"{VERSION}.99" / "bin"
    home.mkdir(parents=True)
    write_program(home / "python", f'exec "{sys.executable}" "$@"')
    assert find_python(no_python, VERSION).returncode == 0


def test_a_python_of_another_version_is_refused(no_python):
    write_program(no_python / "python3", f'exec "{sys.executable}" "$@"')
    done = find_python(no_python, "3.99")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "no working Python 3.99 with venv was found on PATH or under pyenv; "
        "install one, or name it: make PYTHON=/path/to/python3\n"
    )


def test_no_python_at_all_is_said_in_one_line(no_python):
    done = find_python(no_python)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "no working Python 3.11, 3.12 or 3.13 with venv was found on PATH or under "
        "pyenv; install one, or name it: make PYTHON=/path/to/python3\n"
    )


def test_a_python_named_by_the_user_is_not_replaced_by_another(no_python):
    write_program(no_python / "python3", f'exec "{sys.executable}" "$@"')
    old = write_program(no_python / "old", "echo Python 2.7.18; exit 1")
    done = find_python(no_python, PYTHON=str(old))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"PYTHON={old} is not a working Python 3.11, 3.12 or 3.13 with venv "
        "(Python 2.7.18)\n"
    )


def test_a_python_named_by_the_user_that_is_not_there_is_said(no_python):
    done = find_python(no_python, PYTHON="/nowhere/python3")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "PYTHON=/nowhere/python3 is not a working Python 3.11, 3.12 or 3.13 with venv "
        "(not found)\n"
    )

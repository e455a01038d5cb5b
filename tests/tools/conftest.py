"""Small projects in a temporary folder, for the tests of the project's checks."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

WriteProject = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write_project(tmp_path: Path) -> WriteProject:
    """A function that writes {path: text} and returns the folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write

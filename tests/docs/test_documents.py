"""The documents are true: their code prints what they show, their links lead there."""

import re
from pathlib import Path

import pytest

from tests.docs.documents import BLOCK, DOCUMENTS, ROOT, folder, run

LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
LIFE = "docs/life_of_a_call.md"
PACKAGES = ("autograph", "tracer", "runtime")


def links(document: str) -> set[Path]:
    """The files and folders that the document links, from the root."""
    path = ROOT / document
    prose = BLOCK.sub("", path.read_text())
    found = (path.parent / link for link in LINK.findall(prose))
    return {link.resolve() for link in found}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_code_in_a_document_prints_what_the_document_shows(document, tmp_path):
    text = (ROOT / document).read_text()
    with folder(tmp_path):
        for shown in run(text):
            assert shown.printed == shown.text


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_in_a_document_lead_somewhere(document):
    missing = [link for link in links(document) if not link.exists()]
    assert missing == []


def test_the_life_of_a_call_links_every_module_or_the_folder_it_is_one_of():
    linked = links(LIFE)
    modules = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    lost = [
        path.relative_to(ROOT).as_posix()
        for path in modules
        if path.name != "__init__.py"
        if not {path, path.parent} & linked
    ]
    assert lost == []
    assert len(modules) > 100

"""docs/python.md is what its programs say now, and no row of it is wrong unseen."""

import gc
import warnings

import numpy as np
import pytest

from tests import few_passes
from tests.conformance.constructs import justified, measure
from tests.conformance.constructs.rows import FOLDER, SECTIONS, Row, sections
from tests.docs import python_page


@pytest.fixture(scope="module")
def verdicts():
    # Coroutines that nobody awaits are told of when they are freed: not here.
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patched:
        if few_passes.OF > 1:
            few_passes.have(patched)
        warnings.filterwarnings("ignore", "coroutine .* was never awaited")
        made = python_page.verdicts()
        gc.collect()
    return made


def test_the_page_is_up_to_date(verdicts, monkeypatch):
    monkeypatch.setattr(python_page, "verdicts", lambda: verdicts)
    assert python_page.PAGE.read_text() == python_page.page(), (
        "run: python -m tests.docs.python_page"
    )


def test_no_row_is_wrong_but_those_listed(verdicts):
    wrong = {
        row.name: [verdict.text for verdict in seen]
        for _, _, rows in verdicts
        for row, seen in rows
        if "wrong" in [verdict.word for verdict in seen]
    }
    assert wrong.keys() == justified.KNOWN_WRONG.keys(), wrong


def test_no_cell_is_empty():
    lines = python_page.PAGE.read_text().splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) > 200
    assert not [line for line in rows if "|  |" in line or "not measured" in line]


def test_every_program_has_a_name_of_its_own_and_is_in_a_section():
    names = [row.name for _, _, rows in sections() for row in rows]
    files = {path.stem for path in FOLDER.glob("*.py")}
    others = {"rows", "measure", "justified", "tensorflow_column", "conftest"}
    assert files - others == set(SECTIONS)
    assert len(names) > 200


def test_what_differs_is_wrong_and_what_has_no_reason_is_no_refusal():
    def fails(x):
        return hash(object()) if x > 0 else 0

    row = Row("x", fails, ((np.float64(1.0),), (np.float64(-1.0),)), {}, "")
    assert measure.measured(row).word == "wrong"
    assert justified.reason("KeyError: 'internal'") == ""
    assert justified.reason("ValueError: this changes an array that may be y")

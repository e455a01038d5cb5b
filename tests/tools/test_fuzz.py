"""The long run of random programs: its figure line, its exit status, what it prints."""

import copy
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.choices import seeded
from tests.conformance.generator import Program, generate
from tests.conformance.harness import Disagreement, Outcome, check
from tools import fuzz


def forgets_writes(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: function(*copy.deepcopy(arguments))


def run(monkeypatch: pytest.MonkeyPatch, decorate: Callable[..., Any]) -> int:
    def checked(program: Program, folder: Path) -> Disagreement | None:
        return check(program, folder, decorate)

    monkeypatch.setattr(fuzz, "check", checked)
    monkeypatch.setattr(sys, "argv", ["fuzz.py", "--programs", "30", "--seed", "5"])
    return fuzz.main()


def test_figure_line_counts_programs_and_disagreements(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, lambda f: f) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert re.match(
        r"30 programs from seed 5, 0 disagree, 0 are refused at their line, in \d+ s ",
        line,
    )


def test_disagreements_of_one_kind_are_shown_once_and_small(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, forgets_writes) == 1
    text = capsys.readouterr().out
    assert re.findall(r"# (\d+) programs, the first has seed \d+", text)
    assert text.count("def program(") == 1
    script = text[text.index("import numpy") :].rsplit("\n", 2)[0]
    assert len(script.splitlines()) < 40
    compile(script, "<script>", "exec")


def test_one_that_disagrees_by_turns_is_shown_as_it_was(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reduced, it disagrees at the first look and agrees at the next."""
    whole = fuzz.program(5, False).text
    seen = set[str]()

    def by_turns(program: Program, _folder: Path) -> Disagreement | None:
        agrees = program.text != whole and program.text in seen
        seen.add(program.text)
        outcome = Outcome(None, None, "", ())
        return None if agrees else Disagreement("result", "1, not 2", outcome)

    monkeypatch.setattr(fuzz, "check", by_turns)
    fuzz.report({"result": [5]}, False)
    assert whole.strip() in capsys.readouterr().out


def test_a_run_that_does_not_end_is_a_disagreement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(program: Program, folder: Path) -> None:
        while True:
            pass

    monkeypatch.setattr(fuzz, "check", never)
    monkeypatch.setattr(fuzz, "SECONDS", 1)
    found = fuzz.checked(generate(seeded(0)))
    assert found is not None
    assert found.what == "end"


def test_kinds_differ_by_their_words_and_not_by_names_or_numbers() -> None:
    def kind(sentence: str) -> str:
        return fuzz.kind(Disagreement("exception", sentence, Outcome(1, None, "", ())))

    assert kind("cannot join `i0` at line 3") == kind("cannot join `f1` at line 17")
    assert kind("cannot join `i0`") != kind("cannot read `i0`")

"""pdb and coverage see the user's own file and lines in converted functions."""

import json

from tests.autograph.process import run

DEBUGGED = """\
import numpy as np
import autograph as ag

@ag.function
def f(x):
    total = x * 2
    if total.sum() > 3:
        flag = "big"
        total = total + 1
    else:
        total = total - 1
    n = 0
    while n < x[0]:
        total = total + n
        n = n + 1
    return total

print("result", f(np.array([3.0, 2.0])))
"""


def test_pdb_stops_in_a_branch_and_a_loop_and_sees_the_names(tmp_path) -> None:
    (tmp_path / "debugged.py").write_text(DEBUGGED)
    typed = "\n".join(
        ["b debugged.py:9", "b debugged.py:14", "c", "p total", "p flag", "c"]
        + ["p total", "clear 2", "c", "q", ""]
    )
    said = run(tmp_path, "-m", "pdb", "debugged.py", typed=typed).stdout
    branch, loop = said.index("debugged.py(9)f()"), said.index("debugged.py(14)f()")
    assert branch < loop
    assert "-> total = total + 1\n" in said
    assert "-> total = total + n\n" in said
    stopped = said[branch:loop].split("(Pdb) ")
    assert [part.split("\n")[0] for part in stopped[1:3]] == [
        "Tensor(float64[2])",
        "'big'",
    ]
    assert said[loop:].split("(Pdb) ")[1].startswith("Tensor(float64[2])\n")
    assert "result [10.  8.]" in said


def test_pdb_steps_from_line_to_line_of_the_user(tmp_path) -> None:
    (tmp_path / "debugged.py").write_text(DEBUGGED)
    typed = "b debugged.py:8\nc\nn\np flag\nq\n"
    said = run(tmp_path, "-m", "pdb", "debugged.py", typed=typed).stdout
    assert "debugged.py(9)f()\n-> total = total + 1\n" in said
    assert "'big'" in said


COVERED = '''\
import sys
import contextlib
import numpy as np
import autograph as ag

decorate = {"plain": lambda f: f, "converted": ag.convert, "graph": ag.function}[
    sys.argv[1]
]


@decorate
def f(x, n):
    """Every construct."""
    kinds: dict[str, int] = {}
    if n > 5:
        kinds["a"] = 1
    elif n > 2:
        kinds["b"] = 2
    else:
        kinds["c"] = 3
    while n > 0:
        n = n - 1
        if n == 1:
            continue
        if n > 100:
            break
        x = x + (
            n
            * 2
        )
    else:
        x = x * 1
    for i in range(4):
        if i == 2:
            break
        x = x + i
    with contextlib.nullcontext():
        x = x + 1
    try:
        value = kinds["missing"]
    except KeyError:
        value = 4
    finally:
        x = x + 2

    def nested(y):
        global seen
        z = y * 2
        return z if z > 0 else -z

    pairs = [
        i * j
        for i in range(2)
        for j in range(2)
        if i != j
    ]
    match value:
        case 3:
            x = x + 100
        case 4:
            x = x + 5
    assert len(pairs) == 2, (
        "two"
    )
    if (
        x > 0
        and n < 100
    ):
        return nested(
            x
        ) + max(
            i,
            value,
        )
    return nested(x)


print(f(np.float64(1), 7), f(np.float64(-90), 4), f(np.float64(1), 1))
'''


def test_coverage_misses_no_executed_line(tmp_path) -> None:
    (tmp_path / "covered.py").write_text(COVERED)
    missing, printed = [], []
    for mode in ("plain", "converted", "graph"):
        done = run(
            tmp_path,
            "-m",
            "coverage",
            "run",
            "--include=covered.py",
            "covered.py",
            mode,
        )
        assert done.stderr == ""
        printed.append(done.stdout)
        run(tmp_path, "-m", "coverage", "json", "-q", "-o", "found.json")
        report = json.loads((tmp_path / "found.json").read_text())
        missing.append(report["files"]["covered.py"]["missing_lines"])
    assert printed[0] == printed[1] == printed[2]
    assert missing[0] == missing[1]
    # A graph has both ways of a branch, so it may run lines that plain Python does not.
    assert set(missing[2]) <= set(missing[0])
    lines = COVERED.splitlines()
    assert [lines[number - 1].strip() for number in missing[0]] == [
        "break",
        "x = x + 100",
    ]

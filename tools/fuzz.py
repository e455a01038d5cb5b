"""Run many random programs plain and as graphs: the long run of tests/conformance.

    python tools/fuzz.py --programs 100000 --seed 1 --jobs 2

Program number n is made from the seed n, counted from --seed, so that any of them can
be run again alone (`--programs 1 --seed n`). Disagreements that look the same are
counted; the first of each kind is made smaller and printed as a script that shows it.
"""

import argparse
import platform
import re
import signal
import sys
import tempfile
from collections import defaultdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from types import FrameType

# The tests' generator is no part of any installed package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.conformance import in_processes
from tests.conformance.choices import seeded
from tests.conformance.generator import Program, basic, generate
from tests.conformance.harness import Disagreement, Outcome, check, is_refused
from tests.conformance.reduce import reduced

# A program takes about a millisecond in Python: past this, something does not end.
SECONDS = 30
KINDS_SHOWN = 10


class TookTooLongError(BaseException):
    """Raised by the alarm; an Exception would be taken for the outcome of a call."""


def main() -> int:
    """Run the programs; the status is 1 when one disagrees."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--basic", action="store_true", help="no try, match, with, := or comprehension"
    )
    options = parser.parse_args()
    start = perf_counter()
    kinds: dict[str, list[int]] = defaultdict(list)
    seeds = range(options.seed, options.seed + options.programs)
    refused = 0
    one = partial(run_one, is_basic=options.basic)
    outcomes = in_processes.each(one, seeds, options.jobs)
    for done, (seed, found) in enumerate(outcomes, start=1):
        if found and is_refused(found):
            refused += 1
        elif found:
            kinds[kind(found)].append(seed)
            print(f"seed {seed} disagrees", flush=True)
        if done % 1_000 == 0:
            print(
                f"{done} programs, {sum(map(len, kinds.values()))} disagree, "
                f"{refused} refused",
                flush=True,
            )
    report(kinds, options.basic)
    failed = sum(map(len, kinds.values()))
    print(
        f"{len(seeds)} {'basic ' * options.basic}programs from seed {options.seed}, "
        f"{failed} disagree, "
        f"{refused} are refused at their line, in "
        f"{perf_counter() - start:.0f} s with {options.jobs} jobs; "
        f"Python {platform.python_version()}, numpy {version('numpy')}"
    )
    return 1 if failed else 0


def run_one(seed: int, is_basic: bool) -> tuple[int, Disagreement | None]:
    """What is found of the program of `seed`."""
    return seed, checked(program(seed, is_basic))


def program(seed: int, is_basic: bool) -> Program:
    """The program of `seed`."""
    return generate(seeded(seed, basic) if is_basic else seeded(seed))


def checked(program: Program) -> Disagreement | None:
    """What the harness finds; a run that does not end is a disagreement too."""
    with tempfile.TemporaryDirectory() as folder:
        # Of the processor's time: on a busy machine the clock says nothing.
        signal.signal(signal.SIGPROF, _stop)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            return check(program, Path(folder))
        except TookTooLongError:
            sentence = f"no end: it took longer than {SECONDS} s"
            return Disagreement("end", sentence, Outcome(None, None, "", ()))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TookTooLongError


def kind(found: Disagreement) -> str:
    """What two disagreements of one cause have in common: their words."""
    words = found.sentence if found.what == "exception" else found.what
    return re.sub(r"`.*?`|[a-z]\d|[-\d.]+|program_\w+", "_", words)


def report(kinds: dict[str, list[int]], is_basic: bool) -> None:
    """The most frequent kinds, each with its smallest program."""
    frequent = sorted(kinds.values(), key=len, reverse=True)
    for seeds in frequent[:KINDS_SHOWN]:
        whole = program(seeds[0], is_basic)
        small, found = _smallest(whole)
        if found is None:
            print(f"\n# seed {seeds[0]} disagreed beside others, and agrees alone")
            continue
        print(f"\n# {len(seeds)} programs, the first has seed {seeds[0]}")
        print("\n".join(f"# {line}" for line in found.sentence.splitlines()))
        print(small.script())
    if len(frequent) > KINDS_SHOWN:
        print(f"{len(frequent) - KINDS_SHOWN} more kinds of disagreement")


def _smallest(whole: Program) -> tuple[Program, Disagreement | None]:
    """A program that disagrees, made smaller, and how; the whole, None if it agrees.

    What is reduced may disagree only after those that were tried before it.
    """
    found = checked(whole)
    if found is None:
        return whole, None
    small = reduced(whole, checked, found)
    again = checked(small)
    return (whole, found) if again is None else (small, again)


if __name__ == "__main__":
    sys.exit(main())

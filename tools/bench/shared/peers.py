"""peers: a worker process for each peer, asked by lines of JSON."""

from __future__ import annotations

import json
import os
import select
import subprocess
from pathlib import Path
from time import monotonic
from typing import Any

HERE = Path(__file__).resolve()
WORKER = HERE.with_name("worker.py")
START = 120.0  # seconds for an import
MODULES = {"tf": "tensorflow", "tf-xla": "tensorflow", "executor": "autograph"}
MODULES["native"] = "autograph"


class Unanswered(Exception):
    """A peer has not done what it was asked; why, in one line."""


class Peer:
    """A peer, and its worker once it is asked something."""

    def __init__(self, name: str, python: str) -> None:
        self.name = name
        self.python = python
        self.versions = name
        self._worker: subprocess.Popen[bytes] | None = None
        self._until = 0.0
        self._read = b""

    def ask(self, what: dict[str, Any], budget: float) -> None:
        """Send a line; `answer` gives what comes back within the budget's seconds."""
        if self._worker is None:
            self._start()
        assert self._worker is not None
        assert self._worker.stdin is not None  # made as a pipe
        self._until = monotonic() + budget
        try:
            self._worker.stdin.write(json.dumps(what).encode() + b"\n")
        except BrokenPipeError:
            pass  # `answer` finds that it has died

    def answer(self) -> dict[str, Any]:
        """What comes back. Unanswered: it is refused, late, or the worker has died."""
        line = self._line()
        if line is None:
            self.stop()
            raise Unanswered("it took too long")
        if not line:
            status = self.stop()
            raise Unanswered(f"the process died with status {status}")
        told: dict[str, Any] = json.loads(line)
        if "refused" in told:
            raise Unanswered(told["refused"])
        return told

    def stop(self) -> int | None:
        """End the worker; the next question starts another."""
        worker, self._worker, self._read = self._worker, None, b""
        if worker is None:
            return None
        with worker:  # which closes its pipes
            worker.kill()
        return worker.returncode

    def _start(self) -> None:
        command = [self.python, str(WORKER), self.name]
        pipe = subprocess.PIPE
        # The packages are found from the worker's place, whatever is installed there.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        environment["PYTHONPATH"] = str(HERE.parents[3])
        self._worker = subprocess.Popen(
            command,
            bufsize=0,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._until = monotonic() + START
        self.versions = self.answer()["versions"]

    def _line(self) -> bytes | None:
        """The next line; empty where there is none any more, None where it is late."""
        assert self._worker is not None
        assert self._worker.stdout is not None  # made as a pipe
        while b"\n" not in self._read:
            left = self._until - monotonic()
            if left <= 0 or not select.select([self._worker.stdout], [], [], left)[0]:
                return None
            part = os.read(self._worker.stdout.fileno(), 65536)
            if not part:
                return b""
            self._read += part
        line, _, self._read = self._read.partition(b"\n")
        return line


def is_there(peer: Peer) -> bool:
    """Whether the peer's module can be found by its interpreter."""
    module = MODULES.get(peer.name, peer.name)
    find = f"import importlib.util as u; raise SystemExit(not u.find_spec({module!r}))"
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[3])}
    done = subprocess.run(
        [peer.python, "-c", find], check=False, env=environment, capture_output=True
    )
    return done.returncode == 0

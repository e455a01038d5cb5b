"""A real browser without a window: headless Chromium, spoken to through a pipe.

The protocol is Chrome's DevTools protocol: JSON messages that end in a NUL.
"""

import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
WIDTH, HEIGHT = 1400, 900
PATIENCE = 30.0  # seconds
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-pipe",
    f"--window-size={WIDTH},{HEIGHT}",
    "about:blank",
)


class Page:
    """One page of the browser."""

    def __init__(self, write: int, read: int) -> None:
        self._write = write
        self._read = read
        self._left = b""
        self._count = 0
        self._session: str | None = None
        (target,) = (
            t["targetId"]
            for t in self.ask("Target.getTargets")["targetInfos"]
            if t["type"] == "page"
        )
        found = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        self.ask("Page.enable")
        self.ask("Network.enable")
        self.requests: list[str] = []
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1}
        self.ask("Emulation.setDeviceMetricsOverride", mobile=False, **size)

    def ask(self, method: str, **params: Any) -> Any:
        """The browser's answer."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method}
        message["params"] = params
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            got = self._next()
            if got.get("id") == self._count:
                assert "error" not in got, got["error"]
                return got["result"]

    def _next(self) -> Any:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], PATIENCE)
            got = os.read(self._read, 1 << 16) if ready else b""
            assert got, "the browser does not answer"
            self._left += got
        line, _, self._left = self._left.partition(b"\0")
        message = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        return message

    def open(self, path: Path) -> None:
        """Load a file and wait until its first picture is shown."""
        self.ask("Page.navigate", url=path.as_uri())
        self.run(
            "new Promise((done) => { const look = () => "
            "performance.getEntriesByName('shown').length ? done() : "
            "setTimeout(look, 5); look(); })"
        )

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.ask(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def settled(self, script: str) -> Any:
        """The same, after what has been asked for is drawn."""
        frame = "requestAnimationFrame"
        self.run(f"new Promise((done) => {frame}(() => {frame}(done)))")
        return self.run(script)

    def click(self, selector: str) -> None:
        """Press the mouse in the middle of the first element that is meant."""
        x, y = self.place(selector)
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask(
                "Input.dispatchMouseEvent",
                type=kind,
                x=x,
                y=y,
                button="left",
                buttons=1 if kind == "mousePressed" else 0,
                clickCount=1,
            )

    def move(self, x: float, y: float) -> None:
        """Move the mouse."""
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def place(self, selector: str) -> tuple[float, float]:
        """The middle of the first element that is meant."""
        found = self.run(
            f"(() => {{ const r = document.querySelector({json.dumps(selector)})"
            ".getBoundingClientRect(); "
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        return found[0], found[1]

    def type(self, text: str) -> None:
        """Type a text."""
        self.ask("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key)


@contextlib.contextmanager
def browser() -> Iterator[Page]:
    """A page of a browser of its own, which ends with the block."""
    assert CHROMIUM is not None
    to_it, from_us = os.pipe()
    to_us, from_it = os.pipe()
    shell = f'exec "$0" "$@" 3<&{to_it} 4>&{from_it}'
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            ["bash", "-c", shell, CHROMIUM, f"--user-data-dir={profile}", *FLAGS],
            pass_fds=(to_it, from_it),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_it)
        os.close(from_it)
        try:
            yield Page(from_us, to_us)
        finally:
            process.terminate()
            process.wait(10)
            os.close(from_us)
            os.close(to_us)

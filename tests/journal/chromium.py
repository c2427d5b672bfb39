"""A real Chromium to look at exported pages with, over its debugging pipe."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Page:
    """One tab; every call is answered within 30 seconds or fails."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._rest = b""
        self._count = 0
        self._session: str | None = None
        self.requests: list[str] = []

    def call(self, method: str, **params: Any) -> Any:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return answer["result"]

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._reading], [], [], 30)
            assert ready, "Chromium does not answer"
            data = os.read(self._reading, 1 << 20)
            assert data, "Chromium has gone"
            self._rest += data
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def attach(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        found = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        self.call("Page.enable")
        self.call("Network.enable")
        self.call("Runtime.enable")

    def open(self, path: Path, fragment: str = "") -> None:
        # From elsewhere: another fragment alone would not load the page anew.
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=path.as_uri() + fragment)
        self.until("document.readyState === 'complete'")

    def until(self, condition: str) -> None:
        self.js(
            f"new Promise(done => {{ const look = () => ({condition}) ? done(true)"
            " : setTimeout(look, 20); look(); })"
        )

    def js(self, expression: str) -> Any:
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    to_read, from_us = os.pipe()
    to_us, to_write = os.pipe()
    command = (
        f"exec chromium --headless=new --no-sandbox --disable-gpu --no-first-run "
        f"--disable-background-networking --user-data-dir={profile} --window-size=1200,700 "
        f"--remote-debugging-pipe about:blank 3<&{to_read} 4>&{to_write} 2>/dev/null"
    )
    browser = subprocess.Popen(
        ["bash", "-c", command], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL
    )
    os.close(to_read)
    os.close(to_write)
    try:
        page = Page(to_us, from_us)
        page.attach()
        yield page
    finally:
        browser.kill()
        browser.wait()
        os.close(to_us)
        os.close(from_us)

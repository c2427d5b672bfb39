"""How far a build is, read from what mmdebstrap and apt print."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Progress", "ProgressReader", "Report", "Stage"]

Stage = Literal["waiting", "index", "base", "download", "install", "finish", "done"]

# Where each stage begins on the way from 0 to 1, by how long it takes.
_BEGINS: dict[Stage, float] = {
    "waiting": 0.0,
    "index": 0.0,
    "base": 0.03,
    "download": 0.2,
    "install": 0.45,
    "finish": 0.95,
    "done": 1.0,
}
_ORDER = list(_BEGINS)

_PHASE: dict[str, Stage] = {
    "I: running apt-get update": "index",
    "I: downloading packages with apt": "base",
    "I: installing remaining packages": "download",
    "I: cleaning package lists": "finish",
}
_NEW = re.compile(r"\d+ upgraded, (\d+) newly installed")
_NEED = re.compile(r"Need to get ([\d.,]+) ?([kMG]?B)(?:/[\d.,]+ ?[kMG]?B)? of archives")
_GOT = re.compile(r"Get:\d+ .*\[([\d.,]+) ?([kMG]?B)\]")
_STEP = re.compile(r"(?:Unpacking|Setting up) (\S+)")
_UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}


@dataclass(frozen=True, slots=True)
class Progress:
    """One report on a build.

    Attributes:
        stage: What is being done.
        fraction: Share of the whole build that is done, from 0 to 1; it never shrinks.
        seconds: Since the build began.
        detail: The same in words, such as `installing 120 of 296: tint2`.
    """

    stage: Stage
    fraction: float
    seconds: float
    detail: str


Report = Callable[[Progress], None]


@dataclass
class ProgressReader:
    """Turns lines of output into reports, skipping lines that change nothing."""

    report: Report
    began: float = field(default_factory=time.monotonic)
    stage: Stage = "waiting"
    _fraction: float = 0.0
    _need: float = 0.0
    _got: float = 0.0
    _packages: int = 0
    _steps: int = 0

    def feed(self, line: str) -> None:
        """Take one line of output."""
        for start, stage in _PHASE.items():
            if line.startswith(start):
                self.enter(stage)
                return
        if found := _NEW.match(line):
            self._packages, self._steps = int(found[1]), 0
        elif found := _NEED.match(line):
            self._need, self._got = _size(found[1], found[2]), 0.0
        elif found := _GOT.match(line):
            self._downloaded(_size(found[1], found[2]))
        elif found := _STEP.match(line):
            self._stepped(found[1])

    def enter(self, stage: Stage, detail: str | None = None) -> None:
        """Begin a stage."""
        self.stage = stage
        self._need = self._got = 0.0
        self._packages = self._steps = 0
        self._say(0.0, detail or _WORDS[stage])

    def _downloaded(self, size: float) -> None:
        self._got += size
        if self._need:
            share = min(self._got / self._need, 1.0)
            # Most of the base stage is installing.
            words = f"downloading {self._got / 1e6:.0f} of {self._need / 1e6:.0f} MB"
            self._say(share if self.stage == "download" else share * 0.3, words)

    def _stepped(self, package: str) -> None:
        if self.stage == "download":
            packages = self._packages
            self.enter("install")
            self._packages = packages
        if not self._packages:
            return
        # Every package is unpacked once and set up once.
        self._steps = min(self._steps + 1, 2 * self._packages)
        share = self._steps / (2 * self._packages)
        done = (self._steps + 1) // 2
        words = f"installing {done} of {self._packages}: {package.partition(':')[0]}"
        self._say(share if self.stage == "install" else 0.3 + share * 0.7, words)

    def _say(self, share: float, detail: str) -> None:
        begin = _BEGINS[self.stage]
        following = _ORDER[min(_ORDER.index(self.stage) + 1, len(_ORDER) - 1)]
        fraction = begin + (_BEGINS[following] - begin) * share
        self._fraction = max(self._fraction, fraction)
        seconds = time.monotonic() - self.began
        self.report(Progress(self.stage, round(self._fraction, 4), round(seconds, 3), detail))


_WORDS: dict[Stage, str] = {
    "waiting": "waiting for another build",
    "index": "reading the package index",
    "base": "making the base system",
    "download": "downloading packages",
    "install": "installing packages",
    "finish": "finishing",
    "done": "done",
}


def _size(number: str, unit: str) -> float:
    return float(number.replace(",", "")) * _UNITS[unit]

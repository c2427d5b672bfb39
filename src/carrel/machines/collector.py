"""All that was written about a machine and in it, from four sources, in the order of time."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from carrel.errors import InvalidInput
from carrel.machines.apps import APP_LOG
from carrel.machines.chronicle import Chronicle
from carrel.machines.keep import Keep
from carrel.machines.linelog import CARREL_LOG, Tail, split_stamp

__all__ = ["SOURCES", "Collector", "LogLine", "Source", "parse_since"]

Source = Literal["app", "system", "engine", "carrel"]
SOURCES: tuple[Source, ...] = get_args(Source)
"""What deployed programs wrote; the guest and the desk's programs; the engine that runs the
machine; what Carrel did and decided."""

_ENGINE = re.compile(
    r"(holder|launcher|runsc|qemu[-\w]*|docker|podman|limactl|lume|firecracker)(\[\d+\])?: "
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\."  # runsc
    r"|\[ *\d+\.\d{6}\]"  # a kernel
)
_GUESTS_OWN = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ")
_AGO = re.compile(r"(\d+(?:\.\d+)?) ?(s|m|h|d)", re.ASCII)
_TOLD = ("started", "stopped")
_HAPPENED = {"crashed": "the machine failed", "hook-failed": "a hook failed"}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line.

    Attributes:
        at: When it was written, in seconds since the epoch.
        who: Which app, or which part of Carrel.
        stream: `out` or `err` of an app; `ends` tells of an end of it.
    """

    at: float
    source: Source
    text: str
    who: str = ""
    stream: str = ""


class _File:
    """One of the logs, read on from where it was read before."""

    def __init__(self, path: Path, read: Callable[[bytes], LogLine | None]) -> None:
        self._tail = Tail(path)
        self._read = read
        self._last = 0.0

    def lines(self) -> Iterator[LogLine]:
        for raw in self._tail.read():
            line = self._read(raw)
            if line is not None:
                # A line without a moment of its own has that of the one before.
                self._last = line.at or self._last
                yield line if line.at else replace(line, at=self._last)
        if self._tail.missed:
            self._tail.missed = False
            yield LogLine(time.time(), "carrel", "older lines were dropped before they were read")

    def close(self) -> None:
        self._tail.close()


class Collector:
    """The logs of one machine; `read` again gives what came since.

    Args:
        directory: The machine's.
        sources: Which to read.
    """

    def __init__(self, directory: Path, sources: Collection[Source] = SOURCES) -> None:
        keep = Keep(directory)
        chronicle = Chronicle(directory.parent.parent).path
        self._sources = frozenset(sources)
        self._files = [
            _File(keep.console, _read_console),
            _File(keep.decisions, _read_decision),
            _File(directory / CARREL_LOG, _read_carrel),
            _File(directory / APP_LOG, _read_app),
            _File(chronicle, partial(_read_happening, directory.name)),
        ]

    def read(self) -> list[LogLine]:
        """The lines that came since the last call, in the order of time."""
        found = [line for file in self._files for line in file.lines()]
        wanted = [line for line in found if line.source in self._sources]
        return sorted(wanted, key=lambda line: line.at)

    def close(self) -> None:
        """Let go of the files."""
        for file in self._files:
            file.close()


def _read_console(raw: bytes) -> LogLine:
    at, rest = split_stamp(raw)
    text = rest.decode(errors="replace").rstrip("\r")
    if text.startswith("keeper: "):
        return LogLine(at or 0.0, "carrel", text.removeprefix("keeper: "), "keeper")
    if at is not None:
        text = _GUESTS_OWN.sub("", text, count=1)
    return LogLine(at or 0.0, "engine" if _ENGINE.match(text) else "system", text)


def _read_carrel(raw: bytes) -> LogLine:
    at, rest = split_stamp(raw)
    who, _, text = rest.decode(errors="replace").partition(": ")
    return LogLine(at or 0.0, "carrel", text, who)


def _read_app(raw: bytes) -> LogLine | None:
    # The last line of a full disk may be half written; others only say how far we have read.
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        entry = json.loads(raw)
        at = datetime.fromisoformat(entry["at"]).timestamp()
        stream = str(entry["stream"])
        return LogLine(at, "app", str(entry["text"]), str(entry["app"]), stream)
    return None


def _read_decision(raw: bytes) -> LogLine | None:
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        entry = json.loads(raw)
        at = datetime.fromisoformat(entry["at"]).timestamp()
        carried = f", {entry['bytes_out']} bytes out, {entry['bytes_in']} in"
        text = f"{entry['verdict']} {entry['host']}:{entry['port']} {entry['reason']}".rstrip()
        return LogLine(at, "carrel", text + carried * (entry["verdict"] == "closed"), "egress")
    return None


def _read_happening(identity: str, raw: bytes) -> LogLine | None:
    """What the store's chronicle says of this machine, beyond what its keeper says itself."""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        entry = json.loads(raw)
        if entry["id"] == identity and entry["kind"] not in _TOLD:
            at = datetime.fromisoformat(entry["at"]).timestamp()
            facts = "".join(
                f", {key} {_words(value)}" for key, value in entry.get("facts", {}).items()
            )
            cause = f": {entry['cause']}" if entry.get("cause") else ""
            what = _HAPPENED.get(entry["kind"], f"the machine was {entry['kind']}")
            return LogLine(at, "carrel", f"{what}{facts}{cause}", "store")
    return None


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def parse_since(text: str, now: float | None = None) -> float:
    """A moment as people write it: `10m` and `2h` ago, `2026-01-31T12:00`, or seconds since 1970.

    Raises:
        InvalidInput: It is none of these.
    """
    found = _AGO.fullmatch(text.strip())
    if found is not None:
        return (time.time() if now is None else now) - float(found[1]) * _SECONDS[found[2]]
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromisoformat(text.strip()).timestamp()
    with suppress(ValueError):
        seconds = float(text)
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    raise InvalidInput(
        f"{text[:60]!a} is not a moment", hint="such as 10m, 2h, 2026-01-31T12:00 or 1769860800"
    )

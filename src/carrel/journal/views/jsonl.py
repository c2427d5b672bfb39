"""The events of a run as JSON lines, with the pictures inside on request."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from carrel import codec
from carrel.codec import Json
from carrel.events import Event
from carrel.journal.blobs import read_blob
from carrel.journal.reader import read_events

__all__ = ["lines", "write_jsonl"]


def write_jsonl(run: str, file: BinaryIO, *, home: Path | None = None, blobs: bool = False) -> None:
    """Write every event on a line of its own; with `blobs`, each blob once, as base64.

    Raises:
        NotFound: There is no such run, or a blob is missing.
        RunError: The journal or a blob is damaged.
    """
    for wire in lines(run, home=home, blobs=blobs):
        text = json.dumps(wire, ensure_ascii=False, separators=(",", ":"))
        file.write(text.encode("utf-8", "backslashreplace") + b"\n")


def lines(run: str, *, home: Path | None = None, blobs: bool = False) -> Iterator[dict[str, Json]]:
    """The events as JSON objects; with `blobs`, the first that names one has it in `blob_data`."""
    seen: set[str] = set()
    for event in read_events(run, home):
        wire = _wire(event)
        if blobs:
            new = [sha for sha in dict.fromkeys(event.blobs) if sha not in seen]
            seen.update(new)
            wire["blob_data"] = {
                sha: base64.b64encode(read_blob(run, sha, home)).decode() for sha in new
            }
        yield wire


def _wire(event: Event) -> dict[str, Json]:
    return {
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "run": event.run,
        "data": codec.encode(event.data),
        "blobs": list(event.blobs),
        "previous": event.previous,
    }

"""A run as one page that plays it: no network, no other file, nothing in it can run but our own.

What a run holds (a model's words, a page's title, a file's content) is hostile until proven
otherwise. It goes into the page as JSON in which no tag can begin, the player shows it as text
only, and the page's policy allows our script and style by their hashes and nothing else.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import BinaryIO

from carrel.codec import Json
from carrel.errors import NotFound
from carrel.events import Event
from carrel.journal.blobs import read_blob
from carrel.journal.reader import read_events
from carrel.journal.run import Run, fold
from carrel.journal.views.document import write_document
from carrel.journal.views.moments import Moment, tell
from carrel.journal.views.phrases import money, standing

__all__ = ["write_html"]

_NEEDS = "<noscript>This page plays a run; it needs JavaScript, and no network.</noscript>"

_MEDIA = ((b"\x89PNG", "image/png"), (b"\xff\xd8", "image/jpeg"), (b"RIFF", "image/webp"))


def write_html(run: str, file: BinaryIO, *, home: Path | None = None) -> None:
    """Write the page. A picture that is missing is said to be; the rest plays.

    Raises:
        NotFound: There is no such run.
        RunError: The journal or a picture is damaged.
    """
    events = list(read_events(run, home))
    moments = list(tell(events))
    document = {
        "run": _head(run, fold(events), home),
        "moments": [_moment(moment) for moment in moments],
        "pictures": _pictures(run, events, home),
    }
    page = write_document(
        _flat(f"{fold(events).task[:80]} · Carrel"),
        _part("player.css"),
        f'{_NEEDS}\n<script type="application/json" id="run">{_inert(document)}</script>',
        script=_part("player.js"),
    )
    file.write(page)


def _part(name: str) -> str:
    return resources.files("carrel.journal.views").joinpath(name).read_text("utf-8")


def _inert(document: object) -> str:
    """JSON in ASCII without any character that means something to HTML."""
    text = json.dumps(document, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _flat(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().split())


def _head(name: str, run: Run, home: Path | None) -> dict[str, Json]:
    status, reason = standing(name, str(run.status), run.reason, home)
    return {
        "id": name,
        "task": run.task,
        "model": run.model,
        "status": status,
        "reason": reason,
        "steps": run.steps,
        "cost": money(run.cost),
        "seconds": run.seconds,
        "started": run.started,
        "tokens": run.usage.total,
    }


def _moment(moment: Moment) -> dict[str, Json]:
    return {
        "seq": moment.seq,
        "at": moment.at,
        "step": moment.step,
        "kind": moment.kind,
        "title": moment.title,
        "lines": [list(line) for line in moment.lines],
        "tone": moment.tone,
        "frame": moment.frame,
        "screen": list(moment.screen) if moment.screen else None,
        "marks": [
            {"kind": mark.kind, "points": [list(p) for p in mark.points], "label": mark.label}
            for mark in moment.marks
        ],
        "cost": money(moment.cost),
    }


def _pictures(run: str, events: Sequence[Event], home: Path | None) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for event in events:
        for sha in event.blobs:
            if event.kind == "frame" and sha not in found:
                try:
                    found[sha] = _data_url(read_blob(run, sha, home))
                except NotFound:
                    found[sha] = None
    return found


def _data_url(data: bytes) -> str:
    media = next((media for magic, media in _MEDIA if data.startswith(magic)), "image/png")
    return f"data:{media};base64,{base64.b64encode(data).decode()}"

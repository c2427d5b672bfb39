"""Outcomes as one page to read: every step, and the picture where it went wrong."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from html import escape
from importlib import resources
from itertools import groupby
from urllib.parse import quote

from carrel.journal.views.document import write_document
from carrel.models.steps.state import Record
from carrel.scenarios.outcome import Outcome, summarise

__all__ = ["Picture", "Replay", "write_page"]

Picture = Callable[[Outcome], bytes | None]
"""The last picture of a run as PNG, or None."""
Replay = Callable[[Outcome], str | None]
"""The file of the page that plays a run, seen from the report's; None when there is none."""


def write_page(outcomes: Iterable[Outcome], picture: Picture, replay: Replay) -> bytes:
    """The whole page: no script, no network, and pictures only of what did not pass."""
    listed = list(outcomes)
    title = summarise(listed)
    seconds = sum(outcome.seconds for outcome in listed)
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="dim">{seconds:.1f} s in all</p>']
    for file, group in groupby(listed, key=lambda outcome: outcome.file):
        parts.append(f"<h2>{escape(file)}</h2>")
        parts += [_scenario(outcome, picture, replay) for outcome in group]
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    return write_document(title, style, "\n".join(parts))


def _scenario(outcome: Outcome, picture: Picture, replay: Replay) -> str:
    steps = "\n".join(map(_step, outcome.records))
    parts = [f"<ol>{steps}</ol>"]
    if outcome.verdict != "passed":
        parts.insert(0, f'<p class="account">{escape(outcome.account)}</p>')
        image = picture(outcome)
        if image is not None:
            data = base64.b64encode(image).decode()
            parts.append(f'<img alt="the screen at the end" src="data:image/png;base64,{data}">')
    where = replay(outcome)
    if where is not None:
        # The report is called what a person likes, also by names that are no text.
        link = quote(where, errors="surrogateescape")
        parts.append(f'<p><a href="{escape(link)}">play the run</a></p>')
    doubtful = len(outcome.doubtful)
    told = f'<span class="doubt">{doubtful} doubtful</span>' if doubtful else ""
    is_open = "" if outcome.verdict == "passed" and not doubtful else " open"
    return (
        f'<details class="{outcome.verdict}"{is_open}><summary>'
        f'<span class="verdict">{outcome.verdict}</span>'
        f'<span class="name">{escape(outcome.name)}</span>{told}'
        f'<span class="seconds">{outcome.seconds:.1f} s</span></summary>\n'
        + "\n".join(parts)
        + "\n</details>"
    )


def _step(record: Record) -> str:
    told = f' <span class="dim">{escape(record.account)}</span>' if record.account else ""
    if record.doubt:
        told += f' <span class="doubt">in doubt: {escape(record.doubt)}</span>'
    return f'<li class="{record.how}"><span class="words">{escape(record.words)}</span>{told}</li>'

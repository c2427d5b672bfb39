"""Outcomes as one page to read: every step, and the picture where it went wrong."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from html import escape
from importlib import resources
from itertools import groupby

from carrel.models.steps.state import Record
from carrel.scenarios.outcome import Outcome, summarise

__all__ = ["Picture", "Replay", "write_page"]

Picture = Callable[[Outcome], bytes | None]
"""The last picture of a run as PNG, or None."""
Replay = Callable[[Outcome], str | None]
"""Where the page that plays a run is, seen from the report; None when there is none."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<p class="dim">{summary}</p>
{body}
</body>
</html>
"""


def write_page(outcomes: Iterable[Outcome], picture: Picture, replay: Replay) -> str:
    """The whole page: no script, no network, and pictures only of what did not pass."""
    listed = list(outcomes)
    style = resources.files("carrel.scenarios").joinpath("page.css").read_text()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    seconds = sum(outcome.seconds for outcome in listed)
    parts = []
    for file, group in groupby(listed, key=lambda outcome: outcome.file):
        parts.append(f"<h2>{escape(file)}</h2>")
        parts += [_scenario(outcome, picture, replay) for outcome in group]
    return _PAGE.format(
        policy=f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'",
        title=summarise(listed),
        style=style,
        summary=f"{seconds:.1f} s in all",
        body="\n".join(parts),
    )


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
        parts.append(f'<p><a href="{escape(where)}">play the run</a></p>')
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

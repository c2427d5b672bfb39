"""Ways to look at a run: a page that plays it, a film, and two interchange formats."""

from carrel.journal.views.atif import write_atif
from carrel.journal.views.html import write_html
from carrel.journal.views.jsonl import write_jsonl
from carrel.journal.views.moments import Mark, Moment, tell
from carrel.journal.views.video import write_gif, write_webm

__all__ = [
    "Mark",
    "Moment",
    "tell",
    "write_atif",
    "write_gif",
    "write_html",
    "write_jsonl",
    "write_webm",
]

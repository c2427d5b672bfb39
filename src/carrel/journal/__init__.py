"""The record of what happened: journals, what they amount to, and views of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carrel.journal.blobs import read_blob
    from carrel.journal.ends import FINAL, EndReason, Status
    from carrel.journal.index import Runs, Summary
    from carrel.journal.journal import Journal, is_being_written
    from carrel.journal.mailbox import Mailbox, Message
    from carrel.journal.paths import runs_home
    from carrel.journal.reader import Reader, read_events
    from carrel.journal.redact import Redactor
    from carrel.journal.run import Folding, OpenAsk, Run, UnfinishedAct, fold, load_run
    from carrel.journal.verify import Verification
    from carrel.journal.words import in_words

__all__ = [
    "FINAL",
    "EndReason",
    "Folding",
    "Journal",
    "Mailbox",
    "Message",
    "OpenAsk",
    "Reader",
    "Redactor",
    "Run",
    "Runs",
    "Status",
    "Summary",
    "UnfinishedAct",
    "Verification",
    "fold",
    "in_words",
    "is_being_written",
    "load_run",
    "read_blob",
    "read_events",
    "runs_home",
]

# Loaded when used: who needs only the reasons a run can end for does not pay for SQLite.
_HOMES = {
    "blobs": ("read_blob",),
    "ends": ("FINAL", "EndReason", "Status"),
    "index": ("Runs", "Summary"),
    "journal": ("Journal", "is_being_written"),
    "mailbox": ("Mailbox", "Message"),
    "paths": ("runs_home",),
    "reader": ("Reader", "read_events"),
    "redact": ("Redactor",),
    "run": ("Folding", "OpenAsk", "Run", "UnfinishedAct", "fold", "load_run"),
    "verify": ("Verification",),
    "words": ("in_words",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    module = _HOME.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value

"""The record of what happened: journals, what they amount to, and views of them."""

from carrel.journal.blobs import read_blob
from carrel.journal.ends import FINAL, EndReason, Status
from carrel.journal.index import Runs, Summary
from carrel.journal.journal import Journal, is_being_written
from carrel.journal.mailbox import Mailbox, Message
from carrel.journal.paths import runs_home
from carrel.journal.reader import Reader, read_events
from carrel.journal.redact import Redactor
from carrel.journal.run import OpenAsk, Run, UnfinishedAct, fold, load_run
from carrel.journal.verify import Verification, verify
from carrel.journal.words import in_words

__all__ = [
    "FINAL",
    "EndReason",
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
    "verify",
]

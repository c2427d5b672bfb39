"""Entries of lists: what a page lists, told as such or only built alike, and which one is meant."""

from carrel.models.steps.entries.lists import Entry, lists_on
from carrel.models.steps.entries.meant import Meant, entry_meant
from carrel.models.steps.entries.splits import Split, splits_of
from carrel.models.steps.entries.wording import is_choice, told_of

__all__ = [
    "Entry",
    "Meant",
    "Split",
    "entry_meant",
    "is_choice",
    "lists_on",
    "splits_of",
    "told_of",
]

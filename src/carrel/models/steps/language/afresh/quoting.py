"""What of a step stands in quotes, and so is meant as it is written."""

from __future__ import annotations

import re

from carrel.models.steps import program as p

__all__ = ["QUOTED", "is_quoted", "quotes"]

QUOTED = re.compile(r"[\"“«‘「][^\"”»’」]*[\"”»’」]|\[[^\]]*\]")
"""What is never taken apart."""


def is_quoted(step: p.Enter) -> bool:
    """Whether the text that is typed was quoted."""
    return quotes(step.words, step.text)


def quotes(words: str, text: str) -> bool:
    """Whether a text is quoted in these words."""
    return re.search(rf"[\"“«‘「]{re.escape(text)}", words) is not None

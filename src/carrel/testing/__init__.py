"""Doubles for tests, yours and ours: a provider of models and a computer.

They are real where it matters: `FakeProvider` is an HTTP server that the official SDKs talk to and
that refuses what the real APIs refuse; `FakeComputer` answers the calls of `carrel.computer` and
draws a picture that changes with what is done to it.
"""

from __future__ import annotations

from carrel.testing import anthropic, chat, gemini, openai
from carrel.testing.answers import (
    Answer,
    Fault,
    Reply,
    disconnect,
    empty,
    filtered,
    garbage,
    hang,
    overloaded,
    raw,
    refusal,
    status,
    text,
    truncated,
)
from carrel.testing.computer import FakeComputer
from carrel.testing.provider import FakeProvider, Script
from carrel.testing.seen import Seen

__all__ = [
    "Answer",
    "FakeComputer",
    "FakeProvider",
    "Fault",
    "Reply",
    "Script",
    "Seen",
    "anthropic",
    "chat",
    "disconnect",
    "empty",
    "filtered",
    "garbage",
    "gemini",
    "hang",
    "openai",
    "overloaded",
    "raw",
    "refusal",
    "status",
    "text",
    "truncated",
]

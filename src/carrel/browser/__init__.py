"""Talking to the browser of a desk over its debugging protocol."""

from __future__ import annotations

from carrel.browser.cdp import Event, Events, ScriptError, Session, connect, first_page
from carrel.browser.targets import Dial, Target, dial_tcp, list_targets

__all__ = [
    "Dial",
    "Event",
    "Events",
    "ScriptError",
    "Session",
    "Target",
    "connect",
    "dial_tcp",
    "first_page",
    "list_targets",
]

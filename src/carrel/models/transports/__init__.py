"""Transports: how requests reach the providers, through their official SDKs.

Importing this imports no SDK; opening a transport does.
"""

from __future__ import annotations

from carrel.models.transports.providers import (
    PROVIDERS,
    Provider,
    find_provider,
    open_transport,
)
from carrel.models.transports.transport import Timeouts, Transport

__all__ = [
    "PROVIDERS",
    "Provider",
    "Timeouts",
    "Transport",
    "find_provider",
    "open_transport",
]

"""Doing without `ssl`, which is loaded with anyio and used by nobody in a guest or a keeper.

Both carry other people's encrypted bytes and encrypt none themselves. Loading OpenSSL for that
costs every machine up to 5 MB and 10 ms.
"""

from __future__ import annotations

import sys
from types import ModuleType

__all__ = ["do_without_tls"]


class _Refused:
    def __init__(self, *_: object, **__: object) -> None:
        raise RuntimeError("this process does without TLS")


class _Absent(ModuleType):
    """Has the classes that others name in annotations and `except` clauses, and none that works."""

    def __getattr__(self, name: str) -> type:
        if not name[:1].isupper() or name.isupper():
            raise AttributeError(f"this process does without TLS: there is no ssl.{name}")
        found = type(name, (OSError,) if name.endswith("Error") else (_Refused,), {})
        setattr(self, name, found)
        return found


def do_without_tls() -> None:
    """Let `import ssl` cost nothing in this process, unless it is loaded already."""
    sys.modules.setdefault("ssl", _Absent("ssl"))

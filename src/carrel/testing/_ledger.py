"""What a `FakeProvider` remembers of its own answers, to check what is sent back to it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from dataclasses import dataclass, field

from carrel.codec import Json

__all__ = ["Ledger"]


@dataclass(slots=True)
class Ledger:
    """Ids, signatures and promises of one server.

    Attributes:
        checks: Pending safety checks of each computer call, by its call id.
        needs: The reasoning item that each item of the Responses API came after.
        thinking: The signatures that stood before each Anthropic tool use, by its id.
        bound: What stood before each Anthropic thinking block when it was made, by its signature:
            a fingerprint of the conversation, and the signature of the thinking before it.
        stored: Input and output of stored responses, by the response's id.
    """

    secret: bytes
    checks: dict[str, list[Json]] = field(default_factory=dict)
    needs: dict[str, str] = field(default_factory=dict)
    thinking: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bound: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    stored: dict[str, list[Json]] = field(default_factory=dict)
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mint(self, prefix: str) -> str:
        """A new id, such as `call_7`."""
        with self._lock:
            self._count += 1
            return f"{prefix}{self._count:06d}"

    def sign(self, *facts: object) -> str:
        """A signature that only this server can give."""
        text = json.dumps(facts, sort_keys=True, ensure_ascii=False).encode()
        digest = hmac.new(self.secret, text, hashlib.sha256).digest()
        return base64.b64encode(digest).decode("ascii")

    def signed(self, signature: object, *facts: object) -> bool:
        """Whether a signature is this server's own, for these facts."""
        return isinstance(signature, str) and hmac.compare_digest(
            signature.encode(), self.sign(*facts).encode()
        )

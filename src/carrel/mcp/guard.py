"""Who may use what is published on loopback: whoever has the token, and no web page."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Guard", "Refusal"]

Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP status and its reason."""

    status: int
    reason: str


class Guard:
    """Checks the head of a request.

    A page in a browser can send requests to loopback under a name of its own (DNS rebinding), so
    the host must be loopback by name; and one that says it comes from a page must be ours.

    Args:
        port: Where we listen.
        token: What a request must carry.
    """

    def __init__(self, port: int, token: str) -> None:
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}".encode() for name in names}
        self._origins = {f"http://{name}:{port}".encode() for name in names}
        self._token = token.encode()

    def check(self, headers: Headers) -> Refusal | None:
        """Why a request is refused; None when it may pass."""
        found: dict[bytes, list[bytes]] = {}
        for name, value in headers:
            found.setdefault(name.lower(), []).append(value.strip())
        hosts = found.get(b"host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return Refusal(421, "the host is not this computer's loopback")
        if any(origin.lower() not in self._origins for origin in found.get(b"origin", [])):
            return Refusal(403, "requests of web pages are not answered")
        if not self._has_token(found.get(b"authorization", [])):
            return Refusal(401, "the token is missing or wrong")
        return None

    def _has_token(self, given: list[bytes]) -> bool:
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(b" ")
        # In the same time, however much of it is right.
        same = hmac.compare_digest(token.strip(), self._token)
        return same and scheme.lower() == b"bearer"

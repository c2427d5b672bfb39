"""Firecracker's API over its unix socket. Blocking: call it in a thread."""

from __future__ import annotations

import http.client
import json
import os
import socket
from contextlib import suppress
from pathlib import Path

from carrel.codec import Json
from carrel.errors import CarrelError, MachineLost, RunError, TimedOut, WrongState
from carrel.machines.firecracker.wishes import Wish

__all__ = ["API_SOCKET", "FirecrackerApi", "connect_in"]

API_SOCKET = "api.sock"
"""Its name in the directory that Firecracker runs in."""

_MOST_SAID = 500
_UNTIMELY = (
    "not supported after starting the microVM",
    "not supported before starting the microVM",
    "not allowed after configuring boot-specific resources",
)
"""How Firecracker says that the moment is wrong, not the wish."""


def connect_in(directory: Path, name: str, timeout: float) -> socket.socket:
    """Connect to a socket in a directory whose path may be longer than a socket's address.

    Raises:
        OSError: Nobody listens there.
    """
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connected.settimeout(timeout)
    try:
        place = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            connected.connect(f"/proc/self/fd/{place}/{name}")
        finally:
            os.close(place)
    except BaseException:
        connected.close()
        raise
    return connected


class _Connection(http.client.HTTPConnection):
    def __init__(self, root: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._root = root
        self._seconds = timeout

    def connect(self) -> None:
        self.sock = connect_in(self._root, API_SOCKET, self._seconds)


class FirecrackerApi:
    """One Firecracker.

    Args:
        root: The directory it runs in.
        timeout: Seconds it has to answer; a snapshot takes as long as its memory is large.
    """

    def __init__(self, root: Path, timeout: float = 30.0) -> None:
        self._root = root
        self._timeout = timeout

    def state(self) -> str:
        """`Not started`, `Running` or `Paused`."""
        return str(self._read("/").get("state"))

    def ask(self, wish: Wish) -> None:
        """Have something done.

        Raises:
            WrongState: This is not the moment for it.
            RunError: It was refused, with Firecracker's words.
            MachineLost: Nobody listens.
        """
        self._call(wish.method, wish.path, json.dumps(wish.body).encode())

    def _read(self, path: str) -> dict[str, Json]:
        told = self._call("GET", path, None)
        if not isinstance(told, dict):
            raise RunError(f"Firecracker said {str(told)[:100]!r}", op=_op(path))
        return told

    def _call(self, method: str, path: str, body: bytes | None) -> Json:
        connection = _Connection(self._root, self._timeout)
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
        except TimeoutError:
            raise TimedOut("Firecracker does not answer", op=_op(path)) from None
        except (OSError, http.client.HTTPException) as error:
            raise MachineLost(f"Firecracker does not listen: {error}", op=_op(path)) from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise _refusal(answer.status, text, path)
        return json.loads(text) if text else None


def _op(path: str) -> str:
    return f"firecracker{path.rstrip('/').replace('/', '.')}"


def _refusal(status: int, text: bytes, path: str) -> CarrelError:
    said = text.decode(errors="replace").strip()
    with suppress(ValueError, KeyError, TypeError):
        said = str(json.loads(text)["fault_message"])
    said = said[:_MOST_SAID]
    if any(words in said for words in _UNTIMELY):
        return WrongState(f"Firecracker says: {said}", op=_op(path))
    return RunError(f"Firecracker refused {path} ({status}): {said}", op=_op(path))

"""The HTTP API of `lume serve`. Blocking: call it in a thread.

Routes, bodies and answers as in the source of Lume 0.3.10 (repository trycua/cua, libs/lume/src:
Server/Server.swift, Server/Requests.swift, Server/Handlers.swift, VM/VMDetails.swift). Its routes
are matched with the query still on them, so none is sent; whatever fails is answered with 400 and a
message.
"""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from carrel.codec import Json
from carrel.errors import InvalidInput, NotFound, RunError, TimedOut, Unavailable

__all__ = ["LumeApi", "Share", "Vm"]

DEFAULT_URL = "http://127.0.0.1:7777"
INSTALL = (
    "start it on a Mac with Apple silicon: lume serve; from a Linux there, say where it is: "
    "CARREL_LUME_URL=http://HOST:7777"
)
_QUICK = 30.0
# It answers five seconds after a machine has stopped, to be sure of its locks.
_STOP_SECONDS = 120.0
_COPY_SECONDS = 900.0
_PULL_SECONDS = 4 * 3600.0
_MOST_SAID = 600


@dataclass(frozen=True, slots=True)
class Share:
    """A directory of the Mac's that a virtual machine is lent."""

    path: str
    read_only: bool = True

    @classmethod
    def chosen(cls) -> tuple[Share, ...]:
        """What `CARREL_LUME_SHARE` names: paths on the Mac, by commas; `:w` makes one writable.

        Raises:
            InvalidInput: One of them is no path.
        """
        found = []
        for text in filter(None, os.environ.get("CARREL_LUME_SHARE", "").split(",")):
            path = text.removesuffix(":w")
            if not path.startswith("/"):
                raise InvalidInput(
                    f"{text[:80]!r} in CARREL_LUME_SHARE is no directory of the Mac's",
                    hint="such as /Users/you/data, or /Users/you/data:w to have it written to",
                )
            found.append(cls(path, read_only=path == text))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Vm:
    """A virtual machine as the server tells of it.

    Attributes:
        status: `running`, `stopped`, or how far its making is.
        vnc: Where its own screen can be seen; it holds a password.
        allocated: Bytes of its disk that take room, of `disk` in all.
    """

    name: str
    os: str
    status: str
    address: str | None = None
    vnc: str | None = None
    cpus: int = 0
    memory: int = 0
    disk: int = 0
    allocated: int = 0
    display: str = ""


class LumeApi:
    """One server.

    Args:
        url: Where it is; what `CARREL_LUME_URL` says by default, or this system's port 7777.

    Raises:
        InvalidInput: That is no address.
    """

    def __init__(self, url: str | None = None) -> None:
        self.url = url or os.environ.get("CARREL_LUME_URL") or DEFAULT_URL
        parts = urlsplit(self.url)
        try:
            port = parts.port or 7777
        except ValueError:
            port = 0
        if parts.scheme != "http" or not parts.hostname or not port:
            raise InvalidInput(f"{self.url!r} is not the address of a Lume server", hint=INSTALL)
        self._host, self._port = parts.hostname, port

    def vms(self, timeout: float = _QUICK) -> list[Vm]:
        """Every virtual machine."""
        found = _list(self._call("GET", "/lume/vms", timeout=timeout))
        return [read_vm(entry) for entry in found]

    def vm(self, name: str) -> Vm:
        """One of them.

        Raises:
            NotFound: There is none of that name.
        """
        return read_vm(self._call("GET", f"/lume/vms/{quote(name, safe='')}"))

    def clone(self, name: str, new: str) -> None:
        """Copy one that is stopped."""
        self._call("POST", "/lume/vms/clone", {"name": name, "newName": new}, _COPY_SECONDS)

    def set(self, name: str, wish: Mapping[str, Json]) -> None:
        """Change `cpu`, `memory`, `diskSize` or `display` of one that is stopped."""
        self._call("PATCH", f"/lume/vms/{quote(name, safe='')}", wish, _COPY_SECONDS)

    def run(self, name: str, shares: Sequence[Share] = ()) -> None:
        """Begin to start one, without a window, on a network of its own behind the Mac's."""
        lent: list[Json] = [{"hostPath": each.path, "readOnly": each.read_only} for each in shares]
        body: dict[str, Json] = {"noDisplay": True, "network": "nat", "sharedDirectories": lent}
        self._call("POST", f"/lume/vms/{quote(name, safe='')}/run", body)

    def stop(self, name: str) -> None:
        """End one."""
        self._call("POST", f"/lume/vms/{quote(name, safe='')}/stop", {}, _STOP_SECONDS)

    def delete(self, name: str) -> None:
        """Remove one with its disk."""
        self._call("DELETE", f"/lume/vms/{quote(name, safe='')}", None, _STOP_SECONDS)

    def pull(self, image: str, name: str) -> None:
        """Fetch an image, `NAME:TAG`, as a virtual machine; that may take hours."""
        self._call("POST", "/lume/pull", {"image": image, "name": name}, _PULL_SECONDS)

    def complaints(self) -> str:
        """The end of what the server wrote of errors; nothing where it tells none."""
        try:
            told = self._call("GET", "/lume/logs")
        except RunError:
            return ""
        text = told.get("error") if isinstance(told, dict) else None
        return text.strip()[-_MOST_SAID:] if isinstance(text, str) else ""

    def _call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Json] | None = None,
        timeout: float = _QUICK,
    ) -> Json:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        data = None if body is None else json.dumps(dict(body)).encode()
        headers = {} if data is None else {"Content-Type": "application/json"}
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            said = answer.read()
        except TimeoutError as error:
            raise TimedOut(f"Lume did not answer {method} {path}", op="lume") from error
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(
                f"Lume does not answer at {self.url}: {error}", op="lume", hint=INSTALL
            ) from error
        finally:
            connection.close()
        if answer.status not in (200, 202):
            raise refusal(answer.status, said, f"{method} {path}")
        return _parsed(said)


def refusal(status: int, said: bytes, what: str) -> RunError | NotFound:
    """What a server's refusal is to us. It has one status for all; its words tell."""
    told: Json
    try:
        told = json.loads(said)
    except (ValueError, RecursionError):
        told = None
    words = told.get("message") if isinstance(told, dict) else None
    text = words if isinstance(words, str) else said.decode(errors="replace").strip()
    text = text[:_MOST_SAID] or f"status {status}"
    if "Virtual machine not found" in text:
        return NotFound(f"Lume: {text}", op="lume")
    return RunError(f"Lume refused {what}: {text}", op="lume")


def read_vm(entry: Json) -> Vm:
    """One entry of the server's.

    Raises:
        RunError: It is none.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise RunError(f"Lume told of no virtual machine: {str(entry)[:100]}", op="lume")
    disk = entry.get("diskSize")
    sizes = disk if isinstance(disk, dict) else {}
    return Vm(
        str(entry["name"]),
        str(entry.get("os")),
        str(entry.get("status")),
        _text(entry.get("ipAddress")),
        _text(entry.get("vncUrl")),
        _number(entry.get("cpuCount")),
        _number(entry.get("memorySize")),
        _number(sizes.get("total")),
        _number(sizes.get("allocated")),
        str(entry.get("display") or ""),
    )


def _parsed(said: bytes) -> Json:
    if not said.strip():
        return None
    try:
        found: Json = json.loads(said)
    except (ValueError, RecursionError) as error:
        raise RunError(f"Lume answered {said[:100]!r}", op="lume") from error
    return found


def _list(found: Json) -> list[Json]:
    if not isinstance(found, list):
        raise RunError(f"Lume answered no list: {str(found)[:100]}", op="lume")
    return found


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0

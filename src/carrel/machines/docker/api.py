"""The engine's API over its socket. Blocking: call it in a thread."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlencode

from carrel.errors import CarrelError, InvalidInput, NotFound, RunError, Unavailable, WrongState

__all__ = ["EngineApi", "engine_socket", "find_dockerd"]

_VERSION = "v1.41"
_INSTALL = "apt-get install docker.io, then start it: systemctl start docker"
_SBIN = "/usr/sbin:/sbin"
"""Where Docker's own program is, which ordinary users have not on their path."""

_SYSTEMD = Path("/run/systemd/system")
_AGAIN = "see that it runs, and try again: systemctl status docker"
_ATTACHED = (101, 200)
_MOST_SAID = 500

Json = dict[str, object] | list[object] | None


def engine_socket() -> Path:
    """Where the engine listens: what `DOCKER_HOST` says, or the first usual place we may use.

    Not the first that answers: a machine is of one engine, also while that one is down.

    Raises:
        InvalidInput: `DOCKER_HOST` is an address elsewhere: a machine's walls are made here.
    """
    wish = os.environ.get("DOCKER_HOST", "")
    if wish.startswith("unix://"):
        return Path(wish.removeprefix("unix://"))
    if wish:
        raise InvalidInput(
            f"DOCKER_HOST={wish} is not an engine on this system",
            hint="unset DOCKER_HOST, or use unix:///path/of/docker.sock",
        )
    places = _usual_places()
    for right in (os.W_OK, os.F_OK):
        if found := [path for path in places if os.access(path, right)]:
            return found[0]
    return places[0]


def _usual_places() -> list[Path]:
    """Of Docker, of this user's own Docker and Podman, and of root's Podman."""
    own = Path(f"/run/user/{os.getuid()}")
    homes = dict.fromkeys([Path(os.environ.get("XDG_RUNTIME_DIR", own)), own])
    rootless = [home / name for name in ("docker.sock", "podman/podman.sock") for home in homes]
    return [Path("/var/run/docker.sock"), *rootless, Path("/run/podman/podman.sock")]


def _looked_at(path: Path) -> str:
    """Where else an engine was looked for in vain, in words."""
    if os.environ.get("DOCKER_HOST"):
        return ""
    others = [str(each) for each in _usual_places() if each != path]
    return f" (also looked at {', '.join(others)})"


class _Connection(http.client.HTTPConnection):
    """HTTP over a unix socket."""

    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class EngineApi:
    """One engine.

    Args:
        path: Its socket.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, path: str, timeout: float = 30.0, **query: str) -> Json:
        """Ask for something."""
        return self._call("GET", path, None, query, timeout)

    def post(
        self,
        path: str,
        body: Mapping[str, object] | None = None,
        timeout: float = 60.0,
        **query: str,
    ) -> Json:
        """Have something done."""
        text = None if body is None else json.dumps(body).encode()
        return self._call("POST", path, text, query, timeout)

    def delete(self, path: str, timeout: float = 60.0, **query: str) -> None:
        """Have something removed; what is not there is removed already."""
        try:
            self._call("DELETE", path, None, query, timeout)
        except NotFound:
            return

    def upload(self, path: str, chunks: Iterable[bytes], timeout: float, **query: str) -> Json:
        """Send a stream of bytes, such as an image."""
        return self._call("POST", path, chunks, query, timeout)

    def attach(self, container: str, timeout: float = 30.0) -> socket.socket:
        """The standard streams of a container: its input, and its two outputs in frames.

        Raises:
            RunError: The engine does not give them.
        """
        path = f"/{_VERSION}/containers/{container}/attach?stream=1&stdin=1&stdout=1&stderr=1"
        upgrade = "Connection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n"
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.settimeout(timeout)
        try:
            line.connect(str(self.path))
            line.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{upgrade}\r\n".encode())
            head = _read_head(line)
            status = int(head.split(b" ", 2)[1])
            said = b"" if status in _ATTACHED else line.recv(_MOST_SAID)
        except OSError as error:
            line.close()
            raise self._unreachable(error) from error
        if status not in _ATTACHED:
            line.close()
            raise _refusal(status, said)
        line.settimeout(None)
        return line

    def _call(
        self,
        method: str,
        path: str,
        body: bytes | Iterable[bytes] | None,
        query: Mapping[str, str],
        timeout: float,
    ) -> Json:
        target = f"/{_VERSION}{path}" + (f"?{urlencode(query)}" if query else "")
        connection = _Connection(self.path, timeout)
        kind = "application/json" if isinstance(body, bytes) else "application/x-tar"
        headers = {} if body is None else {"Content-Type": kind}
        try:
            connection.request(
                method,
                target,
                body,
                headers,
                encode_chunked=body is not None and not isinstance(body, bytes),
            )
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise _refusal(answer.status, text)
        return _parse(text)

    def _unreachable(self, error: Exception) -> Unavailable:
        if isinstance(error, PermissionError):
            return Unavailable(
                f"this user may not use {self.path}{_looked_at(self.path)}",
                op="docker",
                hint="who may is as good as root: use --provider namespace, or rootless Podman",
            )
        if isinstance(error, FileNotFoundError | ConnectionRefusedError):
            return _silent(self.path)
        return Unavailable(
            f"the engine on {self.path} did not answer: {error}", op="docker", hint=_AGAIN
        )


def find_dockerd() -> str | None:
    """Docker's own program, whether it runs or not."""
    return shutil.which("dockerd", path=f"{os.environ.get('PATH', '')}:{_SBIN}")


def _silent(path: Path) -> Unavailable:
    """Nobody listens: why that may be, and the one thing to do about it."""
    sudo = "" if os.geteuid() == 0 else "sudo "
    if find_dockerd() is None:
        why, hint = "", _INSTALL
    elif os.environ.get("DOCKER_HOST"):
        why = ", where DOCKER_HOST says there is one"
        hint = f"unset DOCKER_HOST, or have one listen there: {sudo}dockerd -H unix://{path} &"
    else:
        why = ": Docker is installed, and does not run"
        hint = f"{sudo}systemctl start docker" if _SYSTEMD.is_dir() else f"{sudo}dockerd &"
    said = f"no engine listens on {path}{why}{_looked_at(path)}"
    return Unavailable(said, op="docker", hint=hint)


def _read_head(line: socket.socket) -> bytes:
    """An answer's head. Byte by byte: what follows belongs to the container."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = line.recv(1)
        if not byte:
            raise ConnectionResetError("the engine hung up")
        head += byte
    return head


def _refusal(status: int, text: bytes) -> CarrelError:
    try:
        said = str(json.loads(text)["message"])
    except (ValueError, KeyError, TypeError):
        said = text.decode(errors="replace")
    said = said.strip()[:_MOST_SAID]
    if status == 404:
        return NotFound(f"the engine says: {said}", op="docker")
    if status in (304, 409):
        return WrongState(f"the engine says: {said}", op="docker")
    return RunError(f"the engine refused ({status}): {said}", op="docker")


def _parse(text: bytes) -> Json:
    """The answer; of a stream of reports the last, unless one tells of a failure.

    Raises:
        RunError: It does.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    parsed: Json = None
    for line in lines:
        try:
            parsed = json.loads(line)
        except ValueError:
            return None  # `OK`, say
        if isinstance(parsed, dict) and "error" in parsed:
            raise RunError(f"the engine failed: {str(parsed['error'])[:_MOST_SAID]}", op="docker")
    return parsed

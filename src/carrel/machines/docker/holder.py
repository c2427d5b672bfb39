"""The process that holds a container: its line on standard input and output.

Started by a machine's keeper, with a line to a container that is being started. The container's own
standard input ends with ours, and its guest with that, so none outlives its keeper.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import struct
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn

from carrel.errors import CarrelError, RunError, Unavailable
from carrel.machines.docker.api import EngineApi
from carrel.machines.docker.figures import limits_reached

__all__ = ["main"]

_HEAD = struct.Struct(">BxxxL")
_STDOUT = 1
_PIECE = 1 << 16
_START_SECONDS = 30.0
_STOP_SECONDS = 20
_ANSWER = 30.0
_LOOK_AT_LIMITS = 5.0
_LONGEST_PAUSE = 300.0


def main() -> NoReturn:
    """Hold a container to its end; its status is ours."""
    api, container = EngineApi(Path(sys.argv[-3])), sys.argv[-2]
    line = socket.socket(fileno=int(sys.argv[-1]))

    def stop(_: int, __: FrameType | None) -> None:
        threading.Thread(target=_stop, args=(api, container), daemon=True).start()

    signal.signal(signal.SIGTERM, stop)
    try:
        threading.Thread(target=_feed, args=(line,), daemon=True).start()
        _await_start(api, container, line)
        threading.Thread(target=_tell_limits, args=(api, container), daemon=True).start()
        _drain(line)
        status = _ending(api, container)
    except (CarrelError, OSError) as error:
        sys.stderr.write(json.dumps({"cause": _words(error)}) + "\n")
        status = 1
    sys.stderr.flush()
    os._exit(status)


def _await_start(api: EngineApi, container: str, line: socket.socket) -> None:
    """Give up on a container that nobody starts: who was about to may have been killed."""
    spoken, _, _ = select.select([line], [], [], _START_SECONDS)
    if not spoken:
        found = api.get(f"/containers/{container}/json")
        state = found.get("State") if isinstance(found, dict) else None
        if not isinstance(state, dict) or not state.get("Running"):
            raise RunError("nobody has started its container")


def _tell_limits(api: EngineApi, container: str) -> None:
    """Write down what the kernel killed or refused, less often the longer that goes on."""
    told: tuple[str, ...] = ()
    pause = _LOOK_AT_LIMITS
    while True:
        time.sleep(pause)
        try:
            found = api.get(f"/containers/{container}/json")
        except CarrelError:
            continue  # an engine that hangs or is gone is told by whoever waits for it
        reached = limits_reached(found if isinstance(found, dict) else {})
        for each in reached:
            if each not in told:
                sys.stderr.write(f"holder: {each}\n")
                pause = min(2 * pause, _LONGEST_PAUSE)
        told = reached


def _words(error: Exception) -> str:
    """It may be there again when this is read."""
    gone = isinstance(error, Unavailable | OSError)
    return f"its engine went away: {error}" if gone else str(error)


def _stop(api: EngineApi, container: str) -> None:
    try:
        api.post(f"/containers/{container}/stop", timeout=_STOP_SECONDS + 10, t=str(_STOP_SECONDS))
    except CarrelError as error:
        sys.stderr.write(f"holder: {error}\n")


def _feed(line: socket.socket) -> None:
    """Pass our input on, and its end."""
    try:
        while data := os.read(0, _PIECE):
            line.sendall(data)
        line.shutdown(socket.SHUT_WR)
    except OSError as error:
        sys.stderr.write(f"holder: {error}\n")


def _drain(line: socket.socket) -> None:
    """Take the container's two outputs apart until both have ended."""
    while head := line.recv(_HEAD.size, socket.MSG_WAITALL):
        if len(head) < _HEAD.size:
            raise OSError("the engine's stream ended in the middle")
        kind, size = _HEAD.unpack(head)
        while size:
            data = line.recv(min(size, _PIECE))
            if not data:
                raise OSError("the engine's stream ended in the middle")
            size -= len(data)
            _write(1 if kind == _STDOUT else 2, data)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]


def _ending(api: EngineApi, container: str) -> int:
    """How the container ended; said why, where the engine knows more than the guest."""
    waited = api.post(f"/containers/{container}/wait", timeout=_ANSWER)
    found = api.get(f"/containers/{container}/json")
    state = found.get("State") if isinstance(found, dict) else None
    if isinstance(state, dict):
        if state.get("OOMKilled"):
            sys.stderr.write(json.dumps({"cause": "it ran out of memory"}) + "\n")
        elif state.get("Error"):
            sys.stderr.write(json.dumps({"cause": str(state["Error"])}) + "\n")
    code = waited.get("StatusCode") if isinstance(waited, dict) else None
    return code if isinstance(code, int) and 0 <= code < 256 else 1

"""The machine behind the stand-in for Firecracker: QEMU's microvm, and the way to its sockets."""

from __future__ import annotations

import array
import ctypes
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Body = dict[str, Any]


class Refusal(Exception):
    """What Firecracker answers with 400."""


class Qmp:
    """QEMU's own protocol on a socket."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock, self._rest, self._lock = sock, b"", threading.Lock()
        self._next()
        self.ask("qmp_capabilities")

    def ask(self, command: str, give: int | None = None, **arguments: object) -> Any:
        text = json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n"
        given = array.array("i", [] if give is None else [give])
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, given)]
        with self._lock:
            self._sock.sendmsg([text], rights if give is not None else [])
            while True:
                told = self._next()
                if "error" in told:
                    raise Refusal(f"Internal VMM error: {told['error']['desc']}")
                if "return" in told:
                    return told["return"]

    def _next(self) -> Body:
        while b"\n" not in self._rest:
            data = self._sock.recv(65536)
            if not data:
                raise Refusal("Internal VMM error: the machine has ended")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return dict(json.loads(line))

    def migrated(self) -> None:
        while (status := self.ask("query-migrate").get("status")) != "completed":
            if status == "failed":
                raise Refusal("Internal VMM error: the state could not be moved")
            time.sleep(0.01)


@dataclass
class Microvm:
    """A QEMU, with the memory in a file of ours."""

    config: Body
    memory: int = -1
    process: subprocess.Popen[bytes] | None = None
    qmp: Qmp | None = None
    ports: dict[str, socket.socket] = field(default_factory=dict)
    callers: dict[str, socket.socket] = field(default_factory=dict)

    def boot(self, incoming: bool = False) -> None:
        size = self.config["machine-config"]["mem_size_mib"]
        if self.memory < 0:
            self.memory = os.memfd_create("guest")
            os.ftruncate(self.memory, size << 20)
        pairs = {name: socket.socketpair() for name in ("qmp", "carrel", "carrel-init")}
        theirs = {name: pair[1].fileno() for name, pair in pairs.items()}
        parent = os.getpid()

        def die_with_us() -> None:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)

        self.process = subprocess.Popen(
            [*self._words(theirs, size), *(["-incoming", "defer"] if incoming else [])],
            stdin=subprocess.DEVNULL,
            pass_fds=(*theirs.values(), self.memory),
            preexec_fn=die_with_us,  # noqa: PLW1509 - no other thread has begun
        )
        for _, end in pairs.values():
            end.close()
        self.ports = {name: pairs[name][0] for name in ("carrel", "carrel-init")}
        threading.Thread(target=self._end_with_it, daemon=True).start()
        try:
            self.qmp = Qmp(pairs["qmp"][0])
        except (OSError, Refusal):
            # Its guest was quicker: it has ended, and we are about to, before anybody is answered.
            threading.Event().wait()
        for name in self.ports:
            threading.Thread(target=self._from_guest, args=(name,), daemon=True).start()

    def _words(self, fds: dict[str, int], size: int) -> list[str]:
        source, memory = self.config.get("boot-source"), f"/proc/self/fd/{self.memory}"
        qemu = shutil.which("qemu-system-x86_64", path=os.environ.get("PATH", os.defpath))
        kind = "microvm,acpi=on,rtc=on,pit=on,pic=on,isa-serial=on,memory-backend=ram"
        words = [qemu or "qemu-system-x86_64", "-M", kind, "-accel", "tcg", "-cpu", "max"]
        words += ["-m", f"{size}M", "-smp", "1", "-object"]
        words += [f"memory-backend-file,id=ram,share=on,mem-path={memory},size={size}M"]
        words += ["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"]
        words += ["-serial", "stdio"]
        if source is not None:
            words += ["-kernel", source["kernel_image_path"]]
            words += ["-append", f"{source.get('boot_args', '')} mitigations=off {tsc()}"]
            words += ["-initrd", source["initrd_path"]] if "initrd_path" in source else []
        # Firecracker's machine ends when its keyboard controller is told to reset it.
        words += ["-device", "isa-debug-exit,iobase=0x64,iosize=1"]
        for name, drive in self.config.get("drives", {}).items():
            mode = "on" if drive["is_read_only"] else "off"
            file = f"file.filename={drive['path_on_host']},node-name={name},read-only={mode}"
            words += ["-blockdev", f"driver=raw,file.driver=file,{file}"]
            words += ["-device", f"virtio-blk-device,drive={name}"]
        words += ["-device", "virtio-serial-device"] if "vsock" in self.config else []
        for number, name in enumerate(("carrel", "carrel-init"), 1):
            if "vsock" in self.config:
                words += ["-chardev", f"socket,id={name},fd={fds[name]}"]
                words += ["-device", f"virtserialport,chardev={name},name={name},nr={number}"]
        words += ["-device", "virtio-rng-device"] if "entropy" in self.config else []
        if balloon := self.config.get("balloon"):
            report = "on" if balloon.get("free_page_reporting") else "off"
            words += ["-device", f"virtio-balloon-device,free-page-reporting={report}"]
        return [*words, "-chardev", f"socket,id=qmp,fd={fds['qmp']}", "-mon",
                "chardev=qmp,mode=control"]  # fmt: skip

    def _end_with_it(self) -> None:
        assert self.process is not None
        status = self.process.wait()
        # 253 is what it exits with after a reset by the keyboard controller.
        os._exit(0 if status in (0, 253) else 1)

    def ask(self, command: str, **arguments: object) -> Any:
        assert self.qmp is not None
        return self.qmp.ask(command, None, **arguments)

    def save(self, state: Path, memory: Path) -> None:
        shared = [{"capability": "x-ignore-shared", "state": True}]
        self.ask("migrate-set-capabilities", capabilities=shared)
        with state.open("wb") as file:
            file.write(json.dumps({"boot-source": None, **self.config}).encode() + b"\n")
            file.flush()
            assert self.qmp is not None
            self.qmp.ask("getfd", give=file.fileno(), fdname="state")
            self.ask("migrate", uri="fd:state")
            self.qmp.migrated()
        handle = os.open(memory, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        copy_sparse(self.memory, handle)
        os.close(handle)
        # The guest hears that its connections are gone, and so do we.
        for caller in self.callers.values():
            caller.close()

    @classmethod
    def load(cls, state: Path, memory: Path) -> Microvm:
        with state.open("rb", buffering=0) as file:
            head = b""
            while not head.endswith(b"\n"):
                head += file.read(1) or b"{}\n"
            made = cls(json.loads(head))
            del made.config["boot-source"]  # what it was started with is long gone
            made.memory = os.memfd_create("guest")
            handle = os.open(memory, os.O_RDONLY)
            copy_sparse(handle, made.memory)
            os.close(handle)
            made.boot(incoming=True)
            assert made.qmp is not None
            shared = [{"capability": "x-ignore-shared", "state": True}]
            made.ask("migrate-set-capabilities", capabilities=shared)
            made.qmp.ask("getfd", give=file.fileno(), fdname="state")
            made.ask("migrate-incoming", uri="fd:state")
            made.qmp.migrated()
        return made

    # The way to the guest's sockets.

    def listen(self) -> None:
        path = self.config["vsock"]["uds_path"]
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.bind(path)
        except OSError as error:
            message = "Cannot create backend for vsock device: Error binding to the host-side"
            raise Refusal(f"{message} Unix socket: {error}") from error
        listener.listen()
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            caller, _ = listener.accept()
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        try:
            wish = b""
            while not wish.endswith(b"\n") and len(wish) < 32:
                wish += caller.recv(1) or b"\n"
            found = re.fullmatch(rb"CONNECT (\d+)\n", wish)
            name = "carrel" if found and int(found[1]) >= 1024 else "carrel-init"
            if found is None or not self._is_open(name):
                caller.close()
                return
            self.callers[name] = caller
            caller.sendall(b"OK %d\n" % (1 << 30))
            while data := caller.recv(65536):
                self.ports[name].sendall(data)
        except (OSError, Refusal):
            caller.close()

    def _is_open(self, name: str) -> bool:
        devices = self.ask("query-chardev")
        return any(each["label"] == name and each["frontend-open"] for each in devices)

    def _from_guest(self, name: str) -> None:
        while data := self.ports[name].recv(65536):
            try:
                if name in self.callers:
                    self.callers[name].sendall(data)
            except OSError:
                self.callers.pop(name, None)


def tsc() -> str:
    """An imitated machine has no clock to measure its processor's by."""
    found = re.search(r"^cpu MHz\s*:\s*([\d.]+)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"tsc_early_khz={int(float(found[1]) * 1000)}" if found else ""


def copy_sparse(source: int, target: int) -> None:
    size, at = os.fstat(source).st_size, 0
    os.ftruncate(target, size)
    while at < size:
        try:
            at = os.lseek(source, at, os.SEEK_DATA)
        except OSError:
            return
        end = os.lseek(source, at, os.SEEK_HOLE)
        while at < end:
            at += os.pwrite(target, os.pread(source, min(16 << 20, end - at), at), at)

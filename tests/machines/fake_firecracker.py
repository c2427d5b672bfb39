"""A stand-in for Firecracker and its jailer that truly runs the machines: QEMU's microvm does.

    python fake_firecracker.py firecracker --id ID --api-sock PATH
    python fake_firecracker.py jailer --id ID --exec-file F --uid U --gid G -- --api-sock PATH

It takes the flags of the real programs and no others, has the API's rules of what may be asked
before the start and what after it, and checks every body field by field. All of that is written
down here once more, from Firecracker's own sources: it shares no code with what it tests.

Where it differs from the real one:

- The processor is imitated (TCG), so the boot words get what that needs.
- There may be no vhost-vsock where it runs. Then the guest has no vsock device and finds two ports
  of a virtual console instead: `carrel` is what a `CONNECT` to a port from 1024 on leads to,
  `carrel-init` what one below does. A port that nobody in the guest has open refuses.
- A port of the guest's carries one connection at a time; a new one takes the place of the last.
- The jailer makes its directory and goes there, but does not lock itself in, and stays root:
  this program needs an interpreter.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socketserver
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NoReturn

from fake_firecracker_microvm import Body, Microvm, Refusal

VERSION = "1.16.1"

FLAGS = {
    "firecracker": {
        **dict.fromkeys(
            ("api-sock", "id", "seccomp-filter", "start-time-us", "start-time-cpu-us",
             "parent-cpu-time-us", "config-file", "metadata", "log-path", "level", "module",
             "metrics-path", "describe-snapshot", "http-api-max-payload-size", "mmds-size-limit"),
            True,
        ),
        **dict.fromkeys(
            ("no-seccomp", "no-api", "show-level", "show-log-origin", "boot-timer", "version",
             "snapshot-version", "enable-pci", "help"),
            False,
        ),
    },
    "jailer": {
        **dict.fromkeys(
            ("id", "exec-file", "uid", "gid", "chroot-base-dir", "netns", "cgroup",
             "resource-limit", "cgroup-version", "parent-cgroup"),
            True,
        ),
        **dict.fromkeys(("daemonize", "new-pid-ns", "version", "help"), False),
    },
}  # fmt: skip
ARGUMENT_STATUS = 153


def fail(message: str, status: int = 1) -> NoReturn:
    sys.stderr.write(f"Error: {message}\n")
    sys.exit(status)


def parse(program: str, words: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The flags with their values, and what follows `--`."""
    known, found = FLAGS[program], dict[str, list[str]]()
    rest = words[words.index("--") + 1 :] if "--" in words else []
    words = words[: words.index("--")] if "--" in words else words
    while words:
        name, has, value = words.pop(0).partition("=")
        takes = known.get(name.removeprefix("--")) if name.startswith("--") else None
        if takes is None:
            fail(f"Arguments parsing error: Found argument '{name}' which wasn't expected, or "
                 "isn't valid in this context.", ARGUMENT_STATUS)  # fmt: skip
        if takes and not has:
            if not words:
                fail(f"The argument '{name}' requires a value", ARGUMENT_STATUS)
            value = words.pop(0)
        found.setdefault(name.removeprefix("--"), []).append(value)
    return found, rest


def check_id(name: str) -> None:
    if not 1 <= len(name) <= 64:
        fail(f"Invalid instance ID: invalid len ({len(name)})")
    for at, letter in enumerate(name):
        if not (letter == "-" or letter.isalnum()):
            fail(f"Invalid instance ID: Invalid char ({letter}) at position {at}")


# --- what may be asked, when, and of what form -----------------------------------------------


@dataclass(frozen=True)
class Is:
    """One field of a body."""

    kind: type
    needed: bool = False
    among: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    fields: dict[str, Is] | None = None

    def check(self, name: str, value: object) -> None:
        if type(value) is not self.kind:
            raise Refusal(f"{BAD_BODY}: invalid type for `{name}`: {json.dumps(value)}")
        if self.among and value not in self.among:
            raise Refusal(f"{BAD_BODY}: unknown variant `{value}`, expected one of {self.among}")
        if isinstance(value, int) and not (
            (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
        ):
            raise Refusal(f"The value of {name} is out of its range: {value}.")
        if isinstance(value, dict) and self.fields is not None:
            check_body(self.fields, value)


BAD_BODY = "An error occurred when deserializing the json body of a request"
AFTER = "The requested operation is not supported after starting the microVM."
BEFORE = "The requested operation is not supported before starting the microVM."
BUCKET = {
    "size": Is(int, True, least=0),
    "refill_time": Is(int, True, least=0),
    "one_time_burst": Is(int, least=0),
}
LIMITER = Is(dict, fields={"bandwidth": Is(dict, fields=BUCKET), "ops": Is(dict, fields=BUCKET)})


def check_body(fields: dict[str, Is], body: Body) -> None:
    for name in body:
        if name not in fields:
            raise Refusal(f"{BAD_BODY}: unknown field `{name}`, expected one of {sorted(fields)}")
    for name, rule in fields.items():
        if name in body:
            rule.check(name, body[name])
        elif rule.needed:
            raise Refusal(f"{BAD_BODY}: missing field `{name}`")


PUTS: dict[str, dict[str, Is]] = {
    "logger": {
        "log_path": Is(str),
        "level": Is(str, among=("Error", "Warning", "Info", "Debug", "Trace")),
        "show_level": Is(bool),
        "show_log_origin": Is(bool),
        "module": Is(str),
    },
    "metrics": {"metrics_path": Is(str, True)},
    "machine-config": {
        "vcpu_count": Is(int, True, least=1, most=32),
        "mem_size_mib": Is(int, True, least=1),
        "smt": Is(bool),
        "track_dirty_pages": Is(bool),
        "huge_pages": Is(str, among=("None", "2M")),
    },
    "boot-source": {
        "kernel_image_path": Is(str, True),
        "initrd_path": Is(str),
        "boot_args": Is(str),
    },
    "drives": {
        "drive_id": Is(str, True),
        "path_on_host": Is(str),
        "is_root_device": Is(bool, True),
        "is_read_only": Is(bool),
        "partuuid": Is(str),
        "cache_type": Is(str, among=("Unsafe", "Writeback")),
        "io_engine": Is(str, among=("Sync", "Async")),
        "rate_limiter": LIMITER,
        "socket": Is(str),
    },
    "vsock": {
        "guest_cid": Is(int, True, least=3),
        "uds_path": Is(str, True),
        "vsock_id": Is(str),
    },
    "balloon": {
        "amount_mib": Is(int, True, least=0),
        "deflate_on_oom": Is(bool, True),
        "stats_polling_interval_s": Is(int, least=0),
        "free_page_hinting": Is(bool),
        "free_page_reporting": Is(bool),
    },
    "entropy": {"rate_limiter": LIMITER},
    "actions": {
        "action_type": Is(str, True, among=("InstanceStart", "SendCtrlAltDel", "FlushMetrics"))
    },
    "snapshot/create": {
        "snapshot_path": Is(str, True),
        "mem_file_path": Is(str, True),
        "snapshot_type": Is(str, among=("Full", "Diff")),
    },
    "snapshot/load": {
        "snapshot_path": Is(str, True),
        "mem_file_path": Is(str),
        "mem_backend": Is(
            dict,
            fields={
                "backend_type": Is(str, True, among=("File", "Uffd")),
                "backend_path": Is(str, True),
            },
        ),
        "track_dirty_pages": Is(bool),
        "enable_diff_snapshots": Is(bool),
        "resume_vm": Is(bool),
        "network_overrides": Is(list),
    },
}
PATCHES: dict[str, dict[str, Is]] = {
    "vm": {"state": Is(str, True, among=("Paused", "Resumed"))},
    "balloon": {"amount_mib": Is(int, True, least=0)},
}
CONFIGURES = ("machine-config", "boot-source", "drives", "vsock", "balloon", "entropy")


# --- the API ----------------------------------------------------------------------------------


@dataclass
class Firecracker:
    """What it was told so far, and what became of it."""

    id: str
    config: Body = field(default_factory=dict)
    machine: Microvm | None = None
    paused: bool = False
    told: Body = field(default_factory=dict)

    def get(self, path: str) -> Body:
        if path == "":
            state = ("Paused" if self.paused else "Running") if self.machine else "Not started"
            return {"app_name": "Firecracker", "id": self.id, "state": state,
                    "vmm_version": VERSION}  # fmt: skip
        if path == "version":
            return {"firecracker_version": VERSION}
        if path == "machine-config":
            return {"vcpu_count": 1, "mem_size_mib": 128, **self.config.get("machine-config", {})}
        if path == "balloon/statistics":
            return self._statistics()
        raise Refusal(f"Invalid request method and/or path: Get {path}.")

    def _statistics(self) -> Body:
        if self.machine is None:
            raise Refusal(BEFORE)
        if not self.machine.config.get("balloon", {}).get("stats_polling_interval_s"):
            raise Refusal("Internal VMM error: The balloon statistics are not enabled")
        size = self.machine.config["machine-config"]["mem_size_mib"]
        taken = size - (self.machine.ask("query-balloon")["actual"] >> 20)
        return {"target_pages": taken << 8, "actual_pages": taken << 8,
                "target_mib": taken, "actual_mib": taken}  # fmt: skip

    def patch(self, path: str, body: Body) -> None:
        if path not in PATCHES:
            raise Refusal(f"Invalid request method and/or path: Patch {path}.")
        check_body(PATCHES[path], body)
        if self.machine is None:
            raise Refusal(BEFORE)
        if path == "vm":
            self.paused = body["state"] == "Paused"
            self.machine.ask("stop" if self.paused else "cont")
        elif "balloon" not in self.machine.config:
            raise Refusal("Balloon update error: No balloon device found.")
        else:
            size = self.machine.config["machine-config"]["mem_size_mib"]
            self.machine.ask("balloon", value=(size - body["amount_mib"]) << 20)

    def put(self, path: str, body: Body) -> None:
        kind, _, name = path.partition("/")
        kind = path if path in PUTS else kind
        if kind not in PUTS or bool(name) != (kind in ("drives", "snapshot/create",
                                                       "snapshot/load")):  # fmt: skip
            raise Refusal(f"Invalid request method and/or path: Put {path}.")
        check_body(PUTS[kind], body)
        if kind == "actions":
            self._act(body["action_type"])
        elif kind == "snapshot/create":
            self._save(body)
        elif self.machine is not None:
            raise Refusal(AFTER)
        elif kind == "snapshot/load":
            self._load(body)
        else:
            self._configure(kind, name, body)

    def _configure(self, kind: str, name: str, body: Body) -> None:
        if kind in self.config and kind == "metrics":
            raise Refusal("Metrics error: Cannot initialize the metrics system: already so")
        if kind == "drives":
            if name != body["drive_id"]:
                raise Refusal("The id from the path does not match the id from the body!")
            if not Path(body.get("path_on_host", "")).is_file():
                raise Refusal(f"Drive config error: Unable to open {body.get('path_on_host')}")
            self.config.setdefault("drives", {})[name] = body
            return
        if kind == "boot-source":
            for path in (body["kernel_image_path"], body.get("initrd_path")):
                if path is not None and not Path(path).is_file():
                    raise Refusal(f"Boot source error: The file {path} cannot be opened")
        for path in (body.get("log_path"), body.get("metrics_path")):
            if path is not None:
                Path(path).open("a").close()
        self.config[kind] = body

    def _act(self, action: str) -> None:
        if action == "InstanceStart":
            if self.machine is not None:
                raise Refusal(AFTER)
            self._start()
        elif self.machine is None:
            raise Refusal(BEFORE)
        elif action == "FlushMetrics" and "metrics" in self.config:
            told = {"utc_timestamp_ms": int(time.time() * 1000), "block": self._moved()}
            with Path(self.config["metrics"]["metrics_path"]).open("a") as file:
                file.write(json.dumps(told) + "\n")
        # Ctrl+Alt+Del is struck, and a guest without a driver for the keyboard does not hear it.

    def _moved(self) -> Body:
        """What its disks have moved since it was told last."""
        assert self.machine is not None
        stats = [each["stats"] for each in self.machine.ask("query-blockstats")]
        now = {"read_bytes": sum(each["rd_bytes"] for each in stats),
               "write_bytes": sum(each["wr_bytes"] for each in stats)}  # fmt: skip
        before, self.told = self.told, now
        return {name: value - before.get(name, 0) for name, value in now.items()}

    def _start(self) -> None:
        if "boot-source" not in self.config:
            raise Refusal("Start microvm error: Cannot start microvm without kernel "
                          "configuration.")  # fmt: skip
        kernel = Path(self.config["boot-source"]["kernel_image_path"])
        with kernel.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                raise Refusal("Start microvm error: Cannot load kernel due to invalid memory "
                              "configuration or invalid kernel image: Kernel Loader: failed to "
                              "load ELF kernel image: Invalid Elf magic number")  # fmt: skip
        self.config.setdefault("machine-config", {"vcpu_count": 1, "mem_size_mib": 128})
        machine = Microvm(dict(self.config))
        if "vsock" in self.config:
            machine.listen()
        machine.boot()
        self.machine = machine

    def _save(self, body: Body) -> None:
        if self.machine is None:
            raise Refusal(BEFORE)
        if not self.paused:
            raise Refusal("Create snapshot error: Cannot save the microVM state: Operation not "
                          "allowed: the microVM is not paused")  # fmt: skip
        self.machine.save(Path(body["snapshot_path"]), Path(body["mem_file_path"]))

    def _load(self, body: Body) -> None:
        if any(kind in self.config for kind in CONFIGURES):
            raise Refusal("Load snapshot error: Loading a microVM snapshot not allowed after "
                          "configuring boot-specific resources.")  # fmt: skip
        if ("mem_file_path" in body) == ("mem_backend" in body):
            raise Refusal("Either `mem_backend` or `mem_file_path` must be specified, not both")
        backend = body.get("mem_backend", {"backend_path": body.get("mem_file_path")})
        memory = Path(backend["backend_path"])
        machine = Microvm.load(Path(body["snapshot_path"]), memory)
        machine.listen()
        self.machine, self.paused = machine, True
        if body.get("resume_vm"):
            self.patch("vm", {"state": "Resumed"})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    vmm: Firecracker

    def _answer(self, do: Callable[[], Body | None]) -> None:
        try:
            status, told = 200, do()
        except (Refusal, ValueError, OSError) as error:
            status, told = 400, {"fault_message": str(error)}
        text = b"" if told is None else json.dumps(told).encode()
        self.send_response(status if text else 204)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.close_connection = True

    def _body(self) -> Body:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        if not isinstance(body, dict):
            raise Refusal(f"{BAD_BODY}: invalid type, expected struct")
        return body

    def do_GET(self) -> None:
        self._answer(lambda: self.vmm.get(self.path[1:]))

    def do_PUT(self) -> None:
        self._answer(lambda: self.vmm.put(self.path[1:], self._body()))

    def do_PATCH(self) -> None:
        self._answer(lambda: self.vmm.patch(self.path[1:], self._body()))

    def address_string(self) -> str:
        return "unix"

    def log_message(self, *_: object) -> None:
        pass


def firecracker(words: list[str]) -> None:
    flags, rest = parse("firecracker", words)
    if rest:
        fail(f"Found argument '{rest[0]}' which wasn't expected", ARGUMENT_STATUS)
    if "version" in flags:
        print(f"Firecracker v{VERSION}\n")
        return
    name = flags.get("id", ["anonymous-instance"])[-1]
    check_id(name)
    Handler.vmm = Firecracker(name)
    where = flags.get("api-sock", ["/run/firecracker.socket"])[-1]
    try:
        server = socketserver.UnixStreamServer(where, Handler)
    except OSError as error:
        fail(f"RunWithApiError error: Failed to open the API socket at: {where}. Check that it "
             f"is not already used: {error}")  # fmt: skip
    server.serve_forever()


def jailer(words: list[str]) -> None:
    flags, rest = parse("jailer", words)
    if "version" in flags:
        print(f"Jailer v{VERSION}\n")
        return
    for name in ("id", "exec-file", "uid", "gid"):
        if name not in flags:
            fail(f"Arguments parsing error: Argument '{name}' required, but not found.")
    check_id(flags["id"][0])
    program = Path(flags["exec-file"][0]).resolve(strict=True)
    user, group = int(flags["uid"][0]), int(flags["gid"][0])
    if "firecracker" not in program.name:
        fail("Jailer error: Invalid filename. The filename of `--exec-file` option must contain "
             f'"firecracker": {program.name}')  # fmt: skip
    if flags.get("cgroup-version", ["1"])[0] not in ("1", "2"):
        fail(f"Jailer error: {flags['cgroup-version'][0]} is an invalid cgroup version specifier")
    for limit in flags.get("resource-limit", []):
        if re.fullmatch(r"(fsize|no-file)=\d+", limit) is None:
            fail(f"Jailer error: Invalid format for resources limits: {limit}")
    base = Path(flags.get("chroot-base-dir", ["/srv/jailer"])[0]).resolve(strict=True)
    root = base / program.name / flags["id"][0] / "root"
    root.mkdir(parents=True, exist_ok=True)
    shutil.copy(program, root / program.name)
    (root / "dev/net").mkdir(parents=True, exist_ok=True)
    for device in ("dev/net/tun", "dev/kvm"):
        if (root / device).exists():
            fail(f"Jailer error: Failed to create /{device} via mknod inside the jail: File exists")
        (root / device).touch()
        os.chown(root / device, user, group)
    os.chown(root, user, group)
    os.chdir(root)
    argv = [program.name, "--id", flags["id"][0], "--start-time-us", "1", "--start-time-cpu-us"]
    os.execve(f"./{program.name}", [*argv, "1", *rest], {})


def install(directory: Path) -> Path:
    """Put both programs into a directory."""
    for name in ("firecracker", "jailer"):
        script = directory / name
        words = f'"{sys.executable}" -S -E "{Path(__file__).resolve()}" {name}'
        script.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        script.chmod(0o755)
    return directory


if __name__ == "__main__":
    {"firecracker": firecracker, "jailer": jailer}[sys.argv[1]](sys.argv[2:])

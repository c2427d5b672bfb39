"""`lume serve` and an `ssh` to what it keeps, as their users see them: routes, bodies, words.

Only what Lume 0.3.10 has is taken (libs/lume/src/Server of trycua/cua); everything else is its 404
or its 400. Its virtual machines are boxes with an address each; `ssh` lets in whoever it would.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from fake_box import Box

PASSWORD = "lume"
BODIES: dict[str, dict[str, tuple[type, bool]]] = {
    "create": {
        **dict.fromkeys(("name", "os", "memory", "diskSize", "display"), (str, True)),
        "cpu": (int, True),
        **dict.fromkeys(("ipsw", "storage", "unattended", "network"), (str, False)),
    },
    "clone": {
        "name": (str, True),
        "newName": (str, True),
        "sourceLocation": (str, False),
        "destLocation": (str, False),
    },
    "set": {
        "cpu": (int, False),
        **dict.fromkeys(("memory", "diskSize", "display", "storage"), (str, False)),
    },
    "run": {
        "noDisplay": (bool, False),
        "sharedDirectories": (list, False),
        "recoveryMode": (bool, False),
        "storage": (str, False),
        "network": (str, False),
    },
    "stop": {"storage": (str, False)},
    "pull": {
        "image": (str, True),
        **dict.fromkeys(("name", "registry", "organization", "storage"), (str, False)),
    },
}
UNITS = {"tb": 1 << 40, "gb": 1 << 30, "mb": 1 << 20, "kb": 1 << 10}
OFFERED = {"ubuntu-noble-vanilla:latest": "linux", "macos-sequoia-vanilla:latest": "macOS"}
SUDO = """#!/bin/sh
case "$1" in
-n) [ -e /etc/sudoers.d/carrel ] || { echo "sudo: a password is required" >&2; exit 1; }; shift ;;
-S) shift; [ "$1" = -p ] && shift 2; read -r given
    [ "$given" = PASSWORD ] || { echo "sudo: 1 incorrect password attempt" >&2; exit 1; } ;;
*) echo "sudo: a terminal is required to read the password" >&2; exit 1 ;;
esac
exec "$@"
"""
MOUNT = """#!/bin/sh
if [ "$1 $2 $3" = "-t virtiofs com.apple.virtio-fs.automount" ]; then
    [ -n "SHARE" ] || { echo "mount: special device $3 does not exist" >&2; exit 32; }
    exec /bin/mount --bind "SHARE" "$4"
fi
exec /bin/mount "$@"
"""
OPTIONS = {
    *("IdentityFile", "IdentitiesOnly", "PreferredAuthentications", "NumberOfPasswordPrompts"),
    *("StrictHostKeyChecking", "UserKnownHostsFile", "HostKeyAlias", "LogLevel", "ConnectTimeout"),
    *("ServerAliveInterval", "ServerAliveCountMax", "BatchMode"),
}


class Refused(Exception):
    """What the server answers with 400."""


def size(text: str) -> int:
    lowered = text.strip().lower()
    unit = next((unit for unit in UNITS if lowered.endswith(unit)), None)
    number = lowered.removesuffix(unit) if unit else lowered
    if not number.strip().isdecimal():
        raise Refused(f"Malformed size input: {text}. Could not parse numeric value.")
    return int(number) * (UNITS[unit] if unit else 1 << 20)


class Store:
    """The virtual machines on disk."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def box(self, name: str) -> Box:
        if not (self.home / name / "config.json").exists():
            raise Refused(f"Virtual machine not found: {name}")
        return Box(self.home / name)

    def config(self, name: str) -> dict[str, object]:
        self.box(name)
        return dict(json.loads((self.home / name / "config.json").read_text()))

    def write(self, name: str, config: dict[str, object]) -> None:
        (self.home / name / "config.json").write_text(json.dumps(config))

    def make(self, name: str, system: str) -> None:
        self.require_new(name)
        box = Box(self.home / name)
        box.make()
        (self.home / name / "home/lume").mkdir()
        (self.home / name / "etc/sudoers.d").mkdir()
        config = {"os": system, "cpu": 4, "memory": 8 << 30, "disk": 20 << 30}
        self.write(name, {**config, "display": "1024x768"})

    def require_new(self, name: str) -> None:
        if (self.home / name).exists():
            raise Refused(f"Virtual machine already exists with name: {name}")

    def names(self) -> list[str]:
        return sorted(path.parent.name for path in self.home.glob("*/config.json"))

    def address(self, name: str) -> str:
        return f"192.168.64.{self.names().index(name) + 2}"

    def details(self, name: str) -> dict[str, object]:
        config, running = self.config(name), self.box(name).pid is not None
        return {
            "name": name,
            "os": config["os"],
            "cpuCount": config["cpu"],
            "memorySize": config["memory"],
            "diskSize": {"allocated": 1 << 30, "total": config["disk"]},
            "display": config["display"],
            "status": "running" if running else "stopped",
            "vncUrl": "vnc://:secret@127.0.0.1:5901" if running else None,
            "ipAddress": self.address(name) if running else None,
            "sshAvailable": True if running else None,
            "locationName": "home",
            "sharedDirectories": config.get("shared") if running else None,
        }


class Server(ThreadingHTTPServer):
    """The server, and what it was asked."""

    daemon_threads = True

    def __init__(self, home: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.store = Store(home)
        self.asked: list[tuple[str, str, object]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PATCH(self) -> None:
        self._answer("PATCH")

    def do_DELETE(self) -> None:
        self._answer("DELETE")

    def _answer(self, method: str) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.server.lock:
            try:
                status, body = self._route(method, data)
            except Refused as refused:
                status, body = 400, {"message": str(refused)}
        said = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def _route(self, method: str, data: bytes) -> tuple[int, object]:
        # As the server matches: part by part, the query still on the last one.
        parts = [part for part in self.path.split("/") if part]
        self.server.asked.append((method, self.path, json.loads(data) if data else None))
        if parts[:2] == ["lume", "vms"]:
            return self._machines(method, parts[2:], data)
        fixed = {("POST", "pull"): self._pull, ("GET", "images"): self._images}
        fixed[("GET", "logs")] = self._logs
        if len(parts) == 2 and parts[0] == "lume" and (method, parts[1]) in fixed:
            return fixed[(method, parts[1])](data)
        return 404, {"message": "Not found"}

    def _machines(self, method: str, rest: list[str], data: bytes) -> tuple[int, object]:
        store = self.server.store
        if (method, rest) == ("GET", []):
            return 200, [store.details(name) for name in store.names()]
        if (method, rest) == ("POST", ["clone"]):
            return self._clone(data)
        if (method, rest) == ("POST", []):
            return self._create(data)
        if len(rest) == 1 and method in ("GET", "DELETE", "PATCH"):
            if method == "GET":
                return 200, store.details(rest[0])
            return self._delete(rest[0]) if method == "DELETE" else self._set(rest[0], data)
        if method == "POST" and rest[1:] in (["run"], ["stop"]):
            return self._run(rest[0], data) if rest[1] == "run" else self._stop(rest[0], data)
        return 404, {"message": "Not found"}

    def _body(self, kind: str, data: bytes) -> dict[str, object]:
        """The body, if it is one that the server's own decoder takes and knows all of."""
        try:
            body = json.loads(data)
        except ValueError:
            raise Refused("Invalid request body") from None
        fields = BODIES[kind]
        wrong = not isinstance(body, dict) or set(body) - set(fields)
        wrong = wrong or any(need and key not in body for key, (_, need) in fields.items())
        if wrong or any(type(value) is not fields[key][0] for key, value in body.items()):
            raise Refused("Invalid request body")
        return dict(body)

    def _create(self, data: bytes) -> tuple[int, object]:
        body = self._body("create", data)
        if str(body["os"]).lower() not in ("macos", "linux"):
            raise Refused(f"Unsupported operating system: {body['os']}")
        size(str(body["memory"])), size(str(body["diskSize"]))
        self.server.store.make(str(body["name"]), str(body["os"]))
        answer = {"message": "VM creation started", "name": body["name"]}
        return 202, {**answer, "status": "provisioning"}

    def _clone(self, data: bytes) -> tuple[int, object]:
        body, store = self._body("clone", data), self.server.store
        old, new = str(body["name"]), str(body["newName"])
        box = store.box(old)
        store.require_new(new)
        if box.pid is not None:
            raise Refused(f"Virtual machine already running: {old}")
        full = store.home / "full-for"
        if full.exists() and full.read_text() == new:
            Box(store.home / new).make()
            store.write(new, store.config(old))
            raise Refused("There is not enough room on the disk")
        # To spare a copy of all: what machines are cloned from lasts longer than they do.
        box.copy_to(store.home / new, layered=old.startswith("carrel-base-"))
        store.write(new, store.config(old))
        answer = {"message": "VM cloned successfully", "source": old}
        return 200, {**answer, "destination": new}

    def _set(self, name: str, data: bytes) -> tuple[int, object]:
        body, store = self._body("set", data), self.server.store
        config = store.config(name)
        if store.box(name).pid is not None:
            raise Refused(f"Virtual machine already running: {name}")
        if "display" in body and not re.fullmatch(r"\d+x\d+", str(body["display"])):
            raise Refused(f"Invalid display resolution format: {body['display']}.")
        if "diskSize" in body:
            wished = size(str(body["diskSize"]))
            if wished < int(str(config["disk"])):
                raise Refused(f"Cannot resize disk to {wished} bytes")
            config["disk"] = wished
        if "memory" in body:
            config["memory"] = size(str(body["memory"]))
        config |= {key: body[key] for key in ("cpu", "display") if key in body}
        store.write(name, config)
        return 200, {"message": "VM settings updated successfully"}

    def _run(self, name: str, data: bytes) -> tuple[int, object]:
        body = self._body("run", data)
        shares = body.get("sharedDirectories") or []
        assert isinstance(shares, list)
        for share in shares:
            if not Path(share["hostPath"]).is_dir() or set(share) - {"hostPath", "readOnly"}:
                path = share["hostPath"]
                raise Refused(f"Host path does not exist or is not a directory: {path}")
        store = self.server.store
        box = store.box(name)
        store.write(name, {**store.config(name), "shared": shares})
        # What goes wrong from here on, its caller does not hear.
        if box.pid is None and not (store.home / "no-slot").exists():
            box.start()
        return 202, {"message": "VM start initiated", "name": name, "status": "pending"}

    def _stop(self, name: str, data: bytes) -> tuple[int, object]:
        self._body("stop", data or b"{}")
        box = self.server.store.box(name)
        if box.pid is None:
            raise Refused(f"Virtual machine not running: {name}")
        box.stop()
        return 200, {"message": "VM stopped successfully"}

    def _delete(self, name: str) -> tuple[int, object]:
        self.server.store.box(name).remove()
        return 200, None

    def _pull(self, data: bytes) -> tuple[int, object]:
        body = self._body("pull", data)
        image = str(body["image"])
        if image not in OFFERED:
            raise Refused("Failed to fetch image manifest from registry.")
        name = str(body.get("name") or image.replace(":", "_"))
        self.server.store.make(name, OFFERED[image])
        return 200, {"message": "Image pulled successfully", "image": image, "name": name}

    def _images(self, _: bytes) -> tuple[int, object]:
        return 200, [{"repository": "ubuntu-noble-vanilla", "imageId": "0123456789ab"}]

    def _logs(self, _: bytes) -> tuple[int, object]:
        return 200, {"info": "", "error": "The maximum number of virtual machines is reached\n"}


def enter() -> None:
    """`ssh [-o K=V]… -T USER@ADDRESS COMMAND`, let in by key or by password."""
    words, options = sys.argv[1:], {}
    while words and words[0].startswith("-"):
        if words[0] == "-T":
            words = words[1:]
            continue
        if words[0] not in ("-o", "-J") or len(words) < 2:
            sys.exit(f"unknown option -- {words[0][1:]}")
        if words[0] == "-o":
            key, _, value = words[1].partition("=")
            if key not in OPTIONS:
                sys.exit(f"command-line: line 0: Bad configuration option: {key.lower()}")
            options[key] = value
        words = words[2:]
    user, _, address = words[0].partition("@")
    store = Store(Path(os.environ["HOME"]) / "vms")
    found = [name for name in store.names() if store.address(name) == address]
    if not found or store.box(found[0]).pid is None:
        sys.stderr.write(f"ssh: connect to host {address} port 22: No route to host\n")
        sys.exit(255)
    if not _is_let_in(store.home / found[0], user, options):
        sys.stderr.write(f"{user}@{address}: Permission denied (publickey,password).\n")
        sys.exit(255)
    tools = store.home / found[0] / "bin"
    tools.mkdir(exist_ok=True)
    shared = store.config(found[0]).get("shared")
    share = shared[0]["hostPath"] if isinstance(shared, list) and shared else ""
    programs = {"sudo": SUDO.replace("PASSWORD", PASSWORD), "mount": MOUNT.replace("SHARE", share)}
    for name, text in programs.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    script = f"export PATH={tools}:$PATH; cd; {' '.join(words[1:])}"
    there = ("/usr/bin/env", f"HOME=/home/{user}", "/bin/bash", "--login", "-c", script)
    os.execvp("nsenter", store.box(found[0]).within(*there))


def _is_let_in(vm: Path, user: str, options: dict[str, str]) -> bool:
    public = Path(options["IdentityFile"] + ".pub").read_text().split()[1]
    keys = vm / "home" / user / ".ssh/authorized_keys"
    if keys.exists() and public in keys.read_text():
        return True
    refuses = vm / "etc/ssh/sshd_config.d/00-carrel.conf"
    if refuses.exists() and "PasswordAuthentication no" in refuses.read_text():
        return False
    asks = "password" in options["PreferredAuthentications"] and "BatchMode" not in options
    if not asks or "SSH_ASKPASS" not in os.environ:
        return False
    told = subprocess.run([os.environ["SSH_ASKPASS"]], capture_output=True, text=True, check=True)
    return user == "lume" and told.stdout.strip() == PASSWORD


def install(directory: Path) -> Path:
    """Put an `ssh` into a directory; the machines are in `vms` of the home directory."""
    program = directory / "ssh"
    here = shlex.quote(str(Path(__file__).resolve()))
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -S {here} "$@"\n')
    program.chmod(0o755)
    return program


def remove_all(home: Path) -> None:
    """End every virtual machine."""
    for name in Store(home).names():
        Box(home / name).remove()


if __name__ == "__main__":
    enter()

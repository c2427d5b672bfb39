"""The container that a machine is: what it is called, and what it is made from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import cast

from carrel import codec
from carrel.machines.bundle import guest_bundle
from carrel.machines.docker.api import EngineApi, engine_socket
from carrel.machines.docker.figures import part
from carrel.machines.docker.transfer import engine_image
from carrel.machines.images import resolve_image
from carrel.machines.lending import volume_places
from carrel.machines.provider import Progress
from carrel.machines.providers._guest import guest_argv
from carrel.machines.sandbox.layout import agent_env, machine_identity
from carrel.machines.sandbox.plan import AGENT_GID, AGENT_HOME, AGENT_UID, GUEST_BUNDLE
from carrel.machines.spec import Machine, MachineSpec

__all__ = ["HOME", "KEPT", "MACHINE", "NEXT", "container_name", "container_wish", "fit", "refit"]

MACHINE, HOME, FIT = "org.carrel.machine", "org.carrel.home", "org.carrel.fit"
"""Labels: whose container it is, in which directory of machines that one is, and for what wish."""

KEPT = "carrel/kept"
"""Where an engine has the disks that containers were made anew from."""

NEXT = "-next"
"""Ends the name of a container that is about to take another's place."""

# Said, because an engine that may not raise its own limits fails at the defaults of some.
_LIMITS = [
    {"Name": "nofile", "Soft": 4096, "Hard": 4096},
    {"Name": "nproc", "Soft": 16384, "Hard": 16384},
]
_COMMIT_SECONDS = 600.0
_MB = 1 << 20


def container_name(machine: Machine) -> str:
    """What the engine calls a machine."""
    return f"carrel-{machine.id}"


def container_wish(machine: Machine) -> dict[str, object]:
    """The body of the request that makes a machine's container."""
    spec = machine.spec
    image = resolve_image(spec.image)
    memory = spec.memory_mb * _MB
    half = max(spec.memory_mb // 2, 32)
    wish: dict[str, object] = {
        "Image": engine_image(image),
        "Hostname": machine.name,
        "User": f"{AGENT_UID}:{AGENT_GID}",
        "WorkingDir": AGENT_HOME,
        "Env": [f"{name}={value}" for name, value in agent_env(extra=spec.env).items()],
        "Cmd": list(guest_argv(image.python, spec, "--first", "--stdio")),
        "Entrypoint": [],
        # Its input ends with whoever holds it, and the guest with its input.
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "Tty": False,
        "NetworkDisabled": True,
        "Labels": {
            MACHINE: machine.id,
            HOME: str(machine.directory.parent),
            FIT: fit(spec),
        },
        "HostConfig": {
            "NetworkMode": "none",
            "CapDrop": ["ALL"],
            "SecurityOpt": ["no-new-privileges"],
            "IpcMode": "private",
            "PidsLimit": spec.pids,
            "Memory": memory,
            "MemorySwap": memory,
            "NanoCpus": spec.cpus * 1_000_000_000,
            "ShmSize": half * _MB,
            "Tmpfs": {
                "/tmp": f"rw,nosuid,nodev,exec,size={half}m,mode=1777",  # noqa: S108
                "/run": "rw,nosuid,nodev,size=64m,mode=755",
            },
            "Mounts": [
                _bind(guest_bundle(), GUEST_BUNDLE, read_only=True),
                *_identity(machine),
                *(_bind(path, place, read_only=False) for path, place in volume_places(machine)),
            ],
            "Ulimits": _LIMITS,
            "LogConfig": {"Type": "none", "Config": {}},
            "RestartPolicy": {"Name": "no"},
        },
    }
    return wish


def fit(spec: MachineSpec) -> str:
    """Tells whether a container was made for the same wish, as far as that is fixed with it."""
    # Its guest as well: one that no start asks for any more is removed some day.
    guest = guest_bundle().name
    fixed = (spec.size, spec.memory_mb, spec.pids, spec.cpus, dict(spec.env), spec.volumes, guest)
    return hashlib.sha256(json.dumps(codec.encode(fixed), sort_keys=True).encode()).hexdigest()[:16]


def _bind(source: Path, target: str, *, read_only: bool) -> dict[str, object]:
    """Not as one word: a path may have colons."""
    return {"Type": "bind", "Source": str(source), "Target": target, "ReadOnly": read_only}


def _identity(machine: Machine) -> list[dict[str, object]]:
    """A machine id of its own, which D-Bus and others ask for, and what `localhost` is.

    An engine leaves a container without a network without any names.
    """
    texts = {
        "machine-id": machine_identity(machine.id) + "\n",
        "hosts": f"127.0.0.1 localhost {machine.name}\n::1 localhost\n",
    }
    for name, text in texts.items():
        path = machine.directory / name
        path.write_text(text)
        path.chmod(0o644)
    return [_bind(machine.directory / name, f"/etc/{name}", read_only=True) for name in texts]


def refit(machine: Machine, progress: Progress) -> None:
    """Give a machine whose wish has changed another container, with all that was written."""
    api, name = EngineApi(engine_socket()), container_name(machine)
    told = api.get(f"/containers/{name}/json")
    found = told if isinstance(told, dict) else {}
    labels = part(part(found, "Config"), "Labels")
    if labels.get(FIT) == fit(machine.spec):
        return
    progress("making its container anew", None)
    api.post("/commit", {}, _COMMIT_SECONDS, container=name, repo=KEPT, tag=machine.id)
    wish = {**container_wish(machine), "Image": f"{KEPT}:{machine.id}"}
    # The disk remembers what was set before, and an engine would set it again.
    gone = _names(part(found, "Config").get("Env")) - _names(wish["Env"])
    unset = [word for each in sorted(gone) for word in ("-u", each)]
    wish["Cmd"] = ["/usr/bin/env", *unset, *cast("list[str]", wish["Cmd"])]
    api.delete(f"/containers/{name}{NEXT}", force="true")
    api.post("/containers/create", wish, name=name + NEXT)
    api.delete(f"/containers/{name}", force="true")
    api.post(f"/containers/{name}{NEXT}/rename", name=name)


def _names(variables: object) -> set[str]:
    texts = variables if isinstance(variables, list) else []
    return {str(text).partition("=")[0] for text in texts}

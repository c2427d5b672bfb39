"""`limactl` as its users see it: its words, its flags, its files; its instances are boxes.

Only what Lima 2.0 has is taken (cmd/limactl of lima-vm/lima), and errors are in its own words. A
template is read as JSON, which is YAML, too.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from fake_box import Box

VERSION = "2.0.1"
GLOBAL = {"tty": "bool", "yes": "bool", "log-level": "value", "log-format": "value"}
GLOBAL |= {"debug": "bool", "version": "bool"}
EDIT = {"cpus": "value", "memory": "value", "disk": "value", "set": "value", "mount": "value"}
EDIT |= {"mount-none": "bool", "network": "value", "video": "bool", "dns": "value"}
CREATE = {**EDIT, "name": "value", "plain": "bool", "vm-type": "value", "arch": "value"}
COMMANDS = {
    "create": CREATE,
    "start": {**CREATE, "timeout": "value", "foreground": "bool", "progress": "bool"},
    "clone": EDIT,
    "edit": EDIT,
    "stop": {"force": "bool"},
    "delete": {"force": "bool"},
    "list": {"json": "bool", "quiet": "bool", "format": "value", "all-fields": "bool"},
    "shell": {"workdir": "value", "shell": "value", "preserve-env": "bool", "reconnect": "bool"},
}
SHORT = {"-f": "--force", "-q": "--quiet", "-y": "--yes"}
TEMPLATE = {
    "minimumLimaVersion": str,
    "vmType": str,
    "arch": str,
    "images": list,
    "cpus": int,
    "memory": str,
    "disk": str,
    "plain": bool,
    "mounts": list,
    "portForwards": list,
    "containerd": dict,
    "ssh": dict,
    "video": dict,
    "message": str,
}
NAME = re.compile(r"[A-Za-z0-9]+(?:[._-](?:[A-Za-z0-9]+))*")
SIZE = re.compile(r"(\d+)(MiB|GiB)")
SUDO = """#!/bin/sh
[ "$1" = -n ] || { echo "sudo: a terminal is required to read the password" >&2; exit 1; }
shift
exec "$@"
"""


def fatal(message: str) -> None:
    sys.stderr.write(f"time=now level=fatal msg={json.dumps(message)}\n")
    sys.exit(1)


def warn(message: str) -> None:
    sys.stderr.write(f"time=now level=warning msg={json.dumps(message)}\n")


def home() -> Path:
    return Path(os.environ.get("LIMA_HOME") or f"{os.environ['HOME']}/.lima")


class Instance:
    def __init__(self, name: str) -> None:
        if NAME.fullmatch(name) is None or len(name) > 76:
            fatal(f"identifier {json.dumps(name)} must match {NAME.pattern}")
        self.name = name
        self.directory = home() / name
        self.box = Box(self.directory)

    @property
    def exists(self) -> bool:
        return (self.directory / "lima.yaml").exists()

    @property
    def status(self) -> str:
        return "Running" if self.box.pid is not None else "Stopped"

    def read(self) -> dict[str, object]:
        return dict(json.loads((self.directory / "lima.yaml").read_text()))

    def write(self, template: dict[str, object]) -> None:
        (self.directory / "lima.yaml").write_text(json.dumps(template))

    def told(self) -> dict[str, object]:
        config = self.read()
        told: dict[str, object] = {
            "name": self.name,
            "hostname": f"lima-{self.name}",
            "status": self.status,
            "dir": str(self.directory),
            "vmType": "qemu",
            "arch": "x86_64",
            "cpus": config.get("cpus", 4),
            "memory": size(str(config.get("memory", "4GiB"))),
            "disk": size(str(config.get("disk", "100GiB"))),
            "protected": False,
            "limaVersion": VERSION,
            "config": config,
        }
        if config.get("message"):
            told["message"] = config["message"]
        if self.box.pid is not None:
            told["driverPID"] = told["hostAgentPID"] = self.box.pid
        return told


def size(text: str) -> int:
    match = SIZE.fullmatch(text)
    if match is None:
        fatal(f"field `memory` or `disk` has an invalid value: invalid size: {json.dumps(text)}")
        raise AssertionError
    return int(match[1]) << (20 if match[2] == "MiB" else 30)


def check(template: dict[str, object]) -> None:
    for key, value in template.items():
        if key not in TEMPLATE:
            fatal(f'unknown field "{key}"')
        if not isinstance(value, TEMPLATE[key]):
            fatal(f"cannot unmarshal {json.dumps(value)} into field {key}")
    images = template.get("images")
    if not isinstance(images, list) or not images:
        fatal("field `images` must be set")
        raise AssertionError
    for number, image in enumerate(images):
        if set(image) - {"location", "arch", "digest", "kernel", "initrd"}:
            fatal(f"field `images[{number}]` has unknown fields")
        if not image.get("location"):
            fatal(f"field `images[{number}].location` must not be empty")
        if "digest" in image and not re.fullmatch(r"sha256:[0-9a-f]{64}", image["digest"]):
            fatal(f"field `images[{number}].digest` is invalid: invalid checksum digest length")
    for key in ("memory", "disk"):
        if key in template:
            size(str(template[key]))


def evaluate(expression: str, template: dict[str, object]) -> dict[str, object]:
    """The part of yq that is assignments: `.key = VALUE | .key = VALUE`."""
    decoder = json.JSONDecoder()
    rest = expression.strip()
    while rest:
        match = re.match(r"\.([A-Za-z]+) = ", rest)
        if match is None:
            fatal(f"failed to evaluate yq expression: invalid input text {json.dumps(rest[:20])}")
            raise AssertionError
        value, end = decoder.raw_decode(rest[match.end() :])
        template[match[1]] = value
        rest = rest[match.end() + end :].strip()
        if rest and not rest.startswith("| "):
            fatal(f"failed to evaluate yq expression: bad expression near {json.dumps(rest[:20])}")
        rest = rest[2:]
    check(template)
    return template


def parse(words: list[str]) -> tuple[str, dict[str, str], list[str]]:
    """Flags as cobra takes them; those of `shell` end with the first word that is none."""
    command, flags, rest = "", {}, []
    queue = [SHORT.get(word, word) for word in words[:8]] + words[8:]
    while queue:
        word = queue.pop(0)
        known = {**GLOBAL, **COMMANDS.get(command, {})}
        if word.startswith("--") and len(word) > 2:
            name, equals, value = word[2:].partition("=")
            if name not in known:
                fatal(f"unknown flag: --{name}")
            if known[name] == "value" and not equals:
                if not queue:
                    fatal(f"flag needs an argument: --{name}")
                value = queue.pop(0)
            flags[name] = value or "true"
        elif not command:
            if word not in COMMANDS:
                fatal(f'unknown command "{word}" for "limactl"')
            command = word
        else:
            rest.append(word)
            if command == "shell":
                rest += queue
                break
    return command, flags, rest


def inspect(name: str) -> Instance:
    found = Instance(name)
    if not found.exists:
        fatal(f'instance "{name}" does not exist, run `limactl create {name}` to create it')
    return found


def create(flags: dict[str, str], rest: list[str]) -> None:
    if len(rest) > 1:
        fatal(f'"limactl create" accepts at most 1 arg(s), received {len(rest)}.')
    if rest != ["-"]:
        fatal("this fake reads its template from standard input")
    if "name" not in flags:
        fatal("must pass instance name with --name when reading template from stdin")
    made = Instance(flags["name"])
    if made.exists:
        fatal(f"instance `{made.name}` already exists")
    template = json.loads(sys.stdin.read())
    check(template)
    if "set" in flags:
        template = evaluate(flags["set"], template)
    location = template["images"][0]["location"]
    if "://" not in location and not Path(location).is_file():
        fatal(f"failed to download the image: {location}: no such file or directory")
    made.box.make()
    made.write(template)


def start(flags: dict[str, str], rest: list[str]) -> None:
    if "timeout" in flags and not re.fullmatch(r"(\d+[hms])+", flags["timeout"]):
        fatal(f'invalid argument "{flags["timeout"]}" for "--timeout" flag')
    found = inspect(rest[0] if rest else "default")
    if found.status == "Running":
        warn(f'The instance "{found.name}" is already running.')
        return
    if os.environ.get("LIMA_HOME") and (home() / "broken").exists():
        fatal("failed to start the driver: qemu-system-x86_64: could not open the disk")
    found.box.start()


def clone(flags: dict[str, str], rest: list[str]) -> None:
    if len(rest) != 2:
        fatal(f'"limactl clone" accepts 2 arg(s), received {len(rest)}.')
    old, new = Instance(rest[0]), Instance(rest[1])
    if not old.exists:
        fatal(f'instance "{old.name}" not found')
    if old.status == "Running":
        fatal("cannot clone a running instance")
    if new.exists:
        fatal(f'instance "{new.name}" already exists')
    template = old.read()
    full = home() / "full-for"
    if full.exists() and full.read_text() == new.name:
        new.box.make()
        new.write(template)
        fatal("failed to copy the disk: no space left on device")
    old.box.copy_to(new.directory)
    new.write(template)
    if "set" in flags:
        new.write(changed(template, flags["set"]))


def changed(before: dict[str, object], expression: str) -> dict[str, object]:
    after = evaluate(expression, dict(before))
    if size(str(after.get("disk", "100GiB"))) < size(str(before.get("disk", "100GiB"))):
        fatal("field `disk`: shrinking the disk is not supported")
    return after


def edit(flags: dict[str, str], rest: list[str]) -> None:
    found = inspect(rest[0])
    if found.status == "Running":
        fatal("cannot edit a running instance")
    if "set" not in flags:
        fatal("this fake has no editor")
    found.write(changed(found.read(), flags["set"]))


def stop(flags: dict[str, str], rest: list[str]) -> None:
    found = inspect(rest[0])
    if "force" not in flags and found.status != "Running":
        fatal(f'expected status "Running", got "{found.status}" (maybe use `limactl stop -f`?)')
    if "force" not in flags and (home() / "stuck").exists():
        fatal('did not receive an event with the "exiting" status')
    found.box.stop()


def delete(flags: dict[str, str], rest: list[str]) -> None:
    for name in rest:
        found = Instance(name)
        if not found.exists:
            warn(f'Ignoring non-existent instance "{name}"')
            continue
        if "force" not in flags and found.status != "Stopped":
            fatal(f'expected status "Stopped", got "{found.status}"')
        found.box.remove()


def list_(flags: dict[str, str], rest: list[str]) -> None:
    names = rest or sorted(path.parent.name for path in home().glob("*/lima.yaml"))
    if not names:
        warn("No instance found. Run `limactl create` to create an instance.")
        return
    for name in names:
        if not Instance(name).exists:
            warn(f"No instance matching {name} found.")
            sys.exit(1)
        print(json.dumps(Instance(name).told()) if "json" in flags else name)


def shell(flags: dict[str, str], rest: list[str]) -> None:
    found = inspect(rest[0])
    if found.box.pid is None:
        fatal("instance is stopped, and there is no terminal to ask whether to start it")
    words = rest[2:] if rest[1:2] == ["--"] else rest[1:]
    sudo = found.directory / "bin"
    sudo.mkdir(exist_ok=True)
    (sudo / "sudo").write_text(SUDO)
    (sudo / "sudo").chmod(0o755)
    # As ssh has it: one string, for the login shell of the user there.
    script = f"cd {shlex.quote(flags.get('workdir', '/'))} || exit 1; PATH={sudo}:$PATH; "
    script += f"exec bash -c {shlex.quote(shlex.join(words))}"
    there = ("/usr/bin/env", "HOME=/home", "/bin/bash", "--login", "-c", script)
    os.execvp("nsenter", found.box.within(*there))


def main() -> None:
    command, flags, rest = parse(sys.argv[1:])
    if "version" in flags:
        wished = home() / "version"
        print(f"limactl version {wished.read_text() if wished.exists() else VERSION}")
        return
    if (home() / "as-root").exists():
        fatal("must not run as the root user")
    if not command:
        fatal("no command")
    home().mkdir(parents=True, exist_ok=True)
    with (home() / "log").open("a") as log:
        log.write(shlex.join([command, *sorted(flags), *rest]) + "\n")
    {"list": list_}.get(command, globals().get(command, list_))(flags, rest)


def install(directory: Path) -> Path:
    """Put a `limactl` into a directory."""
    program = directory / "limactl"
    here = Path(__file__).resolve()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -S {here} "$@"\n')
    program.chmod(0o755)
    return program


def remove_all(lima_home: Path) -> None:
    """End every instance."""
    for path in lima_home.glob("*/lima.yaml"):
        Box(path.parent).remove()
    shutil.rmtree(lima_home, ignore_errors=True)


if __name__ == "__main__":
    main()

"""`wsl.exe` and `wslpath` as a Linux that WSL keeps sees them: words, options, UTF-16.

Only what WSL 2.6 has is taken (src/windows/common/WslClient.cpp of microsoft/WSL). A distribution
is a box with a root of its own, unpacked from the tar it was imported from; a path of Windows is
one of this system with `C:` before it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from fake_box import Box

HOST = "Debian"
"""The distribution that its caller runs in."""

USAGE = (
    "Invalid command line argument: {}\n"
    "Please use 'wsl.exe --help' to get a list of supported arguments.\n"
    "Error code: Wsl/E_INVALIDARG\n"
)
MISSING = (
    "There is no distribution with the supplied name.\n"
    "Error code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\n"
)
NO_PATH = "The system cannot find the path specified. \nError code: Wsl/ERROR_PATH_NOT_FOUND\n"
DONE = "The operation completed successfully. \n"


def say(text: str, status: int = 0) -> None:
    """To standard output, errors too, as Windows programs write to a pipe."""
    sys.stdout.buffer.write(text.replace("\n", "\r\n").encode("utf-16-le"))
    sys.stdout.buffer.flush()
    if status:
        sys.exit(255)


def state() -> Path:
    return Path(os.environ["HOME"]) / "windows"


def registry() -> dict[str, str]:
    """Which distributions there are, and where on Windows."""
    path = state() / "registry.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def register(entries: dict[str, str]) -> None:
    state().mkdir(parents=True, exist_ok=True)
    (state() / "registry.json").write_text(json.dumps(entries))


def here(path: str) -> Path:
    """A path of Windows, as this system has it."""
    if not path.startswith("C:\\"):
        say(
            "The system cannot find the path specified. \nError code: Wsl/ERROR_PATH_NOT_FOUND\n", 1
        )
    return Path(path[2:].replace("\\", "/"))


def distribution(name: str) -> Box:
    known = registry()
    if name not in known:
        say(MISSING, 1)
    directory = Path(known[name])
    return Box(directory, directory / "root")


def list_(words: list[str]) -> None:
    if words != ["--verbose"]:
        say(USAGE.format(" ".join(words)), 1)
    width = max(map(len, [HOST, *registry()])) + 4
    lines = [f"  {'NAME':{width}}{'STATE':16}VERSION", f"* {HOST:{width}}{'Running':16}2"]
    for name in registry():
        running = "Running" if distribution(name).pid else "Stopped"
        lines.append(f"  {name:{width}}{running:16}2")
    say("\n".join(lines) + "\n")


def import_(words: list[str]) -> None:
    if len(words) != 5 or words[3] != "--version":
        say(USAGE.format(" ".join(words)), 1)
    name, where, source, _, version = words
    if version not in ("1", "2"):
        say("Invalid version number.\nError code: Wsl/ERROR_VERSION_PARSE_ERROR\n", 1)
    if name in registry() or name == HOST:
        say(f"A distribution with the supplied name already exists. {name}\n", 1)
    directory = here(where)
    if not directory.parent.is_dir():
        say(NO_PATH, 1)
    root = directory / "root"
    root.mkdir(parents=True)
    archive = ["-f", str(here(source))] if source != "-" else []
    done = subprocess.run(
        ["tar", "-x", "--numeric-owner", "-C", root, *archive],
        stdin=sys.stdin,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        shutil.rmtree(directory)
        say("Importing the distribution failed.\nError code: Wsl/Service/RegisterDistro\n", 1)
    register({**registry(), name: str(directory)})
    say(DONE)


def export(words: list[str]) -> None:
    if len(words) != 2:
        say(USAGE.format(" ".join(words)), 1)
    box = distribution(words[0])
    box.stop()  # as WSL does for the time of it
    root = Path(registry()[words[0]]) / "root"
    subprocess.run(["tar", "-c", "-f", here(words[1]), "-C", root, "."], check=True)
    say(DONE)


def terminate(words: list[str]) -> None:
    distribution(words[0]).stop()
    say(DONE)


def unregister(words: list[str]) -> None:
    distribution(words[0]).remove()
    register({name: where for name, where in registry().items() if name != words[0]})
    say("Unregistering.\n" + DONE)


def run(words: list[str]) -> None:
    """`--distribution NAME [--user U] [--cd DIR] --exec COMMAND…`."""
    given = {}
    while words and words[0] != "--exec":
        if words[0] not in ("--distribution", "-d", "--user", "-u", "--cd") or len(words) < 2:
            say(USAGE.format(words[0]), 1)
        given[words[0]] = words[1]
        words = words[2:]
    if len(words) < 2:
        say(USAGE.format("--exec"), 1)
    if given.get("--user", "root") != "root":
        say("User not found.\n", 1)
    name = given.get("--distribution") or given.get("-d") or HOST
    box = distribution(name)
    if box.pid is None:
        _boot(Path(registry()[name]), box)
    os.execvp("nsenter", box.within(*words[1:]))


def _boot(directory: Path, box: Box) -> None:
    """Start it as `/etc/wsl.conf` says: with Windows' drives, unless that keeps them out."""
    box.start()
    wish = directory / "root/etc/wsl.conf"
    text = wish.read_text() if wish.exists() else ""
    drive = "mkdir -p /mnt/c && mount -t tmpfs windows /mnt/c && touch /mnt/c/pagefile.sys"
    if "[automount]\nenabled=false" not in text:
        subprocess.run(box.within("/bin/sh", "-c", drive), check=True)


def main() -> None:
    words = sys.argv[1:]
    commands = {
        "--list": list_,
        "--import": import_,
        "--export": export,
        "--terminate": terminate,
        "--unregister": unregister,
    }
    if words == ["--version"]:
        if (state() / "inbox").exists():
            say(USAGE.format("--version"), 1)
        say("WSL version: 2.6.1.0\nKernel version: 6.6.87.2-1\nWindows version: 10.0.26100.1\n")
    elif words and words[0] in commands:
        commands[words[0]](words[1:])
    elif words and words[0].startswith("-"):
        run(words)
    else:
        say(USAGE.format(" ".join(words)), 1)


def install(directory: Path) -> None:
    """Put a `wsl.exe` and a `wslpath` into a directory."""
    script = Path(__file__).resolve()
    translate = 'if [ "$1" != -w ] || [ ! -e "$2" ]; then echo "wslpath: $2" >&2; exit 1; fi\n'
    translate += 'printf "C:%s\\n" "$2" | tr / "\\\\\\\\"'
    texts = {"wsl.exe": f'exec {sys.executable} -S {script} "$@"', "wslpath": translate}
    for name, text in texts.items():
        (directory / name).write_text(f"#!/bin/sh\n{text}\n")
        (directory / name).chmod(0o755)


def remove_all(home: Path) -> None:
    """End every distribution."""
    path = home / "windows/registry.json"
    for where in (json.loads(path.read_text()) if path.exists() else {}).values():
        Box(Path(where), Path(where) / "root").remove()


if __name__ == "__main__":
    main()

"""What a directory that is to be deployed holds: how it is run, and what it needs for that."""

from __future__ import annotations

import json
import os
import re
import shlex
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from carrel.errors import InvalidInput, NotFound

__all__ = ["Project", "read_project", "requirement_marker", "requirement_name", "unpacked"]

Kind = Literal["command", "python", "node", "script"]

_SCRIPTS = ("run", "run.sh", "start.sh", "main.sh")
_PYTHONS = ("main.py", "app.py", "server.py", "__main__.py")
_NODES = ("server.js", "index.js", "main.js", "app.js", "server.mjs", "index.mjs")
_NODE_PROGRAMS = ("node", "npm", "npx")
_WHEELS = ("wheels", "wheelhouse", "vendor")
_COMMENT = re.compile(r"(^|\s)#.*")
_INCLUDE = re.compile(r"(?:-r|--requirement)(?:\s*=\s*|\s*)(\S+)")
_SETTING = re.compile(
    r"(-i|-f|-c|--(index-url|extra-index-url|no-index|find-links|constraint|no-binary|only-binary"
    r"|prefer-binary|require-hashes|pre|trusted-host|use-feature))(?![\w-])"
)
"""Says how packages are found, and asks for none."""

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Project:
    """One that can be run.

    Attributes:
        kind: Whose rules it follows.
        argv: Its command, to be run in its directory.
        how: How that was found out, in words.
        needs: Packages it says it needs; of Node's those that are not with it. A line that names
            none, but has pip find some, is among them as it is.
        wheels: Directory in it that holds Python packages.
        install: How pip is told of all of them, in its directory.
        programs: What it runs beside its command's first word, and the machine must have.
    """

    kind: Kind
    argv: tuple[str, ...]
    how: str
    needs: tuple[str, ...] = ()
    wheels: str | None = None
    install: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()


@contextmanager
def unpacked(source: Path) -> Iterator[Path]:
    """A directory or archive as a directory, for as long as it is used.

    Raises:
        NotFound: It is not there.
        InvalidInput: It is neither a directory nor a tar archive, or a hostile one.
    """
    if source.is_dir():
        yield source
        return
    if not source.exists():
        raise NotFound(
            f"there is no {source}", op="deploy", hint="name a directory or a tar archive"
        )
    with TemporaryDirectory(prefix="carrel-deploy-") as name:
        place = Path(name)
        try:
            with tarfile.open(source) as archive:
                archive.extractall(place, filter="data")
        except (tarfile.TarError, EOFError, OSError) as error:
            raise InvalidInput(
                f"{source.name} cannot be unpacked: {error}",
                op="deploy",
                hint="--image-path takes a directory or a tar archive, compressed or not",
            ) from error
        inside = list(place.iterdir())
        # Most archives hold one directory with everything in it.
        yield inside[0] if len(inside) == 1 and inside[0].is_dir() else place


def read_project(directory: Path, command: tuple[str, ...] = ()) -> Project:
    """Find out how what is in a directory is run.

    Args:
        directory: Where it is.
        command: What to run instead of what would be found.

    Raises:
        NotFound: Nothing in it says how.
    """
    found = _find(directory)
    if command:
        how = "the command was given"
        if found is not None and found.needs:
            return replace(found, argv=command, how=how, programs=())
        return Project("command", command, how, wheels=found.wheels if found else None)
    if found is None or not found.argv:
        tried = "package.json, pyproject.toml, main.py, run.sh"
        raise NotFound(
            f"nothing in {directory.name} says how it is run (looked for {tried})",
            op="deploy",
            hint="say it after --: carrel deploy NAME --image-path DIR -- python3 serve.py",
        )
    return found


def _find(directory: Path) -> Project | None:
    if (directory / "package.json").is_file():
        return _node(directory)
    names = ("pyproject.toml", "requirements.txt", *_PYTHONS)
    if any((directory / name).is_file() for name in names):
        return _python(directory)
    for name in _SCRIPTS:
        if os.access(directory / name, os.X_OK) and (directory / name).is_file():
            return Project("script", (f"./{name}",), f"{name} can be executed")
    return None


def _node(directory: Path) -> Project:
    facts = _read_json(directory / "package.json")
    wanted = facts.get("dependencies")
    names = wanted if isinstance(wanted, dict) else {}
    missing = tuple(
        str(name) for name in names if not (directory / "node_modules" / str(name)).exists()
    )
    argv, how = _node_command(directory, facts)
    return Project("node", argv, how, missing, programs=_node_programs(directory, argv))


def _node_programs(directory: Path, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Those of Node's that a start script runs, as far as that can be told without running it."""
    first = argv[-1].removeprefix("exec ").split(maxsplit=1)[0] if argv else ""
    if first in _NODE_PROGRAMS:
        return (first,)
    return ("node",) if (directory / "node_modules").is_dir() else ()


def _node_command(directory: Path, facts: Mapping[str, object]) -> tuple[tuple[str, ...], str]:
    scripts = facts.get("scripts")
    start = scripts.get("start") if isinstance(scripts, dict) else None
    if isinstance(start, str) and start.strip():
        return ("/bin/sh", "-c", f"exec {start}" if _is_plain(start) else start), (
            f"package.json's start script is: {start}"
        )
    main = facts.get("main")
    for name in (*([main] if isinstance(main, str) else []), *_NODES):
        if (directory / name).is_file():
            return ("node", name), f"{name} is there"
    return (), ""


def _is_plain(script: str) -> bool:
    """Whether a shell would do nothing with it but run one program."""
    try:
        words = shlex.split(script)
    except ValueError:
        return False
    return bool(words) and "=" not in words[0] and not re.search(r"[;&|<>()$`\n]", script)


def _python(directory: Path) -> Project:
    facts = _read_toml(directory / "pyproject.toml")
    project = facts.get("project")
    table = project if isinstance(project, dict) else {}
    listed = table.get("dependencies")
    named = [str(item) for item in listed] if isinstance(listed, list) else []
    root = directory.resolve()
    lines = _requirements(root / "requirements.txt", root)
    needs = tuple(dict.fromkeys([*named, *lines]))
    install = (*named, *(("-r", "requirements.txt") if lines else ()))
    argv, how = _python_command(directory, table)
    wheels = next((n for n in _WHEELS if any((directory / n).glob("*.whl"))), None)
    return Project("python", argv, how, needs, wheels, install)


def _python_command(directory: Path, project: Mapping[str, object]) -> tuple[tuple[str, ...], str]:
    for name in _PYTHONS:
        if (directory / name).is_file():
            return ("python3", name), f"{name} is there"
    scripts = project.get("scripts")
    if isinstance(scripts, dict) and len(scripts) == 1:
        ((name, target),) = scripts.items()
        module, _, function = str(target).partition(":")
        if module and function:
            code = f"import sys; from {module} import {function.split('.')[0]}; "
            code += f"sys.exit({function}())"
            return ("python3", "-c", code), f"pyproject.toml names one script, {name}"
    for base in (directory / "src", directory):
        found = sorted(path.parent.name for path in base.glob("*/__main__.py"))
        if len(found) == 1:
            return ("python3", "-m", found[0]), f"the package {found[0]} has a __main__"
    return (), ""


def _requirements(path: Path, root: Path, above: tuple[Path, ...] = ()) -> list[str]:
    """What a file of requirements asks for, with the files it names; pip reads them itself."""
    if not path.is_file() or path in above:
        return []
    try:
        text = path.read_text()
    except (ValueError, OSError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {error}", op="deploy") from error
    found = []
    for each in text.replace("\\\n", " ").splitlines():
        line = _COMMENT.sub("", each).strip()
        included = _INCLUDE.fullmatch(line)
        other = (path.parent / included[1]).resolve() if included is not None else None
        if other is not None and other.is_relative_to(root) and other.is_file():
            found += _requirements(other, root, (*above, path))
        elif line and _SETTING.match(line) is None:
            found.append(line)
    return found


def requirement_name(requirement: str) -> str | None:
    """The package that a requirement speaks of, as package indexes compare names.

    None where it names none, but a file, an address or an option of pip.
    """
    plain = requirement.partition(";")[0].strip()
    if "/" in plain.partition("@")[0]:
        return None
    found = _NAME.match(plain)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else None


def requirement_marker(requirement: str) -> str:
    """For which systems it is meant; nothing where it is for all."""
    return requirement.partition(";")[2].partition(" --")[0].strip()


def _read_json(path: Path) -> dict[str, object]:
    try:
        found = json.loads(path.read_text())
    except (ValueError, OSError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {error}", op="deploy") from error
    return found if isinstance(found, dict) else {}


def _read_toml(path: Path) -> dict[str, object]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text())
    except (ValueError, OSError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {error}", op="deploy") from error

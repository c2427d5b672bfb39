"""Putting a program into a running machine, and having it run there."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from carrel.codec import Json
from carrel.computer import Computer
from carrel.errors import (
    AlreadyExists,
    CarrelError,
    InvalidInput,
    NotFound,
    Refused,
    RunError,
    Unavailable,
    Unsupported,
)
from carrel.guest.restarts import Restart
from carrel.machines.apps import (
    PLACE,
    PREFIX,
    SURROUNDINGS,
    App,
    AppKind,
    Apps,
    see_to,
    taken,
    tell_attendant,
)
from carrel.machines.attendant import Splitter
from carrel.machines.linelog import note
from carrel.machines.presets import allowed_words, get_preset, narrow
from carrel.machines.projects import (
    Project,
    read_project,
    requirement_marker,
    requirement_name,
    unpacked,
)
from carrel.machines.provider import Progress, get_provider
from carrel.machines.spares import MOVE, keep_copy, mark, prune
from carrel.machines.spec import Machine

__all__ = ["Deployment", "app_name", "deploy", "latest_process", "remove"]

INSTALL_BOUND = 900.0
_QUICK = 60.0
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")

_MISSING = """
import sys, importlib.metadata, json, re
sys.path[:0] = [".packages", "src"]
names = {re.sub(r"[-_.]+", "-", d.metadata["Name"] or "").lower()
         for d in importlib.metadata.distributions()}
try:
    from packaging.markers import Marker
except ImportError:
    try:
        from pip._vendor.packaging.markers import Marker
    except ImportError:
        Marker = None
def meant(marker):
    try:
        return not marker or Marker is None or Marker(marker).evaluate({"extra": ""})
    except Exception:
        return True
print(json.dumps([n for n, m in json.loads(sys.argv[1]) if n not in names and meant(m)]))
"""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Deployment:
    """What is to be deployed.

    Attributes:
        name: What to call it.
        source: A directory or an archive; None runs what is in the machine already.
        command: What to run instead of what the source says.
        replacing: One of the same name ends, and this one takes its place.
    """

    name: str
    source: Path | None = None
    command: tuple[str, ...] = ()
    restart: Restart = "on-failure"
    env: Mapping[str, str] = field(default_factory=dict)
    kind: AppKind = "program"
    port: int = 0
    path: str = "/mcp"
    replacing: bool = False


def app_name(word: str) -> str:
    """A name made of a path or a program's name.

    Raises:
        InvalidInput: Nothing in it can be part of a name.
    """
    name = _NOT_A_NAME.sub("-", word.lower()).strip("-")[:40].strip("-")
    if not name:
        raise InvalidInput(f"{word[:40]!r} gives no name", op="deploy", hint="say --app NAME")
    return name


async def deploy(
    computer: Computer, machine: Machine, wish: Deployment, progress: Progress, say: Say
) -> App:
    """Put a program in place and start it, supervised; it is started again with the machine.

    Args:
        computer: The machine's, running.
        machine: Where it goes.
        wish: What.
        progress: Told of every stage.
        say: Told every line that an installation writes.

    Raises:
        AlreadyExists: There is one of that name, and it is not to be replaced.
        WrongState: Another command is deploying to the machine.
        NotFound: Nothing says how it is run, or what runs it is not in the machine.
        Unavailable: It needs packages that cannot be had.
        Refused: The machine's preset does not allow its variables, or to publish it.
    """
    if not get_provider(machine.spec.provider).capabilities.owns:
        raise Unsupported(
            f"{machine.name} runs elsewhere: nothing can be kept running in it from here",
            op="deploy",
            hint=f"carrel cp and carrel exec {machine.name} work",
        )
    _check_preset(machine, wish)
    apps = Apps(machine)
    with apps.deploying():
        if apps.find(wish.name) is not None and not wish.replacing:
            raise taken(machine.name, wish.name)
        try:
            app = await _put(computer, machine, wish, progress, say)
            before = await _processes(computer, app.name)
            apps.put(app, replacing=wish.replacing)
        finally:
            prune(machine)
        note(machine.directory, "apps", f"{app.name} is deployed: {' '.join(app.argv)}")
        if app.lasting:
            progress("starting", None)
            await _start(computer, app, {str(entry["id"]) for entry in before})
        see_to(machine)
    return app


async def _put(
    computer: Computer, machine: Machine, wish: Deployment, progress: Progress, say: Say
) -> App:
    if wish.source is None:
        return await _in_place(computer, machine, wish)
    with unpacked(wish.source) as directory:
        project = read_project(directory, wish.command)
        return await _place(computer, machine, wish, project, directory, progress, say)


def _check_preset(machine: Machine, wish: Deployment) -> None:
    if not machine.spec.preset:
        return
    preset = get_preset(machine.spec.preset)
    points = [allowed_words(preset, "env")] if "env" in narrow(preset, {"env": wish.env}) else []
    if wish.kind != "program" and not preset.ports:
        points.append("nothing of it to be published, as MCP servers are")
    if points:
        raise Refused(
            f"{machine.name} has the preset {preset.name}, which allows {'; '.join(points)}",
            op="deploy",
            hint="deploy it without --env and --mcp, or into a machine with another preset",
            context={"preset": preset.name},
        )


async def _in_place(computer: Computer, machine: Machine, wish: Deployment) -> App:
    if not wish.command:
        raise InvalidInput(
            "there is neither a directory nor a command to deploy",
            op="deploy",
            hint="carrel deploy NAME --image-path DIR, or a command after --",
        )
    await _require_program(computer, machine, wish.command[0], "~")
    await _end(computer, wish.name)
    return _app(wish, Project("command", wish.command, "the command was given"), "~")


def _app(wish: Deployment, project: Project, cwd: str, copy: str = "") -> App:
    return App(
        wish.name,
        project.argv,
        cwd,
        time.time(),
        project.how,
        dict(wish.env),
        wish.restart,
        wish.kind,
        wish.port,
        wish.path,
        copy,
    )


async def _place(
    computer: Computer,
    machine: Machine,
    wish: Deployment,
    project: Project,
    directory: Path,
    progress: Progress,
    say: Say,
) -> App:
    """Copy it beside the one that runs, and put it there only when it is complete."""
    draft, place = f"{PLACE}/.{wish.name}.new", f"{PLACE}/{wish.name}"
    try:
        # All drafts: nobody else deploys, and whoever left another one was killed.
        await _run(computer, f"rm -rf {PLACE}/.*.new")
        await computer.make_directory(PLACE)
        progress("copying", None)
        await computer.upload(directory, draft)
        for word in (project.argv[0], *project.programs):
            await _require_program(computer, machine, word, f"~/{draft}")
        await _install(computer, machine, project, _Site(draft, wish.env, progress, say))
        copy = await _keep_copy(computer, machine, draft, say)
        await _end(computer, wish.name)
        await _run(computer, MOVE, draft, place, mark(wish.name), copy)
    except BaseException:
        await computer.run("/bin/rm", "-rf", draft)
        raise
    return _app(wish, project, f"~/{place}", copy)


async def _keep_copy(computer: Computer, machine: Machine, draft: str, say: Say) -> str:
    """It runs without one, too; whoever deploys it is told what that means."""
    try:
        return await keep_copy(computer, machine, draft)
    except (CarrelError, OSError) as error:
        why = error.message if isinstance(error, CarrelError) else str(error)
        text = f"no copy of it is kept, and should {machine.name} die it is lost: {why}"
        note(machine.directory, "apps", text)
        say(text)
        return ""


async def _run(computer: Computer, script: str, *words: str) -> str:
    done = await computer.run("/bin/sh", "-c", script, "sh", *words, timeout=_QUICK)
    if done.exit.status:
        raise RunError(f"inside the machine: {done.stderr.decode(errors='replace')[-500:]}")
    return done.stdout.decode(errors="replace")


async def _require_program(computer: Computer, machine: Machine, word: str, cwd: str) -> None:
    script = f'cd -- "$HOME/${{1#"~/"}}" 2>/dev/null || cd; {SURROUNDINGS} command -v -- "$2"'
    done = await computer.run("/bin/sh", "-c", script, "sh", cwd, word, timeout=_QUICK)
    if done.exit.status:
        raise NotFound(
            f"there is no program {word!r} in {machine.name} (image {machine.spec.image})",
            op="deploy",
            hint="deploy it along with the app, or use a machine of another image: node has Python "
            "and Node.js, host what this computer has",
        )


# Packages


@dataclass(frozen=True, slots=True)
class _Site:
    """Where something is installed, and who hears of it."""

    place: str
    env: Mapping[str, str]
    progress: Progress
    say: Say


async def _install(computer: Computer, machine: Machine, project: Project, site: _Site) -> None:
    if project.kind == "python" and project.needs:
        missing = await _missing(computer, project, site.place)
        if missing:
            await _install_python(computer, machine, project, missing, site)
    elif project.kind == "node" and project.needs:
        _require_network(machine, list(project.needs), "node_modules (npm install there)")
        await _require_program(computer, machine, "npm", "~")
        command = ("npm", "install", "--omit=dev", "--no-audit", "--no-fund")
        await _run_installer(computer, command, site)


async def _missing(computer: Computer, project: Project, place: str) -> list[str]:
    """Of what a Python project says it needs, the packages that the machine does not have."""
    named = [(requirement_name(need), requirement_marker(need)) for need in project.needs]
    unnamed = [need for need in project.needs if requirement_name(need) is None]
    asked = json.dumps([pair for pair in named if pair[0] is not None])
    script = 'cd "$1"; shift; exec python3 -c "$@"'
    missing = json.loads(await _run(computer, script, place, _MISSING, asked))
    return [*(str(name) for name in missing), *unnamed]


async def _install_python(
    computer: Computer, machine: Machine, project: Project, missing: list[str], site: _Site
) -> None:
    offline = ("--no-index", "--find-links", project.wheels) if project.wheels else ()
    if not offline:
        way = "a directory wheels (pip download -d wheels …) or .packages (pip install --target)"
        _require_network(machine, missing, way)
    has_pip = await computer.run("python3", "-m", "pip", "--version", timeout=_QUICK)
    if has_pip.exit.status:
        raise Unavailable(
            f"{', '.join(missing)}: not in {machine.name}, and neither is pip to install it",
            op="deploy",
            hint="pip install --target .packages in the project, then deploy it again",
        )
    pip = ("python3", "-m", "pip", "install", "--disable-pip-version-check")
    target = ("--target", ".packages", "--no-warn-script-location")
    await _run_installer(computer, (*pip, *target, *offline, *project.install), site)


def _require_network(machine: Machine, missing: list[str], way: str) -> None:
    if machine.spec.network == "none":
        raise Unavailable(
            f"{', '.join(missing)}: not in {machine.name}, which has no network to get it from",
            op="deploy",
            hint=f"put it into the project as {way}, or use a machine with --network allowlist",
        )


async def _run_installer(computer: Computer, command: tuple[str, ...], site: _Site) -> None:
    site.progress("installing", None)
    program = computer.exec(*command, cwd=f"~/{site.place}", env=site.env, timeout=INSTALL_BOUND)
    outputs = {"stdout": Splitter(0), "stderr": Splitter(0)}
    async with program as process:
        await process.close_stdin()
        async for piece in process:
            for line, _ in outputs[piece.source].feed(piece.data):
                site.say(line.decode(errors="replace"))
        for output in outputs.values():
            for line, _ in output.finish():
                site.say(line.decode(errors="replace"))
        status = (await process.wait()).status
    if status:
        raise RunError(
            f"{command[0]} could not install what the project needs (exit {status})",
            op="deploy",
            hint="its words are above",
        )


# Its process


async def _processes(computer: Computer, name: str) -> list[dict[str, Json]]:
    found = await computer.list_processes()
    return [entry for entry in found if entry.get("name") == f"{PREFIX}{name}"]


async def latest_process(computer: Computer, name: str) -> dict[str, Json] | None:
    """What the guest knows of an app's process; None if it was never started."""
    return next(reversed(await _processes(computer, name)), None)


async def _start(computer: Computer, app: App, before: set[str]) -> None:
    try:
        await computer.start_process(
            *app.words(), cwd=app.cwd, env=app.env, name=app.process, restart=app.restart
        )
    except AlreadyExists:
        # The attendant may have been quicker; what ran before this one was put there is not it.
        process = await latest_process(computer, app.name)
        if process is None or str(process["id"]) in before:
            raise


async def _end(computer: Computer, name: str) -> None:
    process = await latest_process(computer, name)
    if process is not None:
        await computer.kill_process(str(process["id"]))


async def remove(computer: Computer | None, machine: Machine, name: str) -> None:
    """End an app, and remove it from its machine.

    It stays on record until its files are gone, so that it can be tried again.

    Args:
        computer: The machine's; None where it is not running, and the app's files stay in it.
        machine: Where it is.
        name: Which.

    Raises:
        NotFound: There is none.
        WrongState: Another command is deploying to the machine.
        RunError: Its files cannot be removed.
    """
    apps = Apps(machine)
    with apps.deploying():
        apps.get(name)
        if computer is not None:
            await _end(computer, name)
            await _delete(computer, name)
        apps.remove(name)
        prune(machine)
        note(machine.directory, "apps", f"{name} is removed")
        tell_attendant(machine.directory)


async def _delete(computer: Computer, name: str) -> None:
    place = f"{PLACE}/{name}"
    done = await computer.run("/bin/rm", "-rf", place, mark(name), timeout=_QUICK)
    if done.exit.status:
        words = " ".join(done.stderr.decode(errors="replace").split())[-300:]
        raise RunError(
            f"{name} has ended, and its files could not be removed: {words}",
            op="deploy",
            hint=f"they are in {place} of the machine's home; mend that, and say --remove again",
        )

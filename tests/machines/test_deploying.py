"""Deploying over a real connection to the guest's own processes, without a machine around them."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream

from carrel.codec import Json
from carrel.computer import Computer
from carrel.errors import AlreadyExists, NotFound, Refused, RunError, WrongState
from carrel.guest.processes import Processes
from carrel.machines import deploy as deploying
from carrel.machines.apps import App, Apps
from carrel.machines.attendant import MAX_LINE
from carrel.machines.deploy import Deployment, deploy, latest_process, remove
from carrel.machines.linelog import CARREL_LOG
from carrel.machines.projects import Project
from carrel.machines.provider import Progress
from carrel.machines.spec import Machine, MachineSpec
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio

DAEMON = "(env -i setsid sh -c 'echo $$ > daemon; exec sleep 60' &); exec sleep 60"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    directory = tmp_path / "machines" / "mac_1"
    directory.mkdir(parents=True)
    return Machine("mac_1", "desk", MachineSpec(), directory, 0.0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
async def computer(home: Path) -> AsyncIterator[Computer]:
    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    processes = Processes(lambda: env, str(home))
    answering = {
        "process.start": processes.start,
        "process.list": processes.list,
        "process.kill": processes.kill,
    }

    async def handle(stream: Stream) -> None:
        op, args = str(stream.header["op"]), stream.header.get("args", {})
        assert isinstance(args, dict)
        if op == "exec":
            await processes.exec(stream, args)
        else:
            await stream.send_message({"result": await answering[op](args)})

    ours, theirs = memory_pair()

    async def connect() -> ByteStream:
        return ours

    hello: dict[str, Json] = {"carrel": 1, "boot": "boot_1"}
    async with (
        Connection(theirs, initiator=False, handler=handle, hello=hello),
        Computer(connect) as found,
    ):
        with anyio.fail_after(60):
            yield found
        await processes.close()


def quiet(stage: str, done: float | None) -> None:
    """Told of every stage."""


QUIET: Progress = quiet


async def put(computer: Computer, machine: Machine, *command: str, **wishes: object) -> None:
    wish = Deployment("web", command=command, **wishes)  # type: ignore[arg-type]
    await deploy(computer, machine, wish, QUIET, lambda line: None)


async def test_an_app_is_replaced_though_its_daemon_holds_its_output(
    computer: Computer, machine: Machine, home: Path
) -> None:
    await put(computer, machine, "sh", "-c", DAEMON)
    # A file is all there is to see of it.
    while not (home / "daemon").is_file() or not (home / "daemon").read_text():  # noqa: ASYNC110
        await anyio.sleep(0.01)
    try:
        await put(computer, machine, "sleep", "50", replacing=True)
        process = await latest_process(computer, "web")
        assert process is not None
        assert process["running"]
        assert process["argv"][-2:] == ["sleep", "50"]  # type: ignore[index]
    finally:
        with suppress(ProcessLookupError):
            os.kill(int((home / "daemon").read_text()), signal.SIGKILL)


async def test_what_ran_before_is_not_taken_for_what_was_deployed(
    computer: Computer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await put(computer, machine, "sleep", "60")

    async def nothing(*_: object) -> None:
        """As if the guest could not end it."""

    with monkeypatch.context() as patch:
        patch.setattr(deploying, "_end", nothing)
        with pytest.raises(AlreadyExists, match="runs already"):
            await put(computer, machine, "sleep", "50", replacing=True)


async def test_an_attendant_may_be_quicker(
    computer: Computer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = deploying._start

    async def second(found: Computer, app: App, before: set[str]) -> None:
        await computer.start_process("sleep", "60", name=app.process)
        await start(found, app, before)

    monkeypatch.setattr(deploying, "_start", second)
    await put(computer, machine, "sleep", "60")
    assert len(await computer.list_processes()) == 1


async def test_a_removed_app_has_ended_and_left_nothing(
    computer: Computer, machine: Machine, home: Path
) -> None:
    await put(computer, machine, "sleep", "60")
    (home / "apps/web").mkdir(parents=True)
    (home / "apps/web/main.py").touch()
    with Apps(machine).deploying(), pytest.raises(WrongState, match="another command"):
        await remove(computer, machine, "web")
    await remove(computer, machine, "web")
    process = await latest_process(computer, "web")
    assert process is not None
    assert not process["running"]
    assert list((home / "apps").iterdir()) == []
    assert Apps(machine).all() == ()
    with pytest.raises(NotFound):
        await remove(computer, machine, "web")


async def test_an_app_whose_files_stay_is_still_on_record(
    computer: Computer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await put(computer, machine, "sleep", "60")
    run = computer.run

    async def refuse(*argv: str, **options: object) -> object:
        assert argv == ("/bin/rm", "-rf", "apps/web", "apps/.web.id")
        return await run("/bin/sh", "-c", "echo read-only file system >&2; exit 1")

    with monkeypatch.context() as patch:
        patch.setattr(computer, "run", refuse)
        with pytest.raises(RunError, match="could not be removed: read-only") as caught:
            await remove(computer, machine, "web")
    assert "apps/web" in str(caught.value.hint)
    assert Apps(machine).get("web").name == "web"
    assert "web is removed" not in (machine.directory / CARREL_LOG).read_text()
    await remove(computer, machine, "web")
    assert Apps(machine).all() == ()


async def test_an_installer_that_ends_no_line_is_heard_in_parts(computer: Computer) -> None:
    heard: list[str] = []
    site = deploying._Site(".", {}, QUIET, heard.append)
    script = "head -c 200000 /dev/zero | tr '\\0' x; echo oops >&2; echo; printf end"
    await deploying._run_installer(computer, ("/bin/sh", "-c", script), site)
    assert max(map(len, heard)) == MAX_LINE
    assert "".join(line for line in heard if line != "oops") == "x" * 200_000 + "end"
    assert "oops" in heard


async def test_requirements_are_judged_where_they_will_be_used(computer: Computer) -> None:
    needs = (
        "no-such-thing>=1",
        "no-such-thing-here; python_version > '2'",
        "not-meant; sys_platform == 'win32'",
        "pip; python_version > '2'",
        "unreadable; nonsense",
        "-r gone.txt",
        "./local",
    )
    missing = await deploying._missing(computer, Project("python", (), "", needs), ".")
    named = ["no-such-thing", "no-such-thing-here", "unreadable"]
    assert missing == [*named, "-r gone.txt", "./local"]


@pytest.mark.parametrize(
    ("preset", "wishes", "words"),
    [
        ("isolated", {"env": {"A": "b"}}, "no variables"),
        ("isolated", {"kind": "mcp-stdio"}, "nothing of it to be published"),
        ("isolated", {"kind": "mcp-http", "port": 80}, "nothing of it to be published"),
        ("restricted", {"env": {"API_KEY": "b"}}, "no variables named like credentials"),
    ],
)
async def test_a_preset_holds_for_what_is_deployed(
    computer: Computer, machine: Machine, preset: str, wishes: dict[str, object], words: str
) -> None:
    bound = replace(machine, spec=replace(machine.spec, preset=preset))
    with pytest.raises(Refused, match=words) as caught:
        await put(computer, bound, "sleep", "60", **wishes)
    assert "another preset" in str(caught.value.hint)
    assert Apps(bound).all() == ()
    await put(computer, bound, "sleep", "60")

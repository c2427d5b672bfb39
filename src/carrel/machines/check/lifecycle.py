"""Checks of the life of a machine."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio

from carrel.errors import CarrelError
from carrel.guest.tasks import task_group
from carrel.machines.check.subject import (
    MAIN,
    Skipped,
    Subject,
    check,
    eventually,
    expect,
    expect_error,
)
from carrel.machines.state import State
from carrel.machines.volumes import Volumes

__all__: list[str] = []

_NOTICEABLE = 8 << 20
_CLOCK = "while :; do date +%N > tick && mv tick ticks; done"


@check
async def probe_names_its_isolation(subject: Subject) -> None:
    """The probe says why it is usable and what isolation it gives."""
    health = await subject.provider.probe()
    expect(health.usable and bool(health.reason), f"{health}")


@check
async def starts_and_answers(subject: Subject) -> None:
    """A started machine is running and its guest answers."""
    await subject.main()
    standing = await subject.machines.status(MAIN)
    expect(standing.observed.state is State.RUNNING, f"it is {standing.observed}")
    async with subject.computer() as computer:
        info = await computer.info()
    expect(info["phase"] == "ready", f"info says {info}")


@check
async def up_twice_is_once(subject: Subject) -> None:
    """Bringing up a running machine changes nothing."""
    before = (await subject.machines.status(MAIN)).observed
    await subject.main()
    after = (await subject.machines.status(MAIN)).observed
    expect(before.pid == after.pid, f"another process stands for it: {before} {after}")


@check
async def another_wish_under_the_same_name_is_refused(subject: Subject) -> None:
    """An existing name with other settings is an error, not a silent reuse."""
    await subject.main()
    await expect_error("already_exists", subject.up(MAIN, memory_mb=subject.spec.memory_mb + 1))


@check
async def files_survive_a_restart_and_processes_do_not(subject: Subject) -> None:
    """Stopping keeps the disk and ends every process; starting again finds the files."""
    subject.needs_ownership()
    name = "check-restart"
    await subject.up(name)
    async with subject.computer(name) as computer:
        await computer.write_file("kept.txt", "still here")
        await computer.start_process("sleep", "1000")
    stopped = await subject.machines.stop(name)
    expect(stopped.observed.state is State.STOPPED, f"after stop it is {stopped.observed}")
    await subject.up(name)
    async with subject.computer(name) as computer:
        expect(await computer.read_file("kept.txt") == "still here", "the file is gone")
        expect(await computer.list_processes() == [], "a process outlived the stop")
    await subject.machines.delete(name)


@check
async def a_stopped_machine_cannot_be_used(subject: Subject) -> None:
    """Using a stopped machine says so and how to start it."""
    subject.needs_ownership()
    name = "check-stopped"
    machine = await subject.up(name)
    await subject.machines.stop(name)

    async def use() -> None:
        async with subject.machines.computer(name):
            pass

    error = await expect_error("wrong_state", use())
    expect("up" in (error.hint or ""), f"the hint is {error.hint!r}")
    await expect_error("machine_lost", subject.provider.channel(machine))
    await subject.machines.delete(name)


@check
async def a_killed_machine_is_told_truly(subject: Subject) -> None:
    """After a kill nothing says running, and the machine can be started again."""
    subject.needs_ownership()
    name = "check-kill"
    machine = await subject.up(name)
    await subject.provider.kill(machine)
    observed = (await subject.machines.status(name)).observed
    expect(observed.state in (State.STOPPED, State.ERROR), f"it is {observed}")
    await subject.up(name)
    standing = await subject.machines.status(name)
    expect(standing.observed.state is State.RUNNING, f"it is {standing.observed}")
    await subject.machines.delete(name)


@check
async def delete_leaves_nothing(subject: Subject) -> None:
    """Deleting a running machine leaves no record and no directory, and works twice."""
    name = "check-delete"
    machine = await subject.up(name)
    await subject.machines.delete(name)
    expect(not machine.directory.exists(), f"{machine.directory} is left")
    await subject.provider.delete(machine)
    await expect_error("not_found", subject.machines.status(name))


@check
async def a_name_can_be_used_again(subject: Subject) -> None:
    """A deleted name makes a new machine that knows nothing of the old one."""
    subject.needs_walls()
    name = "check-again"
    await subject.up(name)
    async with subject.computer(name) as computer:
        await computer.write_file("old.txt", "old")
    await subject.machines.delete(name)
    await subject.up(name)
    async with subject.computer(name) as computer:
        await expect_error("not_found", computer.read_file("old.txt"))
    await subject.machines.delete(name)


@check
async def two_makers_make_one(subject: Subject) -> None:
    """Two commands racing on one name end with one machine."""
    name = "check-race"
    async with task_group() as tasks:
        tasks.start_soon(subject.up, name)
        tasks.start_soon(subject.up, name)
    names = [standing.machine.name for standing in await subject.machines.list()]
    expect(names.count(name) == 1, f"there are {names}")
    await subject.machines.delete(name)


@check
async def what_it_cannot_do_it_refuses(subject: Subject) -> None:
    """Operations outside the capabilities raise Unsupported and change nothing."""
    machine = await subject.main()
    provider, can = subject.provider, subject.provider.capabilities
    if not can.pause:
        await expect_error("unsupported", provider.pause(machine))
        await expect_error("unsupported", provider.resume(machine))
    if can.snapshot == "none":
        await expect_error("unsupported", provider.snapshot(machine, "label"))
        await expect_error("unsupported", provider.delete_snapshot(machine, "label"))
    if not can.fork:
        await expect_error("unsupported", provider.fork(machine, []))
    await starts_and_answers(subject)


@check
async def a_new_name_is_taken_while_it_runs(subject: Subject) -> None:
    """A machine that is called something else while it runs knows it."""
    subject.needs(subject.provider.capabilities.renames, "tell a running machine another name")
    machine = await subject.main()
    for name in ("check-called", machine.name):
        await subject.provider.rename(replace(machine, name=name))
        await eventually(f"it is called {name}", partial(_is_called, subject, name))


async def _is_called(subject: Subject, name: str) -> bool:
    return (await subject.python("import os; print(os.uname().nodename)")).strip() == name


@check
async def pause_freezes_and_resume_thaws(subject: Subject) -> None:
    """A paused machine does no work, and goes on where it was."""
    subject.needs(subject.provider.capabilities.pause, "pause a machine")
    machine = await subject.main()
    async with subject.computer() as computer:
        ticking = await computer.start_process("sh", "-c", _CLOCK)

        async def ticks() -> bool:
            return any(entry["name"] == "ticks" for entry in await computer.list_files("."))

        await eventually("the clock has started", ticks)
        await subject.provider.pause(machine)
        paused = await subject.provider.inspect(machine)
        expect(paused.state is State.PAUSED, f"it is {paused}")
        before = await subject.provider.metrics(machine)
        await anyio.sleep(0.3)
        after = await subject.provider.metrics(machine)
        expect(before.cpu_seconds == after.cpu_seconds, f"it worked: {before} {after}")
        await subject.provider.resume(machine)
        first = await computer.read_file("ticks")

        async def moved() -> bool:
            return await computer.read_file("ticks") != first

        await eventually("the clock goes on", moved)
        await computer.kill_process(ticking)


@check
async def a_deleted_snapshot_is_gone_and_no_other(subject: Subject) -> None:
    """A deleted snapshot gives its room back, and the others can still be gone back to."""
    subject.needs(subject.provider.capabilities.snapshot != "none", "keep the state of a machine")
    name, machines = "check-snapshots", subject.machines
    machine = await subject.up(name)
    async with subject.computer(name) as computer:
        await computer.write_file("kept.txt", "first")
    await machines.snapshot(name, "first")
    with_one = _room(machine.directory)
    async with subject.computer(name) as computer:
        await computer.write_file("kept.txt", "second")
    await machines.snapshot(name, "2")
    with_two = _room(machine.directory)
    await machines.delete_snapshot(name, "2")
    expect(await machines.snapshots(name) == ("first",), "it is still told")
    # Where it is in the machine's directory: another program's store is not ours to measure.
    if (taken := with_two - with_one) > _NOTICEABLE:
        given = with_two - _room(machine.directory)
        expect(given > taken // 2, f"of {taken} bytes that it took, {given} were given back")
    await expect_error("not_found", machines.restore(name, "2"))
    await expect_error("not_found", machines.delete_snapshot(name, "2"))
    async with subject.computer(name) as computer:
        expect(await computer.read_file("kept.txt") == "second", "it has gone back unasked")
    await machines.restore(name, "first")
    # It is what the machine runs from by now, which goes on without.
    await machines.delete_snapshot(name, "first")
    async with subject.computer(name) as computer:
        expect(await computer.read_file("kept.txt") == "first", "it went back to another one")
    await machines.snapshot(name, "last")
    await machines.stop(name)
    await machines.delete_snapshot(name, "last")
    expect(await machines.snapshots(name) == (), "one of a stopped machine is still told")
    await subject.up(name)
    async with subject.computer(name) as computer:
        expect(await computer.read_file("kept.txt") == "first", "its files went with it")
    await machines.delete(name)


def _room(directory: Path) -> int:
    """The bytes of a disk that a directory takes, with all in it."""
    return sum(path.lstat().st_blocks for path in directory.rglob("*")) * 512


@check
async def a_copy_goes_its_own_way(subject: Subject) -> None:
    """A fork runs and has what its origin had, and neither sees what the other does then."""
    subject.needs(subject.provider.capabilities.fork, "fork a machine")
    name = "check-copy"
    async with subject.computer() as computer:
        await computer.write_file("shared.txt", "both")
    (copy,) = await subject.machines.fork(MAIN, [name])
    expect(copy.observed.state is State.RUNNING, f"the copy is {copy.observed}")
    async with subject.computer(name) as computer:
        expect(await computer.read_file("shared.txt") == "both", "the copy lacks a file")
        await computer.write_file("shared.txt", "the copy's")
    async with subject.computer() as computer:
        kept = await computer.read_file("shared.txt")
    expect(kept == "both", f"its origin has what the copy wrote: {kept}")
    await subject.machines.delete(name)
    await starts_and_answers(subject)


@check
async def a_volume_outlives_its_machine(subject: Subject) -> None:
    """What a machine writes into a volume is there when the machine is not any more."""
    subject.needs(subject.provider.capabilities.volumes, "lend a machine a volume")
    name = "check-volume"
    volume = Volumes(subject.machines.store).create(name)
    await subject.up(name, volumes=(f"{name}:/srv/check",))
    (volume.path / "given.txt").write_text("from outside")
    async with subject.computer(name) as computer:
        given = await computer.read_file("/srv/check/given.txt")
        expect(given == "from outside", f"the volume holds {given!r}")
        await computer.write_file("/srv/check/kept.txt", "from inside")
    await subject.machines.delete(name)
    kept = (volume.path / "kept.txt").read_text()
    expect(kept == "from inside", f"the volume holds {kept!r}")


@check
async def strangers_are_left_alone(subject: Subject) -> None:
    """Collecting garbage removes nothing that belongs to a machine."""
    machine = await subject.main()
    await subject.machines.reconcile()
    expect(
        not subject.provider.capabilities.owns or machine.directory.exists(),
        "the directory of a live machine was collected",
    )
    await starts_and_answers(subject)


@check
async def figures_are_true_or_unknown(subject: Subject) -> None:
    """Metrics grow with use, or say that they are unknown."""
    machine = await subject.main()
    before = await subject.provider.metrics(machine)
    if before.cpu_seconds is None:
        expect(before.memory_bytes is None or before.memory_bytes > 0, f"{before}")
        return
    await subject.python("sum(range(5_000_000))")
    after = await subject.provider.metrics(machine)
    expect((after.cpu_seconds or 0) > before.cpu_seconds, f"{before} {after}")
    expect((after.memory_bytes or 0) > 1_000_000, f"{after}")


@check
async def the_console_is_kept(subject: Subject) -> None:
    """What the machine wrote while starting can be read."""
    machine = await subject.main()
    try:
        text = await subject.provider.console(machine)
    except CarrelError as error:
        expect(error.code == "unsupported", str(error))
        raise Skipped(error.message) from error
    expect(isinstance(text, str), "the console is not text")

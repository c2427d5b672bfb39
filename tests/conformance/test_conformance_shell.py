from __future__ import annotations

import os
import time

import anyio
import pytest
from proofs import bounded, proves
from subjects import Subject, processes

from carrel.actions import Shell
from carrel.errors import NotFound

pytestmark = pytest.mark.desktop


@proves("shell")
async def test_a_command_has_its_effect_and_says_so(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        result = await desk.computer.shell(
            f'cat > {inside}/out; pwd; echo "$GREETING" >&2; exit 7',
            cwd=inside,
            env={"GREETING": "hallo wörld"},
            stdin="line one\nzwei 漢字\n",
        )
        assert (here / "out").read_text() == "line one\nzwei 漢字\n"
        assert result.data["exit"] == 7
        assert result.data["stdout"] == f"{inside}\n"
        assert result.data["stderr"] == "hallo wörld\n"
        assert result.data["truncated"] is False


@bounded
async def test_a_command_that_takes_too_long_is_ended_with_all_it_started(desk: Subject) -> None:
    mark = f"shell-{desk.kind}-{os.getpid()}"
    started = time.monotonic()
    # The marked processes are children and grandchildren of the command.
    command = f"sh -c 'sleep 97; : {mark}' & sh -c 'sleep 98; : {mark}'"
    result = await desk.computer.act(Shell(command, timeout=0.7))
    assert 0.6 < time.monotonic() - started < 15
    assert not result.ok or result.data.get("timed_out")
    await desk.until(lambda: not processes(mark), "nothing of it is left")


@bounded
async def test_more_output_than_fits_is_said_to_be_cut(desk: Subject) -> None:
    result = await desk.computer.shell("head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2")
    assert result.data["truncated"] is True
    assert result.data["stdout"] == "x" * (1 << 20)
    assert result.data["stderr"] == "end\n"


@bounded
async def test_output_that_is_not_text_does_not_break_the_answer(desk: Subject) -> None:
    result = await desk.computer.shell(r"printf '\377\376ok\n'")
    assert str(result.data["stdout"]).endswith("ok\n")


@bounded
async def test_a_missing_directory_is_an_error(desk: Subject) -> None:
    with pytest.raises(NotFound):
        await desk.computer.shell("true", cwd="/no/such/directory")


@bounded
async def test_commands_run_beside_each_other(desk: Subject) -> None:
    started = time.monotonic()
    async with anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(desk.computer.shell, "sleep 1")
    assert time.monotonic() - started < 7


@bounded
async def test_a_terminal_session_sees_its_size_and_its_keys(desk: Subject) -> None:
    async with desk.computer.exec("sh", pty=(31, 77)) as process:
        await process.write(b"stty size; tty; exit 5\n")
        done = await process.collect()
    assert b"31 77" in done.stdout
    assert b"/dev/pts/" in done.stdout
    assert done.exit.code == 5

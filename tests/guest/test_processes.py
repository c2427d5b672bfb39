from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from serving import Answer, ask, rest, serving

from carrel.actions import Shell
from carrel.errors import ActionFailed, CarrelError, InvalidInput, NotFound, TimedOut, WrongState
from carrel.guest import background, supervised
from carrel.guest.processes import Processes
from carrel.guest.spool import Spool
from carrel.stream import Connection, Message, Stream

pytestmark = pytest.mark.anyio


def processes(cwd: Path) -> Processes:
    return Processes(lambda: {"PATH": os.environ["PATH"], "FROM_DESK": "yes"}, str(cwd))


@asynccontextmanager
async def guest(cwd: Path) -> AsyncIterator[Connection]:
    subject = processes(cwd)

    def replying(method):
        async def op(stream: Stream, args: dict[str, object]) -> None:
            await stream.send_message({"result": await method(args)})

        return op

    ops = {
        "exec": subject.exec,
        "process.read": subject.read,
        "process.start": replying(subject.start),
        "process.list": replying(subject.list),
        "process.kill": replying(subject.kill),
    }
    async with serving(ops) as client:
        try:
            with anyio.fail_after(30):
                yield client
        finally:
            await subject.close()


async def start_exec(client: Connection, **args: object) -> tuple[Stream, int]:
    stream = await client.open({"op": "exec", "id": "req_1", "args": args})
    first = await stream.receive_message()
    return stream, first["result"]["pid"]


def lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


async def until(condition) -> None:
    with anyio.fail_after(10):
        while not condition():  # noqa: ASYNC110
            await anyio.sleep(0.01)


async def wait_for_file(path: Path) -> str:
    await until(lambda: path.exists() and path.read_text().endswith("\n"))
    return path.read_text().strip()


# exec


async def test_exec_streams_stdout_and_stderr_apart_and_tells_the_exit_code(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "exec", command="echo out; echo err >&2; exit 7")
    assert (answer.out, answer.err) == (b"out\n", b"err\n")
    assert answer.messages[0]["result"]["pid"] > 1
    assert answer.last == {"exit": 7, "signal": None, "timed_out": False}


async def test_exec_passes_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "exec", argv=["printf", r"\377\376\0x"])
    assert answer.out == b"\xff\xfe\0x"


async def test_argv_is_not_read_by_a_shell(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "exec", argv=["echo", "$HOME; `id` *"])
    assert answer.out == b"$HOME; `id` *\n"


async def test_exec_takes_directory_and_environment(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    async with guest(tmp_path) as client:
        answer = await ask(
            client,
            "exec",
            command='pwd; echo "$FROM_DESK $MINE"',
            cwd="sub",
            env={"MINE": "näh ☃"},
        )
    assert answer.out.decode() == f"{tmp_path}/sub\nyes näh ☃\n"


async def test_stdin_is_streamed_and_ends(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        stream, _ = await start_exec(client, argv=["cat"], stdin=True)
        async with stream:
            await stream.send(b"one")
            item = await stream.receive()
            assert item is not None
            assert item.data == b"one"
            await stream.send(b"two", end=True)
            answer = await rest(stream)
    assert answer.out == b"two"
    assert answer.last["exit"] == 0


async def test_a_large_input_and_output_cross_without_deadlock(tmp_path: Path) -> None:
    body = os.urandom(1 << 20) * 8
    async with guest(tmp_path) as client:
        stream, _ = await start_exec(client, argv=["cat"], stdin=True)
        answer = Answer()
        async with stream, anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: stream.send(body, end=True))
            await rest(stream, answer)
    assert answer.out == body


async def test_input_a_program_does_not_read_is_no_error(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "exec", body=b"x" * 3_000_000, argv=["true"], stdin=True)
    assert answer.last["exit"] == 0


async def test_without_stdin_the_input_is_empty_and_bytes_are_refused(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        assert (await ask(client, "exec", argv=["cat"])).out == b""
        with pytest.raises(InvalidInput, match="without input"):
            await ask(client, "exec", body=b"x", argv=["sleep", "60"])


async def test_a_signal_ends_the_program_and_is_told(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        stream, _ = await start_exec(client, argv=["sleep", "60"])
        async with stream:
            await stream.send_message({"signal": int(signal.SIGUSR1)})
            answer = await rest(stream)
    assert answer.last == {"exit": None, "signal": signal.SIGUSR1, "timed_out": False}


async def test_a_timeout_ends_the_whole_group_even_when_it_ignores_sigterm(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    command = f"trap '' TERM; sleep 60 & echo $! $$ > {note}; wait; sleep 60"
    async with guest(tmp_path) as client:
        began = time.monotonic()
        answer = await ask(client, "exec", command=command, timeout=1.0)
    assert answer.last == {"exit": None, "signal": signal.SIGKILL, "timed_out": True}
    assert time.monotonic() - began < 20
    pids = [int(word) for word in note.read_text().split()]
    await until(lambda: not any(map(lives, pids)))


async def test_output_before_a_timeout_is_not_lost(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "exec", command="echo early; sleep 60", timeout=1.0)
    assert answer.out == b"early\n"
    assert answer.last == {"exit": None, "signal": signal.SIGTERM, "timed_out": True}


async def test_a_reset_ends_every_descendant(tmp_path: Path) -> None:
    note, daemon = tmp_path / "pids", tmp_path / "daemon"
    # A job in a process group of its own, a daemon that left session and parents, a subshell.
    command = (
        f"set -m; sleep 61 & a=$!; setsid sh -c 'echo $$ > {daemon}; exec sleep 62' & "
        f"(sleep 63; :) & echo $$ $a $! > {note}; wait"
    )
    async with guest(tmp_path) as client:
        stream, _ = await start_exec(client, argv=["bash", "-c", command])
        pids = [int(word) for word in (await wait_for_file(note)).split()]
        pids.append(int(await wait_for_file(daemon)))
        assert all(map(lives, pids))
        await stream.reset(WrongState("changed my mind"))
        await until(lambda: not any(map(lives, pids)))


async def test_a_daemon_outlives_a_command_that_ended_by_itself(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    command = f"setsid sh -c 'echo $$ > {note}; exec sleep 64' > /dev/null 2>&1 &"
    async with guest(tmp_path) as client:
        assert (await ask(client, "exec", command=command)).last["exit"] == 0
        pid = int(await wait_for_file(note))
    assert lives(pid)
    os.kill(pid, signal.SIGKILL)


async def test_a_lost_connection_ends_the_program(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    async with guest(tmp_path) as client:
        await start_exec(client, command=f"echo $$ > {note}; sleep 60")
        pid = int(await wait_for_file(note))
        await client.aclose()
        await until(lambda: not lives(pid))


async def test_a_child_left_in_the_background_does_not_hold_the_answer(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        began = time.monotonic()
        answer = await ask(client, "exec", command="sleep 60 & echo $!; exit 3")
    assert time.monotonic() - began < 20
    assert answer.last["exit"] == 3
    os.kill(int(answer.out), signal.SIGKILL)


async def test_a_chatty_child_left_behind_does_not_hold_the_answer(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "exec", command="yes & exit 0")
    assert answer.last["exit"] == 0


async def test_all_that_a_fast_program_wrote_arrives(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "exec", argv=["head", "-c", "5000000", "/dev/zero"])
    assert len(answer.out) == 5_000_000


async def test_a_slow_reader_stops_the_program_not_the_guest(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        stream, pid = await start_exec(client, argv=["yes"])
        async with stream:
            assert (await ask(client, "exec", argv=["echo", "hi"])).out == b"hi\n"
            assert lives(pid)
        await until(lambda: not lives(pid))


@pytest.mark.parametrize(
    ("args", "error", "words"),
    [
        ({"argv": ["no-such-program"]}, NotFound, "no-such-program"),
        ({"argv": ["./nope"]}, NotFound, "nope"),
        ({"argv": ["/etc/passwd"]}, ActionFailed, "not executable"),
        ({"argv": ["true"], "cwd": "/nowhere"}, NotFound, "/nowhere"),
        ({}, InvalidInput, "either argv or command"),
        ({"argv": ["true"], "command": "true"}, InvalidInput, "either argv or command"),
        ({"argv": []}, InvalidInput, "no program"),
        ({"command": ""}, InvalidInput, "no program"),
        ({"command": "true\0"}, InvalidInput, "NUL"),
        ({"argv": ["true"], "env": {"A=B": "1"}}, InvalidInput, "environment variable"),
        ({"argv": ["true"], "env": {"A": 1}}, InvalidInput, "text"),
        ({"argv": ["true"], "timeout": -1}, InvalidInput, "timeout"),
        ({"argv": ["true"], "timeout": True}, InvalidInput, "timeout"),
        ({"argv": "true"}, InvalidInput, "list"),
        ({"argv": ["true"], "shell": True}, InvalidInput, "unknown field"),
        ({"argv": ["true"], "pty": {"rows": 0, "cols": 80}}, InvalidInput, "rows"),
        ({"argv": ["true", "x" * 900_000]}, InvalidInput, "too long"),
    ],
)
async def test_what_cannot_be_run_is_a_clear_error(
    tmp_path: Path, args: dict[str, object], error: type[CarrelError], words: str
) -> None:
    async with guest(tmp_path) as client:
        with pytest.raises(error, match=words):
            await ask(client, "exec", **args)


async def test_a_file_that_is_no_program_cannot_start(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\x7fELF nonsense")
    bad.chmod(0o755)
    async with guest(tmp_path) as client:
        with pytest.raises(ActionFailed, match="could not be started"):
            await ask(client, "exec", argv=["./bad"])


@pytest.mark.parametrize(
    "message", [{"signal": 0}, {"signal": "TERM"}, {"resize": [1]}, {"nonsense": 1}]
)
async def test_an_unknown_control_message_is_refused(
    tmp_path: Path, message: dict[str, object]
) -> None:
    async with guest(tmp_path) as client:
        stream, pid = await start_exec(client, argv=["sleep", "60"])
        async with stream:
            await stream.send_message(message)
            with pytest.raises(InvalidInput):
                await rest(stream)
        await until(lambda: not lives(pid))


# Terminals


async def read_until(stream: Stream, words: bytes) -> bytes:
    seen = b""
    while words not in seen:
        item = await stream.receive()
        assert item is not None
        assert not isinstance(item, Message), (item, seen)
        seen += item.data
    return seen


async def test_a_terminal_is_a_controlling_one_with_its_size(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(
            client,
            "exec",
            command="tty; stty size < /dev/tty; echo $TERM; ps -o sid=,tpgid= -p $$; echo e >&2",
            pty={"rows": 33, "cols": 101},
        )
    lines = answer.out.decode().split("\r\n")
    assert lines[0].startswith("/dev/pts/")
    assert lines[1:3] == ["33 101", "xterm-256color"]
    session, foreground = lines[3].split()
    assert session == foreground == str(answer.messages[0]["result"]["pid"])
    assert lines[4] == "e"
    assert answer.err == b""
    assert answer.last["exit"] == 0


async def test_a_terminal_is_resized_and_the_program_told(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        command = "trap 'stty size; exit 4' WINCH; echo ready; while :; do sleep 0.02; done"
        stream, _ = await start_exec(client, argv=["bash", "-c", command], pty={})
        async with stream:
            await read_until(stream, b"ready")
            await stream.send_message({"resize": [50, 132]})
            answer = await rest(stream)
    assert b"50 132" in answer.out
    assert answer.last["exit"] == 4


async def test_an_interactive_shell_answers_and_ends_with_its_input(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        stream, _ = await start_exec(client, argv=["bash", "--norc", "-i"], pty={})
        async with stream:
            await stream.send(b"echo $((6*7))\n")
            await read_until(stream, b"42")
            await stream.end()
            answer = await rest(stream)
    assert answer.last["exit"] == 0


async def test_the_end_of_input_reaches_a_program_on_a_terminal_mid_line(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(
            client, "exec", body=b"unfinished", command="stty -echo; echo go; cat", pty={}
        )
    assert b"unfinished" in answer.out
    assert answer.last["exit"] == 0


async def test_interrupt_typed_on_a_terminal_is_a_signal(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        stream, _ = await start_exec(client, command="echo ready; exec sleep 60", pty={})
        async with stream:
            await read_until(stream, b"ready")
            await stream.send(b"\x03")
            answer = await rest(stream)
    assert answer.last["signal"] == signal.SIGINT


async def test_a_reset_terminal_ends_its_shell_and_jobs_at_once(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        # Sooner than the grace of a program that does not end; a busy system may need a few turns.
        for turn in range(4):
            if await reset_in_time(client, tmp_path / f"pid {turn}"):
                return
    pytest.fail("it took as long as a program that does not end")


async def reset_in_time(client: Connection, note: Path) -> bool:
    stream, pid = await start_exec(client, argv=["bash", "--norc", "-i"], pty={})
    await stream.send(f"sleep 64 & echo $! > '{note}'\n".encode())
    job = int(await wait_for_file(note))
    began = time.monotonic()
    await stream.reset(WrongState("gone"))
    await until(lambda: not lives(pid) and not lives(job))
    return time.monotonic() - began < 1.5


async def test_only_a_terminal_can_be_resized(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        stream, _ = await start_exec(client, argv=["sleep", "60"])
        async with stream:
            await stream.send_message({"resize": [1, 1]})
            with pytest.raises(InvalidInput, match="terminal"):
                await rest(stream)


# run


async def test_run_collects_both_streams(tmp_path: Path) -> None:
    data = await processes(tmp_path).run(Shell("echo out; echo err >&2; exit 5"))
    assert data == {
        "exit": 5,
        "signal": None,
        "stdout": "out\n",
        "stderr": "err\n",
        "truncated": False,
    }


async def test_run_feeds_stdin(tmp_path: Path) -> None:
    text = "zeile ☃\n" * 100_000
    data = await processes(tmp_path).run(Shell("md5sum", stdin=text))
    assert data["stdout"] == hashlib.md5(text.encode()).hexdigest() + "  -\n"


async def test_run_drops_what_is_more_than_a_mebibyte_and_says_so(tmp_path: Path) -> None:
    data = await processes(tmp_path).run(Shell("head -c 3000000 /dev/zero | tr '\\0' a; exit 2"))
    assert len(data["stdout"]) == 1 << 20
    assert data["truncated"] is True
    assert data["exit"] == 2


async def test_run_shows_bytes_that_are_not_text(tmp_path: Path) -> None:
    data = await processes(tmp_path).run(Shell(r"printf 'a\377b'"))
    assert data["stdout"] == "a\N{REPLACEMENT CHARACTER}b"


async def test_run_that_takes_too_long_is_an_error_with_what_it_wrote(tmp_path: Path) -> None:
    with anyio.fail_after(10), pytest.raises(TimedOut, match="half way") as caught:
        await processes(tmp_path).run(Shell("echo half way; sleep 60", timeout=1.0))
    assert caught.value.context["stdout"] == "half way\n"
    assert not caught.value.retryable


async def test_a_cancelled_run_leaves_no_process(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(processes(tmp_path).run, Shell(f"echo $$ > {note}; sleep 60"))
        pid = int(await wait_for_file(note))
        tasks.cancel_scope.cancel()
    assert not lives(pid)


# Background


async def test_a_background_process_is_read_later_by_offset(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        started = await ask(client, "process.start", command="echo one; echo two; echo e >&2")
        name = started.last["result"]["id"]

        async def ended() -> dict[str, object]:
            listed = (await ask(client, "process.list")).last["result"]["processes"]
            return next(p for p in listed if p["id"] == name)

        with anyio.fail_after(10):
            while (await ended())["running"] or (await ended())["stdout"] < 8:  # noqa: ASYNC110
                await anyio.sleep(0.01)
        whole = await ask(client, "process.read", id=name)
        later = await ask(client, "process.read", id=name, offset=4, errors_offset=2)
    assert (whole.out, whole.err) == (b"one\ntwo\n", b"e\n")
    assert whole.messages[0]["result"]["exit"] == 0
    assert len(whole.messages) == 1
    assert (later.out, later.err) == (b"two\n", b"")
    assert later.last["result"]["stdout"] == 8


async def test_follow_sends_as_it_comes_and_tells_the_end(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    command = f"echo first; while [ ! -e {gate} ]; do sleep 0.02; done; echo second; exit 9"
    async with guest(tmp_path) as client:
        name = (await ask(client, "process.start", command=command)).last["result"]["id"]
        header = {"op": "process.read", "id": "r", "args": {"id": name, "follow": True}}
        async with await client.open(header) as stream:
            await stream.receive_message()
            await read_until(stream, b"first")
            gate.touch()
            answer = await rest(stream)
    assert answer.out == b"second\n"
    assert answer.last == {"exit": 9, "signal": None, "offset": 13, "errors_offset": 0}


async def test_kill_ends_a_background_process_and_its_children(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    async with guest(tmp_path) as client:
        command = f"sleep 65 & echo $! > {note}; wait"
        name = (await ask(client, "process.start", command=command)).last["result"]["id"]
        child = int(await wait_for_file(note))
        killed = (await ask(client, "process.kill", id=name)).last["result"]
        assert killed["running"] is False
        assert killed["signal"] == signal.SIGTERM
        await until(lambda: not lives(child))
        again = (await ask(client, "process.kill", id=name)).last["result"]
        assert again["signal"] == signal.SIGTERM


async def test_a_chosen_signal_reaches_the_background_process(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        command = "trap 'exit 11' USR1; echo ready; while :; do sleep 0.02; done"
        name = (await ask(client, "process.start", command=command)).last["result"]["id"]
        header = {"op": "process.read", "id": "r", "args": {"id": name, "follow": True}}
        async with await client.open(header) as stream:
            await stream.receive_message()
            await read_until(stream, b"ready")
            await ask(client, "process.kill", id=name, signal=int(signal.SIGUSR1))
            assert (await rest(stream)).last["exit"] == 11


async def test_close_ends_all_background_processes(tmp_path: Path) -> None:
    subject = processes(tmp_path)
    pids = [(await subject.start({"argv": ["sleep", "66"]}))["pid"] for _ in range(3)]
    assert all(map(lives, pids))
    with anyio.fail_after(10):
        await subject.close()
    assert not any(map(lives, pids))


async def test_background_output_is_bounded_and_says_where_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervised, "SPOOL_LIMIT", 100_000)
    async with guest(tmp_path) as client:
        command = "seq 1 100000"
        name = (await ask(client, "process.start", command=command)).last["result"]["id"]
        await ask(client, "process.read", id=name, follow=True)
        answer = await ask(client, "process.read", id=name)
    result = answer.last["result"]
    everything = b"".join(b"%d\n" % n for n in range(1, 100_001))
    assert result["stdout"] == len(everything)
    assert 50_000 <= len(answer.out) <= 100_000
    assert answer.out == everything[result["offset"] :]


async def test_ended_processes_are_forgotten_before_new_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "MAX_KEPT", 2)
    async with guest(tmp_path) as client:
        first = (await ask(client, "process.start", argv=["true"])).last["result"]["id"]
        await ask(client, "process.read", id=first, follow=True)
        await ask(client, "process.start", argv=["sleep", "60"])
        await ask(client, "process.start", argv=["sleep", "60"])
        with pytest.raises(NotFound):
            await ask(client, "process.read", id=first)
        with pytest.raises(WrongState, match="background"):
            await ask(client, "process.start", argv=["true"])


@pytest.mark.parametrize(
    ("op", "args", "error"),
    [
        ("process.read", {"id": "proc_x"}, NotFound),
        ("process.kill", {"id": "proc_x"}, NotFound),
        ("process.read", {"id": "proc_x", "offset": -1}, InvalidInput),
        ("process.read", {}, InvalidInput),
        ("process.kill", {"id": "p", "signal": 65}, InvalidInput),
        ("process.list", {"all": True}, InvalidInput),
        ("process.start", {"argv": ["no-such-program"]}, NotFound),
        ("process.start", {"argv": ["true"], "timeout": 1}, InvalidInput),
    ],
)
async def test_bad_background_requests_are_clear_errors(
    tmp_path: Path, op: str, args: dict[str, object], error: type[CarrelError]
) -> None:
    async with guest(tmp_path) as client:
        with pytest.raises(error):
            await ask(client, op, **args)


def test_a_spool_reads_across_its_parts() -> None:
    spool = Spool(10)
    spool.append(b"0123456789")
    spool.append(b"abc")
    assert (spool.start, spool.end) == (5, 13)
    assert spool.read(0, 3) == (5, b"567")
    assert spool.read(8, 9) == (8, b"89")
    assert spool.read(10, 9) == (10, b"abc")
    assert spool.read(13, 9) == (13, b"")
    assert spool.read(99, 9) == (99, b"")
    spool.close()


async def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        await ask(client, "exec", argv=["true"])
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(5):
            await ask(client, "exec", body=b"", argv=["cat"], stdin=True)
            await ask(client, "exec", argv=["true"], pty={})
            with pytest.raises(NotFound):
                await ask(client, "exec", argv=["no-such-program"])
        assert len(list(Path("/proc/self/fd").iterdir())) == before


async def test_a_kernel_without_process_descriptors_does_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(pid: int) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", missing)
    async with guest(tmp_path) as client:
        assert (await ask(client, "exec", command="exit 6")).last["exit"] == 6
        answer = await ask(client, "exec", argv=["sleep", "60"], timeout=0.1)
        assert answer.last == {"exit": None, "signal": signal.SIGTERM, "timed_out": True}
        name = (await ask(client, "process.start", argv=["sleep", "60"])).last["result"]["id"]
        killed = (await ask(client, "process.kill", id=name)).last["result"]
        assert killed["signal"] == signal.SIGTERM

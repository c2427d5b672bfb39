"""Checks of programs, files and ports inside a machine."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import anyio

from carrel.actions import Shell, encode_action
from carrel.machines.check.subject import (
    MAIN,
    Subject,
    check,
    eventually,
    expect,
    expect_error,
)
from carrel.stream import Connection, call

__all__: list[str] = []


@check
async def output_and_exit_code_come_back_apart(subject: Subject) -> None:
    """Standard output, standard error and the exit code of a program are told apart."""
    async with subject.computer() as computer:
        done = await computer.run("sh", "-c", "echo out; echo err >&2; exit 7")
    expect(done.stdout == b"out\n" and done.stderr == b"err\n", f"{done}")
    expect(done.exit.code == 7, f"{done.exit}")


@check
async def input_reaches_a_program(subject: Subject) -> None:
    """Bytes sent to a program arrive unchanged, any bytes."""
    data = bytes(range(256)) * 64
    async with subject.computer() as computer:
        done = await computer.run("cat", stdin=data)
    expect(done.stdout == data, "cat returned something else")


@check
async def a_lot_of_output_is_not_lost(subject: Subject) -> None:
    """Twenty megabytes of output arrive whole."""
    async with subject.computer() as computer:
        done = await computer.run("sh", "-c", "yes 0123456789abcde | head -c 20000000")
    expect(done.stdout == (b"0123456789abcde\n" * 1_250_000), f"{len(done.stdout)} bytes came")


@check
async def a_timeout_ends_the_whole_family(subject: Subject) -> None:
    """A program that runs too long is ended with its children, and says so."""
    async with subject.computer() as computer:
        done = await computer.run("sh", "-c", "sleep 4711 & sleep 4711", timeout=0.5)
        expect(done.exit.timed_out, f"{done.exit}")
        left = await _count(subject, "4711")
    expect(left == 0, f"{left} of its processes live on")


@check
async def leaving_a_program_ends_it(subject: Subject) -> None:
    """A program whose caller went away is ended."""
    async with subject.computer() as computer:
        async with computer.exec("sleep", "4712") as process:
            expect(process.pid > 0, "no pid")

        async def gone() -> bool:
            return await _count(subject, "4712") == 0

        await eventually("the program is gone", gone)


async def _count(subject: Subject, word: str) -> int:
    """How many processes inside have a word as an argument, read from /proc."""
    code = (
        "import os, sys\n"
        "count = 0\n"
        "for pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "    try: line = open(f'/proc/{pid}/cmdline', 'rb').read().split(b'\\0')\n"
        "    except OSError: continue\n"
        "    count += sys.argv[1].encode() in line and pid != str(os.getpid())\n"
        "print(count)"
    )
    return int(await subject.python(code, word))


@check
async def a_terminal_is_a_terminal(subject: Subject) -> None:
    """A program on a pty sees a terminal of the size that was asked for."""
    command = "test -t 0 && stty size"
    async with (
        subject.computer() as computer,
        computer.exec("sh", "-c", command, pty=(30, 100)) as process,
    ):
        done = await process.collect()
    expect(b"30 100" in done.stdout, f"{done}")


@check
async def a_missing_program_is_an_error(subject: Subject) -> None:
    """Starting a program that is not there says so."""
    async with subject.computer() as computer:
        await expect_error("not_found", computer.run("no-such-program-4711"))


@check
async def background_programs_can_be_read_and_ended(subject: Subject) -> None:
    """A background program is listed, its output read later, and ended on request."""
    async with subject.computer() as computer:
        process = await computer.start_process("sh", "-c", "echo ready; sleep 1000")

        async def wrote() -> bool:
            return b"ready" in (await computer.read_process(process)).stdout

        await eventually("its output", wrote)
        await computer.kill_process(process)
        listed = {str(item["id"]): item for item in await computer.list_processes()}
        expect(not listed[process].get("running"), f"{listed[process]}")


@check
async def files_cross_unchanged(subject: Subject) -> None:
    """Eight megabytes of random bytes go in and come back the same."""
    data = os.urandom(8_000_000)
    async with subject.computer() as computer:
        await computer.write_bytes("random.bin", data)
        code = "import hashlib; print(hashlib.sha256(open('random.bin','rb').read()).hexdigest())"
        inside = await subject.python(code)
        back = await computer.read_bytes("random.bin")
    expect(inside == hashlib.sha256(data).hexdigest(), "the machine has other bytes")
    expect(back == data, "other bytes came back")


@check
async def trees_cross_unchanged(subject: Subject) -> None:
    """A directory with odd names, modes and links goes in and comes back the same."""
    with tempfile.TemporaryDirectory() as temporary:
        source, back = Path(temporary, "source"), Path(temporary, "back")
        (source / "sub dir").mkdir(parents=True)
        (source / "sub dir" / "naïve ☃\n.txt").write_text("snow")
        (source / "run.sh").write_text("#!/bin/sh\necho ran\n")
        (source / "run.sh").chmod(0o755)
        (source / "link").symlink_to("run.sh")
        async with subject.computer() as computer:
            await computer.upload(source, "tree")
            done = await computer.run("sh", "-c", "./tree/link")
            expect(done.stdout == b"ran\n", f"{done}")
            await computer.download("tree", back)
        expect(_shape(source) == _shape(back), f"{_shape(source)} became {_shape(back)}")


def _shape(root: Path) -> dict[str, object]:
    return {
        str(path.relative_to(root)): (
            path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes(),
            path.lstat().st_mode & 0o111,
        )
        for path in root.rglob("*")
    }


@check
async def a_repeated_request_acts_once(subject: Subject) -> None:
    """The same request id, sent again on another connection, answers without acting again."""
    machine = await subject.main()
    action = encode_action(Shell("echo x >> once.txt; wc -l < once.txt"))
    answers = []
    for _ in range(2):
        transport = await subject.provider.channel(machine)
        async with Connection(transport, initiator=True) as connection:
            reply = await call(connection, "act", {"action": action}, id="req_check_once")
            answers.append(reply.result)
    expect(answers[0] == answers[1], f"{answers}")
    async with subject.computer() as computer:
        expect(await computer.read_file("once.txt") == "x\n", "it acted twice")


@check
async def two_clients_do_not_disturb_each_other(subject: Subject) -> None:
    """A client that does not read its output does not stop another."""
    async with (
        subject.computer() as slow,
        subject.computer() as quick,
        slow.exec("sh", "-c", "yes | head -c 50000000") as process,
    ):
        with anyio.fail_after(10):
            done = await quick.run("echo", "quick")
        expect(done.stdout == b"quick\n", f"{done}")
        expect(process.pid > 0, "no pid")


@check
async def a_port_inside_can_be_reached(subject: Subject) -> None:
    """A forwarded port carries a conversation with a server inside the machine."""
    code = (
        "import socket\n"
        "s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True)\n"
        "c, _ = s.accept(); c.sendall(c.recv(100).upper()); c.close()"
    )
    async with subject.computer() as computer:
        interpreter = str((await computer.info())["python"])
        process = await computer.start_process(interpreter, "-c", code)

        async def listens() -> bool:
            return (await computer.read_process(process)).stdout.endswith(b"\n")

        await eventually("the server inside listens", listens)
        port = int((await computer.read_process(process)).stdout)
        async with (
            computer.forward(port) as local,
            await anyio.connect_tcp("127.0.0.1", local) as client,
        ):
            await client.send(b"hello")
            with anyio.fail_after(5):
                expect(await client.receive() == b"HELLO", "another answer came")


@check
async def bad_input_is_an_error_and_nothing_breaks(subject: Subject) -> None:
    """Nonsense requests are refused one by one and the connection goes on."""
    machine = await subject.main()
    transport = await subject.provider.channel(machine)
    async with Connection(transport, initiator=True) as connection:
        for op, args in (
            ("no.such.op", {}),
            ("act", {}),
            ("act", {"action": {"type": "click", "x": "1", "y": 2}}),
            ("act", {"action": {"type": "nonsense"}}),
            ("exec", {"argv": []}),
            ("exec", {"argv": ["true"], "unknown": 1}),
            ("file.read", {"path": 3}),
            ("file.read", {"path": "/no/such/file"}),
            ("connect", {"host": "127.0.0.1", "port": 0}),
        ):
            try:
                await call(connection, op, args, timeout=10)
            except Exception as error:  # noqa: BLE001 (any other kind is the failure we look for)
                code = getattr(error, "code", type(error).__name__)
                allowed = ("invalid_input", "unsupported", "not_found", "action_failed")
                expect(code in allowed, f"{op} {args}: {code}: {error}")
            else:
                expect(False, f"{op} {args} went through")
        reply = await call(connection, "info", {}, timeout=10)
    expect(reply.result["phase"] == "ready", f"{reply.result}")
    expect((await subject.machines.status(MAIN)).observed.cause is None, "it broke")

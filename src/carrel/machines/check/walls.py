"""Checks of isolation: what must not be possible from inside."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
from anyio.abc import SocketAttribute, SocketStream

from carrel.guest.tasks import task_group
from carrel.machines.check.subject import Skipped, Subject, check, expect

__all__: list[str] = []

_GET_NO_NEW_PRIVS = 39

HOST = "127.0.0.2"

_TRY_CONNECT = (
    "import socket, sys\n"
    "try: socket.create_connection((sys.argv[1], int(sys.argv[2])), 2); print('reached')\n"
    "except OSError as e: print('refused', e)"
)
_TRY_FETCH = (
    "import sys, urllib.request, urllib.error\n"
    "try: print(urllib.request.urlopen(sys.argv[1], timeout=5).read().decode())\n"
    "except urllib.error.HTTPError as e: print('refused', e.code)\n"
    "except OSError as e: print('refused', e)"
)


@asynccontextmanager
async def _host_server() -> AsyncIterator[int]:
    """A web server on this side's loopback, at an address no proxy setting excludes."""

    async def answer(client: SocketStream) -> None:
        async with client:
            await client.receive()
            body = b"hello from outside"
            head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
            await client.send(head + body)

    listener = await anyio.create_tcp_listener(local_host=HOST)
    async with listener, task_group() as tasks:
        tasks.start_soon(listener.serve, answer)
        yield listener.extra(SocketAttribute.local_port)  # noqa: S610 (not Django's)
        tasks.cancel_scope.cancel()


@check
async def network_none_reaches_nothing(subject: Subject) -> None:
    """Without a network neither this host's loopback nor any address is reached."""
    subject.needs_walls()
    async with _host_server() as port:
        for address in (HOST, "127.0.0.1", "192.0.2.1", "169.254.169.254"):
            said = await subject.python(_TRY_CONNECT, address, str(port))
            expect(said.startswith("refused"), f"{address}: {said}")
        said = await subject.python(_TRY_FETCH, f"http://{HOST}:{port}/")
        expect(said.startswith("refused"), f"through the proxy: {said}")


@check
async def only_the_allowed_is_reached_and_all_is_logged(subject: Subject) -> None:
    """An allow-listed address answers; another is refused; both decisions are on record."""
    subject.needs_walls()
    name = "check-egress"
    async with _host_server() as port:
        machine = await subject.up(name, network="allowlist", allow=(f"{HOST}:{port}",))
        said = await subject.python(_TRY_FETCH, f"http://{HOST}:{port}/", name=name)
        expect(said == "hello from outside", f"allowed: {said}")
        said = await subject.python(_TRY_FETCH, f"http://{HOST}:{port + 1}/", name=name)
        expect(said.startswith("refused"), f"another port: {said}")
        said = await subject.python(_TRY_FETCH, "http://example.org/", name=name)
        expect(said.startswith("refused"), f"not allowed: {said}")
        log = (machine.directory / "egress.jsonl").read_text()
    expect('"allow' in log and "example.org" in log, f"the log says {log[-500:]}")
    await subject.machines.delete(name)


@check
async def nobody_inside_has_privileges(subject: Subject) -> None:
    """Programs inside are not root and have no capability, and cannot get one."""
    subject.needs_walls()
    code = (
        "import ctypes\n"
        "print(open('/proc/self/status').read())\n"
        f"print('Promise:\\t' + str(ctypes.CDLL(None).prctl({_GET_NO_NEW_PRIVS}, 0, 0, 0, 0)))"
    )
    status = dict(
        line.split(":\t", 1) for line in (await subject.python(code)).splitlines() if ":\t" in line
    )
    # The ambient set, which not every kernel lists, is never more than the permitted one.
    for field in ("CapEff", "CapPrm", "CapInh", "CapBnd"):
        expect(int(status[field], 16) == 0, f"{field} is {status[field]}")
    expect(status["Promise"] == "1", "no_new_privs is off")
    expect(status["Uid"].split()[0] != "0", "it is root")


@check
async def nothing_of_the_host_is_seen(subject: Subject) -> None:
    """Programs inside see their own processes only, and none of the host's."""
    subject.needs_walls()
    code = "import os; print(sum(p.isdigit() for p in os.listdir('/proc')), os.getppid())"
    count = int((await subject.python(code)).split()[0])
    expect(count < 60, f"{count} processes are visible")


_TAKE_OVER = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
word = ctypes.create_string_buffer(8)
part = (ctypes.c_void_p * 2)(ctypes.addressof(word), 8)
taken = set()
for pid in map(int, filter(str.isdigit, os.listdir('/proc'))):
    try:
        words = open(f'/proc/{pid}/cmdline', 'rb').read()
    except OSError:
        continue
    if pid != 1 and b'carrel.' + b'guest' not in words:
        continue
    try:
        handle = os.pidfd_open(pid)
        if any(libc.syscall(438, handle, number, 0) >= 0 for number in range(64)):
            taken.add('descriptors')
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
    for name in ('fd/1', 'fd/2', *(f'fd/{number}' for number in range(3, 64)), 'mem'):
        try:
            target = os.readlink(f'/proc/{pid}/{name}') if name != 'mem' else name
            if name in ('fd/1', 'fd/2', 'mem') or target.startswith('host:'):
                os.close(os.open(f'/proc/{pid}/{name}', os.O_WRONLY | os.O_NONBLOCK))
                taken.update(() if target == '/dev/null' else [name])
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENXIO):
                taken.add(f'{name}: {error}')
    if libc.process_vm_readv(pid, part, 1, part, 1, 0) >= 0 or ctypes.get_errno() == errno.EFAULT:
        taken.add('memory')
    if libc.ptrace(0x4206, pid, None, None) == 0:
        taken.add('trace')
print(*sorted(taken))
"""


@check
async def nobody_inside_gets_at_the_guest(subject: Subject) -> None:
    """Programs inside can neither read nor trace the guest, nor take its line."""
    subject.needs_walls()
    taken = (await subject.python(_TAKE_OVER)).split()
    expect(not taken, f"they got at: {', '.join(taken)}")


@check
async def a_fork_bomb_stays_inside(subject: Subject) -> None:
    """Starting processes without end hits the limit, and the machine can still be stopped."""
    subject.needs_walls()
    name = "check-bomb"
    machine = await subject.up(name, pids=200)
    notes = (await subject.provider.inspect(machine)).notes
    if unkept := [note for note in notes if "pids" in note or "process limit" in note]:
        await subject.machines.delete(name)
        raise Skipped("; ".join(unkept))
    code = (
        "import os, time\n"
        "n = 0\n"
        "try:\n"
        "    while n < 2000:\n"
        "        if os.fork() == 0: time.sleep(20); os._exit(0)\n"
        "        n += 1\n"
        "except OSError: pass\n"
        "print(n)"
    )
    count = int(await subject.python(code, name=name))
    expect(count < 200, f"{count} processes were started")
    await subject.machines.delete(name)

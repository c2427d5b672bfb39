"""What a virtual machine is given beyond the least: a network card, and more or less memory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from engine_desks import said, with_a_desk
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import (
    InvalidInput,
    RunError,
    TimedOut,
    Unavailable,
    Unsupported,
    WrongState,
)
from carrel.geometry import Size
from carrel.machines.auto import choose_provider
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.qemu.accelerator import find_accelerator
from carrel.machines.qemu.card import card_address
from carrel.machines.qemu.command import Place
from carrel.machines.qemu.monitor import Monitor
from carrel.machines.spec import MachineSpec, parse_mac
from carrel.machines.state import State
from carrel.machines.store import Store
from thorough import FULL

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.image]

SPEC = MachineSpec(provider="qemu", image="minimal", size=Size(640, 480), memory_mb=512)
MAC = "52:54:00:ab:cd:ef"
SEEN = "cat /sys/class/net/eth0/address"
CARDS = "ls /sys/class/net"
SHOUT = """
import socket, sys
for kind, where in ((socket.SOCK_DGRAM, ("10.0.2.2", 53)), (socket.SOCK_STREAM, ("10.0.2.2", 80))):
    line = socket.socket(socket.AF_INET, kind)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"eth0")
    line.settimeout(2)
    try:
        line.connect(where)
        line.send(b"anybody?")
        print("reached", line.recv(100))
    except OSError as error:
        print("refused", error)
"""


@pytest.fixture
def qemu() -> None:
    try:
        find_accelerator()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


def main_mac(made: Machines, name: str) -> str:
    """The address that QEMU's own card has, whatever the machine says."""
    with Monitor(Place(made.store.get(name)).monitor) as qemu:
        told = qemu.ask("query-rx-filter")
    assert isinstance(told, list)
    assert isinstance(told[0], dict)
    return str(told[0]["main-mac"])


def ways_out(made: Machines, name: str) -> tuple[str, list[str]]:
    """What QEMU has behind the card, and what it has open beside files and sockets of ours."""
    machine = made.store.get(name)
    with Monitor(Place(machine).monitor) as qemu:
        behind = qemu.ask("human-monitor-command", **{"command-line": "info network"})
    record = Keep(machine.directory).read_record()
    assert record is not None
    home = Path(f"/proc/{record.guest_pid}")
    # Those of its own kind in its network: of TCP, UDP and packets.
    tables = [home / "net" / table for table in ("tcp", "tcp6", "udp", "udp6", "raw", "packet")]
    inodes = {
        word for table in tables for line in table.read_text().split("\n") for word in line.split()
    }
    opened = [str(entry.readlink()) for entry in (home / "fd").iterdir()]
    sockets = [re.sub(r"\D", "", each) for each in opened if each.startswith("socket:")]
    found = [each for each in sockets if each in inodes]
    return str(behind), [*found, *(each for each in opened if "tun" in each or "vhost" in each)]


@given(st.binary(min_size=6, max_size=6))
def test_addresses_of_single_cards_are_read_and_others_are_refused(octets: bytes) -> None:
    for text in (octets.hex(":"), octets.hex(":").upper()):
        if octets[0] & 1 or not any(octets):
            with pytest.raises(InvalidInput):
                parse_mac(text)
        else:
            assert parse_mac(text) == octets.hex(":")
            assert MachineSpec(mac=text).mac == octets.hex(":")


@pytest.mark.parametrize(
    "text",
    [
        *("52-54-00-ab-cd-ef", "525400abcdef", f"{MAC}:00", MAC[:-1], f" {MAC}", f"{MAC}\n"),
        *("52:54:00:ab:cd:e\u0661", "none", "eth0", "x" * 4000, f"{MAC},netdev=x"),
    ],
)
def test_what_is_no_address_is_refused_with_what_one_looks_like(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not the address of a network card") as refused:
        MachineSpec(mac=text)
    assert "02:00:5e:10:00:01" in str(refused.value.hint)


def test_an_address_of_its_own_is_one_machines_and_stays(tmp_path: Path) -> None:
    made = [Store(tmp_path).add(f"m-{number}", replace(SPEC, mac="auto")) for number in range(50)]
    found = [card_address(machine) for machine in made]
    assert found == [card_address(machine) for machine in made]
    assert len(set(found)) == len(made)
    for address in found:
        assert address is not None
        assert parse_mac(address) == address
        assert int(address[:2], 16) & 0b11 == 0b10, "locally administered, of one card"


async def test_cards_are_refused_by_who_has_none_and_auto_takes_who_has(tmp_path: Path) -> None:
    made = Machines(Store(tmp_path))
    for provider in ("namespace", "gvisor", "docker", "firecracker", "lima", "lume"):
        with pytest.raises(Unsupported, match=f"the {provider} provider have no network card"):
            await made.up("desk", MachineSpec(provider=provider, mac=MAC))
    assert await made.list() == ()
    try:
        find_accelerator()
    except Unavailable:
        return
    assert (await choose_provider(MachineSpec(mac="auto")))[0] == "qemu"


@pytest.mark.skipif(not FULL, reason="two starts from the beginning: make test FULL=1")
@pytest.mark.parametrize("kind", ["microvm", "q35"])
async def test_a_card_has_its_address_and_leads_nowhere(
    tmp_path: Path, kind: str, qemu: None
) -> None:
    with anyio.fail_after(400):
        async with with_a_desk(tmp_path, replace(SPEC, kind=kind, mac=MAC.upper())) as made:
            assert await said(made, "desk", SEEN) == f"{MAC}\n"
            assert main_mac(made, "desk") == MAC
            assert await said(made, "desk", "cat /sys/class/net/eth0/flags") == "0x1003\n", "up"
            # It is sent on, and nobody hears it: there is nobody behind the card.
            told = await said(made, "desk", f"python3 -c '{SHOUT}'")
            assert [line.split()[0] for line in told.splitlines()] == ["refused"] * 2
            counted = "cat /sys/class/net/eth0/statistics/tx_packets"
            assert int(await said(made, "desk", counted)) > 0
            heard = "cat /sys/class/net/eth0/statistics/rx_packets"
            assert await said(made, "desk", heard) == "0\n"
            behind, ways = ways_out(made, "desk")
            lines = [line for line in behind.splitlines() if line.strip()]
            assert len(lines) == 1, "a card, and no other end"
            assert MAC in lines[0]
            # A whole PC has a screen that is shown on loopback.
            assert len(ways) == (1 if kind == "q35" else 0), ways


@pytest.mark.skipif(not FULL, reason="a start from the beginning: make test FULL=1")
async def test_every_copy_has_a_card_of_its_own(tmp_path: Path, qemu: None) -> None:
    with anyio.fail_after(400):
        async with with_a_desk(tmp_path, replace(SPEC, mac=MAC)) as made:
            await made.fork("desk", ["copy-1", "copy-2"])
            # It begins where the first one had come to, and so did the copies.
            await made.up("next", replace(SPEC, mac="auto"))
            await made.fork("copy-1", ["copy-3"])
            every = ("desk", "copy-1", "copy-2", "copy-3", "next")
            found = {name: (await said(made, name, SEEN)).strip() for name in every}
            assert found["desk"] == MAC
            assert len(set(found.values())) == len(every)
            for name in every:
                machine = made.store.get(name)
                assert found[name] == card_address(machine) == main_mac(made, name)
                # Nothing tells of the one it was copied from.
                assert "permaddr" not in await said(made, name, "ip link show eth0 || true")
            # It stays: over a stop, and when it goes back to where it was kept.
            await made.snapshot("next", "kept")
            await made.stop("next")
            await made.up("next")
            assert (await said(made, "next", SEEN)).strip() == found["next"]
            await made.restore("next", "kept")
            assert (await said(made, "next", SEEN)).strip() == found["next"]
            # It can be another one, or none; only while it does not run.
            with pytest.raises(WrongState):
                await made.configure("next", lambda spec: replace(spec, mac=MAC))
            await made.stop("next")
            await made.start("next", lambda spec: replace(spec, mac=""))
            assert await said(made, "next", CARDS) == "lo\n"
            # What was kept with a card, or without, is not gone on from where that has changed.
            with pytest.raises(WrongState, match="its mac was a card's then, and is none"):
                await made.restore("next", "kept")
            await said(made, "next", "echo dear > dear; sync")
            # Nor where nobody has noted what it was like, and QEMU finds out.
            Place(made.store.get("next")).kept.unlink()
            with pytest.raises(RunError, match="next could not go on from kept"):
                await made.restore("next", "kept")
            assert (await made.status("next")).observed.state is not State.RUNNING
            await made.up("next")
            assert await said(made, "next", "cat dear") == "dear\n"
            assert await made.snapshots("next") == ("kept",)
            await made.snapshot("next", "bare")
            await made.stop("next")
            await made.start("next", lambda spec: replace(spec, mac=MAC))
            with pytest.raises(WrongState, match="its mac was none then"):
                await made.restore("next", "bare")
            assert await said(made, "next", SEEN) == f"{MAC}\n"
            await made.stop("next")
            await made.start("next", lambda spec: replace(spec, mac=""))
            await made.restore("next", "bare")
            assert await said(made, "next", "cat dear") == "dear\n"
            assert await made.snapshots("next") == ("kept", "bare")


async def test_what_is_kept_is_deleted_alone_and_gone_back_to_with_its_memory(
    tmp_path: Path, qemu: None
) -> None:
    home = tmp_path / "carrel"
    with anyio.fail_after(400):
        async with with_a_desk(home, SPEC) as made:
            layer = Place(made.store.get("desk")).layer
            # By numbers, and not by those that QEMU gives them itself.
            await said(made, "desk", "echo first > note")
            await made.snapshot("desk", "2")
            await said(made, "desk", "head -c 40M /dev/urandom > big; echo second > note; sync")
            await made.snapshot("desk", "1")
            await made.fork("desk", ["copy"])
            assert (await made.balloon("desk", 400)).now_mb == 400
            await said(made, "desk", "rm big; echo third > note; sync")
            done = await carrel(tmp_path, "restore", "desk", "1")
            assert done == (
                "desk is running, as it was at 1, and has 512 MB of memory again, not 400 MB\n"
            )
            assert await given(made, "desk") == 0
            assert await said(made, "desk", "cat note") == "second\n"

            # The file of its disk gives the room back, whether a QEMU has it or not.
            assert tags(layer) == [".2", ".1"]
            before = room(layer)
            done = await carrel(tmp_path, "snapshot", "desk", "2", "--delete")
            assert done == "the snapshot 2 of desk is deleted\n"
            assert tags(layer) == [".1"]
            assert before - room(layer) > 20 << 20
            assert json.loads(Place(made.store.get("desk")).kept.read_text()).keys() == {"1"}
            await made.pause("desk")
            before = room(layer)
            await made.delete_snapshot("desk", "1")
            assert tags(layer) == []
            await made.resume("desk")
            assert await said(made, "desk", "cat note") == "second\n"
            # Of the one that it was restored from the memory is QEMU's until the next is kept.
            await made.snapshot("desk", "next")
            # What takes its place is there before it goes; of a second try nothing is left, too.
            await made.snapshot("desk", "next", force=True)
            assert tags(layer) == ["next~"]
            await made.snapshot("desk", "next", force=True)
            assert tags(layer) == ["next"]
            await made.delete_snapshot("desk", "next")
            assert before - room(layer) > 20 << 20
            # Not only in its memory.
            await made.restart("desk")
            assert await said(made, "desk", "cat note; wc -c < big") == f"second\n{40 << 20}\n"

            # The copy's are its own.
            assert await made.snapshots("copy") == ("2", "1")
            await made.stop("copy")
            layer = Place(made.store.get("copy")).layer
            before = room(layer)
            await made.delete_snapshot("copy", "1")
            assert tags(layer) == [".2"]
            assert before - room(layer) > 20 << 20
            assert (
                subprocess.run(["qemu-img", "check", "-q", str(layer)], check=False).returncode == 0
            )
            await made.restore("copy", "2")
            assert await said(made, "copy", "cat note; ls big 2>&-") == "first\n"


async def carrel(state: Path, *words: str) -> str:
    """What the command says."""
    done = await anyio.run_process(
        [sys.executable, "-m", "carrel", *words],
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def tags(disk: Path) -> list[str]:
    """What `qemu-img` says that a disk holds."""
    words = ("qemu-img", "snapshot", "-l", "--force-share", str(disk))
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return [line.split()[1] for line in told.splitlines()[2:]]


def room(path: Path) -> int:
    """The bytes that a file takes of this system's disk."""
    return path.stat().st_blocks * 512


@pytest.mark.skipif(not FULL, reason="it is squeezed for long: make test FULL=1")
async def test_a_running_machine_gives_memory_and_has_it_back(tmp_path: Path, qemu: None) -> None:
    with anyio.fail_after(400):
        async with with_a_desk(tmp_path, SPEC) as made:
            assert (await made.balloon("desk")).now_mb == 512
            # What it has read from its disk it keeps as long as nobody wants the memory.
            await said(made, "desk", "head -c 220M /dev/zero > big; sync; cat big > /dev/null")
            before = await held(made, "desk")
            found = await made.balloon("desk", 256)
            assert (found.now_mb, found.most_mb) == (256, 512)
            # Seen from inside, and from outside.
            assert await given(made, "desk") == 256
            assert before - await held(made, "desk") > 80 << 20
            (note,) = (await made.status("desk")).observed.notes
            assert note.startswith("it has 256 MB of its 512 MB of memory")

            # It cannot give what is in use, which is told, and changes nothing.
            with pytest.raises(TimedOut, match=r"was to have 64 MB of memory and came to \d+ MB"):
                await made.balloon("desk", 64)
            assert await given(made, "desk") == 256
            for much in (63, 513):
                with pytest.raises(InvalidInput, match="while it runs it can have 64MB to 512MB"):
                    await made.balloon("desk", much)

            # What it has, its copies have; each can have its own back.
            await made.fork("desk", ["copy"])
            assert (await made.balloon("copy")).now_mb == 256
            assert (await made.balloon("copy", 512)).now_mb == 512
            assert await given(made, "copy") == 0
            with pytest.raises(Unsupported, match="copy is a copy, and shares its memory"):
                await made.balloon("copy", 300)
            assert await given(made, "desk") == 256

            # Programs that need more have it, and are not killed.
            need = "bytearray(230 << 20).count(1)"
            assert await said(made, "desk", f"python3 -c 'print({need})'") == "0\n"
            assert (await made.balloon("desk")).now_mb > 256
            assert (await made.balloon("desk", 512)).now_mb == 512
            assert await given(made, "desk") == 0
            assert (await made.status("desk")).observed.notes == ()
            await made.pause("desk")
            with pytest.raises(WrongState, match="cannot balloon desk: it is paused"):
                await made.balloon("desk", 256)


async def given(made: Machines, name: str) -> int:
    """What a machine's own kernel says that it has put into its balloon, in megabytes."""
    told = await said(made, name, "grep ^balloon_ /proc/vmstat")
    count = {line.split()[0]: int(line.split()[1]) for line in told.splitlines()}
    return (count["balloon_inflate"] - count["balloon_deflate"]) >> 8


async def held(made: Machines, name: str) -> int:
    """What its QEMU has of this system's memory."""
    used = (await made.metrics(name))[1].memory_bytes
    assert used is not None
    return used


async def test_a_disk_is_of_any_size_at_first_and_can_only_grow(tmp_path: Path) -> None:
    made = Machines(Store(tmp_path))
    with anyio.fail_after(400):
        try:
            new = await made.create("desk", SPEC)
            assert new.disk_mb == 20 << 10, "what it will be"
            started = await made.start("desk", lambda spec: replace(spec, disk_mb=3072, cpus=2))
            alone = "it has 1 processor, not 2: without KVM more of them are slower"
            is_alone = not find_accelerator().is_hardware
            assert (alone in started.observed.notes) is is_alone
            assert int(await said(made, "desk", "nproc")) == (1 if is_alone else 2)
            assert 2700 < await _disk_inside(made) <= 3072
            await made.snapshot("desk", "small")
            await made.stop("desk")
            with pytest.raises(Unsupported, match="the disk of desk cannot become smaller: it has"):
                await made.configure("desk", lambda spec: replace(spec, disk_mb=2048))

            await made.start("desk", lambda spec: replace(spec, disk_mb=5120))
            assert 4700 < await _disk_inside(made) <= 5120
            await said(made, "desk", "head -c 30000000 /dev/urandom > big; sync")
            standing, used = await made.metrics("desk")
            assert standing.disk_mb == 5120
            assert used.disk_size_bytes == 5120 << 20
            assert used.disk_used_bytes is not None
            assert 30_000_000 < used.disk_used_bytes < 3 << 30

            # A snapshot is of the disk as it was; the next start makes that larger again.
            await made.restore("desk", "small")
            assert 2700 < await _disk_inside(made) <= 3072
            assert (await made.status("desk")).disk_mb == 3072
            await made.restart("desk")
            assert 4700 < await _disk_inside(made) <= 5120
        finally:
            with anyio.CancelScope(shield=True):
                await made.delete("desk")


async def _disk_inside(made: Machines) -> int:
    """How large its own file system is, in megabytes, as the machine sees it."""
    return int((await said(made, "desk", "df -m --output=size / | tail -1")).strip())


async def test_memory_of_running_machines_is_refused_by_who_cannot(tmp_path: Path) -> None:
    from carrel.machines.provider import get_provider

    machine = Store(tmp_path).add("desk", MachineSpec())
    for name in ("namespace", "gvisor", "docker", "firecracker", "remote", "host"):
        provider = get_provider(name)
        assert not provider.capabilities.balloon
        with pytest.raises(Unsupported, match="cannot change the memory of a machine that runs"):
            await provider.balloon(machine, 256)
        with pytest.raises(Unsupported, match="have no balloon to show"):
            await provider.balloon(machine, None)

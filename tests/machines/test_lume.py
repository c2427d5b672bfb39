"""Lume's machines by contract: a `lume serve` with its own routes and bodies, over real systems."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path

import anyio
import fake_lume
import pytest
from engine_desks import boxed, require_conformance
from engine_desks import said_in as said
from hypothesis import given
from hypothesis import strategies as st
from light import IMAGE, light_home, quick_place

from carrel.codec import Json
from carrel.computer import Computer
from carrel.errors import InvalidInput, NotFound, RunError, TimedOut, Unavailable, Unsupported
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.images import resolve_image
from carrel.machines.lifecycle import quiet
from carrel.machines.lume import Lume, LumeApi, Share, Ssh, Vm, server
from carrel.machines.lume.api import read_vm, refusal
from carrel.machines.paths import data_home
from carrel.machines.providers.lume import LumeProvider, base_name
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import State
from thorough import FULL

pytestmark = [pytest.mark.anyio, pytest.mark.image, pytest.mark.desktop]

SPEC = MachineSpec(provider="lume", image=IMAGE, size=Size(800, 600), memory_mb=1024, pids=300)
BOUND = 180


@pytest.fixture(scope="module")
def mac() -> Iterator[fake_lume.Server]:
    with quick_place() as place, pytest.MonkeyPatch.context() as patch:
        light_home(place / "carrel")
        (place / "vms").mkdir()
        served = fake_lume.Server(place / "vms")
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        patch.setenv("XDG_DATA_HOME", str(data_home().parent))
        patch.setenv("CARREL_HOME", str(place / "carrel"))
        patch.setenv("CARREL_LUME_URL", served.url)
        patch.setenv("CARREL_LUME_SSH", str(fake_lume.install(place)))
        patch.setenv("HOME", str(place))
        for name in ("IMAGE", "USER", "PASSWORD", "JUMP", "SHARE"):
            patch.delenv(f"CARREL_LUME_{name}", raising=False)
        yield served
        served.shutdown()
        served.server_close()
        thread.join(30)
        fake_lume.remove_all(place / "vms")


def desk(home: Path) -> AbstractAsyncContextManager[tuple[LumeProvider, Machine]]:
    return boxed(LumeProvider(), home, SPEC)


async def test_a_desk_in_a_virtual_machine_is_seen_used_kept_and_missed(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lent = tmp_path / "lent"
    lent.mkdir()
    (lent / "from-the-mac").touch()
    monkeypatch.setenv("CARREL_LUME_SHARE", str(lent))
    with anyio.fail_after(BOUND):
        async with desk(tmp_path) as (provider, made):
            machine = made
            name = f"carrel-{machine.id}"
            async with Computer(lambda: provider.channel(machine)) as computer:
                assert (await computer.screenshot()).size == Size(800, 600)
                await computer.write_file("note.txt", "on the Mac")
            facts = await said(provider, machine, "id -u; hostname; ls /sys/class/net /mnt/shared")
            assert facts.split()[:2] == ["1000", "boxed"]
            assert "from-the-mac" in facts
            # What somebody else sees: our size, no window, what is lent, no password any more.
            told = mac.store.details(name)
            assert (told["memorySize"], told["display"]) == (1024 << 20, "800x600")
            (run,) = [body for _, path, body in mac.asked if path.endswith(f"{name}/run")]
            shares = [{"hostPath": str(lent), "readOnly": True}]
            assert run == {"noDisplay": True, "network": "nat", "sharedDirectories": shares}
            within = mac.store.home / name
            assert "NOPASSWD" in (within / "etc/sudoers.d/carrel").read_text()
            config = (within / "etc/ssh/sshd_config.d/00-carrel.conf").read_text()
            assert "PasswordAuthentication no" in config
            # Its screen is for who asks for it; the console is copied into errors.
            assert await provider.vnc_url(machine) == "vnc://:secret@127.0.0.1:5901"
            assert "vnc://" not in await provider.console(machine)
            assert ((await provider.metrics(machine)).memory_bytes or 0) > 1 << 20
            machine = replace(machine, spec=replace(SPEC, memory_mb=1536, cpus=2, disk_mb=30720))
            await provider.snapshot(machine, "one")
            told = mac.store.details(name)
            assert (told["memorySize"], told["cpuCount"]) == (1536 << 20, 2)
            assert told["diskSize"] == {"allocated": 1 << 30, "total": 30720 << 20}
            await said(provider, machine, "echo after > note.txt")
            await provider.restore(machine, "one")
            assert await provider.snapshots(machine) == ("one",)
            assert await said(provider, machine, "cat note.txt") == "on the Mac"
            assert mac.store.names()[-1] == f"{name}-kept-one"
            await provider.delete_snapshot(machine, "one")
            assert (mac.store.names()[-1], await provider.snapshots(machine)) == (name, ())
            for refused in (provider.pause(machine), provider.fork(machine, [])):
                with pytest.raises(Unsupported):
                    await refused
            # Somebody stops it on the Mac.
            LumeApi().stop(name)
            while (await provider.inspect(machine)).state is not State.ERROR:  # noqa: ASYNC110
                await anyio.sleep(0.1)
        assert mac.store.names() == [base_name(resolve_image(IMAGE))]
        assert not machine.directory.exists()


@pytest.mark.parametrize("at", [".next", ""])
def test_a_restore_that_lume_refuses_leaves_the_copies_and_can_be_done_again(
    mac: fake_lume.Server, at: str
) -> None:
    lume, full = Lume(), mac.store.home / "full-for"
    lume.api.pull("ubuntu-noble-vanilla:latest", "it")
    when = mac.store.home / "it/etc/when"
    try:
        when.write_text("first")
        lume.keep("it", "one")
        when.write_text("second")
        full.write_text(f"it{at}")
        with pytest.raises(RunError, match="not enough room"):
            lume.go_back("it", "one")
        full.write_text(f"it-kept-one{at}")
        assert lume.kept("it") == ("one",)
        assert not at or when.read_text() == "second"
        lume.go_back("it", "one")
        assert when.read_text() == "first"
        when.write_text("third")
        with pytest.raises(RunError, match="not enough room"):
            lume.keep("it", "one")
        assert lume.kept("it") == ("one",)
        full.unlink()
        lume.keep("it", "one")
        assert [name for name in mac.store.names() if name.startswith("it")] == [
            "it",
            "it-kept-one",
        ]
    finally:
        full.unlink(missing_ok=True)
        lume.discard("it")
    assert not any(name.startswith("it") for name in mac.store.names())


async def test_what_could_not_be_removed_is_still_known_to_be_ours(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    provider, home = LumeProvider(), tmp_path / "machines"
    identity = new_id("mac")
    machine = Machine(identity, "it", SPEC, home / identity, 0.0)
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        await provider.create(machine)
        with monkeypatch.context() as away, socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            away.setenv("CARREL_LUME_URL", f"http://127.0.0.1:{unused.getsockname()[1]}")
            await provider.delete(machine)
        assert f"carrel-{identity}" in mac.store.names()
        # Also where only a copy is left.
        Lume().keep(f"carrel-{identity}", "one")
        Lume().remove(f"carrel-{identity}")
        removed = await provider.collect(home, frozenset())
        assert removed == (f"lume system of the deleted machine {identity}",)
        assert not any(identity in name for name in mac.store.names())
        assert list((home / ".lume.d").iterdir()) == []


async def test_a_virtual_machine_of_nobody_is_collected_and_one_of_others_is_not(
    mac: fake_lume.Server, tmp_path: Path
) -> None:
    provider = LumeProvider()
    home, made = tmp_path / "machines", []
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        for place in (home, tmp_path / "others"):
            identity = new_id("mac")
            machine = Machine(identity, "it", SPEC, place / identity, 0.0)
            await provider.create(machine)
            made.append(machine)
        ours, theirs = made
        ours.directory.rmdir()
        removed = await provider.collect(home, frozenset())
        assert removed == (f"lume system of the deleted machine {ours.id}",)
        assert f"carrel-{theirs.id}" in mac.store.names()
        await provider.delete(theirs)
        assert await provider.collect(tmp_path / "unused", frozenset()) == ()
        small = replace(theirs, spec=replace(SPEC, disk_mb=4096))
        with pytest.raises(InvalidInput, match="20480 MB already"):
            await provider.create(small)
        assert mac.store.names() == [base_name(resolve_image(IMAGE))]


async def test_a_system_that_is_not_linux_is_refused_and_not_kept(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = mac.store.names()
    monkeypatch.setenv("CARREL_LUME_IMAGE", "macos-sequoia-vanilla:latest")
    with anyio.fail_after(BOUND):
        with pytest.raises(Unsupported, match="a system of macOS") as caught:
            await LumeProvider().prepare(SPEC, quiet)
        assert "VNC" in (caught.value.hint or "")
        monkeypatch.setenv("CARREL_LUME_IMAGE", "nothing:latest")
        with pytest.raises(RunError, match="Failed to fetch image manifest"):
            await LumeProvider().prepare(SPEC, quiet)
    assert mac.store.names() == before
    with pytest.raises(Unsupported, match="macOS has no desk"):
        LumeProvider().check_spec(replace(SPEC, image="macos"))


def test_a_machine_that_does_not_start_is_told_of_with_lumes_complaints(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_BOOT_SECONDS", 1.0)
    (mac.store.home / "no-slot").touch()
    Lume().api.pull("ubuntu-noble-vanilla:latest", "unlucky")
    try:
        with pytest.raises(TimedOut, match="it is stopped; Lume complains: The maximum number"):
            Lume().turn_on("unlucky")
    finally:
        (mac.store.home / "no-slot").unlink()
        Lume().discard("unlucky")
        Lume().discard("unlucky")


def test_every_route_takes_what_we_send(mac: fake_lume.Server, tmp_path: Path) -> None:
    api = LumeApi()
    api.pull("ubuntu-noble-vanilla:latest", "made")
    api.set("made", {"cpu": 3, "memory": "3GB", "diskSize": "30GB", "display": "640x480"})
    found = api.vm("made")
    assert (found.os, found.status, found.cpus) == ("linux", "stopped", 3)
    assert (found.memory, found.disk, found.display) == (3 << 30, 30 << 30, "640x480")
    api.clone("made", "copied")
    assert {"made", "copied"} <= {vm.name for vm in api.vms()}
    api.run("copied", [Share(str(tmp_path)), Share(str(tmp_path), read_only=False)])
    assert mac.store.details("copied")["sharedDirectories"] == [
        {"hostPath": str(tmp_path), "readOnly": True},
        {"hostPath": str(tmp_path), "readOnly": False},
    ]
    running = api.vm("copied")
    assert (running.status, running.vnc is None) == ("running", False)
    api.stop("copied")
    for name in ("made", "copied"):
        api.delete(name)
    with pytest.raises(NotFound, match="Virtual machine not found: made"):
        api.vm("made")


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/lume/vms?storage=home", None, 404),
        ("GET", "/vms", None, 404),
        ("POST", "/lume/vms/it/pause", {}, 404),
        ("POST", "/lume/vms", {"name": "it"}, 400),
        ("POST", "/lume/vms/clone", {"from": "a", "to": "b"}, 400),
        ("PATCH", "/lume/vms/it", {"memory": 5}, 400),
    ],
)
def test_the_fake_takes_what_lume_takes_and_nothing_else(
    mac: fake_lume.Server, method: str, path: str, body: dict[str, Json] | None, status: int
) -> None:
    with pytest.raises(RunError) as caught:
        LumeApi()._call(method, path, body)
    words = {404: "Not found", 400: "Invalid request body"}
    assert words[status] in caught.value.message


async def test_the_probe_of_lume_says_what_is_missing_and_what_to_do(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = LumeProvider()
    found = await provider.probe()
    assert found.usable
    assert f"Lume answers at {mac.url}" in found.reason
    monkeypatch.setenv("CARREL_LUME_SSH", "/nowhere/ssh")
    sightless = await provider.probe()
    assert (sightless.usable, "OpenSSH" in (sightless.fix or "")) == (False, True)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        monkeypatch.setenv("CARREL_LUME_URL", url)
        absent = await provider.probe()
    assert not absent.usable
    assert f"Lume does not answer at {url}" in absent.reason
    assert "lume serve" in (absent.fix or "")
    monkeypatch.setenv("CARREL_LUME_URL", "ftp://mac")
    assert "not the address" in (await provider.probe()).reason


def test_a_server_that_talks_nonsense_is_an_error_of_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            client, _ = listener.accept()
            with client:
                client.recv(4096)
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{{{")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        api = LumeApi(f"http://127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(RunError, match="Lume answered"):
            api.vms()
        thread.join(30)
    with pytest.raises(Unavailable, match="does not answer"):
        api.vms()


def test_a_command_goes_by_our_key_and_never_by_a_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))
    monkeypatch.setenv("CARREL_LUME_SSH", "true")
    monkeypatch.setenv("SOME_SECRET", "of the caller's")
    monkeypatch.setenv("CARREL_LUME_JUMP", "me@mac")
    ssh = Ssh.chosen()
    words = ssh.command("it", "192.168.64.2", "sh", "-c", "echo 'two words'")
    assert words[-1] == """sh -c 'echo '"'"'two words'"'"''"""
    assert words[-2] == "lume@192.168.64.2"
    assert words[words.index("-J") + 1] == "me@mac"
    assert "HostKeyAlias=it" in words
    assert (tmp_path / "lume/id_ed25519").stat().st_mode & 0o077 == 0
    assert "SOME_SECRET" not in ssh.environment()
    # Each system's host key is in a file of its own, for ssh writes to it at any time.
    other = ssh.command("other", "192.168.64.3", "true")
    known = [word.removeprefix("UserKnownHostsFile=") for word in words if "KnownHosts" in word]
    assert not any(word.endswith(known[0]) for word in other)
    Path(known[0]).write_text("it ssh-ed25519 AAAA\n")
    ssh.forget("it")
    ssh.forget("it")
    assert not Path(known[0]).exists()


def test_the_password_is_for_one_entry(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))
    program, log = tmp_path / "ssh", tmp_path / "entries"
    line = 'echo "${CARREL_LUME_PASSWORD-none} ${SSH_ASKPASS+asked} $*"'
    program.write_text(f"#!/bin/sh\n{line} | head -1 >> {log}\ncat > /dev/null\n")
    program.chmod(0o755)
    monkeypatch.setenv("CARREL_LUME_SSH", str(program))
    ssh = Ssh(password="open sesame")
    assert "open sesame" not in ssh.environment().values()
    ssh.settle("it", "192.168.64.2")
    assert ssh.answers("it", "192.168.64.2") is None
    entered = [line for line in log.read_text().splitlines() if "PreferredAuth" in line]
    assert [line.startswith("open sesame asked") for line in entered] == [True, False, False]
    ways = ["publickey,password" in line for line in entered]
    assert ways == [True, False, False]
    assert ["BatchMode=yes" in line for line in entered] == [False, True, True]


def test_another_processor_than_ours_is_refused(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    lume = Lume()
    lume.fetch("ubuntu-noble-vanilla:latest", "foreign")
    try:
        lume.turn_on("foreign", known=False)
        monkeypatch.setattr(server.platform, "machine", lambda: "mips")
        with pytest.raises(Unsupported, match="and our images are for mips"):
            lume.settle("foreign")
        # The password everybody knows was good once, and is not any more.
        (mac.store.home / "foreign/home/lume/.ssh/authorized_keys").unlink()
        why = lume.ssh.answers("foreign", str(mac.store.details("foreign")["ipAddress"]))
        assert "Permission denied" in (why or "")
    finally:
        lume.discard("foreign")


def test_what_a_machine_is_lent_is_a_directory_of_the_macs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CARREL_LUME_SHARE", "/Users/me/data,/Users/me/more:w")
    assert Share.chosen() == (Share("/Users/me/data"), Share("/Users/me/more", read_only=False))
    monkeypatch.setenv("CARREL_LUME_SHARE", "data")
    with pytest.raises(InvalidInput, match="no directory of the Mac's"):
        LumeProvider().check_spec(SPEC)
    monkeypatch.delenv("CARREL_LUME_SHARE")
    assert Share.chosen() == ()


NUMBERS = st.integers(0, 1 << 50)
WORDS = st.text(min_size=1)


@given(WORDS, WORDS, WORDS, st.none() | WORDS, NUMBERS, NUMBERS, NUMBERS)
def test_what_is_told_of_a_virtual_machine_is_read(
    name: str, system: str, status: str, address: str | None, cpus: int, memory: int, disk: int
) -> None:
    told: dict[str, Json] = {"name": name, "os": system, "status": status, "ipAddress": address}
    told |= {"cpuCount": cpus, "memorySize": memory, "vncUrl": None, "display": "1x1"}
    told["diskSize"] = {"allocated": 5, "total": disk}
    expected = Vm(name, system, status, address, None, cpus, memory, disk, 5, "1x1")
    assert read_vm(json.loads(json.dumps(told))) == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_anything_else_is_an_error_of_lumes(told: Json) -> None:
    with suppress(RunError):
        assert isinstance(read_vm(told), Vm)


@given(st.integers(400, 599), st.binary())
def test_every_refusal_has_words(status: int, said: bytes) -> None:
    assert refusal(status, said, "GET /").message


@pytest.mark.skipif(not FULL, reason="takes some minutes: make test FULL=1")
async def test_lume_passes_the_conformance_suite(
    mac: fake_lume.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARREL_HOME")  # with a whole desk, of the real image
    # What others here were cloned from is called the same, and has none.
    LumeProvider().tool().discard(base_name(resolve_image("desktop")))
    with anyio.fail_after(1200):
        wish = replace(SPEC, image="desktop", size=Size(1024, 768), pids=400)
        await require_conformance("lume", wish)
    assert not [name for name in mac.store.names() if name.startswith("carrel-mac_")]

"""The directory that Firecracker runs in, and what it takes to be locked into it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from fake_firecracker import install, parse
from firecracker_fixtures import lasting_kernel, require_qemu, tiny
from hypothesis import given
from hypothesis import strategies as st
from walls import eventually

from carrel.errors import RunError, Unavailable
from carrel.ids import new_id
from carrel.machines.firecracker import wishes
from carrel.machines.firecracker.api import FirecrackerApi
from carrel.machines.firecracker.jail import (
    FIRST_USER,
    Jail,
    command,
    jailed_command,
    lay,
)
from carrel.machines.firecracker.orders import Orders, read_orders, write_orders
from carrel.machines.firecracker.process import launch, lay_out
from carrel.machines.firecracker.programs import find_firecracker, find_jailer, version_of
from carrel.machines.firecracker.wishes import Wish
from carrel.machines.sandbox.family import descendants
from carrel.machines.spec import Machine, MachineSpec

SPEC = MachineSpec(provider="firecracker")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a jail")


def machine_in(directory: Path) -> Machine:
    return Machine(new_id("mac"), "desk", SPEC, directory, 0.0)


def test_the_jailer_is_told_by_its_real_flags(tmp_path: Path) -> None:
    machine = replace(machine_in(tmp_path), id="mac_01m7hqrxt6th3b5pn9jm0fd0zf")
    jail = Jail.of(machine, Path("/opt/fc/firecracker-v1.16.1"), jailed=True)
    words = jailed_command(jail, Path("/opt/fc/jailer-v1.16.1"))
    at = words.index("/opt/fc/jailer-v1.16.1")
    assert words[:at] == (
        *("unshare", "--pid", "--fork", "--kill-child", "--"),
        *("sh", "-c", '"$@" & wait $!', "sh"),
    )
    assert words[at + 1 :] == (
        *("--id", "mac-01m7hqrxt6th3b5pn9jm0fd0zf"),
        *("--exec-file", "/opt/fc/firecracker-v1.16.1"),
        *("--uid", str(jail.user), "--gid", str(jail.user)),
        *("--chroot-base-dir", f"{tmp_path}/jail"),
        *("--resource-limit", "no-file=2048"),
        *("--", "--api-sock", "api.sock"),
    )
    flags, rest = parse("jailer", list(words[at + 1 :]))
    assert set(flags) >= {"id", "exec-file", "uid", "gid"}
    assert parse("firecracker", rest)[0] == {"api-sock": ["api.sock"]}
    # Where the jailer goes: below the base, by the program's name and the machine's.
    root = tmp_path / "jail/firecracker-v1.16.1/mac-01m7hqrxt6th3b5pn9jm0fd0zf/root"
    assert jail.root == root


def test_without_a_jail_it_is_started_by_itself(tmp_path: Path) -> None:
    jail = Jail.of(machine_in(tmp_path), Path("/usr/bin/firecracker"), jailed=False)
    assert jail.user is None
    words = command(jail)
    assert words[0] == "/usr/bin/firecracker"
    assert set(parse("firecracker", list(words[1:]))[0]) == {"id", "api-sock"}


@given(st.binary(min_size=16, max_size=16))
def test_every_machine_has_a_name_and_a_user_that_firecracker_takes(seed: bytes) -> None:
    machine = Machine(f"mac_{seed.hex()[:26]}", "desk", SPEC, Path("/x"), 0.0)
    jail = Jail.of(machine, Path("/usr/bin/firecracker"), jailed=True)
    assert re.fullmatch(r"[a-zA-Z0-9-]{1,64}", jail.id)
    assert jail.user is not None
    assert FIRST_USER <= jail.user < 1 << 31
    assert jail == Jail.of(machine, jail.program, jailed=True)


@as_root
def test_a_jail_holds_its_files_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "image").write_text("shared")
    (tmp_path / "layer").write_text("own")
    root = tmp_path / "jail/firecracker/it/root"
    (root / "dev").mkdir(parents=True)
    (root / "dev/kvm").touch()
    files = {name: str(tmp_path / name) for name in ("image", "layer")}
    lay(root, files, frozenset({"layer"}), 1_900_000_000)
    assert sorted(path.name for path in root.iterdir()) == ["image", "layer"]
    # The same files, not copies; only the machine's own are its user's.
    assert (root / "image").samefile(tmp_path / "image")
    owners = {name: (root / name).stat().st_uid for name in ("image", "layer", ".")}
    assert owners == {"image": 0, "layer": 1_900_000_000, ".": 1_900_000_000}
    assert root.stat().st_mode & 0o777 == 0o700


JAILED = """
import os, sys
root, user = sys.argv[1], int(sys.argv[2])
os.chroot(root); os.chdir("/"); os.setgroups([]); os.setgid(user); os.setuid(user)
def can(name, flags):
    try: os.close(os.open(name, flags, 0o600))
    except OSError: return False
    return True
print(*[can(name, os.O_RDONLY) for name in ("image", "layer")])
print(*[can(name, os.O_RDWR) for name in ("image", "layer")])
print(can("v.sock", os.O_RDWR | os.O_CREAT))
"""


@as_root
def test_whoever_is_locked_in_reads_its_files_and_writes_its_own(tmp_path: Path) -> None:
    root = tmp_path / "jail/firecracker/it/root"
    for name, mode in (("image", 0o644), ("layer", 0o600)):
        (tmp_path / name).write_text(name)
        (tmp_path / name).chmod(mode)
    files = {name: str(tmp_path / name) for name in ("image", "layer")}
    lay(root, files, frozenset({"layer"}), FIRST_USER)
    words = [sys.executable, "-S", "-E", "-c", JAILED, str(root), str(FIRST_USER)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["True True", "False True", "True"], done.stderr


def test_a_directory_without_a_jail_links_to_its_files(tmp_path: Path) -> None:
    (tmp_path / "image").write_text("shared")
    lay(tmp_path / "root", {"image": str(tmp_path / "image")}, frozenset(), None)
    assert (tmp_path / "root/image").readlink() == tmp_path / "image"
    with pytest.raises(RunError, match="layer of the machine is gone"):
        lay(tmp_path / "root", {"layer": str(tmp_path / "layer")}, frozenset(), None)


@as_root
@pytest.mark.anyio
async def test_a_jailed_machine_dies_with_whoever_holds_it(tmp_path: Path) -> None:
    require_qemu()
    program = install(tmp_path) / "firecracker"
    (tmp_path / "kernel").write_bytes(lasting_kernel())
    machine = machine_in(tmp_path / ("m" * 90))
    jail = Jail.of(machine, program, jailed=True)
    orders = Orders(
        jailed_command(jail, find_jailer(program)),
        str(jail.root),
        tiny(wishes.start()),
        {"kernel": str(tmp_path / "kernel")},
        user=jail.user,
        forget=("kernel",),
    )
    # A second start in the same place: the jailer does not like what the first has left.
    for _ in range(2):
        lay_out(orders)
        with (tmp_path / "console").open("wb") as console:
            process = launch(orders, console.fileno())
        try:
            assert FirecrackerApi(jail.root).state() == "Running"
            assert not (jail.root / "kernel").exists()
            assert (jail.root / "dev/kvm").exists()
            family = descendants(process.pid)
            assert len(family) >= 3, "a shell, Firecracker, and here its QEMU"
        finally:
            process.kill()
            process.wait()
        left = [Path(f"/proc/{pid}") for pid in family]
        await eventually("all gone", partial(_are_gone, left), 60)


def _are_gone(paths: list[Path]) -> bool:
    return not any(path.exists() for path in paths)


TEXT = st.text(max_size=20)
PLAIN = st.one_of(st.booleans(), st.integers(0, 1 << 40), TEXT, st.dictionaries(TEXT, TEXT))
WISHES = st.builds(
    Wish, st.sampled_from(["PUT", "PATCH"]), TEXT, st.dictionaries(TEXT, PLAIN, max_size=3)
)
ORDERS = st.builds(
    Orders,
    st.lists(TEXT, max_size=3).map(tuple),
    TEXT,
    st.lists(WISHES, max_size=3).map(tuple),
    st.dictionaries(TEXT, TEXT, max_size=3),
    st.lists(TEXT, max_size=3).map(tuple),
    st.one_of(st.none(), st.integers(0, 1 << 31)),
    st.lists(TEXT, max_size=3).map(tuple),
)


@given(ORDERS)
def test_orders_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, orders: Orders
) -> None:
    path = tmp_path_factory.getbasetemp() / "orders.json"
    write_orders(path, orders)
    assert read_orders(path) == orders


def said(directory: Path, name: str, words: str) -> Path:
    """A program that says only its version."""
    path = directory / name
    path.write_text(f"#!/bin/sh\necho '{words}'\n")
    path.chmod(0o755)
    return path


def test_a_program_that_is_missing_or_too_old_is_told_with_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CARREL_FIRECRACKER", raising=False)
    with pytest.raises(Unavailable, match="firecracker is not installed") as told:
        find_firecracker()
    assert "firecracker-microvm/firecracker" in str(told.value.hint)
    old = said(tmp_path, "firecracker", "Firecracker v1.4.1")
    with pytest.raises(Unavailable, match=r"is 1\.4, which is too old"):
        find_firecracker()
    old.unlink()
    named = said(tmp_path, "firecracker-v1.16.1", "Firecracker v1.16.1")
    monkeypatch.setenv("CARREL_FIRECRACKER", str(named))
    assert find_firecracker() == named
    with pytest.raises(Unavailable, match="jailer is not installed"):
        find_jailer(named)
    said(tmp_path, "jailer", "Jailer v1.15.0")
    with pytest.raises(Unavailable, match="not of the same version"):
        find_jailer(named)
    beside = said(tmp_path, "jailer-v1.16.1", "Jailer v1.16.1")
    assert find_jailer(named) == beside
    strange = said(tmp_path, "strange", "hello")
    with pytest.raises(RunError, match="hello"):
        version_of(strange)


def test_the_stand_ins_say_the_same_version(tmp_path: Path) -> None:
    install(tmp_path)
    assert version_of(tmp_path / "firecracker") == version_of(tmp_path / "jailer") == (1, 16)
    done = subprocess.run([tmp_path / "jailer", "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("Jailer v1.16")

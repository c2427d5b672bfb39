"""Volumes on record, and lent to real machines of namespaces."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from carrel.errors import AlreadyExists, InvalidInput, NotFound, RunError, Unsupported, WrongState
from carrel.geometry import Size
from carrel.machines import gvisor
from carrel.machines.ground import Ground
from carrel.machines.images import Image
from carrel.machines.keep import Keep
from carrel.machines.lending import (
    check_volumes,
    hand_over,
    locked,
    make_place,
    user_of,
    volume_places,
)
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import get_provider, provider_names
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store
from carrel.machines.volumes import Volumes
from namespaces import require_namespaces

SPEC = MachineSpec(image="host", size=Size(640, 480), memory_mb=1024)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


@pytest.fixture
def volumes(store: Store) -> Volumes:
    return Volumes(store)


def add(store: Store, name: str, *places: str) -> Machine:
    machine = store.add(name, replace(SPEC, volumes=places))
    store.complete(machine)
    return machine


@contextmanager
def held(machine: Machine) -> Iterator[None]:
    """As if a keeper of this machine lived."""
    machine.directory.mkdir(parents=True, exist_ok=True)
    with Keep(machine.directory).lock():
        yield


# On record


def test_a_volume_is_made_found_and_deleted(volumes: Volumes, store: Store) -> None:
    assert volumes.list() == ()
    made = volumes.create("data", 10)
    assert (made.name, made.size_mb, made.attachments, made.user) == ("data", 10, (), None)
    assert list(made.path.iterdir()) == []
    (made.path / "f").write_bytes(bytes(100_000))
    assert volumes.get("data").used() >= 100_000
    assert [volume.name for volume in volumes.list()] == ["data"]
    # What is in it is nobody else's business.
    assert (store.home / "volumes").stat().st_mode & 0o777 == 0o700
    volumes.delete("data")
    assert volumes.list() == ()
    assert list((store.home / "volumes").iterdir()) == []


def test_names_are_checked_and_taken_once(volumes: Volumes) -> None:
    volumes.create("data")
    with pytest.raises(AlreadyExists):
        volumes.create("data")
    assert len(list(volumes.get("data").path.parent.parent.iterdir())) == 1
    for name in ("", "../x", "Big", "a/b", ".hidden"):
        with pytest.raises(InvalidInput):
            volumes.create(name)
    with pytest.raises(InvalidInput):
        volumes.create("negative", -1)
    with pytest.raises(NotFound, match="no volume other") as caught:
        volumes.get("other")
    assert caught.value.hint == "there is data"
    with pytest.raises(NotFound):
        volumes.delete("other")


def test_a_volume_that_cannot_be_read_is_told(volumes: Volumes) -> None:
    made = volumes.create("data")
    (made.path.parent / "about.json").write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        volumes.get("data")


def test_a_volume_without_its_record_is_told_as_damaged(volumes: Volumes) -> None:
    made = volumes.create("data")
    volumes.create("other")
    (made.path.parent / "about.json").unlink()
    for look in (lambda: volumes.get("data"), volumes.list, lambda: volumes.delete("data")):
        with pytest.raises(RunError, match="the volume data is damaged") as caught:
            look()
        assert str(made.path) in str(caught.value.hint)
    assert volumes.get("other").name == "other"
    with pytest.raises(NotFound) as missing:
        volumes.get("third")
    assert missing.value.hint == "there is data, other"


def test_what_a_killed_command_did_not_finish_goes_when_it_is_old(volumes: Volumes) -> None:
    home = volumes.create("one").path.parent.parent
    for name, age in ((".new-old", 3600), (".new-young", 0)):
        (home / name / "content").mkdir(parents=True)
        os.utime(home / name, (time.time() - age,) * 2)
    volumes.create("two")
    assert sorted(path.name for path in home.iterdir()) == [".new-young", "one", "two"]
    os.utime(home / ".new-young", (0, 0))
    volumes.delete("two")
    assert [path.name for path in home.iterdir()] == ["one"]


def test_what_a_killed_deletion_left_goes_with_the_next(volumes: Volumes) -> None:
    left = volumes.create("one").path.parent
    volumes.create("two")
    left.rename(left.with_name(".deleted-one-0"))
    assert [volume.name for volume in volumes.list()] == ["two"]
    volumes.delete("two")
    assert list(left.parent.iterdir()) == []


def test_an_attached_volume_is_not_deleted(volumes: Volumes, store: Store) -> None:
    volumes.create("data")
    machine = add(store, "desk", "data:/srv/data")
    (found,) = volumes.get("data").attachments
    assert (found.machine, found.place) == ("desk", "/srv/data")
    with pytest.raises(WrongState, match="attached to desk"):
        volumes.delete("data")
    store.remove(machine)
    volumes.delete("data")


def test_a_volume_that_a_running_machine_still_has_is_not_deleted(
    volumes: Volumes, store: Store
) -> None:
    made = volumes.create("data")
    machine = add(store, "desk")
    (made.path.parent / "user").write_text(machine.id)
    with held(machine):
        assert volumes.get("data").user == "desk"
        with pytest.raises(WrongState, match="in use by desk"):
            volumes.delete("data")
    assert volumes.get("data").user is None
    volumes.delete("data")


def test_one_command_at_a_time_has_a_volume(volumes: Volumes, store: Store) -> None:
    volumes.create("data")
    with (
        locked(store.home, "data"),
        pytest.raises(WrongState, match="another command"),
    ):
        volumes.delete("data")
    volumes.delete("data")
    with pytest.raises(NotFound), locked(store.home, "data"):
        pass


@pytest.mark.parametrize(
    "place",
    [
        *("/usr/x", "/etc", "/proc/x", "/dev/shm/x", "/run/user", "/home", "/home/agent", "/tmp"),
        *("/var", "/lib64", "/sys"),
    ],
)
def test_a_machine_keeps_the_places_it_needs(place: str) -> None:
    with pytest.raises(InvalidInput, match="needs that place"):
        check_volumes(replace(SPEC, volumes=(f"data:{place}",)))


def test_volumes_are_not_inside_each_other() -> None:
    with pytest.raises(InvalidInput, match="inside the one at /srv"):
        check_volumes(replace(SPEC, volumes=("a:/srv", "b:/srv/x")))
    check_volumes(replace(SPEC, volumes=("a:/srv/a", "b:/srv/ab", "c:/home/agent/c", "d:/data")))


@pytest.mark.parametrize("provider", ["host", "remote", "qemu"])
def test_providers_without_volumes_refuse_them(provider: str) -> None:
    spec = MachineSpec(
        provider=provider, network="nat", url="tcp://h:1", token_file="f", volumes=("a:/srv/a",)
    )
    with pytest.raises(Unsupported, match=f"the {provider} provider cannot attach volumes"):
        get_provider(provider).check_spec(spec)


@pytest.mark.parametrize("provider", sorted(provider_names()))
def test_a_provider_that_says_nothing_of_volumes_is_given_none(
    provider: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = get_provider(provider)
    monkeypatch.setattr(type(engine), "check_spec", lambda self, spec: None)
    wish = replace(SPEC, provider=provider, volumes=("a:/srv/a",))
    if engine.capabilities.volumes:
        Ground(store, None).check(engine, wish)
        return
    with pytest.raises(Unsupported, match=f"the {provider} provider cannot attach volumes"):
        Ground(store, None).check(engine, wish)


def test_gvisor_keeps_the_home_to_itself_and_knows_one_user_without_root(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = get_provider("gvisor").check_spec
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    check(MachineSpec(provider="gvisor", volumes=("a:/srv/a",)))
    with pytest.raises(Unsupported, match="keeps the home itself"):
        check(MachineSpec(provider="gvisor", volumes=("a:/home/agent/a",)))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Unsupported, match="only root's"):
        check(MachineSpec(provider="gvisor", volumes=("a:/srv/a",)))


def test_files_that_are_not_ours_to_delete_are_told(
    volumes: Volumes, monkeypatch: pytest.MonkeyPatch
) -> None:
    volumes.create("data")

    def refuse(path: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(path / "content/x"))

    monkeypatch.setattr("carrel.machines.volumes.remove_tree", refuse)
    with pytest.raises(RunError, match="belong to another user") as caught:
        volumes.delete("data")
    assert "sudo rm -r" in str(caught.value.hint)


def test_places_are_where_the_store_is(store: Store, volumes: Volumes) -> None:
    made = volumes.create("data")
    machine = add(store, "desk", "data:/srv/data")
    assert volume_places(machine) == [(made.path, "/srv/data")]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_tree_is_handed_over_without_following_links(tmp_path: Path) -> None:
    outside, tree = tmp_path / "outside", tmp_path / "tree"
    outside.write_text("mine")
    (tree / "a/b").mkdir(parents=True)
    (tree / "a/file").write_text("x")
    (tree / "a/link").symlink_to(outside)
    hand_over(tree, 12345, 23456)
    for path in (tree, *tree.rglob("*")):
        assert (path.lstat().st_uid, path.lstat().st_gid) == (12345, 23456)
    assert outside.stat().st_uid == 0


def test_a_place_in_a_layer_is_like_the_images_and_follows_no_link(tmp_path: Path) -> None:
    owner = os.geteuid(), os.getegid()
    image, layer, outside = (tmp_path / name for name in ("image", "layer", "outside"))
    for path in (image / "srv/spool", layer, outside):
        path.mkdir(parents=True)
    (image / "srv").chmod(0o751)
    make_place(layer, image, "/srv/new/deep", owner)
    assert (layer / "srv/new/deep").is_dir()
    assert (layer / "srv").stat().st_mode & 0o777 == 0o751
    make_place(layer, image, "/srv/new/deep", owner)
    (layer / "trap").symlink_to(outside)
    (layer / "file").write_text("x")
    (image / "old").symlink_to("/srv")
    for place in ("/trap/x", "/trap", "/file/x", "/old/x"):
        with pytest.raises(InvalidInput, match="no directory there"):
            make_place(layer, image, place, owner)
    assert list(outside.iterdir()) == []


def test_a_root_of_ones_own_shows_an_image_and_has_room_for_volumes(
    store: Store, tmp_path: Path
) -> None:
    rootfs = tmp_path / "image"
    for name in ("usr", "srv/spool", "proc"):
        (rootfs / name).mkdir(parents=True)
    (rootfs / "bin").symlink_to("usr/bin")
    (rootfs / "here").symlink_to(tmp_path)
    image = Image("desktop", "0" * 64, rootfs, "/usr/bin/python3")
    machine = add(store, "desk", "data:/srv/deep/data", "more:/more")
    machine.directory.mkdir(parents=True)
    for _ in range(2):
        root, mounts = gvisor._own_root(machine, image)
    assert [mount["destination"] for mount in mounts] == ["/srv/spool", "/usr"]
    assert all("ro" in str(mount["options"]) for mount in mounts)
    assert (root / "bin").readlink() == Path("usr/bin")
    assert (root / "srv/deep/data").is_dir()
    assert (root / "more").is_dir()
    assert not (rootfs / "more").exists()
    with pytest.raises(InvalidInput, match="/here is a link"):
        gvisor._own_root(replace(machine, spec=replace(SPEC, volumes=("a:/here/x",))), image)
    assert not (tmp_path / "x").exists()


# Lent to real machines


@pytest.fixture
async def machines(store: Store) -> AsyncIterator[Machines]:
    health = await get_provider("namespace").probe()
    require_namespaces(health.usable, health.reason)
    made = Machines(store)
    try:
        with anyio.fail_after(120):
            yield made
    finally:
        with anyio.CancelScope(shield=True):
            for machine in store.all():
                await made.delete(machine.name)


async def said(machines: Machines, name: str, command: str) -> str:
    async with machines.computer(name) as computer:
        return str((await computer.shell(command)).raise_for_error().data["stdout"])


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.desktop
async def test_a_volume_outlives_its_machine_and_serves_the_next(
    machines: Machines, volumes: Volumes, store: Store
) -> None:
    volumes.create("data")
    await machines.create("one", SPEC)
    await volumes.attach(machines, "data", "one", "/srv/data/")
    await machines.up("one")
    written = "mkdir /srv/data/d; echo first > /srv/data/d/note; chmod 600 /srv/data/d/note"
    await said(machines, "one", written)
    assert volumes.get("data").user == "one"
    await machines.delete("one")
    assert volumes.get("data").attachments == ()
    await machines.create("two", SPEC)
    await volumes.attach(machines, "data", "two", "/home/agent/data")
    await machines.up("two")
    assert (
        await said(machines, "two", "cat data/d/note; stat -c %U data/d/note") == "first\nagent\n"
    )
    await said(machines, "two", "echo second >> data/d/note")
    # What is set-user-id, or a device, has no power there.
    assert "nosuid,nodev" in await said(machines, "two", "grep /home/agent/data /proc/mounts")
    await volumes.detach(machines, "data", "two")
    await machines.restart("two")
    assert await said(machines, "two", "ls -A data") == ""
    assert (volumes.get("data").path / "d/note").read_text() == "first\nsecond\n"


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.image
async def test_a_machine_of_an_image_has_its_volumes_where_only_root_may_make_a_place(
    machines: Machines, volumes: Volumes
) -> None:
    places = {"a": "/srv/deep/a", "b": "/new", "c": "/home/agent/c", "d": "/var/lib/d"}
    for name in places:
        volumes.create(name)
    wish = tuple(f"{name}:{place}" for name, place in places.items())
    await machines.up("one", replace(SPEC, image="desktop", volumes=wish))
    for name, place in places.items():
        await said(machines, "one", f"echo {name} > {place}/note")
        assert (volumes.get(name).path / "note").read_text() == f"{name}\n"
    assert await said(machines, "one", "ls /var/lib/dpkg/status") == "/var/lib/dpkg/status\n"
    await machines.restart("one")
    assert await said(machines, "one", "cat /new/note") == "b\n"


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.desktop
async def test_two_running_machines_never_have_one_volume(
    machines: Machines, volumes: Volumes, store: Store
) -> None:
    volumes.create("data")
    for name in ("one", "two"):
        await machines.create(name, SPEC)
        await volumes.attach(machines, "data", name, "/srv/data")
    with pytest.raises(AlreadyExists, match="one has the volume data already, at /srv/data"):
        await volumes.attach(machines, "data", "one", "/srv/other")
    await machines.up("one")
    with pytest.raises(WrongState, match="attached to one, which runs"):
        await machines.up("two")
    assert (await machines.status("two")).observed.state is State.STOPPED
    # One that is detached has the volume until it ends.
    await volumes.detach(machines, "data", "one")
    assert await said(machines, "one", "echo still > /srv/data/x; cat /srv/data/x") == "still\n"
    with pytest.raises(WrongState, match="attached to one, which runs"):
        await machines.up("two")
    # Attached it may be meanwhile, and is there once the other one is stopped.
    await volumes.detach(machines, "data", "two")
    await volumes.attach(machines, "data", "two", "/srv/data")
    with pytest.raises(WrongState, match="attached to one, which runs") as refused:
        volumes.require_free("data", "two")
    assert refused.value.hint == "carrel stop one"
    volumes.require_free("data", "one")
    with pytest.raises(WrongState, match="attached to one, which runs"):
        await machines.up("two")
    await machines.stop("one")
    await machines.up("two")
    # What could not be started again is not stopped.
    before = (await machines.up("one")).observed
    await volumes.attach(machines, "data", "one", "/srv/data")
    with pytest.raises(WrongState, match="attached to two, which runs") as kept:
        await machines.restart("one")
    assert kept.value.hint == "carrel stop two, or: carrel volume detach data one"
    assert (await machines.status("one")).observed == before
    await volumes.detach(machines, "data", "one")
    assert await said(machines, "two", "cat /srv/data/x") == "still\n"
    assert user_of(store.home, "data") == store.get("two").id
    with pytest.raises(NotFound, match="not attached to one"):
        await volumes.detach(machines, "data", "one")


@pytest.mark.anyio
@pytest.mark.namespace
@pytest.mark.desktop
async def test_a_machine_whose_volume_is_not_there_does_not_start(
    machines: Machines, volumes: Volumes
) -> None:
    await machines.create("one", replace(SPEC, volumes=("data:/srv/data",)))
    with pytest.raises(NotFound, match="there is no volume data"):
        await machines.up("one")
    volumes.create("data")
    await machines.up("one")
    with pytest.raises(NotFound, match="no volume other"):
        await volumes.attach(machines, "other", "one", "/srv/x")
    with pytest.raises(InvalidInput):
        await volumes.attach(machines, "data", "one", "relative")

"""Machines as containers, on an engine of the tests' own."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from dockerd import Dockerd, docker_engine, require_docker
from engine_desks import boxed, require_conformance
from engine_desks import said_in as said
from walls import eventually, quiet

from carrel.computer import Computer
from carrel.errors import CarrelError, InvalidInput, NotFound, RunError, Unavailable
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.docker import api
from carrel.machines.docker.api import EngineApi, engine_socket
from carrel.machines.docker.container import container_name, container_wish, fit
from carrel.machines.docker.figures import read_stats
from carrel.machines.docker.transfer import tree_as_tar
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import Metrics
from carrel.machines.providers.docker import DockerProvider
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import State
from carrel.machines.store import Store
from carrel.machines.volumes import Volumes
from thorough import FULL

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.desktop, pytest.mark.image]

SPEC = MachineSpec(provider="docker", size=Size(1024, 768), memory_mb=1024, pids=400)


@pytest.fixture(scope="module")
def engine() -> Iterator[Dockerd]:
    require_docker()
    with docker_engine() as found, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", f"unix://{found.socket}")
        yield found


def desk(home: Path) -> AbstractAsyncContextManager[tuple[DockerProvider, Machine]]:
    return boxed(DockerProvider(), home, SPEC)


async def test_docker_passes_the_conformance_suite(engine: Dockerd) -> None:
    with anyio.fail_after(400):
        await require_conformance("docker", SPEC)
    assert engine.containers() == []


async def test_a_container_has_no_right_no_network_and_our_label(
    engine: Dockerd, tmp_path: Path
) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            (seen,) = engine.containers()
            asked = engine.ask(f"/containers/{seen['Id']}/json").stdout
            wall = json.loads(asked)["HostConfig"]
            assert wall["CapDrop"] == ["ALL"]
            assert wall["SecurityOpt"] == ["no-new-privileges"]
            assert wall["NetworkMode"] == "none"
            assert (wall["Memory"], wall["MemorySwap"]) == (1024 << 20, 1024 << 20)
            assert wall["PidsLimit"] == 400
            assert not wall["Privileged"]
            assert machine.id in json.dumps(seen["Labels"])
            status = await said(provider, machine, "cat /proc/self/status; ls /sys/class/net")
            assert "CapEff:\t0000000000000000" in status
            assert "NoNewPrivs:\t1" in status
            assert status.split()[-1] == "lo"
            # By that name its published ports are found.
            assert "127.0.0.1" in await said(provider, machine, "getent ahosts localhost")
        assert engine.containers() == []


async def test_a_killed_keeper_takes_its_container_along(engine: Dockerd, tmp_path: Path) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            record = Keep(machine.directory).read_record()
            assert record is not None
            os.kill(record.pid, 9)
            await eventually(
                "the container ends",
                lambda: [each["State"] for each in engine.containers()] == ["exited"],
                30,
            )
            assert (await provider.inspect(machine)).state is State.ERROR
            await provider.recover(machine)
            await provider.start(machine, quiet)
            assert await said(provider, machine, "echo back") == "back\n"


async def test_a_start_that_the_engine_refuses_leaves_no_keeper(
    engine: Dockerd, tmp_path: Path
) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            await provider.stop(machine, 5)
            identity = machine.directory / "machine-id"
            text = identity.read_text()
            identity.unlink()
            identity.mkdir()  # and a directory cannot be mounted over a file
            with pytest.raises(RunError, match="did not start: the engine refused"):
                await provider.start(machine, quiet)
            assert not Keep(machine.directory).is_held()
            identity.rmdir()
            identity.write_text(text)
            await provider.start(machine, quiet)
            assert await said(provider, machine, "echo back") == "back\n"


async def test_a_container_that_is_half_removed_is_not_started_and_leaves_no_keeper(
    engine: Dockerd, tmp_path: Path
) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            await provider.stop(machine, 5)
            path = f"/containers/{container_name(machine)}"
            with engine.unable_to_remove(), pytest.raises(RunError, match="refused"):
                await anyio.to_thread.run_sync(EngineApi(engine.socket).delete, path)
            assert {each["State"] for each in engine.containers()} <= {"dead", "removing"}
            with pytest.raises(RunError, match=r"did not start: the engine says: .* for removal"):
                await provider.start(machine, quiet)
            assert not Keep(machine.directory).is_held()
            assert (await provider.inspect(machine)).state is not State.RUNNING
    assert engine.containers() == []
    assert not machine.directory.exists()


async def test_a_container_that_others_have_paused_is_not_started_but_the_next_time(
    engine: Dockerd, tmp_path: Path
) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            await provider.stop(machine, 5)
            post = EngineApi(engine.socket).post
            for what in ("start", "pause"):
                path = f"/containers/{container_name(machine)}/{what}"
                await anyio.to_thread.run_sync(post, path)
            with pytest.raises(RunError, match=r"did not start: the engine says: .*paused"):
                await provider.start(machine, quiet)
            assert not Keep(machine.directory).is_held()
            assert [each["State"] for each in engine.containers()] == ["exited"]
            await provider.start(machine, quiet)
            assert await said(provider, machine, "echo back") == "back\n"


@pytest.mark.skipif(not FULL, reason="waits for half a minute: make test FULL=1")
async def test_a_keeper_gives_up_whose_starter_was_killed_before_the_container_ran(
    engine: Dockerd, tmp_path: Path
) -> None:
    code = (
        "import os, sys, anyio; from pathlib import Path\n"
        "from carrel.machines.docker.api import EngineApi\n"
        "from carrel.machines.lifecycle import Machines\n"
        "from carrel.machines.store import Store\n"
        "post = EngineApi.post\n"
        "def die(self, path, *args, **more):\n"
        "    if path.endswith('/start'): os._exit(9)\n"
        "    return post(self, path, *args, **more)\n"
        "EngineApi.post = die\n"
        "anyio.run(Machines(Store(Path(sys.argv[1]))).up, 'orphan')\n"
    )
    machines = Machines(Store(tmp_path))
    with anyio.fail_after(180):
        await machines.create("orphan", SPEC)
        done = await anyio.run_process([sys.executable, "-c", code, str(tmp_path)], check=False)
        assert done.returncode == 9
        keep = Keep(machines.store.get("orphan").directory)
        assert keep.is_held()
        await eventually("its keeper gives up", lambda: not keep.is_held(), 90)
        told = (await machines.status("orphan")).observed
        assert told.state is State.ERROR
        assert "nobody has started its container" in str(told.cause)
        assert (await machines.up("orphan")).observed.state is State.RUNNING
        await machines.delete("orphan")


async def test_what_is_written_survives_a_stop_and_goes_with_the_machine(
    engine: Dockerd, tmp_path: Path
) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            await said(provider, machine, "echo kept > ~/note")
            await provider.stop(machine, 10)
            assert (await provider.inspect(machine)).state is State.STOPPED
            assert [each["State"] for each in engine.containers()] == ["exited"]
            await provider.start(machine, quiet)
            assert await said(provider, machine, "cat ~/note") == "kept\n"
    assert engine.containers() == []


async def test_a_dead_engine_is_told_and_the_machine_comes_back_with_it(tmp_path: Path) -> None:
    require_docker()
    with (
        anyio.fail_after(300),
        docker_engine() as own,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("DOCKER_HOST", f"unix://{own.socket}")
        async with desk(tmp_path) as (provider, machine):
            await said(provider, machine, "echo kept > ~/note")
            own.kill()
            keep = Keep(machine.directory)
            await eventually("the keeper notices", lambda: not keep.is_held(), 30)
            observed = await provider.inspect(machine)
            assert observed.state is State.ERROR
            assert "engine" in str(observed.cause)
            assert not (await provider.probe()).usable
            with pytest.raises(CarrelError, match="engine"):
                await provider.start(machine, quiet)
            await anyio.to_thread.run_sync(own.start)
            await provider.recover(machine)
            await provider.start(machine, quiet)
            assert await said(provider, machine, "cat ~/note") == "kept\n"


async def test_a_container_removed_by_others_is_lost_and_can_be_deleted(
    engine: Dockerd, tmp_path: Path
) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            await anyio.to_thread.run_sync(
                lambda: EngineApi(engine.socket).delete(
                    f"/containers/{container_name(machine)}", force="true"
                )
            )
            keep = Keep(machine.directory)
            await eventually("the keeper notices", lambda: not keep.is_held(), 30)
            observed = await provider.inspect(machine)
            assert (observed.state, observed.cause) == (State.LOST, "its container is gone")
        assert not machine.directory.exists()


async def test_only_containers_of_this_store_that_nobody_knows_are_collected(
    engine: Dockerd, tmp_path: Path
) -> None:
    provider = DockerProvider()
    await provider.prepare(SPEC, quiet)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    machines = []
    for home in (ours, theirs, ours):
        identity = new_id("mac")
        machine = Machine(identity, "boxed", SPEC, home / identity, 0.0)
        home.mkdir(exist_ok=True)
        await provider.create(machine)
        machines.append(machine)
    forgotten, stranger, known = machines
    for path in sorted(forgotten.directory.iterdir()):
        path.unlink()
    forgotten.directory.rmdir()
    try:
        removed = await provider.collect(ours, frozenset({known.id}))
        assert removed == (f"container of the deleted machine {forgotten.id}",)
        left = json.dumps([each["Labels"] for each in engine.containers()])
        assert stranger.id in left
        assert known.id in left
        assert forgotten.id not in left
    finally:
        for machine in (stranger, known):
            await provider.delete(machine)
    assert engine.containers() == []


async def test_a_machine_that_uses_too_much_memory_says_so(engine: Dockerd, tmp_path: Path) -> None:
    with anyio.fail_after(120):
        async with desk(tmp_path) as (provider, machine):
            hog = "python3 -c 'x = bytearray(1500 << 20)'"
            async with Computer(lambda: provider.channel(machine)) as computer:
                result = await computer.shell(hog)
            assert result.data["exit"] != 0
            assert await said(provider, machine, "echo alive") == "alive\n"
            figures = await provider.metrics(machine)
            assert figures.memory_bytes is not None
            assert 0 < figures.memory_bytes <= 1024 << 20
            # For people: now, and the moment in the log.
            words = "memory limit reached: 1 process(es) killed by the kernel"
            assert words in (await provider.inspect(machine)).notes
            while words not in await provider.console(machine):  # noqa: ASYNC110 (another process)
                await anyio.sleep(0.1)


def test_an_image_the_engine_cannot_have_is_refused() -> None:
    with pytest.raises(NotFound, match="docker provider has no image called 'host'"):
        DockerProvider().check_spec(MachineSpec(provider="docker", image="host"))


def test_an_engine_elsewhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2375")
    with pytest.raises(InvalidInput, match="not an engine on this system"):
        engine_socket()


ROOTLESS = """
import os, socket, sys
from pathlib import Path
from carrel.errors import Unavailable
from carrel.machines.docker.api import EngineApi, engine_socket
sockets = [Path("/run/docker.sock"), Path("/run/user/65534/docker.sock")]
for path, owner in zip(sockets, (0, 65534)):
    path.parent.mkdir(parents=True, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    os.chown(path, owner, owner)
    path.chmod(0o600)
Path("/run/podman").mkdir(mode=0o700)
os.setresuid(65534, 65534, 65534)
print(engine_socket())
sockets[1].chmod(0)
try:
    EngineApi(engine_socket()).get("/info")
except Unavailable as error:
    print(error.message)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to be somebody else")
def test_a_users_own_engine_is_used_where_they_may_not_use_roots() -> None:
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    # Of a /run of their own: what listens on this system does not count.
    inside = 'mount -t tmpfs tmpfs /run && exec "$@"'
    words = ["unshare", "-m", "sh", "-c", inside, "sh", sys.executable, "-c", ROOTLESS]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    chosen, told = done.stdout.splitlines()
    assert chosen == "/run/user/65534/docker.sock"
    assert told.startswith("this user may not use /var/run/docker.sock (also looked at /run/user/")
    assert "/run/podman/podman.sock" in told


async def test_no_engine_is_said_with_the_way_to_have_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/docker.sock")
    monkeypatch.setattr(api, "find_dockerd", lambda: None)
    health = await DockerProvider().probe()
    assert not health.usable
    assert "no engine listens" in health.reason
    assert "docker.io" in str(health.fix)
    with pytest.raises(Unavailable):
        EngineApi(tmp_path / "docker.sock").get("/info")


def test_an_engine_is_not_given_what_another_made_in_an_image_to_mount_on(tmp_path: Path) -> None:
    (tmp_path / "run/carrel/guest").mkdir(parents=True, mode=0o700)
    (tmp_path / "run/lock").mkdir()
    packed = io.BytesIO(b"".join(tree_as_tar(tmp_path, lambda done: None)))
    with tarfile.open(fileobj=packed) as tar:
        assert sorted(tar.getnames()) == [".", "./run", "./run/lock"]


def test_what_the_engine_says_is_told_with_its_words() -> None:
    assert isinstance(api._refusal(404, b'{"message": "No such image: x"}'), NotFound)
    assert "No such image" in str(api._refusal(404, b'{"message": "No such image: x"}'))
    assert "<html>" in str(api._refusal(500, b"<html>oh"))
    assert "[1]" in str(api._refusal(500, b"[1]"))


def test_of_a_stream_of_reports_a_failure_is_an_error() -> None:
    assert api._parse(b'{"status": "a"}\n{"status": "b"}\n') == {"status": "b"}
    assert api._parse(b"OK") is None
    assert api._parse(b"") is None
    with pytest.raises(RunError, match="no space left"):
        api._parse(b'{"status": "a"}\n{"error": "no space left"}\n{"status": "b"}')


@pytest.mark.parametrize("told", [{}, {"memory_stats": None}, {"cpu_stats": {"cpu_usage": 3}}])
def test_figures_the_engine_does_not_give_are_unknown(told: dict[str, object]) -> None:
    assert read_stats(told) == Metrics()


async def test_an_engine_that_hangs_holds_up_nobody_who_tidies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(tmp_path / "docker.sock"))
        deaf.listen()
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'docker.sock'}")
        with anyio.fail_after(15):
            # It is asked once and then left alone for a while.
            for _ in range(20):
                assert await DockerProvider().collect(tmp_path, frozenset()) == ()


def test_what_all_disks_moved_is_one_figure() -> None:
    moved = [{"op": "Read", "value": 5}, {"op": "write", "value": 7}, {"op": "Write", "value": 1}]
    figures = read_stats({"blkio_stats": {"io_service_bytes_recursive": moved}})
    assert (figures.disk_read_bytes, figures.disk_written_bytes) == (5, 8)
    # What an engine cannot know, it leaves empty.
    assert read_stats({"blkio_stats": {"io_service_bytes_recursive": []}}) == Metrics()


def test_the_wish_carries_the_limits_of_the_spec(tmp_path: Path) -> None:
    machine = Machine("mac_x", "desk", MachineSpec(provider="docker", cpus=2), tmp_path, 0.0)
    wish = container_wish(machine)
    host = wish["HostConfig"]
    assert isinstance(host, dict)
    assert host["NanoCpus"] == 2_000_000_000
    assert wish["User"] == "1000:1000"


async def test_volumes_come_and_go_while_the_disk_stays(engine: Dockerd, tmp_path: Path) -> None:
    store = Store(tmp_path / "colons: two")  # which mean something to an engine
    made, volumes = Machines(store), Volumes(store)
    content = volumes.create("data").path
    (content / "given").write_text("from outside\n")

    async def told(command: str) -> str:
        async with made.computer("boxed") as computer:
            return str((await computer.shell(command)).raise_for_error().data["stdout"])

    with anyio.fail_after(180):
        try:
            await made.up("boxed", SPEC)
            await told("echo disk > kept; echo tmp > /tmp/passing")
            assert (await volumes.attach(made, "data", "boxed", "/srv/data")).observed.state == (
                State.RUNNING
            )
            assert await told("ls /srv/data || true") == ""
            await made.restart("boxed")
            assert await told("cat kept /srv/data/given") == "disk\nfrom outside\n"
            await told("mkdir /srv/data/d; echo mine > /srv/data/d/note")
            await volumes.detach(made, "data", "boxed")
            await made.restart("boxed")
            assert await told("cat kept; ls /srv/data") == "disk\n"
            # A maker that was killed at its worst moment.
            name = container_name(store.get("boxed"))
            await made.stop("boxed")
            EngineApi(engine_socket()).post(f"/containers/{name}/rename", name=f"{name}-next")
            await made.up("boxed")
            assert await told("cat kept") == "disk\n"
        finally:
            with anyio.CancelScope(shield=True):
                for machine in store.all():
                    await made.delete(machine.name)
    assert (content / "d/note").read_text() == "mine\n"
    assert engine.containers() == []
    assert "carrel/kept" not in engine.ask("/images/json").stdout


def test_a_container_fits_until_what_is_fixed_with_it_changes() -> None:
    assert fit(SPEC) == fit(replace(SPEC, restart="always", ports=("1:1",)))
    others = [{"memory_mb": 2048}, {"env": {"A": "b"}}, {"volumes": ("a:/srv/a",)}, {"cpus": 2}]
    assert len({fit(SPEC), *(fit(replace(SPEC, **other)) for other in others)}) == 5

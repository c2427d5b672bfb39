from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput, NotFound, RunError, Unavailable, WrongState
from carrel.machines.images import (
    RECIPES,
    Image,
    ImageFile,
    Progress,
    Recipe,
    _walls,
    build,
    delete_image,
    list_images,
    resolve_image,
)
from carrel.machines.images._apt import parse_sources
from carrel.machines.images._finish import disk_usage
from carrel.machines.images.cache import images_home, partial_path, sweep_partials, write_image
from carrel.machines.images.progress import ProgressReader

BUILD_MODULE = sys.modules["carrel.machines.images.build"]

TINY = Recipe(
    name="tiny",
    packages=("libisal2",),
    variant="essential",
    leave_out=("/usr/share/doc/*",),
    files=(
        ImageFile("/etc/greeting", "hello\n", mode=0o600),
        ImageFile("/etc/issue", "and more\n", append=True),
    ),
    commands=(("sh", "-c", "cat /etc/greeting > /etc/proof"),),
)

needs_builder = pytest.mark.skipif(
    shutil.which("mmdebstrap") is None, reason="apt-get install mmdebstrap uidmap"
)


def ignore(_: Progress) -> None:
    pass


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))
    images_home().mkdir()
    return tmp_path


def pretend_built(recipe: Recipe) -> Path:
    directory = images_home() / recipe.directory_name
    (directory / "rootfs").mkdir(parents=True)
    write_image(directory, recipe, 4096)
    return directory


def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


# --- recipes


def test_a_recipe_hashes_the_same_in_any_order_of_packages() -> None:
    one = Recipe(name="x", packages=("a", "b"))
    assert one.hash == Recipe(name="x", packages=("b", "a", "b")).hash


@pytest.mark.parametrize(
    "change",
    [
        {"packages": ("a",)},
        {"files": (ImageFile("/etc/a", "a"),)},
        {"leave_out": ("/usr/share/doc/*",)},
        {"commands": (("true",),)},
        {"suite": "trixie"},
        {"variant": "apt"},
    ],
)
def test_any_change_of_a_recipe_changes_its_hash(change: dict[str, object]) -> None:
    recipe = Recipe(name="x", packages=("a", "b"))
    assert replace(recipe, **change).hash != recipe.hash  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["etc/passwd", "/etc/../../root", ""])
def test_a_file_cannot_be_laid_outside_the_image(path: str) -> None:
    with pytest.raises(InvalidInput):
        ImageFile(path, "x")


# --- progress

TRANSCRIPT = """\
I: chroot architecture amd64 is equal to the host's architecture
I: running apt-get update...
Get:1 mirror bookworm InRelease [151 kB]
I: downloading packages with apt...
0 upgraded, 2 newly installed, 0 to remove and 0 not upgraded.
Need to get 2,000 kB of archives.
Get:1 mirror bookworm/main amd64 libc6 amd64 2.36-9 [1,500 kB]
Get:2 mirror bookworm/main amd64 bash amd64 5.2.15-2 [500 kB]
I: installing essential packages...
Unpacking libc6:amd64 (2.36-9) ...
Unpacking bash (5.2.15-2) ...
Setting up libc6:amd64 (2.36-9) ...
Setting up bash (5.2.15-2) ...
I: installing remaining packages inside the chroot...
0 upgraded, 2 newly installed, 0 to remove and 0 not upgraded.
Need to get 3.0 MB/10.0 MB of archives.
Get:1 mirror bookworm/main amd64 xterm amd64 379-1 [3000 kB]
Unpacking xterm (379-1) ...
Setting up xterm (379-1) ...
Unpacking tint2 (17.0.1-1) ...
Setting up tint2 (17.0.1-1) ...
I: cleaning package lists and apt cache...
"""


def read_all(text: str) -> list[Progress]:
    seen: list[Progress] = []
    reader = ProgressReader(seen.append)
    for line in text.splitlines():
        reader.feed(line)
    return seen


def test_progress_follows_a_build_through_its_stages() -> None:
    seen = read_all(TRANSCRIPT)
    stages = list(dict.fromkeys(report.stage for report in seen))
    assert stages == ["index", "base", "download", "install", "finish"]
    details = [report.detail for report in seen]
    assert "downloading 3 of 3 MB" in details
    assert "installing 2 of 2: tint2" in details
    assert next(r for r in seen if r.detail == "installing 2 of 2: tint2").fraction < 0.95
    assert seen[-1].fraction == 0.95


def test_progress_skips_downloads_that_are_already_there() -> None:
    resumed = TRANSCRIPT.replace("3.0 MB/10.0 MB", "0 B/10.0 MB").replace("Get:", "Hit:")
    assert [r.stage for r in read_all(resumed) if r.detail.startswith("downloading 3")] == []
    assert read_all(resumed)[-1].stage == "finish"


@given(st.permutations(TRANSCRIPT.splitlines()))
def test_progress_never_shrinks_whatever_is_printed(lines: list[str]) -> None:
    fractions = [report.fraction for report in read_all("\n".join(lines))]
    assert fractions == sorted(fractions)
    assert all(0 <= fraction <= 1 for fraction in fractions)


@given(st.text())
def test_progress_takes_any_line(line: str) -> None:
    ProgressReader(ignore).feed(line)


# --- mirrors


def test_mirrors_come_from_this_machines_apt() -> None:
    output = (
        "http://mirror.test/debian/|bookworm|main|Debian\n"
        "http://mirror.test/debian/|bookworm|contrib|Debian\n"
        "http://mirror.test/security/|bookworm-security|main|$(ORIGIN)\n"
        "http://other.test/|bookworm|main|Somebody\n"
        "http://mirror.test/debian/|trixie|main|Debian\n"
    )
    assert parse_sources(output, "bookworm") == [
        "deb http://mirror.test/debian/ bookworm main",
        "deb http://mirror.test/security/ bookworm-security main",
    ]


def test_a_machine_of_another_release_gives_no_mirror() -> None:
    assert parse_sources("http://m.test/|bookworm-updates|main|Debian\n", "bookworm") == []
    assert parse_sources("", "bookworm") == []


# --- the cache


def test_an_unknown_image_is_answered_with_the_known_ones(home: Path) -> None:
    with pytest.raises(NotFound) as raised:
        resolve_image("windows")
    assert raised.value.hint == "known images: host, desktop, minimal, node"


def test_an_image_that_is_not_built_says_how_to_build_it(home: Path) -> None:
    with pytest.raises(Unavailable) as raised:
        resolve_image("desktop")
    assert raised.value.hint == "carrel image build desktop"


def test_the_host_image_is_this_systems_root_with_a_python_that_runs(home: Path) -> None:
    image = resolve_image("host")
    assert image.rootfs == Path("/")
    version = "import sys; assert sys.version_info >= (3, 11)"
    subprocess.run([image.python, "-c", version], check=True)


def test_a_built_image_is_found_by_its_recipe(home: Path) -> None:
    directory = pretend_built(RECIPES["desktop"])
    image = resolve_image("desktop")
    assert image == list_images()[0]
    assert image.rootfs == directory / "rootfs"
    assert image.current


def test_an_image_of_an_older_recipe_is_listed_but_not_used(home: Path) -> None:
    pretend_built(replace(RECIPES["desktop"], packages=("xterm",)))
    assert [image.current for image in list_images()] == [False]
    with pytest.raises(Unavailable):
        resolve_image("desktop")


def test_what_an_interrupted_build_left_is_no_image_and_is_swept(home: Path) -> None:
    recipe = RECIPES["desktop"]
    partial = partial_path(recipe.directory_name)
    (partial / "rootfs").mkdir(parents=True)
    write_image(partial, recipe, 1)
    (images_home() / "desktop-000000000000" / "rootfs").mkdir(parents=True)
    assert list_images() == []
    with pytest.raises(Unavailable):
        resolve_image("desktop")
    sweep_partials()
    assert not partial.exists()


def test_an_image_in_use_is_never_deleted(home: Path) -> None:
    directory = pretend_built(RECIPES["desktop"])
    with pytest.raises(WrongState, match="in use by desk"):
        delete_image("desktop", users=lambda image: ["desk"])
    assert directory.is_dir()


def test_an_image_is_deleted_with_every_version_or_one_by_one(home: Path) -> None:
    new, old = RECIPES["desktop"], replace(RECIPES["desktop"], packages=("xterm",))
    for recipe in (new, old):
        pretend_built(recipe)
    assert len(delete_image(old.directory_name, users=lambda _: [])) == 1
    assert [image.hash for image in list_images()] == [new.hash]
    pretend_built(old)
    assert len(delete_image("desktop", users=lambda _: [])) == 2
    assert list(images_home().iterdir()) == []
    with pytest.raises(NotFound):
        delete_image("desktop", users=lambda _: [])


def test_disk_usage_counts_a_hard_link_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 65536)
    before = disk_usage(tmp_path)
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    assert disk_usage(tmp_path) == before >= 65536


# --- building, without a network


@pytest.mark.anyio
async def test_a_missing_mmdebstrap_is_told_with_the_command_that_installs_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(home))
    with pytest.raises(Unavailable) as raised:
        await build(TINY, progress=ignore)
    assert raised.value.hint is not None
    assert "apt-get install mmdebstrap uidmap" in raised.value.hint


def hold_lock(lock: Path) -> subprocess.Popen[str]:
    holder = subprocess.Popen(
        ["flock", lock, "sh", "-c", "echo held; read go"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


@needs_builder
@pytest.mark.anyio
async def test_a_second_builder_waits_and_takes_what_the_first_built(home: Path) -> None:
    first = hold_lock(images_home() / ".lock")
    seen: list[str] = []

    def report(progress: Progress) -> None:
        seen.append(progress.stage)
        if progress.stage == "waiting":
            pretend_built(TINY)
            first.communicate("go\n")

    with first, anyio.fail_after(20):
        image = await build(TINY, progress=report)
    assert seen == ["waiting", "done"]
    assert image.hash == TINY.hash


@needs_builder
@pytest.mark.anyio
async def test_a_failed_build_leaves_no_image_and_says_why(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = f"deb [trusted=yes] file:{home}/nowhere bookworm main"
    monkeypatch.setattr(BUILD_MODULE, "apt_sources", lambda suite: [nowhere])
    with anyio.fail_after(60), pytest.raises(RunError, match="mmdebstrap failed") as raised:
        await build(TINY, progress=ignore)
    assert list_images() == []
    assert raised.value.hint is not None
    log = Path(raised.value.hint.rpartition(" ")[2])
    assert "nowhere" in log.read_text()


@needs_builder
@pytest.mark.anyio
async def test_a_cancelled_step_takes_everything_it_started_with_it(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    started = anyio.Event()
    async with anyio.create_task_group() as tasks:

        async def step() -> None:
            await _walls.run(
                ("sh", "-c", "setsid sleep 300 & echo up; wait"),
                log=tmp_path / "log",
                line=lambda _: started.set(),
                held=(writing,),
            )

        tasks.start_soon(step)
        with anyio.fail_after(20):
            await started.wait()
        tasks.cancel_scope.cancel()
    os.close(writing)
    # The pipe ends when the last process that inherited it is gone.
    with anyio.fail_after(5):
        await anyio.wait_readable(reading)
    assert os.read(reading, 1) == b""
    os.close(reading)


@needs_builder
def test_a_killed_builder_takes_its_step_with_it(tmp_path: Path) -> None:
    program = (
        "import anyio, pathlib, sys; from carrel.machines.images import _walls\n"
        "async def main():\n"
        "    await _walls.run(('sh', '-c', 'echo up; sleep 300'),\n"
        "                     log=pathlib.Path(sys.argv[1]), held=(int(sys.argv[2]),))\n"
        "anyio.run(main)"
    )
    reading, writing = os.pipe()
    log = tmp_path / "log"
    builder = subprocess.Popen(
        [sys.executable, "-c", program, log, str(writing)], pass_fds=(writing,)
    )
    os.close(writing)
    wait_for(lambda: log.exists() and "up" in log.read_text(), 20)
    builder.kill()
    builder.wait()
    os.set_blocking(reading, False)
    wait_for(lambda: read_or_wait(reading) == b"", 5)
    os.close(reading)


def read_or_wait(descriptor: int) -> bytes | None:
    try:
        return os.read(descriptor, 1)
    except BlockingIOError:
        return None


# --- building for real


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One home for all real builds: what the first downloads, the others have."""
    before = os.environ.get("CARREL_HOME")
    path = tmp_path_factory.mktemp("home")
    os.environ["CARREL_HOME"] = str(path)
    yield path
    if before is None:
        del os.environ["CARREL_HOME"]
    else:
        os.environ["CARREL_HOME"] = before
    _walls.remove_tree(path)


BUILD_TINY = """
import anyio
from carrel.machines.images import build
from test_images import TINY, ignore
anyio.run(lambda: build(TINY, progress=ignore))
"""


def build_and_kill(log: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    builder = subprocess.Popen([sys.executable, "-c", BUILD_TINY], env=environment)
    mark = "I: installing essential packages"
    wait_for(lambda: log.exists() and mark in log.read_text(), 400)
    builder.kill()
    builder.wait()


@needs_builder
@pytest.mark.slow
@pytest.mark.image
@pytest.mark.anyio
async def test_a_build_killed_half_way_is_resumed_without_downloading_again(
    shared_home: Path,
) -> None:
    log = images_home() / f"{TINY.directory_name}.log"
    await anyio.to_thread.run_sync(build_and_kill, log)
    assert list_images() == []
    assert partial_path(TINY.directory_name).exists()

    seen: list[Progress] = []
    with anyio.fail_after(400):
        image = await build(TINY, progress=seen.append)
    # The base was all there; the one package on top had not been reached.
    assert "Need to get 0 B/" in log.read_text()
    assert list_images() == [image]
    assert not partial_path(TINY.directory_name).exists()
    assert seen[-1].stage == "done"
    assert seen[-1].fraction == 1.0
    assert [r.fraction for r in seen] == sorted(r.fraction for r in seen)

    again: list[Progress] = []
    with anyio.fail_after(20):
        assert await build(TINY, progress=again.append) == image
    assert again == []
    check_tree(image)


def check_tree(image: Image) -> None:
    root = image.rootfs
    assert (root / "etc/greeting").read_text() == "hello\n"
    assert stat.S_IMODE((root / "etc/greeting").stat().st_mode) == 0o600
    assert (root / "etc/proof").read_text() == "hello\n"
    issue = (root / "etc/issue").read_text()
    assert issue.startswith("Debian")
    assert issue.endswith("and more\n")
    passwd = (root / "etc/passwd").read_text()
    assert "agent:x:1000:1000:agent:/home/agent:/bin/bash\n" in passwd
    assert (root / "home/agent/.bashrc").is_file()
    assert (root / "etc/hostname").read_text() == "carrel\n"
    assert (root / "etc/machine-id").read_text() == ""
    assert not (root / "etc/resolv.conf").exists()
    assert not (root / "etc/apt/apt.conf.d/99mmdebstrap").exists()
    assert list((root / "dev").iterdir()) == []
    assert not list((root / "usr/share/doc").glob("*"))
    assert list((root / "usr/lib").glob("*/libisal.so.2*"))
    assert not list(root.glob("var/cache/apt/archives/*.deb"))
    find = ["find", root, "-xdev", "-type", "f", "-perm", "/6000"]
    assert subprocess.run(find, capture_output=True, check=True).stdout == b""
    assert image.size is not None
    assert 30e6 < image.size < 300e6
    owners = {path.lstat().st_uid for path in root.iterdir()}
    assert owners == {os.geteuid()}

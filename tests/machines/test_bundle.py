from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from carrel.errors import Unavailable
from carrel.machines import bundle
from carrel.machines.bundle import bundles_home, guest_bundle
from carrel.machines.images import Image, resolve_image

IMPORTS = "import carrel.stream, carrel.guest, anyio, Xlib.display, jeepney, sys"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def desktop() -> Image:
    try:
        return resolve_image("desktop")
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


def test_a_bundle_is_enough_for_an_interpreter_without_packages(home: Path) -> None:
    path = guest_bundle()
    program = f"import sys; sys.path.insert(0, {str(path)!r}); {IMPORTS}; print(anyio.__file__)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, env={}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(path))


def test_a_bundle_holds_only_what_the_guest_needs(home: Path) -> None:
    path = guest_bundle()
    names = {entry.name for entry in path.iterdir()} - {"__pycache__", "sniffio"}
    assert names == {"carrel", "anyio", "idna", "Xlib", "jeepney", "six.py", "typing_extensions.py"}
    assert not (path / "carrel/machines").exists()
    assert not (path / "carrel/cli").exists()


def test_a_bundle_is_compiled_and_readable_by_everybody(home: Path) -> None:
    path = guest_bundle()
    for source in path.rglob("*.py"):
        compiled = source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}"
        flags = Path(f"{compiled}.pyc").read_bytes()[4:8]
        assert flags == b"\x01\0\0\0", f"{source} has no unchecked hash"
    modes = {entry.stat().st_mode & 0o7777 for entry in path.rglob("*")}
    assert modes == {0o755, 0o644}
    assert path.stat().st_mode & 0o7777 == 0o755


def test_a_bundle_is_compiled_whatever_the_callers_settings_for_bytecode_are(home: Path) -> None:
    settings = {"PYTHONPYCACHEPREFIX": str(home / "elsewhere"), "PYTHONDONTWRITEBYTECODE": "1"}
    code = "from carrel.machines.bundle import guest_bundle; print(guest_bundle())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    bundled = Path(done.stdout.strip())
    assert len(list(bundled.rglob("*.pyc"))) == len(list(bundled.rglob("*.py")))


def test_the_same_content_gives_the_same_bundle_and_a_change_a_new_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = guest_bundle()
    assert guest_bundle() == first
    sources = bundle._sources() | {"carrel/errors.py": b"# changed\n"}
    monkeypatch.setattr(bundle, "_sources", lambda: sources)
    assert guest_bundle() == first  # nothing that is on disk looks different
    monkeypatch.setattr(bundle, "_appearance", lambda compilers: "another")
    second = guest_bundle()
    assert second != first
    assert (second / "carrel/errors.py").read_bytes() == b"# changed\n"
    assert first.is_dir()


def test_any_change_of_a_file_makes_it_look_different(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    source = package / "module.py"
    source.write_text("a = 1\n")
    monkeypatch.setattr(bundle, "_places", lambda: iter([(package, tmp_path)]))
    first = bundle._appearance(["cpython-311"])
    assert bundle._appearance(["cpython-311"]) == first
    assert bundle._appearance(["cpython-313"]) != first
    before = source.stat()
    source.write_text("a = 2\n")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    second = bundle._appearance(["cpython-311"])
    assert second != first
    (package / "other.py").touch()
    assert bundle._appearance(["cpython-311"]) != second


@pytest.mark.parametrize("note", ["", "[]", "{", '{"seen": 1}', '{"seen": "x", "bundle": "gone"}'])
def test_a_damaged_note_of_the_bundle_costs_time_only(
    home: Path, monkeypatch: pytest.MonkeyPatch, note: str
) -> None:
    monkeypatch.setattr(bundle, "_appearance", lambda compilers: "x")
    first = guest_bundle()
    (home / "bundle.json").write_text(note)
    assert guest_bundle() == first


def test_a_bundle_unused_for_long_is_removed_when_a_new_one_is_made(home: Path) -> None:
    for name, days in (("old", 31), ("young", 29), (".partial-dead", 31)):
        stale = bundles_home() / name
        stale.mkdir(parents=True)
        when = time.time() - days * 86400
        os.utime(stale, (when, when))
    current = guest_bundle()
    assert {path.name for path in bundles_home().iterdir()} == {"young", current.name}


@pytest.mark.parametrize("noted", [True, False])
def test_a_bundle_that_is_empty_is_made_again(home: Path, noted: bool) -> None:
    whole = guest_bundle()
    held = {path.relative_to(whole) for path in whole.rglob("*")}
    shutil.rmtree(whole)
    whole.mkdir()
    if not noted:
        (home / "bundle.json").unlink()
    assert guest_bundle() == whole
    assert {path.relative_to(whole) for path in whole.rglob("*")} == held


def test_a_bundle_with_a_file_that_was_never_written_is_made_again(home: Path) -> None:
    program = guest_bundle() / "carrel/guest/__main__.py"
    text = program.read_text()
    program.write_text("")
    (home / "bundle.json").unlink()
    assert guest_bundle() / "carrel/guest/__main__.py" == program
    assert program.read_text() == text
    assert [path.name for path in bundles_home().iterdir()] == [program.parents[2].name]


def test_what_another_maker_put_away_meanwhile_is_no_error(home: Path) -> None:
    bundles_home().mkdir(parents=True)
    (bundles_home() / ".partial-gone").symlink_to("nowhere")
    assert guest_bundle().is_dir()


def test_many_makers_at_once_agree_on_one_bundle(home: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        paths = list(pool.map(lambda _: guest_bundle(), range(4)))
    assert len(set(paths)) == 1
    assert [path.name for path in bundles_home().iterdir()] == [paths[0].name]


@pytest.mark.image
def test_the_images_own_python_compiles_for_itself_without_a_chroot(
    desktop: Image, tmp_path: Path
) -> None:
    bundle._fill(tmp_path, bundle._sources(), {"cpython-311": desktop.rootfs})
    assert len(list(tmp_path.rglob("*.cpython-311.pyc"))) == len(list(tmp_path.rglob("*.py")))


@pytest.mark.image
def test_the_bundle_imports_in_the_desktop_image_with_debians_python(
    desktop: Image, home: Path
) -> None:
    # The mount and the chroot live and die with the namespaces of this one command.
    command = (
        f"mount --bind {guest_bundle()} {desktop.rootfs}/mnt && exec chroot {desktop.rootfs} "
        f"env -i PYTHONPATH=/mnt {desktop.python} -B -c '{IMPORTS}; print(sys.version_info[:2])'"
    )
    unshare = [shutil.which("unshare") or "unshare", "--map-root-user", "--mount"]
    done = subprocess.run([*unshare, "sh", "-c", command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "(3, 11)\n"

"""One record or one provider that cannot be read: told, deletable, and in nobody's way."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from carrel.cli import root
from carrel.machines.keep import Keep
from carrel.machines.provider import get_provider, provider_names
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store
from carrel.machines.volumes import Volumes

Run = Callable[..., Result]

BROKEN = {
    "gone": ("acme_gone:Provider", None),
    "exits": ("acme_exits:Provider", "raise SystemExit(3)"),
    "raises": ("acme_raises:Provider", "1 / 0"),
    "partial": ("acme_partial:Provider", "class Provider:\n    name = 'partial'"),
    "fails": (
        "acme_fails:Provider",
        """
from carrel.machines.providers.namespace import NamespaceProvider

class Provider(NamespaceProvider):
    name = "fails"
    async def probe(self): raise ZeroDivisionError("probe")
    async def inspect(self, machine): raise ZeroDivisionError("inspect")
    async def collect(self, home, known): raise ZeroDivisionError("collect")
""",
    ),
    "namespace": ("acme_exits:Provider", "raise SystemExit(3)"),
}


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package whose every provider is broken in another way."""
    site = tmp_path / "site"
    facts = site / "acme_broken-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-broken\nVersion: 1.0\n")
    points = ["[carrel.providers]"]
    for name, (point, code) in BROKEN.items():
        points.append(f"{name} = {point}")
        if code is not None:
            (site / f"{point.partition(':')[0]}.py").write_text(code)
    (facts / "entry_points.txt").write_text("\n".join(points) + "\n")
    monkeypatch.syspath_prepend(str(site))
    for cached in (provider_names, get_provider):
        cached.cache_clear()
    yield
    for cached in (provider_names, get_provider):
        cached.cache_clear()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "home"
    monkeypatch.setenv("CARREL_HOME", str(path))
    monkeypatch.delenv("CARREL_MACHINE", raising=False)
    return path


@pytest.fixture
def carrel(home: Path) -> Run:
    def run(*args: str, status: int = 0) -> Result:
        done = CliRunner().invoke(root, list(args))
        assert done.exit_code == status, done.output
        return done

    return run


def add(home: Path, name: str, spec: MachineSpec | None = None) -> Path:
    """A machine that was made and is stopped."""
    store = Store(home)
    machine = store.add(name, spec or MachineSpec(image="host"))
    machine.directory.mkdir(parents=True)
    (machine.directory / "precious").touch()
    store.complete(machine)
    return machine.directory


def spoil(home: Path, name: str, spec: str) -> None:
    with contextlib.closing(sqlite3.connect(home / "carrel.db")) as database, database:
        database.execute("UPDATE machines SET spec = ? WHERE name = ?", (spec, name))


def machines(carrel: Run) -> dict[str, dict[str, object]]:
    found = json.loads(carrel("status", "--json").stdout)["machines"]
    return {machine["name"]: machine for machine in found}


@pytest.mark.parametrize(
    "spec", ['{"colour": "red"}', '{"memory_mb": "much"}', '{"pids": 3}', "{", "", "[]"]
)
def test_a_record_that_cannot_be_read_is_shown_and_stops_nobody(
    home: Path, carrel: Run, spec: str
) -> None:
    directory = add(home, "damaged")
    add(home, "fine")
    spoil(home, "damaged", spec)
    shown = machines(carrel)
    assert shown["fine"]["state"] == "stopped"
    assert shown["damaged"]["state"] == "unreadable"
    assert shown["damaged"]["cause"]
    assert "carrel delete -f damaged" in str(shown["damaged"]["notes"])
    # What is not known is not told.
    assert shown["damaged"]["network"] is None
    assert "unreadable" in carrel("status", "damaged").stdout
    assert "carrel delete -f damaged" in carrel("status").stdout
    carrel("delete", "-f", "fine")
    carrel("gc")
    assert "unreadable" in carrel().stdout
    assert json.loads(carrel("metrics", "--json").stdout)["machines"][0]["memory_bytes"] is None
    assert (directory / "precious").exists()
    for command in ("up", "stop", "start", "restart", "logs"):
        done = carrel(command, "damaged", status=1)
        assert "the record of damaged cannot be read" in done.stderr
    refused = carrel("delete", "damaged", status=1)
    assert "carrel delete -f damaged" in refused.stderr
    assert (directory / "precious").exists()
    carrel("delete", "-f", "damaged")
    assert machines(carrel) == {}
    assert not directory.exists()


def test_the_volume_of_a_damaged_record_is_kept(home: Path, carrel: Run) -> None:
    volumes = Volumes(Store(home))
    for name in ("data", "more", "free"):
        volumes.create(name)
    add(home, "damaged")
    spoil(home, "damaged", '{"colour": "red", "volumes": ["data:/srv/data"]}')
    add(home, "broken")
    spoil(home, "broken", '{"volumes": ["more:/srv", 7]}')
    for name, user in (("data", "damaged"), ("more", "broken")):
        assert user in carrel("volume", "delete", name, status=2).stderr
    carrel("volume", "delete", "free")


@pytest.mark.usefixtures("broken")
def test_a_broken_provider_takes_down_nothing_but_itself(home: Path, carrel: Run) -> None:
    add(home, "fine")
    assert machines(carrel)["fine"]["state"] == "stopped"
    listed = json.loads(carrel("provider", "list", "--json").stdout)["providers"]
    told = {each["name"]: each for each in listed}
    for name in ("gone", "exits", "raises", "partial", "fails"):
        assert told[name]["usable"] is False
    for name in ("gone", "exits", "raises", "partial"):
        assert f"provider {name} of acme-broken cannot be loaded" in told[name]["reason"]
        assert told[name]["fix"] == "update or remove the package acme-broken"
    assert "it has no isolation, capabilities, probe" in told["partial"]["reason"]
    assert "ZeroDivisionError: probe" in told["fails"]["reason"]
    # Nobody takes the place of one of ours.
    assert "acme" not in told["namespace"]["reason"]
    carrel("delete", "-f", "fine")
    assert carrel("gc").exit_code == 0


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("provider", ["gone", "exits", "partial", "fails", "never-heard-of"])
def test_a_machine_whose_provider_is_broken_is_shown_and_can_be_deleted(
    home: Path, carrel: Run, provider: str
) -> None:
    directory = add(home, "odd", MachineSpec(provider=provider, image="host", memory_mb=9000))
    add(home, "fine", MachineSpec(image="host", memory_mb=9000))
    shown = machines(carrel)
    assert shown["fine"]["state"] == "stopped"
    assert shown["odd"]["state"] == "unreadable"
    assert provider in str(shown["odd"]["cause"])
    assert (shown["odd"]["provider"], shown["odd"]["memory_mb"]) == (provider, None)
    assert carrel("metrics").exit_code == 0
    if provider != "fails":
        assert "carrel delete -f odd" in carrel("delete", "odd", status=2).stderr
        assert (directory / "precious").exists()
    carrel("delete", "-f", "odd")
    assert set(machines(carrel)) == {"fine"}
    assert not directory.exists()


@pytest.mark.usefixtures("broken")
def test_a_machine_that_still_runs_is_not_deleted_under_its_keeper(
    home: Path, carrel: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lock says that it runs, and nobody is found who holds it as its keeper."""
    monkeypatch.setattr("carrel.machines.providers._kept._END_BOUND", 0.2)
    directory = add(home, "odd", MachineSpec(provider="gone", image="host"))
    with Keep(directory).lock():
        done = carrel("delete", "-f", "odd", status=1)
        assert "could not be ended" in done.stderr
        assert (directory / "precious").exists()
    carrel("delete", "-f", "odd")

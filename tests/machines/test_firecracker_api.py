"""What Firecracker is asked for: by its own description of its API, and by its rules of when."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_firecracker import PATCHES, PUTS, Is, install
from firecracker_fixtures import running, tiny

from carrel.errors import InvalidInput, MachineLost, RunError, WrongState
from carrel.machines.firecracker import wishes
from carrel.machines.firecracker.api import FirecrackerApi
from carrel.machines.firecracker.orders import Orders
from carrel.machines.firecracker.place import boot_wishes, wake_wishes
from carrel.machines.firecracker.process import launch, lay_out
from carrel.machines.firecracker.wishes import Wish
from carrel.machines.providers.firecracker import FirecrackerProvider
from carrel.machines.spec import Machine, MachineSpec

Description = dict[str, Any]

MACHINE = Machine(
    id="mac_01m7hqrxt6th3b5pn9jm0fd0zf",
    name="desk",
    spec=MachineSpec(provider="firecracker", memory_mb=512),
    directory=Path("/nowhere"),
    created_at=0.0,
)
EVERY = (
    *boot_wishes(MACHINE, reporting=True),
    *boot_wishes(MACHINE, reporting=False),
    *wake_wishes(),
    wishes.boot_source("kernel", "quiet"),
    wishes.flush_metrics(),
    wishes.pause(),
    wishes.resume(),
    wishes.snapshot("state", "memory"),
)


@pytest.fixture(scope="module")
def described() -> Description:
    folder = os.environ.get("CARREL_TEST_DATA")
    file = Path(folder or "/nowhere") / "firecracker-api.yaml"
    if not file.is_file():
        pytest.skip("CARREL_TEST_DATA names no folder with firecracker-api.yaml")
    yaml = pytest.importorskip("yaml")
    found: Description = yaml.safe_load(file.read_text())
    return found


def schema_of(described: Description, method: str, path: str) -> Description:
    """What a request's body has to be."""
    for pattern, methods in described["paths"].items():
        wanted, given = pattern.split("/"), path.split("/")
        fits = len(wanted) == len(given) and all(
            part[:1] == "{" or part == word for part, word in zip(wanted, given, strict=True)
        )
        if fits and method.lower() in methods:
            bodies = [each for each in methods[method.lower()]["parameters"] if "schema" in each]
            return resolved(described, bodies[0]["schema"])
    raise AssertionError(f"there is no {method} {path}")


def resolved(described: Description, schema: Description) -> Description:
    if "$ref" in schema:
        found: Description = described["definitions"][schema["$ref"].rpartition("/")[2]]
        return found
    return schema


KINDS = {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list}


def faults(described: Description, schema: Description, value: object, at: str) -> list[str]:
    schema = resolved(described, schema)
    if type(value) is not KINDS[schema.get("type", "object")]:
        return [f"{at} is {value!r}, not a {schema.get('type')}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at} is {value!r}, not one of {schema['enum']}")
    if isinstance(value, int) and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
    ):
        found.append(f"{at} is {value}, out of its range")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found += [f"{at} has no {name}" for name in schema.get("required", ()) if name not in value]
        found += [f"{at} does not know {name}" for name in value if name not in known]
        for name in value.keys() & known.keys():
            found += faults(described, known[name], value[name], f"{at}.{name}")
    return found


def test_every_wish_is_what_firecracker_describes(described: Description) -> None:
    for wish in EVERY:
        schema = schema_of(described, wish.method, wish.path)
        assert faults(described, schema, dict(wish.body), wish.path) == []


def test_the_check_itself_finds_what_is_wrong(described: Description) -> None:
    schema = schema_of(described, "PUT", "/machine-config")
    for body in ({"vcpu_count": 1}, {"vcpu_count": 33, "mem_size_mib": 1},
                 {"vcpu_count": True, "mem_size_mib": 1}, {"vcpu_count": 1, "mem_size_mib": 1,
                                                           "colour": "red"}):  # fmt: skip
        assert faults(described, schema, body, "it"), body
    with pytest.raises(AssertionError, match="there is no PATCH /entropy"):
        schema_of(described, "PATCH", "/entropy")


def test_the_stand_in_knows_no_field_that_is_not_described(described: Description) -> None:
    for method, table in (("PUT", PUTS), ("PATCH", PATCHES)):
        for kind, fields in table.items():
            path = "/drives/disk" if kind == "drives" else f"/{kind}"
            schema = schema_of(described, method, path)
            assert set(fields) <= set(schema.get("properties", {})), path
            needed = {name for name, rule in fields.items() if rule.needed}
            assert needed == set(schema.get("required", ())), path
            for name, rule in fields.items():
                _same(described, schema["properties"][name], rule)


def _same(described: Description, schema: Description, rule: Is) -> None:
    schema = resolved(described, schema)
    assert rule.kind is KINDS[schema["type"]]
    assert set(rule.among) <= set(map(str, schema.get("enum", rule.among)))
    for name, inner in (rule.fields or {}).items():
        _same(described, schema["properties"][name], inner)


def test_more_processors_than_there_can_be_are_refused() -> None:
    provider = FirecrackerProvider()
    provider.check_spec(replace(MACHINE.spec, cpus=32))
    with pytest.raises(InvalidInput, match="at most 32"):
        provider.check_spec(replace(MACHINE.spec, cpus=33))


def test_before_the_start_only_a_configuration_is_taken(tmp_path: Path) -> None:
    with running(tmp_path / ("long" * 40)) as (api, _):
        assert api.state() == "Not started"
        for wish in (
            wishes.pause(),
            wishes.resume(),
            wishes.snapshot("a", "b"),
            wishes.flush_metrics(),
        ):
            with pytest.raises(WrongState, match="not supported before starting the microVM"):
                api.ask(wish)
        with pytest.raises(RunError, match="without kernel configuration"):
            api.ask(wishes.start())
        for wish in tiny():
            api.ask(wish)
        with pytest.raises(WrongState, match="not allowed after configuring"):
            api.ask(wishes.load_snapshot("state", "memory"))


def test_what_is_ill_formed_is_refused_with_firecrackers_words(tmp_path: Path) -> None:
    (tmp_path / "packed").write_bytes(b"MZ" + bytes(1000))
    with running(tmp_path / "it", packed=tmp_path / "packed") as (api, _):
        for wish, words in (
            (Wish("PUT", "/machine-config", {"vcpu_count": 1}), "missing field `mem_size_mib`"),
            (Wish("PUT", "/vsock", {"guest_cid": 2, "uds_path": "v"}), "out of its range"),
            (Wish("PUT", "/vsock", {"guest_cid": "3", "uds_path": "v"}), "invalid type"),
            (Wish("PUT", "/metrics", {"metrics_path": "m", "x": 1}), "unknown field `x`"),
            (Wish("PUT", "/colour", {}), "Invalid request method and/or path"),
            (Wish("PATCH", "/vsock", {}), "Invalid request method and/or path"),
            (wishes.drive("disk", "nowhere", read_only=True), "Unable to open nowhere"),
            (wishes.boot_source("nowhere", ""), "cannot be opened"),
        ):
            with pytest.raises(RunError, match=words) as told:
                api.ask(wish)
            assert not isinstance(told.value, WrongState)
            assert "(400)" in told.value.message
        api.ask(wishes.boot_source("packed", ""))
        with pytest.raises(RunError, match="Invalid Elf magic"):
            api.ask(wishes.start())


def test_a_running_machine_is_paused_written_down_and_woken_up(tmp_path: Path) -> None:
    with running(tmp_path / "one", tiny(wishes.start())) as (api, process):
        assert api.state() == "Running"
        for wish in (*tiny(), wishes.start(), wishes.load_snapshot("a", "b")):
            with pytest.raises(WrongState, match="not supported after starting the microVM"):
                api.ask(wish)
        with pytest.raises(RunError, match="not paused"):
            api.ask(wishes.snapshot("state", "memory"))
        api.ask(wishes.flush_metrics())
        api.ask(wishes.pause())
        assert api.state() == "Paused"
        api.ask(wishes.snapshot("state", "memory"))
        api.ask(wishes.resume())
        assert api.state() == "Running"
        root = tmp_path / "one/root"
        assert json.loads((root / "metrics").read_text().splitlines()[-1])
        assert (root / "memory").stat().st_size == 64 << 20
        process.kill()
        process.wait()
        with pytest.raises(MachineLost, match="does not listen"):
            api.state()
    files = {"state": root / "state", "memory": root / "memory"}
    wake = wishes.load_snapshot("state", "memory")
    with running(tmp_path / "two", (wake,), **files) as (api, _):
        assert api.state() == "Running"
        api.ask(wishes.pause())
        with pytest.raises(WrongState, match="after starting"):
            api.ask(wake)


def test_nobody_listening_is_a_machine_that_is_lost(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(MachineLost):
            FirecrackerApi(root).state()


def test_a_firecracker_that_ends_at_once_is_told(tmp_path: Path) -> None:
    program = install(tmp_path) / "firecracker"
    orders = Orders((str(program), "--colour", "red"), str(tmp_path / "root"), ())
    lay_out(orders)
    with (
        (tmp_path / "console").open("wb") as console,
        pytest.raises(MachineLost, match="ended at once with status 153"),
    ):
        launch(orders, console.fileno())


@pytest.mark.parametrize(
    ("program", "words", "said"),
    [
        ("firecracker", ["--colour", "red"], "'--colour' which wasn't expected"),
        ("firecracker", ["--daemonize"], "'--daemonize' which wasn't expected"),
        ("firecracker", ["--id", "mac_1"], "Invalid char (_) at position 3"),
        ("jailer", ["--id", "a"], "'exec-file' required"),
        ("jailer", ["--node", "0"], "'--node' which wasn't expected"),
    ],
)
def test_the_stand_in_takes_the_real_flags_only(
    tmp_path: Path, program: str, words: list[str], said: str
) -> None:
    done = subprocess.run(
        [install(tmp_path) / program, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    assert said in done.stderr

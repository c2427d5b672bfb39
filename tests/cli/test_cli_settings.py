"""`carrel config`, `carrel template` and the options machines are made with, without a machine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.cli._yaml import to_yaml
from carrel.machines.settings import HOST_KEYS, KEYS
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somewhere to stand, with no settings."""
    for key in (*KEYS.values(), *HOST_KEYS.values()):
        monkeypatch.delenv(key.variable, raising=False)
    monkeypatch.delenv("CARREL_PROJECT_FILE", raising=False)
    directory = tmp_path / "project"
    directory.mkdir()
    monkeypatch.chdir(directory)
    return directory


def machine(home: Path, name: str = "desk", **wishes: object) -> None:
    store = Store(home)
    spec = MachineSpec(provider="namespace", image="host", **wishes)  # type: ignore[arg-type]
    made = store.add(name, spec)
    made.directory.mkdir(parents=True)
    store.complete(made)


def settings(carrel: Carrel, *args: str) -> dict[str, tuple[object, str]]:
    done = carrel("config", "list", *args, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["settings"]
    return {item["key"]: (item["value"], item["origin"]) for item in found}


def test_defaults_come_from_where_they_say(
    carrel: Carrel, home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings(carrel)["memory"] == (4096, "default")
    assert settings(carrel)["host.check"] == (True, "this computer")
    (project / "carrel.toml").write_text('[machine]\ntemplate = "python"\nsize = "800x600"\n')
    found = settings(carrel)
    assert found["template"] == ("python", str(project / "carrel.toml"))
    assert found["image"] == ("minimal", "template python")
    assert found["disk"] == (20480, "profile minimal")
    assert found["preset"] == ("standard", "template python")
    assert carrel("config", "set", "memory", "6GB").exit_code == 0
    assert settings(carrel, "--global")["memory"] == (6144, str(home / "config.toml"))
    monkeypatch.setenv("CARREL_MEMORY", "7GB")
    assert settings(carrel)["memory"] == (7168, "CARREL_MEMORY")
    assert carrel("config", "get", "memory", "--origin").stdout == "7GB  (CARREL_MEMORY)\n"
    assert carrel("config", "get", "size").stdout == "800x600\n"


def test_a_value_is_set_and_taken_out_again(carrel: Carrel, home: Path, project: Path) -> None:
    done = carrel("config", "set", "--global", "network", "nat")
    assert done.stdout == f"network is nat ({home / 'config.toml'})\n"
    assert carrel("config", "get", "network").stdout == "nat\n"
    assert carrel("config", "unset", "network").exit_code == 0
    assert carrel("config", "get", "network").stdout == "none\n"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["set", "ram", "1"], "no setting 'ram'"),
        (["set", "memory", "much"], "error: memory: 'much' is not an amount"),
        (
            ["set", "cpus", "many"],
            "error: cpus: 'many' is not a whole number\ntry: most processors",
        ),
        (["set", "desk", "cpus", "many"], "error: cpus: 'many' is not a whole number"),
        (["set", "memory", "0"], "error: memory must be between 64MB and 1024GB, not 0\ntry: most"),
        (["set", "desk", "pids", "0"], "error: pids must be between 16 and"),
        (["set", "image", "foo"], "image: 'foo' is not known\ntry: one of host, desktop"),
        (["set", "kind", "foo"], "kind: 'foo' is not known\ntry: one of microvm, q35"),
        (["set", "host.memory", "0"], "host.memory: 0 is less than 64MB"),
        (["set", "host.cpus", "0"], "host.cpus: 0 is less than 1"),
        (["set", "memory"], "takes a key and a value"),
        (["set", "--global", "desk", "memory", "1GB"], "takes a key and a value"),
        (["set", "nobody", "memory", "1GB"], "no machine named nobody"),
        (["set", "desk", "host.memory", "1GB"], "no setting 'host.memory'"),
        (["get", "ram"], "neither a setting nor a machine called 'ram'\ntry: known settings: "),
        (["get", "desk", "ram"], "no setting 'ram'"),
        (["get", "a", "b", "c"], "takes a machine's name and a key"),
        (["list", "desk", "--global"], "for no machine in particular"),
        (["list", "nobody"], "no machine named nobody"),
        (["unset", "memory"], "config.toml\ntry: carrel config list --origin"),
    ],
)
def test_what_makes_no_sense_is_refused(
    carrel: Carrel, home: Path, project: Path, args: list[str], words: str
) -> None:
    machine(home)
    done = carrel("config", *args)
    assert done.exit_code == 2
    assert words in done.stderr
    assert not (home / "config.toml").exists()


def test_a_broken_file_is_told_and_stops_what_would_use_it(
    carrel: Carrel, home: Path, project: Path
) -> None:
    (project / "carrel.toml").write_text("[machine]\nmemory = 'much'\n")
    for args in (["config", "list"], ["init", "desk"], ["up"]):
        done = carrel(*args)
        assert done.exit_code == 2
        assert "carrel.toml [machine]: memory: 'much' is not an amount" in done.stderr
    assert Store(home).all() == ()


def test_the_settings_of_a_machine_are_changed_and_told(
    carrel: Carrel, home: Path, project: Path
) -> None:
    machine(home, memory_mb=512)
    assert settings(carrel, "desk")["memory"] == (512, "given when it was made")
    done = carrel("config", "set", "desk", "memory", "1GB")
    assert (done.exit_code, done.stdout) == (0, "memory is 1GB (desk)\n")
    assert settings(carrel, "desk")["memory"] == (1024, "carrel config set")
    assert settings(carrel, "desk")["pids"] == (1024, "default")
    assert carrel("config", "set", "desk", "allow", "example.org:443").exit_code == 0
    assert settings(carrel, "desk")["network"] == ("allowlist", "carrel config set")
    assert carrel("config", "set", "desk", "network", "none").exit_code == 0
    assert settings(carrel, "desk")["allow"] == ([], "carrel config set")
    assert ["memory", "1GB"] in [
        line.split() for line in carrel("config", "get", "desk").stdout.splitlines()
    ]


def test_a_preset_set_later_cuts_and_is_never_widened(
    carrel: Carrel, home: Path, project: Path
) -> None:
    machine(home, network="nat", ports=("8080:80",))
    assert carrel("config", "set", "desk", "preset", "isolated").exit_code == 0
    spec = Store(home).get("desk").spec
    assert (spec.preset, spec.network, spec.ports, spec.pids) == ("isolated", "none", (), 512)
    done = carrel("config", "set", "desk", "preset", "trusted")
    assert done.exit_code == 1
    assert "can only become stricter" in done.stderr
    done = carrel("config", "set", "desk", "ports", "8080:80")
    assert done.exit_code == 1
    assert "preset isolated allows no ports" in done.stderr


def test_what_a_disk_was_made_from_cannot_be_set(carrel: Carrel, home: Path, project: Path) -> None:
    machine(home)
    done = carrel("config", "set", "desk", "image", "desktop")
    assert done.exit_code == 3
    assert "the image of desk cannot change" in done.stderr


def test_the_address_of_a_card_is_read_and_refused_where_there_is_no_card(
    carrel: Carrel, home: Path, project: Path
) -> None:
    assert carrel("config", "set", "mac", "02:00:5E:10:00:01").exit_code == 0
    assert settings(carrel)["mac"][0] == "02:00:5e:10:00:01"
    done = carrel("init", "desk", "--provider", "namespace")
    assert done.exit_code == 3
    assert "machines of the namespace provider have no network card" in done.stderr
    assert carrel("config", "set", "mac", "none").exit_code == 0
    assert settings(carrel)["mac"][0] == ""
    for wrong in ("03:00:5e:10:00:01", "02-00-5e-10-00-01", "any"):
        done = carrel("init", "desk", "--provider", "qemu", "--mac", wrong)
        assert done.exit_code == 2
        assert "02:00:5e:10:00:01, auto" in done.stderr.partition("try: ")[2]
    machine(home)
    done = carrel("config", "set", "desk", "mac", "auto")
    assert (done.exit_code, "leave out --mac" in done.stderr) == (3, True)
    done = carrel("config", "set", "desk", "mac", "none")
    assert (done.exit_code, done.stdout) == (0, "mac is none (desk)\n")
    assert carrel("config", "get", "desk", "mac").stdout == "none\n"
    assert Store(home).get("desk").spec.mac == ""
    assert json.loads(carrel("status", "desk", "--json").stdout)["mac_address"] is None


def test_the_address_that_a_card_was_given_is_told(
    carrel: Carrel, home: Path, project: Path
) -> None:
    machine(home, mac="auto")
    told = json.loads(carrel("status", "desk", "--json").stdout)
    assert told["mac"] == "auto"
    assert re.fullmatch(r"[0-9a-f][26ae](:[0-9a-f]{2}){5}", told["mac_address"])
    assert f"desk: its network card is {told['mac_address']}\n" in carrel("status").stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--mac", "auto"], "desk exists with mac none\ntry: carrel up desk to use it"),
        (["-t", "python", "--memory", "1GB"], "desk exists with memory 4GB, template none\n"),
        (["--kind", "q35"], "desk exists with kind none\n"),
        (["--kind", "foo"], "kind: 'foo' is not known\ntry: one of microvm, q35"),
        (["--image", "foo"], "image: 'foo' is not known\ntry: one of host, desktop"),
        (["--provider", "foo"], "provider: 'foo' is not known"),
        (["-t", "nope"], "template: there is no template 'nope'\ntry: known templates"),
    ],
)
def test_what_a_machine_has_instead_is_told(
    carrel: Carrel, home: Path, project: Path, args: list[str], words: str
) -> None:
    machine(home)
    done = carrel("up", "desk", *args)
    assert (done.exit_code, words in done.stderr) == (2, True), done.stderr


def test_memory_is_changed_of_what_runs_only(carrel: Carrel, home: Path, project: Path) -> None:
    assert carrel("balloon", "nobody", "1GB").exit_code == 2
    machine(home)
    done = carrel("balloon", "desk", "1GB")
    assert done.exit_code == 2
    assert "cannot balloon desk: it is stopped" in done.stderr
    assert carrel("balloon", "desk", "much").exit_code == 2


def test_templates_are_listed_and_shown(carrel: Carrel, project: Path) -> None:
    found = json.loads(carrel("template", "list", "--json").stdout)
    assert found["problems"] == []
    assert {"desktop", "browser", "mcp-server", "python", "node"} <= {
        item["name"] for item in found["templates"]
    }
    shown = carrel("template", "show", "node").stdout
    assert "profile  minimal: 2 processors, 4GB memory, 20GB disk" in shown
    done = carrel("template", "show", "nix")
    assert done.exit_code == 2
    assert "known templates: desktop, browser" in done.stderr


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["init", "x", "-t", "nix"], 2, "no template 'nix'"),
        (["init", "x", "--profile", "huge"], 2, "'huge' is not one of"),
        (["init", "x", "--preset", "lax"], 2, "'lax' is not one of"),
        (["init", "x", "--preset", "isolated", "--network", "nat"], 1, "allows network none"),
        (["init", "x", "--preset", "isolated", "-p", "8080:80"], 1, "allows no ports"),
        (["init", "x", "-p", "80"], 2, "not a published port"),
        (["init", "x", "--disk", "much"], 2, "not an amount of disk"),
        (["init", "x", "--memory", "32"], 2, "not 32MB\ntry: such as --memory 4GB"),
        (["init", "x", "--pids", "0"], 2, "between 16 and 4194304, not 0\ntry: such as --pids"),
        (["init", "x", "--cpus", "-1"], 2, "between 0 and 1024, not -1\ntry: such as --cpus 2"),
        (["init", "x", "--size", "0x0"], 2, "a screen: from 64x64 to 7680x4320\ntry: such as"),
        (["init", "x", "--size", "1x900"], 2, "a screen: from 64x64 to 7680x4320\ntry: such as"),
        (["init", "x", "--image", "host", "--cpus", "999"], 1, "999 processors are more than"),
        (["init", "x", "--image", "host", "--memory", "900GB"], 1, "900GB of memory are more"),
        (["init", "X"], 2, "not a machine name"),
        (["start", "x"], 2, "carrel init x"),
        (["init", "x", "--provider", "host", "-t", "desktop"], 2, "it has no template"),
        (["init", "x", "--provider", "host", "--preset", "standard"], 2, "must be confirmed"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_before_anything_is_made(
    carrel: Carrel, home: Path, project: Path, args: list[str], status: int, words: str
) -> None:
    provider = ["--provider", "namespace"] if args[0] == "init" and "host" not in args else []
    done = carrel(*args, *provider)
    assert words in done.stderr, done.stderr
    assert done.exit_code == status
    assert Store(home).all() == ()


def test_nothing_has_happened_yet(carrel: Carrel, project: Path) -> None:
    done = carrel("events")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "nothing has happened yet\n")
    assert carrel("events", "--json").stdout == ""


def test_status_is_yaml_when_asked(carrel: Carrel, home: Path, project: Path) -> None:
    yaml = pytest.importorskip("yaml")
    machine(home, env={"YES": "no", "N": "1", "X": "ü: [\n"})
    told = json.loads(carrel("status", "--format", "json").stdout)
    assert yaml.safe_load(carrel("status", "--format", "yaml").stdout) == told
    one = yaml.safe_load(carrel("status", "desk", "--format", "yaml").stdout)
    assert one["env"] == {"YES": "no", "N": "1", "X": "ü: [\n"}


def test_yaml_reads_as_what_was_written() -> None:
    yaml = pytest.importorskip("yaml")
    from hypothesis import given
    from hypothesis import strategies as st

    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
    leaves = st.none() | st.booleans() | st.integers() | texts
    values = st.recursive(
        leaves, lambda item: st.lists(item) | st.dictionaries(texts, item), max_leaves=12
    )

    @given(values)
    def check(value: object) -> None:
        assert yaml.safe_load(to_yaml(value)) == value

    check()

"""What a refused command says, and that it leaves nothing behind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.cli._machines import run
from carrel.cli._progress import Stages
from carrel.errors import Refused
from carrel.machines.auto import AUTO_ORDER
from carrel.machines.docker import api
from carrel.machines.lifecycle import Machines
from carrel.machines.pool import Pool, Pools
from carrel.machines.providers import namespace
from carrel.machines.sandbox.probe import Finding
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store

MISSING = {
    "docker": ("no engine listens on /nowhere/docker.sock", "apt-get install docker.io"),
    "gvisor": ("runsc is not installed", "CARREL_RUNSC=PATH"),
    "qemu": ("qemu-system-x86_64 is not installed", "apt-get install qemu-system-x86"),
    "firecracker": ("firecracker is not installed", "github.com/firecracker-microvm"),
    "lima": ("limactl is not installed", "lima-vm.io"),
    "lume": ("Lume does not answer", "lume serve"),
    "wsl": ("wsl.exe is not installed", "wsl.exe --install"),
}


def left(home: Path) -> list[str]:
    """What there is of machines: their records, their directories, their locks, their images."""
    found = [*(home / "locks").glob("*"), *(home / "images").glob("*")]
    found += [path for path in (home / "machines").glob("*") if path.name.startswith("mac_")]
    return [path.name for path in found]


@pytest.mark.parametrize("provider", ["auto", "namespace", "gvisor", "docker", "qemu", "wsl"])
def test_an_unknown_image_is_told_with_those_there_are(
    carrel: Carrel, home: Path, provider: str
) -> None:
    done = carrel("up", "x", "--image", "nope", "--provider", provider)
    assert done.exit_code == 2
    assert "no image called 'nope'" in done.stderr
    known = done.stderr.partition("try: known images: ")[2].strip().split(", ")
    assert {"desktop", "minimal", "node"} <= {*known} <= {"desktop", "minimal", "node", "host"}
    assert left(home) == []


def test_a_wish_that_no_provider_takes_is_told_with_what_helps(carrel: Carrel) -> None:
    done = carrel("up", "x", "--url", "tcp://127.0.0.1:1", "--json")
    error = json.loads(done.stdout)["error"]
    assert (done.exit_code, error["code"]) == (2, "invalid_input")
    assert error["message"].startswith("no provider makes such a machine: ")
    assert error["hint"] == "--provider remote"


@pytest.mark.parametrize("command", ["up", "init"])
@pytest.mark.parametrize("provider", MISSING)
def test_an_engine_that_is_not_here_is_told_before_anything_is_made(
    carrel: Carrel,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    provider: str,
    command: str,
) -> None:
    for name in ("CARREL_FIRECRACKER", "CARREL_LIMACTL", "CARREL_WSL", "CARREL_RUNSC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    monkeypatch.setenv("CARREL_LUME_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(api, "_SBIN", "")
    done = carrel(command, "x", "--provider", provider, "--network", "nat")
    reason, fix = MISSING[provider]
    assert done.exit_code == 3
    assert f"error: {reason}" in done.stderr
    assert fix in done.stderr.partition("try: ")[2]
    assert left(home) == []
    assert json.loads(carrel("status", "--json").stdout)["machines"] == []
    assert carrel("status", "x").exit_code == 2


def test_a_system_without_namespaces_is_told_before_anything_is_made(
    carrel: Carrel, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = Finding("user namespaces are forbidden", "sysctl user.max_user_namespaces=9999")
    monkeypatch.setattr(namespace, "probe", lambda home: finding)
    done = carrel("up", "x", "--provider", "namespace")
    assert (done.exit_code, left(home)) == (3, [])
    assert done.stderr == f"error: {finding.reason}\ntry: {finding.fix}\n"
    assert json.loads(carrel("status", "--json").stdout)["machines"] == []


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("fork a --as b --count 2", "leave out --count"),
        ("run x --only y", "write the task into a file"),
        ("run x -f y", "leave out one of them"),
        ("up x --provider host --image desktop --yes", "leave out --image"),
        ("up x --provider wsl --memory 2GB", "leave out --memory"),
        ("up x --provider remote --url tcp://127.0.0.1:1 --network nat", "--token-file FILE"),
        ("up x --allow example.org:99999", "write HOST:PORT"),
        ("up x --allow api*.example.org", "*.NAME"),
        ("exec x --no-stdin --tty true", "leave out one of them"),
        ("bench run miniwob --resume --model steps", "add --out DIR"),
        ("volume attach none x --at /srv/data", "carrel volume create none"),
        ("pool set nope --size 0", "carrel pool set desktop --size 2 makes one"),
        ("pool set nope --size 0 --image host", "carrel pool set desktop --size 2 makes one"),
        ("pool set nope --size 2", "--image host|desktop|minimal|node"),
        ("pause nope", "carrel status shows the machines, carrel runs the runs"),
        ("resume nope", "carrel status shows the machines, carrel runs the runs"),
        ("pause run_nope", "carrel runs lists the runs there are"),
        ("provider check nope", "known providers: docker"),
        ("template show nope", "known templates: desktop"),
        ("image build nope", "known images: desktop"),
    ],
)
def test_a_refusal_says_what_to_do(carrel: Carrel, home: Path, words: str, hint: str) -> None:
    done = carrel(*words.split())
    assert done.exit_code == 2, done.stderr
    assert hint in done.stderr.partition("try: ")[2], done.stderr
    assert left(home) == []


@pytest.mark.parametrize(
    ("options", "way"),
    [
        ("--memory 2GB", "carrel stop rz, then carrel start rz --memory 2GB"),
        ("--memory 2GB --cpus 1", "carrel stop rz, then carrel start rz --memory 2GB --cpus 1"),
        ("--network nat", "carrel stop rz, then carrel config set rz network nat"),
        ("--restart always", "to use it as it is, carrel start rz --restart always"),
        ("--memory 2GB --image desktop", "carrel delete rz"),
    ],
)
def test_what_differs_is_told_with_how_to_change_it(
    carrel: Carrel, home: Path, options: str, way: str
) -> None:
    made = carrel("init", "rz", "--provider", "namespace", "--image", "host")
    assert made.exit_code == 0, made.stderr
    done = carrel("up", "rz", *options.split())
    assert done.exit_code == 2
    assert f"{way}, or choose another name" in done.stderr


def test_a_restart_policy_is_an_option_of_its_own(carrel: Carrel, home: Path) -> None:
    wish = ("--provider", "namespace", "--image", "host", "--restart", "on-failure", "--json")
    assert json.loads(carrel("init", "rz", *wish).stdout)["restart"] == "on-failure"
    done = carrel("init", "ry", "--restart", "sometimes")
    assert (done.exit_code, "'never', 'on-failure', 'always'" in done.stderr) == (2, True)
    done = carrel("init", "rx", "--provider", "remote", "--restart", "always")
    assert (done.exit_code, "leave out --restart" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["fork rz", "snapshot rz noon"])
def test_what_a_provider_cannot_do_is_told_in_any_state(
    carrel: Carrel, home: Path, command: str
) -> None:
    carrel("init", "rz", "--provider", "namespace", "--image", "host")
    done = carrel(*command.split())
    assert f"the namespace provider cannot {command.split()[0]} a machine" in done.stderr
    assert "carrel provider list shows what each provider can do" in done.stderr


def test_a_pool_is_ended_by_its_name_alone(carrel: Carrel, home: Path) -> None:
    pools = Pools(Machines(Store(home)))
    pools.put(Pool("web", MachineSpec(image="host"), 2))
    done = carrel("pool", "set", "nope", "--size", "0")
    assert (done.exit_code, "try: known pools: web" in done.stderr) == (2, True)
    done = carrel("pool", "set", "web", "--size", "0")
    assert (done.exit_code, done.stdout) == (0, "pool web is gone, with its machines\n")
    assert pools.list() == ()
    assert carrel("pool", "set", "web", "--size", "0").exit_code == 2


def test_help_tells_what_auto_takes(carrel: Carrel) -> None:
    *others, last = AUTO_ORDER
    order = f"auto is the first of {', '.join(others)} and {last} that works"
    for command in (["up"], ["init"], ["pool", "set"]):
        assert order in " ".join(carrel(*command, "--help").stdout.split())


def test_what_is_no_name_is_told_as_what_it_was_to_be(carrel: Carrel) -> None:
    for command in ("snapshot", "restore"):
        done = carrel(command, "x", "a/b")
        assert done.exit_code == 2
        assert "'a/b' is not a label for a snapshot" in done.stderr
    assert "'a/b' is not a name for a pool" in carrel("pool", "set", "a/b", "--size", "1").stderr
    assert "'a/b' is not a name for a volume" in carrel("volume", "create", "a/b").stderr


def test_a_refusal_is_nobodys_failure(carrel: Carrel, home: Path) -> None:
    done = carrel("up", "x", "--image", "host", "--cpus", "1023")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: 1023 processors are more than the "), done.stderr
    assert left(home) == []


def test_a_stage_that_was_reached_has_not_failed_when_the_next_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def refused() -> None:
        stages = Stages()
        async with stages.running():
            stages("provider x")
            raise Refused("not so much")

    with pytest.raises(Refused):
        run(refused)
    assert re.fullmatch(r"provider x  \d+\.\d s\n", capsys.readouterr().err)

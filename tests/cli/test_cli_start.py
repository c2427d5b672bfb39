"""Machines made, started, published, watched and told of: the real command, on real machines."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]
SERVE = "import http.server as h; h.test(h.SimpleHTTPRequestHandler, port=8000, bind='127.0.0.1')"


def carrel(
    env: Env, *args: str, check: int | None = 0, seconds: int = 120
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*CARREL, *args], env=env, capture_output=True, text=True, timeout=seconds
    )
    if check is not None:
        assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def status(env: Env, name: str) -> dict[str, object]:
    found = json.loads(carrel(env, "status", name, "--json").stdout)
    assert isinstance(found, dict)
    return found


def eventually(condition: Callable[[], object], what: str, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch(port: int) -> bytes | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            return bytes(answer.read())
    except OSError:
        return None


@pytest.fixture
def env(tmp_path: Path, plain_env: Env, monkeypatch: pytest.MonkeyPatch) -> Iterator[Env]:
    settings = {**plain_env, "CARREL_HOME": str(tmp_path / "home")}
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    listed = json.loads(carrel(settings, "provider", "list", "--json").stdout)["providers"]
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    settings["CARREL_PROVIDER"] = "namespace"
    settings["CARREL_IMAGE"] = "host"
    yield settings
    for machine in json.loads(carrel(settings, "status", "--json").stdout)["machines"]:
        carrel(settings, "delete", "-f", str(machine["name"]), check=None)


def test_a_machine_is_made_then_started_with_other_resources_and_a_port(env: Env) -> None:
    Path("carrel.toml").write_text('[machine]\npids = 700\n[machines.web]\nsize = "800x600"\n')
    made = carrel(env, "init", "web", "--profile", "minimal", "--cpus", "1")
    assert "web is made: provider namespace, image host, network none" in made.stdout
    before = status(env, "web")
    assert (before["state"], before["pids"], before["size"]) == ("stopped", 700, "800x600")
    assert (before["cpus"], before["memory_mb"]) == (1, 4096)

    port = free_port()
    started = carrel(env, "start", "web", "--memory", "2GB", "--disk", "9GB", "-p", f"{port}:8000")
    assert f"port: 127.0.0.1:{port} -> web:8000" in started.stdout
    running = status(env, "web")
    assert (running["memory_mb"], running["disk_mb"], running["cpus"]) == (2048, 9216, 1)
    assert running["ports"] == [f"{port}:8000"]
    assert f"web: 127.0.0.1:{port} -> web:8000" in carrel(env, "status").stdout
    limit = carrel(env, "config", "get", "web", "memory", "--origin")
    assert limit.stdout == "2GB  (carrel start)\n"
    assert "carrel.toml" in carrel(env, "config", "get", "web", "pids", "--origin").stdout

    carrel(env, "exec", "web", "sh", "-c", "echo from inside > index.html")
    server = subprocess.Popen([*CARREL, "exec", "web", "python3", "-c", SERVE], env=env)
    try:
        eventually(lambda: fetch(port) == b"from inside\n", "the port is not published")
        assert "cannot configure web" in carrel(env, "start", "web", "--cpus", "2", check=2).stderr
        assert carrel(env, "stop", "-f", "web").stdout == "web is stopped\n"
        eventually(lambda: fetch(port) is None, "the port outlives its machine")
    finally:
        server.wait(30)
    # What was recorded holds for the next start too; a port that is taken is told at once.
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        refused = carrel(env, "start", "web", check=3)
        assert f"port {port} of this computer cannot be listened on" in refused.stderr
        # Of a start that fails nothing is recorded.
        was, other = status(env, "web"), f"{port}:9000"
        carrel(env, "start", "web", "-p", other, "--memory", "1GB", "--cpus", "2", check=3)
        assert status(env, "web") == was
        origin = carrel(env, "config", "get", "web", "cpus", "--origin")
        assert "carrel start" not in origin.stdout
    assert status(env, "web")["state"] == "stopped"
    assert f"127.0.0.1:{port}" in carrel(env, "start", "web").stdout


def test_what_a_published_port_carries_is_counted_as_the_machines(env: Env) -> None:
    port, size = free_port(), 3_000_000
    carrel(env, "up", "web", "-p", f"{port}:8000")
    carrel(env, "exec", "web", "sh", "-c", f"head -c {size} /dev/zero > index.html")
    server = subprocess.Popen([*CARREL, "exec", "web", "python3", "-c", SERVE], env=env)

    def network() -> tuple[int, int]:
        (found,) = json.loads(carrel(env, "metrics", "web", "--json").stdout)["machines"]
        return found["network_received_bytes"], found["network_sent_bytes"]

    try:
        eventually(lambda: fetch(port) is not None, "nothing answers")
        eventually(lambda: network()[1] > size, "what it answered was not counted")
        received, sent = network()
        assert 0 < received < 10_000, "what it was asked"
        assert size < sent < 2 * size
    finally:
        carrel(env, "stop", "web")
        server.wait(30)


def test_many_connections_at_once_reach_a_published_port(env: Env) -> None:
    port = free_port()
    carrel(env, "up", "web", "-p", f"{port}:8000")
    server = subprocess.Popen([*CARREL, "exec", "web", "python3", "-c", SERVE], env=env)
    try:
        eventually(lambda: fetch(port) is not None, "nothing answers")
        answers: list[bytes | None] = []
        threads = [threading.Thread(target=lambda: answers.append(fetch(port))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(answers) == 20
        assert all(answers)
    finally:
        carrel(env, "stop", "web")
        server.wait(30)


def test_a_machine_that_dies_takes_its_port_along_and_its_death_is_told(env: Env) -> None:
    port = free_port()
    carrel(env, "up", "web", "-p", f"{port}:8000")
    with socket.create_connection(("127.0.0.1", port), 5):
        pass
    command = [*CARREL, "events", "-f", "--json"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as follow:
        assert follow.stdout is not None
        kinds = [json.loads(follow.stdout.readline())["kind"] for _ in range(2)]
        assert kinds == ["made", "started"]
        before = time.monotonic()
        os.kill(int(str(status(env, "web")["pid"])), signal.SIGKILL)
        crashed = json.loads(follow.stdout.readline())
        assert time.monotonic() - before < 15
        assert (crashed["kind"], crashed["machine"]) == ("crashed", "web")
        assert crashed["cause"] == "the keeper was killed"
        assert fetch(port) is None
        follow.send_signal(signal.SIGINT)
        assert follow.wait(20) == 0


def test_status_is_shown_again_when_it_changes(env: Env) -> None:
    carrel(env, "init", "web")
    command = [*CARREL, "status", "web", "--watch", "--json"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as watch:
        assert watch.stdout is not None
        assert json.loads(watch.stdout.readline())["state"] == "stopped"
        carrel(env, "start", "web")
        states = [""]
        while states[-1] != "running":
            states.append(json.loads(watch.stdout.readline())["state"])
        watch.send_signal(signal.SIGINT)
        rest, _ = watch.communicate(timeout=20)
        assert watch.returncode == 0
        for line in rest.splitlines():
            json.loads(line)


def test_host_limits_hold_for_the_command_and_can_be_lifted(env: Env) -> None:
    refused = carrel(env, "up", "big", "--memory", "900GB", check=1)
    assert "900GB of memory are more than" in refused.stderr
    assert "carrel config set host.check false" in refused.stderr
    carrel(env, "config", "set", "host.check", "false")
    carrel(env, "init", "big", "--memory", "900GB")
    assert carrel(env, "start", "big").returncode == 0
    told = carrel(env, "events", "big").stdout.splitlines()
    assert [line.split()[1] for line in told] == ["refused", "made", "started"]


@pytest.mark.slow
@pytest.mark.image
@pytest.mark.parametrize(
    ("template", "program", "says"),
    [
        ("python", "python3 -m pip --version && python3 -m venv v && v/bin/python -V", "Python 3"),
        ("node", "node --version && npm --version", "v"),
        ("mcp-server", "python3 --version && node --version", "Python 3"),
    ],
)
def test_a_machine_of_a_template_has_what_it_promises(
    tmp_path: Path, plain_env: Env, template: str, program: str, says: str
) -> None:
    # The images are shared with the user's own; the machines are not.
    env = {**plain_env, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    # Where there is no such image yet, this builds it.
    carrel(env, "init", "it", "-t", template, "--provider", "namespace", seconds=600)
    try:
        carrel(env, "start", "it")
        assert says in carrel(env, "exec", "it", "sh", "-c", program).stdout
        carrel(env, "do", "-m", "it", "shot", "-o", str(tmp_path / "it.png"))
        assert (tmp_path / "it.png").stat().st_size > 100
    finally:
        carrel(env, "delete", "-f", "it")

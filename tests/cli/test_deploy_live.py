"""Programs deployed into a real machine, and what they write."""

from __future__ import annotations

import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]
SERVER = """
import http.server, os, sys
print("serving from", os.getcwd())
print("a word of doubt", file=sys.stderr)
http.server.HTTPServer(("127.0.0.1", 8123), http.server.SimpleHTTPRequestHandler).serve_forever()
"""
COUNTER = """
import sys, time
for number in range(int(sys.argv[1])):
    print("line", number)
    time.sleep(0.01)
time.sleep(600)
"""
WHEEL = """
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("pocket.py", "WORD = 'out of a wheel'")
    info = "pocket-1.0.dist-info/"
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: pocket\\nVersion: 1.0\\n")
    about = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    wheel.writestr(info + "WHEEL", about)
    wheel.writestr(info + "RECORD", "pocket.py,,\\n")
"""


def carrel(env: Env, *args: str, check: int | None = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*CARREL, *args],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    if check is not None:
        assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str, check: int = 0) -> dict[str, object]:
    return dict(json.loads(carrel(env, *args, "--json", check=check).stdout))


def eventually(look: Callable[[], object], what: str, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def project(tmp_path: Path, name: str, **files: str) -> Path:
    directory = tmp_path / name
    directory.mkdir()
    for file, text in files.items():
        (directory / file.replace("_dot_", ".")).write_text(text)
    return directory


def logged(env: Env, *options: str) -> list[dict[str, str]]:
    done = carrel(env, "logs", "desk", "--json", *options)
    return [json.loads(line) for line in done.stdout.splitlines()]


def texts(env: Env, *options: str) -> list[str]:
    return [line["text"] for line in logged(env, *options)]


def deployed(env: Env) -> dict[str, dict[str, object]]:
    apps = document(env, "deploy", "desk")["apps"]
    assert isinstance(apps, list)
    return {str(app["app"]): app for app in apps}


def attendant(env: Env) -> int:
    (lock,) = Path(env["CARREL_HOME"]).glob("machines/*/attendant.lock")
    eventually(lock.read_text, "there is one, and it has said so")
    return int(lock.read_text())


def lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def has_ended(pid: int) -> bool:
    return not lives(pid)


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, plain_env: Env) -> Iterator[Env]:
    """A store with one running machine, `desk`."""
    settings = {**plain_env, "CARREL_HOME": str(tmp_path_factory.mktemp("home"))}
    listed = document(settings, "provider", "list")["providers"]
    assert isinstance(listed, list)
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    carrel(settings, "up", "--image", "host", "--size", "640x480", "--provider", "namespace")
    yield settings
    carrel(settings, "delete", "desk", check=None)


@pytest.fixture
def web(env: Env, tmp_path: Path) -> Iterator[Path]:
    """A small server, deployed."""
    source = project(tmp_path, "web", main_dot_py=SERVER)
    carrel(env, "deploy", "desk", "--image-path", str(source), "--wait", "0.5")
    yield source
    carrel(env, "deploy", "desk", "--remove", "web")


def test_nothing_is_deployed_at_first(env: Env) -> None:
    assert "Nothing is deployed in desk" in carrel(env, "deploy", "desk").stdout
    assert document(env, "deploy", "desk") == {"machine": "desk", "apps": []}


def test_a_project_runs_inside_and_its_output_is_shown(env: Env, tmp_path: Path) -> None:
    source = project(tmp_path, "web", main_dot_py=SERVER)
    done = carrel(env, "deploy", "desk", "--image-path", str(source))
    assert "web is deployed in desk: python3 main.py" in done.stdout
    assert "its command: main.py is there" in done.stdout
    assert re.search(r"^  serving from .*/apps/web$", done.stdout, re.MULTILINE)
    assert "web: running" in done.stdout
    fetch = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8123/main.py').read())"
    assert "a word of doubt" in carrel(env, "exec", "desk", "--", "python3", "-c", fetch).stdout
    again = carrel(env, "deploy", "desk", "--image-path", str(source), check=2)
    assert "already has an app web" in again.stderr
    assert "--restart" in again.stderr
    carrel(env, "deploy", "desk", "--remove", "web")
    assert deployed(env) == {}
    assert carrel(env, "exec", "desk", "--", "ls", "apps").stdout == ""
    missing = carrel(env, "deploy", "desk", "--remove", "web", check=2)
    assert "has no app 'web'" in missing.stderr


def test_restart_replaces_the_one_that_runs(env: Env, web: Path) -> None:
    first = deployed(env)["web"]["pid"]
    (web / "main.py").write_text(SERVER.replace("serving", "the second, serving"))
    done = carrel(env, "deploy", "desk", "--image-path", str(web), "--restart")
    assert "  the second, serving from" in done.stdout
    second = deployed(env)["web"]
    assert second["state"] == "running"
    assert second["pid"] != first
    assert carrel(env, "exec", "desk", "--", "pgrep", "-c", "-f", "main.py").stdout == "1\n"


def test_a_killed_app_comes_back(env: Env, web: Path) -> None:
    pid = deployed(env)["web"]["pid"]
    carrel(env, "exec", "desk", "--", "kill", "-9", str(pid))
    eventually(lambda: deployed(env)["web"]["state"] == "running", "it runs again")
    found = deployed(env)["web"]
    assert found["restarts"] == 1
    assert found["pid"] != pid
    assert "was ended by SIGKILL and is started again" in texts(env, "--app", "web")


def test_an_app_that_dies_is_told_with_its_cause(env: Env, tmp_path: Path) -> None:
    source = project(tmp_path, "bad", main_dot_py="raise SystemExit('no database')")
    wish = ("deploy", "desk", "--image-path", str(source))
    try:
        done = carrel(env, *wish, "--restart-policy", "never", check=1)
        assert "bad ended with status 1" in done.stderr
        assert "no database" in done.stderr
        assert "carrel logs desk --app bad" in done.stderr
        assert deployed(env)["bad"]["state"] == "ended with status 1"
        again = json.loads(carrel(env, *wish, "--restart", "--json", check=1).stdout)
        assert "is started again" in json.dumps(again)
    finally:
        carrel(env, "deploy", "desk", "--remove", "bad")


def test_last_words_begin_with_a_whole_word(env: Env, tmp_path: Path) -> None:
    body = "raise SystemExit(' '.join(f'word{n:03d}' for n in range(100)))"
    source = project(tmp_path, "talker", main_dot_py=body)
    wish = ("deploy", "desk", "--image-path", str(source), "--restart-policy", "never")
    try:
        done = carrel(env, *wish, check=1)
        words = done.stderr.partition("its last words: ")[2].splitlines()[0].split()
        assert words[0] == "…"
        assert words[-1] == "word099"
        assert {len(word) for word in words[1:]} == {7}
    finally:
        carrel(env, "deploy", "desk", "--remove", "talker")


def test_one_that_has_done_its_work_is_no_failure(env: Env, tmp_path: Path) -> None:
    source = project(tmp_path, "once", main_dot_py="print('done')")
    done = carrel(env, "deploy", "desk", "--image-path", str(source))
    assert "  done" in done.stdout
    assert "once: ended with status 0" in done.stdout
    carrel(env, "deploy", "desk", "--remove", "once")


def test_an_archive_and_a_command_are_taken(env: Env, tmp_path: Path) -> None:
    source = project(tmp_path, "shop", hello_dot_txt="from the archive\n")
    archive = tmp_path / "shop.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(source, "shop")
    wish = ("deploy", "desk", "--image-path", str(archive), "--env", "WORD=hi")
    unclear = carrel(env, *wish, check=2)
    assert "says how it is run" in unclear.stderr
    script = "cat hello.txt; echo $WORD; sleep 60"
    done = carrel(env, *wish, "--", "sh", "-c", script)
    assert "  from the archive" in done.stdout
    assert "  hi" in done.stdout
    assert deployed(env)["shop"]["how"] == "the command was given"
    carrel(env, "deploy", "desk", "--remove", "shop")


def test_a_program_the_machine_lacks_is_told(env: Env, tmp_path: Path) -> None:
    source = project(tmp_path, "lisp", file="")
    done = carrel(env, "deploy", "desk", "--image-path", str(source), "--", "no-such-lisp", check=2)
    assert "there is no program 'no-such-lisp' in desk" in done.stderr
    assert deployed(env) == {}
    assert carrel(env, "exec", "desk", "--", "ls", "-A", "apps").stdout == ""


def test_packages_that_cannot_be_had_are_told_with_a_way(env: Env, tmp_path: Path) -> None:
    source = project(tmp_path, "needy", main_dot_py="", requirements_dot_txt="no-such-thing==1\n")
    done = carrel(env, "deploy", "desk", "--image-path", str(source), check=3)
    assert "no-such-thing: not in desk, which has no network" in done.stderr
    assert "wheels" in done.stderr


def test_what_a_killed_deployment_left_goes_with_the_next(env: Env, web: Path) -> None:
    carrel(env, "exec", "desk", "--", "mkdir", "apps/.other.new")
    carrel(env, "deploy", "desk", "--image-path", str(web), "--restart", "--wait", "0")
    assert carrel(env, "exec", "desk", "--", "ls", "-A", "apps").stdout == "web\n"


def test_an_app_whose_files_are_gone_is_told_with_the_cause(env: Env, web: Path) -> None:
    carrel(env, "exec", "desk", "--", "rm", "-rf", "apps/web")
    carrel(env, "restart", "desk")
    cause = "there is no directory ~/apps/web in the machine: deploy it again"
    eventually(lambda: deployed(env)["web"]["state"] == f"not started: {cause}", "it is told")
    note = f"its app web could not be started: {cause}"
    assert note in carrel(env, "status", "desk").stdout
    carrel(env, "deploy", "desk", "--image-path", str(web), "--restart", "--wait", "0")
    eventually(lambda: note not in carrel(env, "status", "desk").stdout, "it is no longer")
    assert deployed(env)["web"]["state"] == "running"


def test_logs_of_an_app_that_never_was_are_refused(env: Env, web: Path) -> None:
    done = carrel(env, "logs", "desk", "--app", "nosuch", check=2)
    assert "desk has no app 'nosuch'" in done.stderr
    assert "it has web" in done.stderr


def test_wheels_that_came_along_are_installed(env: Env, tmp_path: Path) -> None:
    if carrel(env, "exec", "desk", "--", "python3", "-m", "pip", "-V", check=None).returncode:
        pytest.skip("the machine has no pip")
    body = "import pocket, time; print(pocket.WORD); time.sleep(60)"
    source = project(tmp_path, "packed", main_dot_py=body, requirements_dot_txt="pocket\n")
    (source / "wheels").mkdir()
    wheel = str(source / "wheels" / "pocket-1.0-py3-none-any.whl")
    subprocess.run([sys.executable, "-c", WHEEL, wheel], check=True)
    done = carrel(env, "deploy", "desk", "--image-path", str(source), "--wait", "2")
    assert "Successfully installed pocket" in done.stderr
    assert "  out of a wheel" in done.stdout
    carrel(env, "deploy", "desk", "--remove", "packed")


def test_packages_are_installed_where_there_is_a_network(env: Env, tmp_path: Path) -> None:
    """From a server on this computer's own address, which the machine is allowed to reach."""
    address = own_address()
    if address is None:
        pytest.skip("this system has no address but loopback's")
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    wheel = "pocket-1.0-py3-none-any.whl"
    subprocess.run([sys.executable, "-c", WHEEL, str(shelf / wheel)], check=True)
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(shelf))
    with http.server.ThreadingHTTPServer((address, 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"{address}:{server.server_port}"
        carrel(env, "up", "online", "--image", "host", "--size", "640x480", "--allow", place)
        try:
            if carrel(env, "exec", "online", "--", "python3", "-m", "pip", check=None).returncode:
                pytest.skip("the machine has no pip")
            body = "import pocket; print(pocket.WORD)"
            need = f"pocket @ http://{place}/{wheel}\n"
            source = project(tmp_path, "packed", main_dot_py=body, requirements_dot_txt=need)
            done = carrel(env, "deploy", "online", "--image-path", str(source), "--wait", "2")
            assert "Successfully installed pocket" in done.stderr
            assert "  out of a wheel" in done.stdout
            decisions = carrel(env, "logs", "online", "--source", "carrel").stdout
            assert f"carrel/egress  allow {place}" in decisions
            (source / "requirements.txt").write_text(need.replace("1.0", "2.0"))
            fails = ("deploy", "online", "--image-path", str(source), "--app", "other")
            broken = carrel(env, *fails, check=1)
            assert "could not install what the project needs" in broken.stderr
            assert "404" in broken.stderr
        finally:
            server.shutdown()
            carrel(env, "delete", "online", "--yes")


def own_address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent; the system only says which address it would send from.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith("127.") else found


def test_a_node_project_runs(env: Env, tmp_path: Path) -> None:
    if carrel(env, "exec", "desk", "--", "node", "--version", check=None).returncode:
        pytest.skip("the machine has no node")
    source = project(
        tmp_path,
        "ticker",
        package_dot_json='{"scripts": {"start": "node tick.js"}}',
        tick_dot_js="console.log('tick'); setInterval(() => {}, 1000)",
    )
    done = carrel(env, "deploy", "desk", "--image-path", str(source), "--wait", "2")
    assert "  tick" in done.stdout
    assert "start script is: node tick.js" in done.stdout
    carrel(env, "deploy", "desk", "--remove", "ticker")


def test_logs_are_followed_without_loss_or_doubling(env: Env, tmp_path: Path) -> None:
    """Also when the process that keeps them is killed in between."""
    count = 300
    source = project(tmp_path, "counter", main_dot_py=COUNTER)
    follow = [*CARREL, "logs", "desk", "--app", "counter", "-f", "--json"]
    with subprocess.Popen(follow, env=env, stdout=subprocess.PIPE, text=True) as reader:
        wish = ("deploy", "desk", "--image-path", str(source), "--wait", "0")
        carrel(env, *wish, "--", "python3", "main.py", str(count))
        seen: list[str] = []
        assert reader.stdout is not None
        for line in reader.stdout:
            seen.append(json.loads(line)["text"])
            if len(seen) == 50:
                killed = attendant(env)
                os.kill(killed, signal.SIGKILL)
                eventually(partial(has_ended, killed), "it is gone")
                assert deployed(env)["counter"]["state"] == "running"
            if seen[-1] == f"line {count - 1}":
                break
        reader.send_signal(signal.SIGINT)
    assert seen == [f"line {number}" for number in range(count)]
    assert texts(env, "--app", "counter") == seen
    assert texts(env, "--app", "counter", "--tail", "3") == seen[-3:]
    assert texts(env, "--app", "counter", "--since", "1h") == seen
    assert texts(env, "--app", "counter", "--since", "2100-01-01") == []
    carrel(env, "deploy", "desk", "--remove", "counter")


def test_all_sources_are_told_apart(env: Env, web: Path) -> None:
    found = logged(env)
    assert {line["source"] for line in found} >= {"app", "carrel"}
    assert [line["at"] for line in found] == sorted(line["at"] for line in found)
    assert {line["source"] for line in logged(env, "--source", "app")} == {"app"}
    streams = {line["stream"] for line in logged(env, "--app", "web")}
    assert streams >= {"out", "err"}
    wrong = carrel(env, "logs", "desk", "--since", "some day", check=2)
    assert "is not a moment" in wrong.stderr
    assert carrel(env, "logs", "desk", "--egress").stdout == ""


def test_apps_start_again_with_their_machine_and_end_with_it(env: Env, web: Path) -> None:
    before = attendant(env)
    carrel(env, "restart", "desk")
    eventually(lambda: deployed(env)["web"]["state"] == "running", "it runs again")
    assert deployed(env)["web"]["restarts"] == 0
    last = attendant(env)
    carrel(env, "stop", "desk")
    eventually(lambda: not lives(last) and not lives(before), "the attendant has ended")
    assert deployed(env)["web"]["state"] == "not started"
    refused = carrel(env, "deploy", "desk", "--image-path", str(web), "--restart", check=2)
    assert "carrel up desk" in refused.stderr
    carrel(env, "up", "desk")
    eventually(lambda: deployed(env)["web"]["state"] == "running", "it runs once more")


def test_what_was_written_outlives_a_machine_that_is_killed(env: Env, web: Path) -> None:
    keeper = document(env, "status", "desk")["pid"]
    assert isinstance(keeper, int)
    last = attendant(env)
    os.kill(keeper, signal.SIGKILL)
    eventually(lambda: not lives(last), "the attendant has ended")
    assert any("serving from" in text for text in texts(env, "--app", "web"))
    carrel(env, "up", "desk")
    eventually(lambda: deployed(env)["web"]["state"] == "running", "it runs again")
    told = texts(env, "--source", "carrel")
    assert told[-1] == "web is started"


@pytest.mark.parametrize(
    "wrong",
    [
        ("--mcp-port", "80", "--image-path", "."),
        ("--mcp", "'unclosed"),
        ("--mcp", ""),
        ("--mcp", "x", "--", "y"),
        ("--app", "Not A Name", "--image-path", "."),
        ("--mcp", "x", "--mcp-path", "no slash"),
        ("--image-path", "/nowhere-at-all"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(env: Env, wrong: tuple[str, ...]) -> None:
    done = carrel(env, "deploy", "desk", *wrong, check=2)
    assert done.stderr.startswith("error: ")

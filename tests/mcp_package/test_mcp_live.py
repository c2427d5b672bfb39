"""MCP servers in a real machine, used by the official client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]
FETCHED = Path(__file__).parents[2] / ".venv/mcp-servers"
HERE = Path(__file__).parent
TINY = HERE / "tiny_server.py"


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


def inside(env: Env, *words: str) -> str:
    return carrel(env, "exec", "desk", "--", *words, check=None).stdout


def eventually(look: Callable[[], object], what: str, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def snippet(env: Env, app: str) -> dict[str, Any]:
    found = json.loads(carrel(env, "mcp-config", "desk", "--app", app).stdout)
    return dict(found["mcpServers"][f"desk-{app}"])


@asynccontextmanager
async def client(env: Env, app: str, **options: Any) -> AsyncIterator[Client]:
    config = snippet(env, app)
    assert config["type"] == "http"
    async with httpx2.AsyncClient(headers=config["headers"], timeout=60) as http:
        transport = streamable_http_client(config["url"], http_client=http)
        with anyio.fail_after(60):
            async with Client(transport, **options) as found:
                yield found


async def ask(found: Client, tool: str, **args: object) -> str:
    answer = await found.call_tool(tool, args)
    return str(answer.content[0].text)  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Env]:
    """A store with one running machine, `desk`, and the small server in it as `tiny`."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("CARREL_")}
    settings = {**plain, "CARREL_HOME": str(tmp_path_factory.mktemp("home"))}
    listed = json.loads(carrel(settings, "provider", "list", "--json").stdout)["providers"]
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    carrel(settings, "up", "--image", "host", "--size", "640x480", "--provider", "namespace")
    source = tmp_path_factory.mktemp("tiny")
    (source / "server.py").write_bytes(TINY.read_bytes())
    mcp = ("--mcp", "python3 server.py")
    done = carrel(settings, "deploy", "desk", "--image-path", str(source), "--app", "tiny", *mcp)
    assert "tiny 1.0 offers" in done.stdout
    yield settings
    processes = [gateway(settings), attendant(settings)]
    carrel(settings, "delete", "desk", "--yes")
    eventually(lambda: not any(map(lives, processes)), "all ended with the machine")


def attendant(env: Env) -> int:
    (lock,) = Path(env["CARREL_HOME"]).glob("machines/*/attendant.lock")
    return int(lock.read_text())


def gateway(env: Env) -> int:
    parent = attendant(env)
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    (pid,) = [int(c) for c in children if b"gateway" in Path(f"/proc/{c}/cmdline").read_bytes()]
    return pid


def lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def servers(env: Env) -> list[str]:
    return inside(env, "pgrep", "-f", "^python3 server.py").split()


@pytest.mark.anyio
async def test_a_tool_has_its_effect_inside(env: Env) -> None:
    async with client(env, "tiny") as found:
        assert {tool.name for tool in (await found.list_tools()).tools} >= {"pid", "write"}
        assert await ask(found, "write", path="note.txt", text="by a client") == "written"
    assert inside(env, "cat", "apps/tiny/note.txt") == "by a client"
    eventually(lambda: not servers(env), "its process ends with the session")


@pytest.mark.anyio
async def test_clients_at_once_have_a_process_each(env: Env) -> None:
    async with client(env, "tiny") as one, client(env, "tiny") as two:
        first, second = await ask(one, "pid"), await ask(two, "pid")
        assert first != second
        assert sorted(servers(env)) == sorted([first, second])
        await ask(one, "remember", text="mine")
        assert await ask(one, "recall") == "mine"
        assert await ask(two, "recall") == ""


@pytest.mark.anyio
async def test_a_killed_server_comes_back_and_the_next_call_works(env: Env) -> None:
    async with client(env, "tiny") as found:
        before = await ask(found, "pid")
        inside(env, "kill", "-9", before)
        after = await ask(found, "pid")
        assert after != before
        assert after in servers(env)


@pytest.mark.anyio
async def test_a_call_under_way_is_answered_when_the_server_dies(env: Env) -> None:
    async with client(env, "tiny") as found:
        with pytest.raises(MCPError, match="tiny ended with status 3") as caught:
            await ask(found, "die")
        assert "my last words" in caught.value.error.message
        assert await ask(found, "recall") == ""
    words = carrel(env, "logs", "desk", "--app", "tiny").stdout
    assert "my last words" in words


@pytest.mark.anyio
async def test_progress_and_requests_of_the_server_reach_the_right_client(env: Env) -> None:
    seen: list[float] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        seen.append(done)

    async with client(env, "tiny", mode="legacy") as found:
        await found.call_tool("count", {"to": 3}, progress_callback=on_progress)
        await found.call_tool("noise", {})
        assert await ask(found, "recall") == ""
    assert seen == [1.0, 2.0, 3.0]
    assert "not a message" in carrel(env, "logs", "desk", "--app", "tiny").stdout


@pytest.mark.anyio
async def test_a_call_that_is_given_up_leaves_the_session_usable(env: Env) -> None:
    async with client(env, "tiny") as found:
        with anyio.move_on_after(0.5):
            await ask(found, "sleep", seconds=2)
        assert await ask(found, "recall") == ""


@pytest.mark.anyio
async def test_without_token_or_from_a_page_nothing_is_answered(env: Env) -> None:
    config = snippet(env, "tiny")
    url, headers = config["url"], config["headers"]
    async with httpx2.AsyncClient() as http:
        bare = await http.post(url, json={})
        assert bare.status_code == 401
        assert bare.headers["www-authenticate"] == "Bearer"
        wrong = {"Authorization": "Bearer wrong"}
        assert (await http.post(url, json={}, headers=wrong)).status_code == 401
        page = {**headers, "Origin": "http://evil.example"}
        assert (await http.post(url, json={}, headers=page)).status_code == 403
        bent = {**headers, "Host": "evil.example"}
        assert (await http.post(url, json={}, headers=bent)).status_code == 421
        for path in ("/", "/other/mcp", "/tiny", "/tiny/mcp/more"):
            other = await http.post(url.replace("/tiny/mcp", path), json={}, headers=headers)
            assert other.status_code == 404
        lost = {**headers, "Mcp-Session-Id": "no-such-session"}
        assert (await http.post(url, json={}, headers=lost)).status_code == 404
        accept = {**headers, "Accept": "application/json, text/event-stream"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert (await http.post(url, json=body, headers=accept)).status_code == 400
    assert not servers(env)


def listens(url: str) -> bool:
    try:
        return httpx2.get(url).status_code == 401
    except httpx2.TransportError:
        return False


def note_of(env: Env) -> bool:
    return "not published at this moment" in carrel(env, "status", "desk").stdout


@pytest.mark.anyio
async def test_a_killed_attendant_is_followed_by_another(env: Env) -> None:
    before, pid = snippet(env, "tiny"), attendant(env)
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not listens(before["url"]), "nobody listens")
    eventually(lambda: listens(before["url"]), "without a command somebody does again")
    assert attendant(env) != pid
    async with client(env, "tiny") as found:
        assert await ask(found, "recall") == ""


def test_an_attendant_killed_with_all_it_had_is_noticed_by_a_look(env: Env) -> None:
    url, pid = snippet(env, "tiny")["url"], attendant(env)
    above = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(above, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not listens(url), "nobody listens")
    assert note_of(env)
    eventually(lambda: listens(url), "somebody does again")
    assert not note_of(env)


def test_a_machine_that_is_said_to_run_has_its_servers_published(env: Env) -> None:
    url = snippet(env, "tiny")["url"]
    carrel(env, "stop", "desk")
    eventually(lambda: not listens(url), "nobody listens")
    stopped = carrel(env, "mcp-config", "desk")
    assert "desk does not run" in stopped.stderr
    carrel(env, "start", "desk")
    assert listens(url)
    assert "does not run" not in carrel(env, "mcp-config", "desk").stderr


@pytest.mark.anyio
async def test_a_killed_gateway_is_there_again_at_the_same_place(env: Env) -> None:
    before, pid = snippet(env, "tiny"), gateway(env)
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: listens(before["url"]), "it listens again")
    assert snippet(env, "tiny") == before
    async with client(env, "tiny") as found:
        assert await ask(found, "recall") == ""


def test_a_server_that_does_not_start_is_told_with_its_words(env: Env) -> None:
    mcp = "python3 -c 'raise SystemExit(\"no key is set\")'"
    done = carrel(env, "deploy", "desk", "--app", "broken", "--mcp", mcp, check=1)
    assert "broken does not answer as an MCP server" in done.stderr
    assert "no key is set" in done.stderr
    carrel(env, "deploy", "desk", "--remove", "broken")


@pytest.mark.anyio
async def test_sessions_end_when_their_server_is_replaced_or_removed(env: Env) -> None:
    mcp = ("--mcp", "python3 apps/tiny/server.py", "--app", "brief")
    carrel(env, "deploy", "desk", *mcp)
    async with client(env, "brief") as found:
        pid = await ask(found, "pid")
        carrel(env, "deploy", "desk", *mcp, "--restart")
        eventually(lambda: not inside(env, "ps", "-o", "pid=", "-p", pid).strip(), "it has ended")
    async with client(env, "brief") as found:
        pid = await ask(found, "pid")
        carrel(env, "deploy", "desk", "--remove", "brief")
        eventually(lambda: not inside(env, "ps", "-o", "pid=", "-p", pid).strip(), "it has ended")
        with pytest.raises(MCPError):
            await ask(found, "pid")
    missing = carrel(env, "mcp-config", "desk", "--app", "brief", check=2)
    assert "there is tiny" in missing.stderr


@pytest.mark.anyio
async def test_requests_are_passed_on_to_a_server_that_speaks_http(env: Env) -> None:
    mcp = ("--mcp", "python3 apps/tiny/server.py 5555", "--mcp-port", "5555", "--mcp-path", "/x")
    done = carrel(env, "deploy", "desk", *mcp, "--app", "web", "--wait", "0.1")
    assert "tiny 1.0 offers" in done.stdout
    async with client(env, "web") as found:
        pid = await ask(found, "pid")
        inside(env, "kill", "-9", pid)
        again = await ask(found, "pid")
        assert again != pid
    config = snippet(env, "web")
    url, headers = config["url"], config["headers"]
    async with httpx2.AsyncClient(timeout=60) as http:
        body = {"jsonrpc": "2.0", "id": 1, "method": "nothing"}
        answer = await http.post(url, json=body, headers=headers)
        assert answer.json()["error"]["code"] == -32601
        # The token is ours, and no business of the server's.
        assert answer.headers["x-token"] == "None"
        assert answer.headers["x-asked"] == "/x 127.0.0.1:5555"
        assert (await http.get(url, headers=headers)).status_code == 405
        large = await http.post(url, content=b"x" * (17 << 20), headers=headers)
        assert large.status_code == 413
        carrel(env, "deploy", "desk", "--app", "web", *_mute(), "--restart", check=None)
        mute = await http.post(url, json=body, headers=headers)
        assert mute.status_code == 502
        assert "web does not answer" in mute.text
    carrel(env, "deploy", "desk", "--remove", "web")


def _mute() -> tuple[str, ...]:
    """A server that never listens, and ends: nobody waits for its tools."""
    return ("--mcp", "false", "--mcp-port", "5556", "--restart-policy", "never", "--wait", "0.5")


def need(directory: str) -> str:
    place = FETCHED / directory
    if not place.is_dir():
        pytest.skip(f"scripts/setup.sh test has not fetched {place.name}'s MCP servers")
    return str(place)


def need_node(env: Env) -> str:
    if not inside(env, "node", "--version"):
        pytest.skip("this system has no node")
    return need("node")


@pytest.mark.anyio
async def test_a_server_from_pypi_tells_the_time(env: Env) -> None:
    place = need("python")
    mcp = ("--mcp", "python3 -m mcp_server_time --local-timezone=UTC")
    done = carrel(env, "deploy", "desk", "--image-path", place, "--app", "time", *mcp)
    assert "mcp-time" in done.stdout
    async with client(env, "time") as found:
        told = json.loads(await ask(found, "get_current_time", timezone="Asia/Tokyo"))
        assert told["datetime"].endswith("+09:00")
    carrel(env, "deploy", "desk", "--remove", "time")


@pytest.mark.anyio
async def test_a_server_from_npm_writes_files_inside(env: Env) -> None:
    place = need_node(env)
    mcp = ("--mcp", "mcp-server-filesystem /tmp")
    carrel(env, "deploy", "desk", "--image-path", place, "--app", "files", *mcp)
    async with client(env, "files") as found:
        await ask(found, "write_file", path="/tmp/seen.txt", content="by npm's server")
        assert inside(env, "cat", "/tmp/seen.txt") == "by npm's server"
        inside(env, "pkill", "-KILL", "-f", "mcp-server-filesystem")
        assert "by npm's server" in await ask(found, "read_text_file", path="/tmp/seen.txt")
    assert not Path("/tmp/seen.txt").exists()
    carrel(env, "deploy", "desk", "--remove", "files")


@pytest.mark.anyio
async def test_a_server_that_speaks_http_is_published_too(env: Env) -> None:
    place = need_node(env)
    mcp = ("--mcp", "mcp-server-everything streamableHttp", "--mcp-port", "3001")
    wish = ("deploy", "desk", "--image-path", place, "--app", "every", *mcp, "--wait", "0.2")
    done = json.loads(carrel(env, *wish, "--json").stdout)
    assert "echo" in done["tools"]
    async with client(env, "every") as found:
        assert await ask(found, "echo", message="over http") == "Echo: over http"
        inside(env, "kill", "-9", str(done["pid"]))
    # Its sessions are its own, and went with it; a new one works as soon as it is back.
    async with client(env, "every") as found:
        assert await ask(found, "get-sum", a=2, b=3) == "The sum of 2 and 3 is 5."
    async with httpx2.AsyncClient() as http:
        assert (await http.post(snippet(env, "every")["url"], json={})).status_code == 401
    carrel(env, "deploy", "desk", "--remove", "every")
    config = snippet(env, "tiny")
    gone = config["url"].replace("tiny", "every")
    assert httpx2.get(gone, headers=config["headers"]).status_code == 404

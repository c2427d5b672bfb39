from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import pytest
from anyio.abc import SocketStream
from hypothesis import example, given
from hypothesis import strategies as st
from serving import ask, serving

from carrel.errors import ActionFailed, CarrelError, InvalidInput, Refused, TimedOut
from carrel.guest import egress as egress_module
from carrel.guest.egress import Egress
from carrel.guest.proxy import parse_head, parse_socks_address, split_host_port
from carrel.guest.tunnels import Tunnels, splice
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio


class _Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            content = b""
            while length := int(self.rfile.readline(), 16):
                content += self.rfile.read(length)
                self.rfile.readline()
            self.rfile.readline()
        else:
            content = self.rfile.read(size)
        body = json.dumps(
            {
                "method": self.command,
                "path": self.path,
                "headers": dict(self.headers),
                "sha": hashlib.sha256(content).hexdigest(),
                "size": len(content),
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = _answer  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def web() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


# Into the machine


@asynccontextmanager
async def listening(
    handler: Callable[[SocketStream], Awaitable[None]],
) -> AsyncIterator[int]:
    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(listener.serve, handler)
        yield listener.extra(anyio.abc.SocketAttribute.local_port)
        tasks.cancel_scope.cancel()


async def test_a_forward_carries_bytes_and_each_sides_end() -> None:
    async def shout(client: SocketStream) -> None:
        async with client:
            heard = b""
            try:
                while True:
                    heard += await client.receive()
            except anyio.EndOfStream:
                await client.send(heard.upper())

    with anyio.fail_after(10):
        async with listening(shout) as port, serving({"connect": Tunnels().connect}) as client:
            answer = await ask(client, "connect", body=b"hello " * 50_000, port=port)
    assert answer.out == b"HELLO " * 50_000
    assert answer.messages == [{"result": {}}]


async def test_the_far_end_may_finish_first() -> None:
    got = []

    async def greet(client: SocketStream) -> None:
        async with client:
            await client.send(b"bye")
            await client.send_eof()
            got.append(await client.receive())

    with anyio.fail_after(10):
        async with listening(greet) as port, serving({"connect": Tunnels().connect}) as client:
            header = {"op": "connect", "id": "r", "args": {"port": port}}
            async with await client.open(header) as stream:
                await stream.receive_message()
                item = await stream.receive()
                assert item is not None
                assert item.data == b"bye"
                assert await stream.receive() is None
                await stream.send(b"late", end=True)
                while not got:  # noqa: ASYNC110
                    await anyio.sleep(0.01)
    assert got == [b"late"]


async def test_a_reset_forward_closes_the_connection_inside() -> None:
    closed = anyio.Event()

    async def wait(client: SocketStream) -> None:
        async with client:
            with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                await client.receive()
        closed.set()

    with anyio.fail_after(10):
        async with listening(wait) as port, serving({"connect": Tunnels().connect}) as client:
            header = {"op": "connect", "id": "r", "args": {"port": port}}
            async with await client.open(header) as stream:
                await stream.receive_message()
            await closed.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"port": 0}, InvalidInput),
        ({"port": 65536}, InvalidInput),
        ({"port": "80"}, InvalidInput),
        ({"port": 80, "host": ""}, InvalidInput),
        ({"port": 80, "host": "a\0b"}, InvalidInput),
        ({"port": 80, "tls": True}, InvalidInput),
        ({"port": 80, "host": "no-such-host.invalid"}, ActionFailed),
        ({"port": 80, "host": "a..b"}, ActionFailed),
    ],
)
async def test_a_forward_to_nowhere_is_a_clear_error(
    args: dict[str, object], error: type[CarrelError]
) -> None:
    with anyio.fail_after(20):
        async with serving({"connect": Tunnels().connect}) as client:
            with pytest.raises(error):
                await ask(client, "connect", **args)


async def test_a_closed_port_says_that_nothing_listens() -> None:
    with anyio.fail_after(10):
        async with serving({"connect": Tunnels().connect}) as client:
            with pytest.raises(ActionFailed, match="nothing listens"):
                await ask(client, "connect", port=free_port())


# Out of the machine


class Keeper:
    """Stands in for the policy on our side: sends every wish to one local port, or refuses."""

    def __init__(self, port: int | None) -> None:
        self.port = port
        self.wishes: list[tuple[str, int]] = []
        self.error: CarrelError = Refused("not on the list")

    async def handle(self, stream: Stream) -> None:
        assert stream.header["op"] == "egress"
        args = stream.header["args"]
        self.wishes.append((args["host"], args["port"]))
        if self.port is None:
            raise self.error
        async with await anyio.connect_tcp("127.0.0.1", self.port) as connection:
            await stream.send_message({"result": {}})
            await splice(stream, connection)


@asynccontextmanager
async def machine(keeper: Keeper | None) -> AsyncIterator[Egress]:
    egress = Egress()
    ours, theirs = memory_pair()
    with anyio.fail_after(30):
        async with (
            Connection(ours, initiator=True, handler=keeper.handle if keeper else None),
            Connection(theirs, initiator=False) as inside,
            anyio.create_task_group() as tasks,
        ):
            await tasks.start(egress.serve)
            if keeper is None:
                yield egress
            else:
                async with egress.attached(inside):
                    yield egress
            tasks.cancel_scope.cancel()


async def curl(egress: Egress, *args: str, stdin: bytes | None = None) -> tuple[int, bytes]:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    done = await anyio.run_process(
        ["curl", "-sS", "-m", "20", *args],
        check=False,
        input=stdin,
        env={"PATH": os.environ["PATH"], **egress.env()},
    )
    return done.returncode, done.stdout or done.stderr


async def test_curl_fetches_a_page_by_the_environment_alone(web: int) -> None:
    keeper = Keeper(web)
    async with machine(keeper) as egress:
        code, out = await curl(egress, "http://page.example:8080/a?b=c#d")
    page = json.loads(out)
    assert code == 0
    assert keeper.wishes == [("page.example", 8080)]
    assert page["path"] == "/a?b=c"
    assert page["headers"]["Host"] == "page.example:8080"
    assert page["headers"]["Connection"] == "close"
    assert not any(name.lower().startswith("proxy") for name in page["headers"])


async def test_curl_tunnels_by_connect_and_socks(web: int) -> None:
    keeper = Keeper(web)
    async with machine(keeper) as egress:
        at = f"127.0.0.1:{egress.port}"
        tunnel = ["--proxytunnel", "-x", f"http://{at}"]
        assert (await curl(egress, *tunnel, "http://one.example:81/x"))[0] == 0
        assert (await curl(egress, "--socks5-hostname", at, "http://two.example/x"))[0] == 0
        assert (await curl(egress, "--socks5-hostname", at, "http://9.9.9.9:82/x"))[0] == 0
        code, _ = await curl(egress, "--socks5-hostname", at, "http://[2001:db8::1]:83/x")
        assert code == 0
        assert (await curl(egress, *tunnel, "http://[2001:db8::2]:84/x"))[0] == 0
    assert keeper.wishes == [
        ("one.example", 81),
        ("two.example", 80),
        ("9.9.9.9", 82),
        ("2001:db8::1", 83),
        ("2001:db8::2", 84),
    ]


async def test_several_requests_of_one_client_each_go_where_they_should(web: int) -> None:
    keeper = Keeper(web)
    async with machine(keeper) as egress:
        code, out = await curl(egress, "http://a.example/1", "http://b.example/2")
    assert code == 0
    assert [name for name, _ in keeper.wishes] == ["a.example", "b.example"]
    assert b'"/1"' in out
    assert b'"/2"' in out


@pytest.mark.parametrize("header", ["X: y", "Transfer-Encoding: chunked"])
async def test_a_large_upload_arrives_whole(web: int, header: str) -> None:
    body = os.urandom(3_000_000)
    async with machine(Keeper(web)) as egress:
        code, out = await curl(
            egress,
            "-H",
            header,
            "--data-binary",
            "@-",
            "http://up.example/",
            stdin=body,
        )
    assert code == 0
    assert json.loads(out)["sha"] == hashlib.sha256(body).hexdigest()


async def test_a_refusal_tells_the_reason() -> None:
    async with machine(Keeper(None)) as egress:
        _, plain = await curl(egress, "-i", "http://no.example/")
        code, tunnel = await curl(egress, "https://no.example/")
        at = f"127.0.0.1:{egress.port}"
        socks, _ = await curl(egress, "--socks5-hostname", at, "http://no.example/")
    assert b"403 Forbidden" in plain
    assert b"not on the list" in plain
    assert code == 56
    assert b"403" in tunnel
    assert socks == 97


@pytest.mark.parametrize(
    ("error", "status"), [(TimedOut("too slow"), b"504"), (ActionFailed("unreachable"), b"502")]
)
async def test_a_failure_outside_is_told(error: CarrelError, status: bytes) -> None:
    keeper = Keeper(None)
    keeper.error = error
    async with machine(keeper) as egress:
        _, out = await curl(egress, "-i", "http://x.example/")
    assert status in out
    assert error.message.encode() in out


async def test_without_a_keeper_there_is_no_way_out_and_it_says_so() -> None:
    async with machine(None) as egress:
        _, out = await curl(egress, "-i", "http://x.example/")
        at = f"127.0.0.1:{egress.port}"
        code, _ = await curl(egress, "--socks5-hostname", at, "http://x.example/")
    assert b"503 Service Unavailable" in out
    assert b"no network was granted" in out
    assert code == 97


async def test_after_a_keeper_left_the_one_before_serves_again(web: int) -> None:
    first = Keeper(web)
    async with machine(first) as egress:
        ours, theirs = memory_pair()
        second = Keeper(web)
        async with (
            Connection(ours, initiator=True, handler=second.handle),
            Connection(theirs, initiator=False) as inside,
        ):
            async with egress.attached(inside):
                await curl(egress, "http://two.example/")
            await curl(egress, "http://one.example/")
    assert second.wishes == [("two.example", 80)]
    assert first.wishes == [("one.example", 80)]


async def speak(egress: Egress, data: bytes) -> bytes:
    assert egress.port is not None
    async with await anyio.connect_tcp("127.0.0.1", egress.port) as client:
        await client.send(data)
        heard = b""
        try:
            while True:
                heard += await client.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return heard


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"HTTP/1.1 400"),
        (b"GET https://x/ HTTP/1.1\r\n\r\n", b"HTTP/1.1 400"),
        (b"GET http://user@x/ HTTP/1.1\r\n\r\n", b"HTTP/1.1 400"),
        (b"CONNECT x HTTP/1.1\r\n\r\n", b"HTTP/1.1 400"),
        (b"CONNECT x:0 HTTP/1.1\r\n\r\n", b"HTTP/1.1 400"),
        (
            b"POST http://x/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"HTTP/1.1 400",
        ),
        (
            b"POST http://x/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"HTTP/1.1 400",
        ),
        (b"GET http://x/ HTTP/1.1\r\nA: b\r\n c\r\n\r\n", b"HTTP/1.1 400"),
        (b"GET http://x/ HTTP/1.1\r\n" + b"A: b\r\n" * 20_000, b"HTTP/1.1 400"),
        (b"\x16\x03\x01nonsense\r\n\r\n", b"HTTP/1.1 400"),
        (b"\x04\x01\x00\x50\x01\x02\x03\x04\x00\r\n\r\n", b"HTTP/1.1 400"),
        (b"\x05\x01\x02", b"\x05\xff"),
        (b"\x05\x01\x00\x05\x02\x00\x01\x01\x02\x03\x04\x00\x50", b"\x05\x00\x05\x07"),
        (b"\x05\x01\x00\x05\x01\x00\x09\x00\x50", b"\x05\x00\x05\x08"),
        (b"\x05\x01\x00\x05\x01\x00\x01\x01\x02\x03\x04\x00\x00", b"\x05\x00\x05\x01"),
        (b"\x05\x01\x00\x05\x01\x00\x03\x02\xff\xfe\x00\x50", b"\x05\x00\x05\x01"),
    ],
)
async def test_nonsense_is_answered_and_closed(said: bytes, answer: bytes) -> None:
    async with machine(Keeper(None)) as egress:
        assert (await speak(egress, said)).startswith(answer)


async def test_a_client_that_says_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress_module, "HEAD_TIMEOUT", 0.1)
    async with machine(Keeper(None)) as egress:
        assert await speak(egress, b"GET http://x/ HT") == b""


async def test_clients_that_go_away_at_any_point_do_no_harm(web: int) -> None:
    said = b"POST http://x.example/ HTTP/1.1\r\nContent-Length: 50\r\n\r\n12345"
    async with machine(Keeper(web)) as egress:
        assert egress.port is not None
        for cut in range(0, len(said) + 1, 4):
            async with await anyio.connect_tcp("127.0.0.1", egress.port) as client:
                await client.send(said[:cut])
        assert (await curl(egress, "http://x.example/"))[0] == 0


async def test_a_second_request_in_one_breath_does_not_follow_the_first(web: int) -> None:
    keeper = Keeper(web)
    said = b"GET http://a.example/1 HTTP/1.1\r\n\r\nGET http://evil.example/2 HTTP/1.1\r\n\r\n"
    async with machine(keeper) as egress:
        heard = await speak(egress, said)
    assert heard.count(b"HTTP/1.1 200") == 1
    assert b"evil" not in heard
    assert keeper.wishes == [("a.example", 80)]


def test_without_a_listener_there_are_no_variables() -> None:
    assert Egress().env() == {}


@given(st.binary(max_size=300))
@example(b"GET http://[::1/ HTTP/1.1")
@example(b"GET http://x:99999/ HTTP/1.1")
@example(b"CONNECT [::1]x:1 HTTP/1.1")
def test_the_parser_takes_or_refuses_anything(head: bytes) -> None:
    try:
        request = parse_head(head)
    except InvalidInput:
        return
    assert request.host
    assert 1 <= request.port <= 65535


@given(
    target=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=60),
    headers=st.lists(st.tuples(st.sampled_from(["A", "Connection", "Host"]), st.text(max_size=9))),
)
def test_a_forwarded_head_has_one_host_and_no_extra_lines(
    target: str, headers: list[tuple[str, str]]
) -> None:
    lines = "".join(f"\r\n{name}: {value}" for name, value in headers)
    try:
        request = parse_head(f"GET http://{target} HTTP/1.1{lines}".encode())
    except InvalidInput:
        return
    first, *rest = request.forward.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert first.startswith((b"GET /", b"GET *"))
    assert sum(line.lower().startswith(b"host:") for line in rest) == 1
    assert sum(line.lower().startswith(b"connection:") for line in rest) == 1
    assert rest[0].partition(b": ")[2].decode().startswith((request.host, f"[{request.host}]"))
    assert len(rest) <= len(headers) + 2


@given(st.text(max_size=40))
def test_host_and_port_split_or_are_refused(text: str) -> None:
    try:
        host, port = split_host_port(text)
    except InvalidInput:
        return
    assert text in (f"{host}:{port:d}", f"[{host}]:{port:d}") or text.endswith(f"{port}")
    assert not set(host) & set("/@?#[] ")


@given(st.integers(0, 255), st.binary(max_size=20))
def test_socks_addresses_are_taken_or_refused(kind: int, data: bytes) -> None:
    try:
        assert parse_socks_address(kind, data)
    except InvalidInput:
        return

"""The ASGI program of a `FakeProvider`: from a request to what goes over the wire."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from carrel.codec import Json
from carrel.models.dialect import Api
from carrel.testing import _rules_anthropic, _rules_gemini, _rules_openai
from carrel.testing import anthropic as anthropic_wire
from carrel.testing import chat as chat_wire
from carrel.testing import gemini as gemini_wire
from carrel.testing import openai as openai_wire
from carrel.testing._frames import binary_event, text_event
from carrel.testing._ledger import Ledger
from carrel.testing._refusals import Refusal, error_body
from carrel.testing._routes import Route, check_key, find_route, read_seen
from carrel.testing.answers import Answer, Fault, Reply
from carrel.testing.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

__all__ = ["App"]

Events = Callable[[Mapping[str, Json], Seen], "Iterator[tuple[str, Json]]"]


class _Wire(NamedTuple):
    render: Callable[[Answer, Seen, Ledger], dict[str, Json]]
    events: Events
    check: Callable[[Seen, Ledger], None]


_WIRES = {
    Api.OPENAI_RESPONSES: _Wire(
        openai_wire.render, openai_wire.events, _rules_openai.check_responses
    ),
    Api.OPENAI_CHAT: _Wire(chat_wire.render, chat_wire.events, _rules_openai.check_chat),
    Api.ANTHROPIC: _Wire(
        anthropic_wire.render, anthropic_wire.events, _rules_anthropic.check_messages
    ),
    Api.GEMINI: _Wire(gemini_wire.render, gemini_wire.events, _rules_gemini.check_generate),
}

_MESSAGES = {
    401: "Invalid authentication.",
    413: "Request exceeds the maximum size",
    429: "Rate limit reached. Please try again later.",
    500: "The server had an error while processing your request.",
    503: "The model is overloaded. Please try again later.",
    529: "Overloaded",
}


class App:
    """Answers requests with what `choose` says, after judging them.

    Args:
        key: The only key that is let in.
        choose: The next reply; raises `Refusal` when the script has none.
        record: Told of every request, refused or not.
        abort: Cuts the connection of a client's address.
        models: Names to list.
    """

    def __init__(
        self,
        key: str,
        ledger: Ledger,
        choose: Callable[[Seen], Reply],
        record: Callable[[Seen, str], None],
        abort: Callable[[tuple[str, int]], None],
        models: tuple[str, ...],
    ) -> None:
        self._key, self._ledger, self._models = key, ledger, models
        self._choose, self._record, self._abort = choose, record, abort
        self._number = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        from starlette.requests import Request

        request = Request(scope, receive)
        response = await self._answer(request)
        if response is None:
            await self._cut(request)
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response | None:
        headers = dict(request.headers.items())
        route = find_route(request.method, request.url.path, headers)
        if route is None:
            missing = Refusal("Not Found", status=404)
            return self._refuse(Api.OPENAI_RESPONSES, missing)
        content = await request.body()
        try:
            body = _parse(content, route)
        except Refusal as refusal:
            return self._refuse(route.wire, refusal)
        path, query = request.url.path, dict(request.query_params.items())
        seen = read_seen(self._number, route, path, query, headers, body)
        self._number += not route.listing
        try:
            self._judge(seen, route)
            if route.listing:
                return self._list(route.wire)
            reply = self._pick(seen)
        except Refusal as refusal:
            self._record(seen, refusal.message)
            return self._refuse(seen.wire, refusal)
        self._record(seen, "")
        return await self._reply(seen, reply, request)

    def _judge(self, seen: Seen, route: Route) -> None:
        check_key(seen.wire, seen.key, self._key)
        plain = seen.wire is Api.ANTHROPIC and not route.model
        if plain and "anthropic-version" not in seen.headers:
            raise Refusal("anthropic-version: header is required")
        if not route.listing:
            _WIRES[seen.wire].check(seen, self._ledger)

    def _pick(self, seen: Seen) -> Reply:
        reply = self._choose(seen)
        if isinstance(reply, Answer) and reply.wire not in (None, seen.wire):
            raise Refusal(f"FakeProvider: the script's answer is for {reply.wire}")
        return reply

    def _refuse(self, wire: Api, refusal: Refusal, headers: Mapping[str, str] = {}) -> Response:
        from starlette.responses import JSONResponse

        name = self._ledger.mint("req_")
        ids = {"request-id": name, "x-request-id": name}
        body = error_body(wire, refusal, name)
        return JSONResponse(body, refusal.status, headers={**ids, **headers})

    async def _reply(self, seen: Seen, reply: Reply, request: Request) -> Response | None:
        from starlette.responses import JSONResponse, StreamingResponse

        if isinstance(reply, Fault):
            if seen.stream and reply.after:
                body = _WIRES[seen.wire].render(reply.answer, seen, self._ledger)
                return StreamingResponse(
                    self._broken(body, seen, reply, request), media_type=_media_type(seen)
                )
            return await self._fail(seen.wire, reply, request)
        if reply.body is not None:
            return JSONResponse(dict(reply.body))
        body = _WIRES[seen.wire].render(reply, seen, self._ledger)
        if not seen.stream:
            return JSONResponse(body, headers={"request-id": self._ledger.mint("req_")})
        return StreamingResponse(_stream(body, seen), media_type=_media_type(seen))

    async def _fail(self, wire: Api, fault: Fault, request: Request) -> Response | None:
        from starlette.responses import HTMLResponse

        if fault.kind == "hang":
            await _until_closed(request)
        if fault.kind in ("hang", "disconnect"):
            return None
        if fault.kind == "garbage":
            return HTMLResponse("<html><body>Bad gateway</body></html>", fault.status)
        return self._refuse(wire, _as_refusal(wire, fault), fault.headers)

    async def _broken(
        self, body: Mapping[str, Json], seen: Seen, fault: Fault, request: Request
    ) -> AsyncIterator[bytes]:
        """A stream that goes wrong after some events."""
        encode = _encoder(seen)
        for number, (name, data) in enumerate(_WIRES[seen.wire].events(body, seen)):
            if number == fault.after:
                break
            yield encode(name, data)
        if fault.kind == "status":
            refusal = _as_refusal(seen.wire, fault)
            error = error_body(seen.wire, refusal, self._ledger.mint("req_"))
            if seen.wire is Api.OPENAI_RESPONSES:
                inner = cast("dict[str, Json]", error["error"])
                error = {**inner, "type": "error", "sequence_number": fault.after}
            yield encode("" if seen.wire is Api.GEMINI else "error", error)
            return
        if fault.kind == "hang":
            await _until_closed(request)
        await self._cut(request)

    async def _cut(self, request: Request) -> None:
        assert request.client is not None
        self._abort((request.client.host, request.client.port))
        # The server would end the response properly if this returned before the cut.
        await _until_closed(request)

    def _list(self, wire: Api) -> Response:
        from starlette.responses import JSONResponse

        if wire is Api.GEMINI:
            return JSONResponse({"models": [{"name": f"models/{name}"} for name in self._models]})
        if wire is Api.ANTHROPIC:
            made = "2026-01-01T00:00:00Z"
            data = [
                {"type": "model", "id": name, "display_name": name, "created_at": made}
                for name in self._models
            ]
            ends = {"first_id": self._models[0], "last_id": self._models[-1], "has_more": False}
            return JSONResponse({"data": data, **ends})
        owned = {"object": "model", "created": chat_wire.CREATED, "owned_by": "fake"}
        found = [{"id": name, **owned} for name in self._models]
        return JSONResponse({"object": "list", "data": found})


def _parse(content: bytes, route: Route) -> dict[str, Json]:
    if route.listing:
        return {}
    if route.wire is Api.GEMINI and len(content) > _rules_gemini.MAX_BODY:
        raise Refusal("Request payload size exceeds the limit: 20971520 bytes.")
    if route.wire is Api.ANTHROPIC and len(content) > 32 * 1024 * 1024:
        raise Refusal("Request exceeds the maximum size", status=413)
    try:
        body = json.loads(content)
    except ValueError:
        raise Refusal("We could not parse the JSON body of your request.") from None
    if not isinstance(body, dict):
        raise Refusal("The body of a request is a JSON object.")
    return body


def _as_refusal(wire: Api, fault: Fault) -> Refusal:
    status, kind = fault.status, fault.type
    if kind == "overloaded":
        kind = ""
        if wire is Api.ANTHROPIC:
            status = 529
    message = fault.message or _MESSAGES.get(status, f"Error {status}")
    return Refusal(message, status=status, type=kind, code=fault.code, details=fault.details)


async def _stream(body: Mapping[str, Json], seen: Seen) -> AsyncIterator[bytes]:
    encode = _encoder(seen)
    for name, data in _WIRES[seen.wire].events(body, seen):
        yield encode(name, data)


def _encoder(seen: Seen) -> Callable[[str, Json], bytes]:
    return binary_event if _is_binary(seen) else text_event


def _is_binary(seen: Seen) -> bool:
    return seen.path.startswith("/model/")


def _media_type(seen: Seen) -> str:
    return "application/vnd.amazon.eventstream" if _is_binary(seen) else "text/event-stream"


async def _until_closed(request: Request) -> None:
    # The body has been read: what comes next is that the client went away.
    while (await request.receive())["type"] != "http.disconnect":
        pass

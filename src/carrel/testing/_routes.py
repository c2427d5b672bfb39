"""Which API a path belongs to, and who may use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from carrel.codec import Json
from carrel.models.dialect import Api
from carrel.testing._refusals import Refusal
from carrel.testing.seen import Seen

__all__ = ["Route", "check_key", "find_route", "read_seen"]


@dataclass(frozen=True, slots=True)
class Route:
    """Where a request goes.

    Attributes:
        model: From the URL; empty where the body names it.
        stream: From the URL; None where the body says it.
        listing: The models are asked for, not an answer.
    """

    wire: Api
    model: str = ""
    stream: bool | None = None
    listing: bool = False


_VERTEX = r"(?:/v1)?/projects/.+/publishers/anthropic/models/(?P<model>[^/:]+):"
_GEMINI = r"/v1\w*/(?:.+/)?models/(?P<model>[^/:]+):"
_PATHS: tuple[tuple[str, Api], ...] = (
    (r"(?:/openai)?(?:/v1)?/responses", Api.OPENAI_RESPONSES),
    (r"(?:/openai)?(?:/v1)?/chat/completions", Api.OPENAI_CHAT),
    (r"/openai/deployments/[^/]+/chat/completions", Api.OPENAI_CHAT),
    (r"/v1/messages", Api.ANTHROPIC),
    (r"/model/(?P<model>[^/]+)/(?P<verb>invoke|invoke-with-response-stream)", Api.ANTHROPIC),
    (_VERTEX + r"(?P<verb>rawPredict|streamRawPredict)", Api.ANTHROPIC),
    (_GEMINI + r"(?P<verb>generateContent|streamGenerateContent)", Api.GEMINI),
)


def find_route(method: str, path: str, headers: Mapping[str, str]) -> Route | None:
    """The API a request is for; None when there is no such path."""
    if method == "GET":
        return _find_listing(path, headers)
    for pattern, wire in _PATHS:
        match = re.fullmatch(pattern, path)
        if method == "POST" and match is not None:
            groups = match.groupdict()
            verb = groups.get("verb")
            stream = "stream" in verb if verb else None
            return Route(wire, groups.get("model") or "", stream)
    return None


def _find_listing(path: str, headers: Mapping[str, str]) -> Route | None:
    if re.fullmatch(r"/v1beta\w*/models", path):
        return Route(Api.GEMINI, listing=True)
    if re.fullmatch(r"(?:/openai)?/v1/models", path):
        spoken = "anthropic-version" in headers
        return Route(Api.ANTHROPIC if spoken else Api.OPENAI_RESPONSES, listing=True)
    return None


def read_seen(
    number: int,
    route: Route,
    path: str,
    query: Mapping[str, str],
    headers: Mapping[str, str],
    body: dict[str, Json],
) -> Seen:
    """The request, as all of its APIs' variants are judged: by the plain one's rules."""
    betas = [part.strip() for part in headers.get("anthropic-beta", "").split(",")]
    if route.wire is Api.ANTHROPIC and route.model:
        # Bedrock and Vertex carry in the body what others carry in headers and the URL.
        body = {**body, "model": route.model}
        body.pop("anthropic_version", None)
        extra = body.pop("anthropic_beta", [])
        betas += [str(item) for item in extra] if isinstance(extra, list) else []
    return Seen(
        number=number,
        wire=route.wire,
        path=path,
        model=route.model or str(body.get("model", "")),
        body=body,
        headers=headers,
        key=_key(headers, query),
        betas=tuple(dict.fromkeys(beta for beta in betas if beta)),
        stream=bool(body.get("stream")) if route.stream is None else route.stream,
    )


def _key(headers: Mapping[str, str], query: Mapping[str, str]) -> str:
    for name in ("x-api-key", "api-key", "x-goog-api-key"):
        if name in headers:
            return headers[name]
    given = headers.get("authorization", "")
    return given[7:] if given.lower().startswith("bearer ") else query.get("key", "")


def check_key(wire: Api, key: str, known: str) -> None:
    """Refuse a request without the key, in the API's words."""
    if key == known:
        return
    if wire is Api.GEMINI:
        raise _wrong_gemini_key() if key else _no_gemini_key()
    if wire is Api.ANTHROPIC:
        words = "invalid x-api-key" if key else "x-api-key header is required"
        raise Refusal(words, status=401)
    if not key:
        raise Refusal(
            "You didn't provide an API key. You need to provide your API key in an Authorization "
            "header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
            status=401,
        )
    # The real API repeats the key, with its middle hidden.
    shown = key if len(key) < 12 else f"{key[:4]}{'*' * (len(key) - 8)}{key[-4:]}"
    raise Refusal(f"Incorrect API key provided: {shown}.", status=401, code="invalid_api_key")


def _wrong_gemini_key() -> Refusal:
    info: dict[str, Json] = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "API_KEY_INVALID",
        "domain": "googleapis.com",
    }
    return Refusal("API key not valid. Please pass a valid API key.", details=(info,))


def _no_gemini_key() -> Refusal:
    return Refusal(
        "Method doesn't allow unregistered callers (callers without established identity). Please "
        "use API Key or other form of API consumer identity to call this API.",
        status=403,
    )

"""From what went wrong at a provider to one `ModelError`."""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Mapping, Sequence
from typing import Literal
from urllib.parse import quote, urlsplit

from carrel.codec import Json
from carrel.errors import ModelError

__all__ = ["Kind", "broken_answer", "lost_connection", "refused", "retry_after", "too_slow"]

Kind = Literal[
    "rate_limit",
    "overloaded",
    "timeout",
    "connection",
    "auth",
    "bad_request",
    "too_large",
    "content",
    "quota",
    "other",
]

MAX_MESSAGE = 2000

_RETRYABLE = frozenset({"rate_limit", "overloaded", "timeout", "connection"})

_BY_STATUS: dict[int, Kind] = {
    400: "bad_request",
    401: "auth",
    402: "quota",
    403: "auth",
    404: "bad_request",
    408: "timeout",
    409: "other",
    413: "too_large",
    422: "bad_request",
    429: "rate_limit",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}

# What a provider says of itself counts for more than the status: a stream that breaks off was
# answered with 200, and a used-up budget with the same 429 as a burst.
_BY_WORD: tuple[tuple[str, Kind], ...] = (
    (r"insufficient_quota|billing_error|credit balance is too low|per_?day", "quota"),
    (r"api_key_invalid|invalid_api_key|authentication_error|permission_error", "auth"),
    (r"context_length_exceeded|prompt is too long|request_too_large|image_too_large", "too_large"),
    (r"input token count.*exceeds|payload size exceeds|maximum context length", "too_large"),
    (r"content_policy|content_filter|image_content_policy_violation", "content"),
    (r"overloaded_error|\boverloaded\b|\bunavailable\b", "overloaded"),
    (r"rate_limit_exceeded|rate_limit_error|resource_exhausted", "rate_limit"),
    (r"timeout_error|deadline_exceeded", "timeout"),
    (r"invalid_request_error|invalid_argument|not_found_error", "bad_request"),
)

_HINTS: dict[Kind, str] = {
    "auth": "check the API key, and that it may use this model",
    "quota": "check your plan and your credit with the provider",
    "too_large": "keep fewer images or turns",
}


def refused(
    provider: str,
    *,
    status: int | None,
    headers: Mapping[str, str] | None = None,
    body: object = None,
    message: str = "",
    secrets: Sequence[str] = (),
) -> ModelError:
    """The error for a provider's own error response, or its error in the midst of a stream.

    Args:
        provider: As the person named it.
        status: Of HTTP; None where there was none.
        headers: Of the response.
        body: The parsed body; the error in it, or around it, is found.
        message: For when the body has none.
        secrets: Values that must not be in the message.
    """
    error = _inner(body)
    code = error.get("code")
    if (status is None or status < 400) and isinstance(code, int):
        # Some answer with 200, and with the real status in the error.
        status = code
    said = error.get("message")
    words = clean(said if isinstance(said, str) and said else message, secrets)
    kind = _kind(status, error, words)
    context: dict[str, object] = {"kind": kind, "provider": provider}
    if status is not None and status >= 400:
        context["status"] = status
    wait = retry_after(headers or {}, error)
    if wait is not None:
        context["retry_after"] = wait
    name = _request_id(headers or {}, body)
    if name:
        context["request"] = clean(name, secrets)
    # An answer that fails in its midst began with 200.
    server_side = status is None or status < 400 or status >= 500 or status == 409
    return ModelError(
        f"{provider}: {words or f'status {status}'}",
        op="model.send",
        hint=_hint(kind, status),
        context=context,
        retryable=kind in _RETRYABLE or (kind == "other" and server_side),
    )


def _hint(kind: Kind, status: int | None) -> str | None:
    if status == 404:
        return "check the model's name and the base URL"
    return _HINTS.get(kind)


def too_slow(provider: str, seconds: float | None = None) -> ModelError:
    """The error for an answer that did not come in time."""
    within = f" within {seconds:g} seconds" if seconds is not None else " in time"
    return _plain(provider, f"no answer{within}", "timeout")


def lost_connection(provider: str, error: BaseException, secrets: Sequence[str] = ()) -> ModelError:
    """The error for a connection that could not be made, or was cut.

    Args:
        provider: As the person named it.
        error: The SDK's; the address that was tried and the cause are found in it.
        secrets: Values that must not be in the message.
    """
    cause = error.__cause__ or error
    why = clean(str(cause), secrets) or "the connection was lost"
    where = clean(_address(error) or _address(cause), secrets)
    # By its name: the SDKs bring an httpx of their own choice.
    if type(cause).__name__ not in ("ConnectError", "ConnectTimeout"):
        return _plain(provider, f"{why} ({where})" if where else why, "connection")
    found = _plain(provider, f"nothing answers at {where or 'its address'}: {why}", "connection")
    found.hint = "is the server running, and there? --base-url URL says where else it is"
    return found


def _address(error: BaseException) -> str:
    """What was asked, without what may be secret in an address; empty when it is not known."""
    try:
        url = urlsplit(str(error.request.url))  # type: ignore[attr-defined]
    except (AttributeError, RuntimeError, ValueError):
        return ""
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"


def broken_answer(provider: str, why: str) -> ModelError:
    """The error for an answer that is none: not JSON, or not to its end."""
    error = _plain(provider, why, "other")
    # Mostly a proxy's page or a cut-off stream, and gone the next time.
    error.retryable = True
    return error


def _plain(provider: str, message: str, kind: Kind) -> ModelError:
    context = {"kind": kind, "provider": provider}
    retryable = kind in _RETRYABLE
    return ModelError(
        f"{provider}: {message}", op="model.send", context=context, retryable=retryable
    )


def clean(text: str, secrets: Sequence[str]) -> str:
    """Text without secrets, and not endless."""
    for secret in secrets:
        for form in {secret, quote(secret, safe="")} - {""}:
            text = text.replace(form, "[key]")
    return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - 1] + "…"


def _inner(body: object) -> dict[str, Json]:
    """The error object in a body: OpenAI and Gemini nest it once, Anthropic too; or it is bare."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        return {}
    inner = body.get("error")
    if isinstance(inner, str):
        return {"message": inner}
    return inner if isinstance(inner, dict) else body


def _kind(status: int | None, error: Mapping[str, Json], message: str) -> Kind:
    reasons = [str(error.get(name)) for name in ("type", "code", "status")]
    details = error.get("details")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict):
            reasons += [str(detail.get("reason")), str(detail.get("violations"))]
    text = "\n".join((*reasons, message)).lower()
    by_status = _BY_STATUS.get(status or 0)
    for pattern, kind in _BY_WORD:
        if re.search(pattern, text) and _may_say(kind, by_status):
            return kind
    return by_status or "other"


def _may_say(kind: Kind, by_status: Kind | None) -> bool:
    """Whether words may overrule a status: an error of 401 is one of the key, whatever it says."""
    if by_status is None:
        return True
    narrower: dict[Kind, tuple[Kind, ...]] = {
        "bad_request": ("quota", "auth", "too_large", "content"),
        "rate_limit": ("quota", "overloaded"),
        "auth": ("quota",),
    }
    return kind == by_status or kind in narrower.get(by_status, ())


def retry_after(headers: Mapping[str, str], error: Mapping[str, Json]) -> float | None:
    """Seconds the provider asks to wait, from its headers or from Gemini's `RetryInfo`."""
    given = {name.lower(): value for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _number(given.get(name, ""))
        if seconds is not None:
            return seconds * unit
    when = _date(given.get("retry-after", ""))
    if when is not None:
        now = _date(given.get("date", ""))
        return max(0.0, when - (time.time() if now is None else now))
    return _retry_info(error)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


def _date(text: str) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def _retry_info(error: Mapping[str, Json]) -> float | None:
    details = error.get("details")
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and delay.endswith("s"):
            return _number(delay[:-1])
    return None


def _request_id(headers: Mapping[str, str], body: object) -> str:
    given = {name.lower(): value for name, value in headers.items()}
    found = given.get("request-id") or given.get("x-request-id")
    if found is None and isinstance(body, dict):
        found = body.get("request_id")
    return str(found or "")

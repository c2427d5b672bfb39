"""How each API says no."""

from __future__ import annotations

from collections.abc import Mapping

from carrel.codec import Json
from carrel.models.dialect import Api
from carrel.testing._shape import Misfit, Path

__all__ = ["Refusal", "error_body"]


class Refusal(Exception):
    """The real API would refuse this request.

    Attributes:
        type: The error's type (OpenAI, Anthropic) or status (Gemini); the usual one when empty.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        type: str = "",  # noqa: A002 (the field's name on the wire)
        code: str = "",
        param: str = "",
        details: tuple[Mapping[str, Json], ...] = (),
    ) -> None:
        super().__init__(message)
        self.message, self.status, self.type = message, status, type
        self.code, self.param, self.details = code, param, details


_OPENAI_TYPES = {
    400: "invalid_request_error",
    401: "invalid_request_error",
    403: "invalid_request_error",
    404: "invalid_request_error",
    413: "invalid_request_error",
    429: "requests",
}
_ANTHROPIC_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_GEMINI_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


def error_body(wire: Api, refusal: Refusal, request_id: str) -> dict[str, Json]:
    """The body of an error response."""
    status, message = refusal.status, refusal.message
    if wire is Api.ANTHROPIC:
        kind = refusal.type or _ANTHROPIC_TYPES.get(status, "api_error")
        error: dict[str, Json] = {"type": kind, "message": message}
        return {"type": "error", "error": error, "request_id": request_id}
    if wire is Api.GEMINI:
        name = refusal.type or _GEMINI_STATUSES.get(status, "UNKNOWN")
        error = {"code": status, "message": message, "status": name}
        if refusal.details:
            error["details"] = [dict(item) for item in refusal.details]
        return {"error": error}
    return {
        "error": {
            "message": message,
            "type": refusal.type or _OPENAI_TYPES.get(status, "server_error"),
            "param": refusal.param or None,
            "code": refusal.code or ("rate_limit_exceeded" if status == 429 else None),
        }
    }


def openai_misfit(found: Misfit) -> Refusal:
    """OpenAI's words for a body of the wrong shape."""
    where = _brackets(found.path)
    words, code = {
        "unknown": (f"Unknown parameter: '{where}'.", "unknown_parameter"),
        "missing": (f"Missing required parameter: '{where}'.", "missing_required_parameter"),
        "type": (f"Invalid type for '{where}': expected {found.expected}.", "invalid_type"),
        "value": (
            f"Invalid value for '{where}'. Supported values are: {found.expected}.",
            "invalid_value",
        ),
    }[found.kind]
    return Refusal(words, code=code, param=where)


def anthropic_misfit(found: Misfit) -> Refusal:
    """Anthropic's words for it."""
    where = ".".join(map(str, found.path))
    if found.kind == "value" and found.path and found.path[-1] in ("type", "role"):
        where = ".".join(map(str, found.path[:-1]))
        tags = f"does not match any of the expected tags: {found.expected}"
        return Refusal(f"{where}: Input tag found using '{found.path[-1]}' {tags}")
    words = {
        "unknown": "Extra inputs are not permitted",
        "missing": "Field required",
        "type": f"Input should be {found.expected}",
        "value": f"Input should be {found.expected}",
    }[found.kind]
    return Refusal(f"{where}: {words}")


def gemini_misfit(found: Misfit) -> Refusal:
    """Gemini's words for it."""
    where, name = _brackets(found.path[:-1]), found.path[-1] if found.path else ""
    if found.kind == "unknown":
        at = f" at '{where}'" if where else ""
        words = f'Invalid JSON payload received. Unknown name "{name}"{at}: Cannot find field.'
    else:
        words = f"Invalid value at '{_brackets(found.path)}' ({found.expected or 'required'})"
    violation: Json = [{"field": where, "description": words}]
    kind = "type.googleapis.com/google.rpc.BadRequest"
    return Refusal(words, details=({"@type": kind, "fieldViolations": violation},))


def _brackets(path: Path) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")

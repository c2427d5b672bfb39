"""A bare client of a fake provider, for requests that no SDK would send."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping

import httpx2
from PIL import Image

from carrel.codec import Json
from carrel.testing import FakeProvider

PATHS = {
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "messages": "/v1/messages",
    "gemini": "/v1beta/models/gemini-3-pro:generateContent",
}


class Client:
    def __init__(self, provider: FakeProvider, wire: str) -> None:
        self.provider, self._path = provider, PATHS[wire]

    def post(
        self, body: Json, headers: Mapping[str, str] | None = None, *, key: str | None = None
    ) -> httpx2.Response:
        key = self.provider.key if key is None else key
        given = {"authorization": f"Bearer {key}"} if key else {}
        if "messages" in self._path:
            given = {"x-api-key": key} if key else {}
            given["anthropic-version"] = "2023-06-01"
        elif "models" in self._path:
            given = {"x-goog-api-key": key} if key else {}
        url = self.provider.url + self._path
        return httpx2.post(url, json=body, headers={**given, **(headers or {})}, timeout=20)

    def ask(self, body: Json, headers: Mapping[str, str] | None = None) -> dict[str, Json]:
        """An answer; the request must not be refused."""
        response = self.post(body, headers)
        assert response.status_code == 200, response.text
        found: dict[str, Json] = response.json()
        return found

    def refusal(self, body: Json, headers: Mapping[str, str] | None = None) -> str:
        """The message of a refusal; the request must be refused, and no answer be used up."""
        left = self.provider.left
        response = self.post(body, headers)
        assert response.status_code in (400, 404), response.text
        assert self.provider.left == left
        error = response.json()["error"]
        assert self.provider.seen[-1].refused == error["message"]
        return str(error["message"])


def png(width: int = 8, height: int = 8) -> str:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 60)).save(out, "png")
    return base64.b64encode(out.getvalue()).decode()


def cut_png() -> str:
    """A picture whose head is right and whose pixels are missing."""
    whole = base64.b64decode(png(64, 64))
    return base64.b64encode(whole[: len(whole) // 2]).decode()

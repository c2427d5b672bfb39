"""The floor of the agent loop: the same frames, the same requests, and nothing else.

It knows the script by heart: for each step it reads the frame, posts the body that an agent would
post (all of the conversation that is kept, with the last three pictures), reads the answer and
writes the frame and a line. No history is kept, nothing is checked and no disk is waited for.

    python _agent_floor.py '{"url": …, "wire": …, "steps": …, "frames": …, "home": …, "body": …}'
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import httpx2

PATHS = {"responses": "/responses", "messages": "/v1/messages"}


def hole(given: object, found: list[tuple[Any, Any]]) -> None:
    """Find where pictures are in a request."""
    if isinstance(given, dict | list):
        for key, value in list(given.items() if isinstance(given, dict) else enumerate(given)):
            if isinstance(value, str) and len(value) > 10_000:
                found.append((given, key))
            else:
                hole(value, found)


def run(given: dict[str, Any]) -> dict[str, object]:
    frames = sorted(Path(given["frames"]).iterdir())
    home = Path(given["home"])
    body = json.loads(Path(given["body"]).read_bytes())
    holes: list[tuple[Any, Any]] = []
    hole(body, holes)
    prefix = "data:image/png;base64," if given["wire"] == "responses" else ""
    marks: list[float] = []
    pictures: list[str] = []
    started = time.monotonic()
    with httpx2.Client() as client, (home / "lines").open("a") as lines:
        for step in range(given["steps"] + 1):
            data = frames[step % len(frames)].read_bytes()
            name = hashlib.sha256(data).hexdigest()
            (home / name).write_bytes(data)
            pictures = [*pictures[-len(holes) + 1 :], prefix + base64.b64encode(data).decode()]
            for (place, key), picture in zip(reversed(holes), reversed(pictures), strict=False):
                place[key] = picture
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
            answer = client.post(given["url"] + PATHS[given["wire"]], content=content).content
            lines.write(f"{name} {len(answer)}\n")
            lines.flush()
            marks.append(time.process_time())
    return {"marks": marks, "seconds": time.monotonic() - started}


if __name__ == "__main__":
    print("\n" + json.dumps(run(json.loads(sys.argv[1]))))

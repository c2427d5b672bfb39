"""One run of cua-agent, in its own virtual environment: the process that is measured.

python _agent_theirs.py '{"url": …, "wire": …, "steps": …, "frames": …, "home": …, "save": …}'
"""

from __future__ import annotations

import asyncio  # noqa: TID251 - what cua-agent is written for
import json
import sys
import time
from pathlib import Path
from typing import Any

from cua_agent import ComputerAgent  # type: ignore[import-not-found]

MODELS = {
    "responses": "openai/computer-use-preview",
    "messages": "anthropic/claude-sonnet-4-5-20250929",
}


async def run(given: dict[str, Any]) -> dict[str, object]:
    frames = sorted(Path(given["frames"]).iterdir())
    marks: list[float] = []

    def screenshot() -> bytes:
        return frames[len(marks) % len(frames)].read_bytes()

    def click(x: int, y: int, button: str = "left") -> None:
        marks.append(time.process_time())

    computer = {"screenshot": screenshot, "click": click, "dimensions": (1024, 768)}
    agent = ComputerAgent(
        model=MODELS[given["wire"]],
        tools=[{**computer, "environment": "linux"}],
        only_n_most_recent_images=3,
        trajectory_dir=given["home"] if given["save"] else None,
        screenshot_delay=0,
        telemetry_enabled=False,
        api_key="sk-none",
        api_base=given["url"],
    )
    started = time.monotonic()
    async for _ in agent.run("Work through the list."):
        if time.monotonic() - started > given["seconds"]:
            break
    return {"marks": marks, "seconds": time.monotonic() - started}


if __name__ == "__main__":
    print("\n" + json.dumps(asyncio.run(run(json.loads(sys.argv[1])))))

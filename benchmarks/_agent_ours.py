"""One run of `carrel.Agent`: the process that is measured.

python _agent_ours.py '{"url": …, "wire": …, "steps": …, "frames": …, "home": …}'
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import anyio

from carrel import Agent, Limits

MODELS = {
    "responses": "openai:computer-use-preview",
    "messages": "anthropic:claude-sonnet-4-5-20250929",
}


async def run(given: dict[str, Any]) -> dict[str, object]:
    frames = sorted(Path(given["frames"]).iterdir())
    marks: list[float] = []

    async def screenshot() -> bytes:
        return frames[len(marks) % len(frames)].read_bytes()

    async def click(x: int, y: int, button: str = "left") -> None:
        marks.append(time.process_time())

    agent = Agent(
        model=MODELS[given["wire"]],
        images=3,
        base_url=given["url"],
        api_key="sk-none",
        limits=Limits(steps=given["steps"] + 5),
        home=Path(given["home"]),
    )
    started = time.monotonic()
    running = agent.run("Work through the list.", {"screenshot": screenshot, "click": click})
    done = await running.result()
    if not done.is_final or done.reason != "done":
        raise SystemExit(f"benchmarks: the run ended with {done.reason}: {done.message}")
    return {"marks": marks, "seconds": time.monotonic() - started}


if __name__ == "__main__":
    print("\n" + json.dumps(anyio.run(run, json.loads(sys.argv[1]))))

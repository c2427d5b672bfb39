"""Runs the task with a model by its name, to be killed: `python wired_run.py HOME MACHINE MODEL`.

The model's address and key are in the environment.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import anyio

from carrel.agent.agent import Agent

ADDRESS, KEY = "WIRED_RUN_URL", "WIRED_RUN_KEY"


async def main() -> None:
    home, machine, model = sys.argv[1:]
    url, key = os.environ[ADDRESS], os.environ[KEY]
    agent = Agent(model=model, base_url=url, api_key=key, home=Path(home), settle=0.05)
    await agent.run("Press some buttons", machine).result()


if __name__ == "__main__":
    anyio.run(main)

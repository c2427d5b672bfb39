"""A browser that was just started on a desk."""

from __future__ import annotations

import anyio

from carrel.browser.cdp import first_page
from carrel.browser.targets import Target, list_targets
from carrel.computer import Computer
from carrel.errors import CarrelError, MachineLost, NotFound, RunError, TimedOut, Unavailable

__all__ = ["first_page_of"]


async def first_page_of(computer: Computer, port: int, within: float) -> Target:
    """The page that the browser with that debugging port shows, as soon as it shows one.

    Raises:
        TimedOut: It does not start within so many seconds.
        MachineLost: The desk is gone.
    """
    fault: CarrelError | None = None
    with anyio.move_on_after(within):
        while True:
            try:
                return first_page(await list_targets(computer.dial, port))
            except (Unavailable, NotFound, RunError) as error:
                if isinstance(error, MachineLost):
                    raise
                fault = error
            await anyio.sleep(0.05)
    raise TimedOut(f"the desk's browser did not start: {fault}")

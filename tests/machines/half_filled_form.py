"""A desk whose browser shows a half-filled form, copied while it lives."""

from __future__ import annotations

import anyio
from engine_desks import said

from carrel.computer import Computer
from carrel.machines.lifecycle import Machines
from carrel.machines.state import State

PAGE = """<title>Form</title><form>Name <input id="name" autofocus size="60"></form>
<script>
document.querySelector("#name").oninput = event => document.title = "Form " + event.target.value
</script>"""
COPIES = tuple(f"copy-{number}" for number in range(1, 5))


async def title(computer: Computer) -> str:
    return " ".join(window.title for window in await computer.windows() if "Form" in window.title)


async def fill_in_half(made: Machines, patience: float) -> str:
    """Open the form on `desk` and type a word into it; what the window is called then.

    Args:
        made: The machines.
        patience: Seconds after which a key that shows no effect has had none.
    """
    async with made.computer("desk") as computer:
        await computer.write_file("form.html", PAGE)
        await computer.open("chromium", "/home/agent/form.html")
        while not await title(computer):  # noqa: ASYNC110 - a browser that starts
            await anyio.sleep(0.2)
        while "half" not in await title(computer):
            await computer.type("half ")
            with anyio.move_on_after(patience):
                while "half" not in await title(computer):  # noqa: ASYNC110 - it is drawn
                    await anyio.sleep(0.2)
        found = await title(computer)
        while True:
            await anyio.sleep(patience)
            before, found = found, await title(computer)
            if found == before:
                return found


async def fork_and_go_on(made: Machines, before: str, seconds: float) -> None:
    """Make four copies; each goes on from there for itself, and what one does no other sees."""
    forked = await made.fork("desk", COPIES)
    assert [standing.observed.state for standing in forked] == [State.RUNNING] * len(COPIES)
    for name in COPIES:
        async with made.computer(name) as computer:
            assert await title(computer) == before
            await computer.type(name)
            await computer.write_file("mine", name)
    seen = {}
    for name in ("desk", *COPIES):
        async with made.computer(name) as computer:
            with anyio.fail_after(seconds):
                while name != "desk" and name not in await title(computer):  # noqa: ASYNC110
                    await anyio.sleep(0.1)
            seen[name] = await title(computer)
    assert seen["desk"] == before
    for name in COPIES:
        assert name in seen[name]
        assert not any(other in seen[name] for other in COPIES if other != name)
        assert await said(made, name, "cat mine") == name
    assert await said(made, "desk", "ls mine 2>/dev/null || echo none") == "none\n"
    for own in ("cat /etc/machine-id", "head -c 16 /dev/urandom | od -x"):
        assert len({await said(made, name, own) for name in seen}) == len(seen), own

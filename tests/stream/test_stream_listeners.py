"""A listener leaves alone what is not its own."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from carrel.stream import listen_inherited

pytestmark = pytest.mark.anyio


async def test_an_inherited_socket_is_not_removed_by_the_heir(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parents, heirs = tmp_path / "parent", tmp_path / "heir"
    parents.mkdir()
    heirs.mkdir()
    monkeypatch.chdir(parents)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("guest.sock")
        made.listen()
        inherited = made.dup()
    monkeypatch.chdir(heirs)
    (heirs / "guest.sock").write_text("somebody else's")
    async with listen_inherited(inherited.detach()) as listener:
        assert listener.address == "guest.sock"
    assert (heirs / "guest.sock").read_text() == "somebody else's"
    assert (parents / "guest.sock").exists()

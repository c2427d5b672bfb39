"""Where a machine's MCP servers are published."""

from __future__ import annotations

import importlib.util
import socket
from pathlib import Path

import pytest

from carrel.errors import Unavailable
from carrel.machines.apps import App
from carrel.machines.spec import Machine, MachineSpec
from carrel.mcp.endpoint import endpoint, listen, read_token, require_sdk, token_file

FILES = App("files", ("serve",), "~", 0.0, kind="mcp-stdio")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine("mac_1", "desk", MachineSpec(), tmp_path, 0.0)


def test_the_token_is_made_once_and_is_its_owners_alone(machine: Machine) -> None:
    token = read_token(machine)
    assert len(token) >= 43
    assert read_token(machine) == token
    assert token_file(machine).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in machine.directory.iterdir()] == ["mcp.token"]


def test_the_place_stays_the_same(machine: Machine) -> None:
    assert endpoint(machine, FILES) is None
    with listen(machine) as first:
        address = first.getsockname()
    assert address[0] == "127.0.0.1"
    with listen(machine) as second:
        assert second.getsockname() == address
        found = endpoint(machine, FILES)
        assert found is not None
        assert found.url == f"http://127.0.0.1:{address[1]}/files/mcp"
        assert found.headers == {"Authorization": f"Bearer {read_token(machine)}"}


def test_where_another_took_the_place_there_is_a_new_one(machine: Machine) -> None:
    with listen(machine) as first:
        port = first.getsockname()[1]
    with socket.create_server(("127.0.0.1", port)), listen(machine) as second:
        other = second.getsockname()[1]
        assert other != port
        found = endpoint(machine, FILES)
        assert found is not None
        assert f":{other}/" in found.url


def test_a_damaged_record_of_the_place_is_replaced(machine: Machine) -> None:
    (machine.directory / "mcp.json").write_text("{")
    assert endpoint(machine, FILES) is None
    with listen(machine):
        assert endpoint(machine, FILES) is not None


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    require_sdk()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match="needs the MCP SDK") as caught:
        require_sdk()
    assert "carrel[mcp]" in str(caught.value.hint)

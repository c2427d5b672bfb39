"""Copying out of a machine that lies."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from carrel.computer.client import Computer
from carrel.computer.link import Link
from carrel.computer.transfer import download
from carrel.errors import ProtocolError

pytestmark = pytest.mark.anyio


class Liar:
    """A machine that says of every file what it likes."""

    def __init__(self, **facts: object) -> None:
        self.facts = facts

    async def stat_file(self, path: str) -> dict[str, object]:
        return self.facts


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/cron.d/mine", "..", ".", "", "a/b", "a\0b", None, 7, ["x"]]
)
@pytest.mark.parametrize("kind", ["file", "directory"])
async def test_a_name_that_leads_out_of_the_target_is_refused(
    tmp_path: Path, name: object, kind: str
) -> None:
    target = tmp_path / "target"
    target.mkdir()
    computer = cast(Computer, Liar(name=name, kind=kind))
    with pytest.raises(ProtocolError, match="no name"):
        await download(cast(Link, None), computer, "report.txt", target)
    assert list(tmp_path.iterdir()) == [target]

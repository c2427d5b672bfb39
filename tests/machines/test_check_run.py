"""What becomes of a check that cannot be carried out."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from carrel.errors import TimedOut
from carrel.machines.check import walls
from carrel.machines.check.run import _run
from carrel.machines.check.subject import Check, Subject
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import get_provider
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store

pytestmark = pytest.mark.anyio


async def beside_a_server(subject: Subject) -> None:
    async with walls._host_server():
        raise TimedOut("the machine did not answer")


async def test_a_check_that_ends_beside_a_server_of_ours_is_failed_with_its_reason(
    tmp_path: Path,
) -> None:
    subject = Subject(get_provider("namespace"), Machines(Store(tmp_path)), MachineSpec())
    with anyio.fail_after(20):
        result = await _run(Check("x", "it answers", beside_a_server), subject)
    assert result.outcome == "failed"
    assert "the machine did not answer" in result.detail

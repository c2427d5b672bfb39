"""Machines whose disk is a layer on their image's."""

from __future__ import annotations

from pathlib import Path

import pytest
from walls import make_machine

from carrel.machines.firecracker.place import Place as FirecrackerPlace
from carrel.machines.layered import Layered
from carrel.machines.qemu.command import Place as QemuPlace


@pytest.mark.parametrize("place", [Layered, FirecrackerPlace, QemuPlace])
def test_a_layer_keeps_to_the_disk_it_was_made_on(tmp_path: Path, place: type[Layered]) -> None:
    machine = make_machine(tmp_path)
    machine.directory.mkdir(parents=True)
    with pytest.raises(FileNotFoundError):
        place(machine).base  # noqa: B018
    for disk in (tmp_path / "old/disk.ext4", tmp_path / "new/disk.ext4"):
        place(machine).rest_on(disk)
        # Of another process, too; and also when the image is gone by now.
        assert place(machine).base == disk
    assert [path.name for path in machine.directory.iterdir()] == ["base.ext4"]

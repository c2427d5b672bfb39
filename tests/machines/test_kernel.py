"""Which modules of a kernel a virtual machine gets, and in which order it loads them."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from carrel.errors import Unavailable
from carrel.machines.qemu.kernel import _content, _in_order, _modules, _require


def module(place: Path, name: str, *needs: str) -> tuple[str, Path]:
    path = place / f"{name}.ko"
    path.write_bytes(b"\x7fELF\0license=GPL\0depends=" + ",".join(needs).encode() + b"\0name=x\0")
    return name.replace("-", "_"), path


def test_a_module_comes_behind_all_that_it_says_it_needs(tmp_path: Path) -> None:
    modules = dict(
        [
            module(tmp_path, "virtio", "virtio_ring"),
            module(tmp_path, "virtio_ring"),
            module(tmp_path, "virtio_mmio", "virtio", "virtio_ring"),
            module(tmp_path, "virtio-rng", "virtio", "rng-core"),
            module(tmp_path, "rng-core"),
            module(tmp_path, "unrelated"),
        ]
    )
    assert _in_order(["virtio_mmio", "virtio-rng", "virtio_console"], modules) == [
        "virtio_ring",
        "virtio",
        "virtio_mmio",
        "rng_core",
        "virtio_rng",
    ]
    # As it was the other way round in kernels before.
    modules |= [module(tmp_path, "virtio"), module(tmp_path, "virtio_ring", "virtio")]
    assert _in_order(["virtio_mmio"], modules) == ["virtio", "virtio_ring", "virtio_mmio"]


def test_what_the_kernel_has_built_in_is_left_out(tmp_path: Path) -> None:
    assert _in_order(["overlay", "virtio_net"], dict([module(tmp_path, "overlay")])) == ["overlay"]


def test_modules_are_found_packed_or_not(tmp_path: Path) -> None:
    module(tmp_path, "virtio_ring")
    _, path = module(tmp_path, "virtio-rng", "virtio_ring")
    packed = path.with_name("virtio-rng.ko.xz")
    packed.write_bytes(lzma.compress(path.read_bytes()))
    plain = path.read_bytes()
    path.unlink()
    modules = _modules(tmp_path)
    assert _in_order(["virtio_rng"], modules) == ["virtio_ring", "virtio_rng"]
    assert _content(modules["virtio_rng"]) == plain


def test_a_kernel_without_what_a_machine_needs_is_refused(tmp_path: Path) -> None:
    module(tmp_path, "virtio_blk")
    (tmp_path / "modules.builtin").write_text("kernel/drivers/char/hw_random/virtio-rng.ko\n")
    modules = _modules(tmp_path)
    _require(["virtio_blk", "virtio-rng"], modules, tmp_path)
    with pytest.raises(Unavailable, match="virtio_console"):
        _require(["virtio_blk", "virtio_console"], modules, tmp_path)

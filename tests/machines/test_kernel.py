"""Which modules of a kernel a virtual machine gets, and in which order it loads them."""

from __future__ import annotations

from pathlib import Path

from carrel.machines.qemu.kernel import _in_order


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

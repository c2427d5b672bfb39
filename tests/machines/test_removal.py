"""Removing a machine's files, whatever its agent made of them."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from carrel.machines.removal import remove_tree

DEPTH = 3000
"""More than Python recurses, a process may open, or a path may be long."""


def _dig(top: Path, depth: int) -> None:
    here = os.open(top, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("leaf", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


def test_a_tree_deeper_than_any_path_is_removed(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "home").mkdir(parents=True)
    _dig(tree / "home", DEPTH)
    remove_tree(tree)
    assert not tree.exists()


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("mine")
    tree = tmp_path / "tree"
    (tree / "home" / "folder").mkdir(parents=True)
    (tree / "home" / "link").symlink_to(kept)
    (tree / "home" / "folder" / "link").symlink_to(kept)
    (tree / "link").symlink_to(kept / "file")
    remove_tree(tree)
    assert not tree.exists()
    assert (kept / "file").read_text() == "mine"


def test_a_link_in_place_of_the_tree_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (kept / "folder").mkdir(parents=True)
    (tmp_path / "tree").symlink_to(kept)
    with pytest.raises(OSError, match="directory"):
        remove_tree(tmp_path / "tree")
    assert (kept / "folder").is_dir()


def test_folders_without_rights_are_removed(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "disk" / "work").mkdir(parents=True)
    (tree / "disk" / "work" / "file").touch()
    (tree / "disk" / "work").chmod(0)
    (tree / "disk").chmod(0)
    remove_tree(tree)
    assert not tree.exists()


def test_what_is_gone_already_is_no_error(tmp_path: Path) -> None:
    remove_tree(tmp_path / "nothing")


def test_two_who_remove_the_same_tree_do_not_fail(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for outer in range(40):
        for inner in range(10):
            (tree / f"{outer}" / f"{inner}").mkdir(parents=True)
            (tree / f"{outer}" / f"{inner}" / "file").touch()
    failures: list[OSError] = []

    def work() -> None:
        try:
            remove_tree(tree)
        except OSError as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert not failures
    assert not tree.exists()

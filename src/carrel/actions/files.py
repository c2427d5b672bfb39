"""Files inside the machine."""

from __future__ import annotations

from dataclasses import dataclass

from carrel.actions._base import MAX_TEXT, Action, EffectClass, check_path

__all__ = [
    "AppendFile",
    "DeleteFile",
    "ListFiles",
    "MakeDirectory",
    "MoveFile",
    "ReadFile",
    "StatFile",
    "WriteFile",
]


@dataclass(frozen=True, slots=True)
class _FileAction(Action):
    path: str

    def _check(self) -> None:
        check_path(self.path)

    @property
    def target(self) -> str:
        """The path."""
        return self.path


@dataclass(frozen=True, slots=True)
class ReadFile(_FileAction):
    """Read a text file: data `{text, size, truncated}`.

    For bytes and large files use `Computer.read_bytes`.
    """

    type = "read_file"
    effect = EffectClass.OBSERVE
    limit: int = MAX_TEXT


@dataclass(frozen=True, slots=True)
class WriteFile(_FileAction):
    """Write a text file in one step: readers see the old content or the new, never a part."""

    type = "write_file"
    effect = EffectClass.WRITE
    text: str = ""


@dataclass(frozen=True, slots=True)
class AppendFile(_FileAction):
    """Add text to the end of a file."""

    type = "append_file"
    effect = EffectClass.WRITE
    text: str = ""


@dataclass(frozen=True, slots=True)
class ListFiles(_FileAction):
    """List a directory: data `{entries: [{name, kind, size, mode, modified}]}`."""

    type = "list_files"
    effect = EffectClass.OBSERVE


@dataclass(frozen=True, slots=True)
class StatFile(_FileAction):
    """Describe a file: data `{name, kind, size, mode, modified, owner}`."""

    type = "stat_file"
    effect = EffectClass.OBSERVE


@dataclass(frozen=True, slots=True)
class MakeDirectory(_FileAction):
    """Make a directory and its parents."""

    type = "make_directory"
    effect = EffectClass.WRITE


@dataclass(frozen=True, slots=True)
class MoveFile(_FileAction):
    """Rename a file or directory."""

    type = "move_file"
    effect = EffectClass.WRITE
    to: str = ""

    def _check(self) -> None:
        super(MoveFile, self)._check()  # slots leave the short form no class to find
        check_path(self.to)


@dataclass(frozen=True, slots=True)
class DeleteFile(_FileAction):
    """Delete a file, or a directory with all it holds when `recursive`."""

    type = "delete_file"
    effect = EffectClass.WRITE
    recursive: bool = False

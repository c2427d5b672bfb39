from __future__ import annotations

import json

import pytest

from carrel import errors
from carrel.errors import CarrelError, error_from_wire

CLASSES = [getattr(errors, name) for name in errors.__all__ if name != "error_from_wire"]


@pytest.mark.parametrize("cls", CLASSES)
def test_every_error_crosses_the_wire_as_itself(cls: type[CarrelError]) -> None:
    sent = cls("broken", op="a.b", hint="fix it", context={"n": 1}, retryable=True)
    got = error_from_wire(json.loads(json.dumps(sent.to_wire())))
    assert type(got) is cls
    assert got.to_wire() == sent.to_wire()


def test_codes_are_unique() -> None:
    codes = [cls.code for cls in CLASSES]
    assert len(set(codes)) == len(codes)


def test_the_exit_status_follows_the_family() -> None:
    assert errors.InvalidInput("x").exit_status == 2
    assert errors.Unsupported("x").exit_status == 3
    assert errors.TimedOut("x").exit_status == 1


def test_an_unknown_code_is_still_an_error() -> None:
    assert isinstance(error_from_wire({"code": "future", "message": "m"}), errors.RunError)
    assert error_from_wire({}).message == "unknown error"

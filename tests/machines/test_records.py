from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.records import Unreadable, encode_wish, is_id, read_row
from carrel.machines.spec import Machine, MachineSpec

HOME = Path("/machines")
ID = "mac_" + "0" * 26

specs = st.builds(
    MachineSpec,
    provider=st.sampled_from(["namespace", "docker", "acme"]),
    size=st.builds(Size, st.integers(64, 7680), st.integers(64, 4320)),
    memory_mb=st.integers(64, 1 << 20),
    env=st.dictionaries(st.text("ABC", min_size=1), st.text(st.characters(codec="utf-8"))),
    volumes=st.sampled_from([(), ("data:/srv",), ("a:/a", "b:/b")]),
    restart=st.sampled_from(["never", "always"]),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


def read(text: str, identity: str = ID, name: str = "desk") -> Machine | Unreadable:
    return read_row((identity, name, text, 1.0), HOME)


@given(specs)
def test_what_is_written_is_read(spec: MachineSpec) -> None:
    assert read(encode_wish(spec)) == Machine(ID, "desk", spec, HOME / ID, 1.0)


@given(
    st.text()
    | st.dictionaries(
        st.sampled_from(["provider", "image", "volumes", "memory_mb", "network", "new"]),
        json_values,
    ).map(json.dumps)
)
def test_whatever_is_written_is_read_or_told(text: str) -> None:
    found = read(text)
    if isinstance(found, Unreadable):
        assert found.cause
        assert found.text == text
        found = found.machine
    assert (found.id, found.name, found.directory) == (ID, "desk", HOME / ID)


@given(st.text() | st.just("../../etc") | st.just(ID + "/.."))
def test_no_path_is_made_of_what_is_no_id(identity: str) -> None:
    found = read("{}", identity)
    if is_id(identity):
        assert isinstance(found, Machine)
    else:
        assert isinstance(found, Unreadable)
        assert found.machine.directory == HOME / ".unknown"
        # Nor is an engine asked about it.
        assert found.machine.spec.provider == "unknown"


def test_new_ids_are_ids() -> None:
    assert is_id(new_id("mac"))
    assert not is_id(new_id("run"))


@pytest.mark.parametrize(
    ("text", "provider"),
    [
        ('{"memory_mb": "much"}', "namespace"),
        ('{"memory_mb": "much", "provider": "docker"}', "docker"),
        ('{"provider": 7}', "unknown"),
        ("{", "unknown"),
        ("[]", "unknown"),
        ("[" * 100_000, "unknown"),
    ],
)
def test_of_a_damaged_record_the_provider_is_kept(text: str, provider: str) -> None:
    found = read(text)
    assert isinstance(found, Unreadable)
    assert found.machine.spec.provider == provider
    assert "carrel delete -f desk" in found.hint


def test_a_name_is_looked_for_as_a_whole_word() -> None:
    found = read('{"volumes": ["data:/srv", 7]}')
    assert isinstance(found, Unreadable)
    assert found.mentions("data")
    assert not found.mentions("dat")
    assert not found.mentions("srv-data")

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jeepney import DBusAddress, new_error, new_method_call, new_method_return
from jeepney.low_level import HeaderFields, MessageType, Parser

from carrel.guest._wire import Reply, Splitter, pack_call

NAMES = st.from_regex(r"[a-zA-Z_]{1,40}", fullmatch=True)
PATHS = st.builds(lambda parts: "/" + "/".join(parts), st.lists(NAMES, min_size=1, max_size=6))
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
BODIES = st.one_of(
    st.just(("", ())),
    st.tuples(st.just("u"), st.tuples(st.integers(0, 2**32 - 1))),
    st.tuples(st.just("ii"), st.tuples(*[st.integers(-(2**31), 2**31 - 1)] * 2)),
    st.tuples(st.just("ss"), st.tuples(TEXTS, TEXTS)),
    st.tuples(st.just("a(so)"), st.tuples(st.lists(st.tuples(TEXTS, PATHS)))),
    st.tuples(st.just("v"), st.tuples(st.tuples(st.just("s"), TEXTS))),
    st.tuples(st.just("(iiii)"), st.tuples(st.tuples(*[st.integers(-9, 9)] * 4))),
)
CALL = new_method_call(DBusAddress("/a", "b.c", "d.e"), "F")


@given(st.integers(1, 2**32 - 1), NAMES, PATHS, NAMES, NAMES, TEXTS, TEXTS)
def test_calls_are_read_by_jeepney_as_meant(
    serial: int, name: str, path: str, interface: str, member: str, first: str, second: str
) -> None:
    parser = Parser()
    parser.add_data(pack_call(serial, name, path, interface, member, "ss", (first, second)))
    parser.add_data(pack_call(serial, name, path, interface, member))
    full, empty = parser.get_next_message(), parser.get_next_message()
    for message, body in ((full, (first, second)), (empty, ())):
        fields = message.header.fields
        assert message.header.message_type is MessageType.method_call
        assert (message.header.serial, message.body) == (serial, body)
        assert fields[HeaderFields.path] == path
        assert fields[HeaderFields.destination] == name
        assert fields[HeaderFields.interface] == interface
        assert fields[HeaderFields.member] == member


@given(st.lists(st.tuples(BODIES, st.booleans()), max_size=6), st.integers(1, 40))
def test_replies_of_jeepney_are_cut_out_of_any_pieces(
    replies: list[tuple[tuple[str, tuple[object, ...]], bool]], step: int
) -> None:
    stream, expected = b"", []
    for serial, ((signature, body), good) in enumerate(replies, 1):
        CALL.header.serial = serial
        if good:
            message = new_method_return(CALL, signature or None, body)
        else:
            message = new_error(CALL, "a.b.Error", "s", ("no",))
        stream += message.serialise(serial=serial + 100)
        expected.append(Reply(serial, body if good else None))
    splitter = Splitter()
    found = []
    for at in range(0, len(stream), step):
        found += list(splitter.feed(stream[at : at + step]))
    assert found == expected


@given(st.binary(min_size=16, max_size=400))
def test_garbage_is_refused_or_waited_for_but_never_believed(data: bytes) -> None:
    splitter = Splitter()
    try:
        list(splitter.feed(data))
    except ConnectionError:
        return
    assert data[0] in b"lB"


def test_a_message_that_claims_to_be_huge_ends_the_connection() -> None:
    with pytest.raises(ConnectionError, match="too long"):
        list(Splitter().feed(b"l\x02\x00\x01" + b"\xff\xff\xff\x7f" + bytes(4) + bytes(4)))

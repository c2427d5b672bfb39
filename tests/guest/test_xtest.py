from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
from clients import event_log
from Xlib import X, Xatom
from Xlib.display import Display

from carrel.errors import MachineLost
from carrel.guest._xtest import FakeInput, Seen
from carrel.guest.display import open_display, x_errors

pytestmark = pytest.mark.desktop


@pytest.fixture
def display(x_display: str) -> Iterator[Display]:
    display = open_display(x_display)
    yield display
    display.close()


def test_what_is_queued_has_happened_when_it_is_looked_at(display: Display) -> None:
    fake = FakeInput(display)
    fake.motion(321, 123)
    fake.button(1, True)
    assert fake.look() == Seen(321, 123, X.Button1Mask)
    fake.button(1, False)
    assert fake.look() == Seen(321, 123, 0)
    asked = display.screen().root.query_pointer()
    assert (asked.root_x, asked.root_y) == (321, 123)


def test_requests_of_python_xlib_stay_in_order_with_ours(display: Display) -> None:
    fake, root = FakeInput(display), display.screen().root
    for turn in range(300):
        root.warp_pointer(10 + turn, 20)
        assert fake.look()[:2] == (10 + turn, 20)
        fake.motion(20, 10 + turn)
        seen = root.query_pointer()
        assert (seen.root_x, seen.root_y) == (20, 10 + turn)


def test_serial_numbers_survive_their_turnover(display: Display) -> None:
    fake = FakeInput(display)
    for turn in range(1100):
        for _ in range(60):
            fake.motion(5, 5)
        fake.motion(turn % 700, 7)
        assert fake.look()[:2] == (turn % 700, 7)


def test_events_that_come_with_the_answer_are_kept(display: Display) -> None:
    fake, root = FakeInput(display), display.screen().root
    root.change_attributes(event_mask=X.PropertyChangeMask)
    atom = display.intern_atom("_CARREL_TEST")
    for value in range(3):
        root.change_property(atom, Xatom.STRING, 8, b"%d" % value)
    fake.look()
    assert [display.next_event().type for _ in range(3)] == [X.PropertyNotify] * 3


def test_a_key_goes_down_and_up(x_display: str, display: Display) -> None:
    fake = FakeInput(display)
    with event_log(x_display):
        fake.key(38, True)
        fake.look()
        assert display.query_keymap()[38 // 8] & 1 << 38 % 8
        fake.key(38, False)
        fake.look()
        assert not display.query_keymap()[38 // 8] & 1 << 38 % 8


def test_a_dead_server_is_noticed_and_stays_dead(
    x_server_process: tuple[str, subprocess.Popen[bytes]],
) -> None:
    name, server = x_server_process
    display = open_display(name)
    fake = FakeInput(display)
    server.kill()
    server.wait()
    for _ in range(2):
        with pytest.raises(MachineLost, match="display server is gone"), x_errors():
            fake.look()

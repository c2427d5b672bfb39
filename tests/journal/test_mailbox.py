"""Telling a run something from another process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from carrel.errors import InvalidInput, NotFound, Unavailable
from carrel.journal import Mailbox
from synthetic_run import make_run


def test_messages_are_taken_once_in_the_order_they_came(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=2)
    box = Mailbox(run, tmp_path)
    assert box.take() == []
    sent = [
        box.post("pause"),
        box.post("steer", {"text": "größer, </b>\n"}),
        box.post("answer", {"ask": "ask_1", "choice": "yes"}),
        *(box.post("steer", {"number": number}) for number in range(50)),
    ]
    assert box.take() == sent
    assert box.take() == []


def test_a_message_stays_until_it_is_removed_when_only_looked_at(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=2)
    box = Mailbox(run, tmp_path)
    message = box.post("cancel")
    assert box.peek() == box.peek() == [message]
    box.remove(message)
    box.remove(message)
    assert box.peek() == []


def test_a_message_is_found_in_a_mailbox_known_to_be_empty_for_long(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=2)
    box, sender = Mailbox(run, tmp_path), Mailbox(run, tmp_path)
    sender.remove(sender.post("pause"))
    long_ago = time.time() - 60
    os.utime(box.directory, (long_ago, long_ago))
    assert box.peek() == box.peek() == []
    sent = sender.post("cancel")
    assert box.peek() == box.peek() == [sent]
    box.remove(sent)
    assert box.peek() == []


def test_other_processes_post_and_nothing_is_lost(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=2)
    code = (
        "import sys\nfrom pathlib import Path\nfrom carrel.journal import Mailbox\n"
        "box = Mailbox(sys.argv[2], Path(sys.argv[1]))\n"
        "for number in range(40): box.post('steer', {'from': sys.argv[3], 'number': number})\n"
    )
    senders = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), run, name]) for name in "abc"
    ]
    box = Mailbox(run, tmp_path)
    taken = []
    while any(sender.poll() is None for sender in senders):
        taken += box.take()
    taken += box.take()
    for name in "abc":
        numbers = [message.data["number"] for message in taken if message.data["from"] == name]
        assert numbers == list(range(40))


def test_what_is_no_message_is_put_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = make_run(tmp_path, 1, stop_after=2)
    box = Mailbox(run, tmp_path)
    for name, content in {
        "1.json": "garbage",
        "2.json": '{"kind": "explode"}',
        "3.json": "[]",
    }.items():
        (box.directory / name).write_text(content)
    (box.directory / ".half.json.1").write_text("{")
    good = box.post("resume")
    assert box.take() == [good]
    assert box.take() == []
    assert caplog.text.count("is not a message") == 3


def test_a_message_must_be_one_there_is(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=2)
    box = Mailbox(run, tmp_path)
    with pytest.raises(InvalidInput, match="there is no message"):
        box.post("explode")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="no JSON form"):
        box.post("steer", {"text": float("nan")})
    with pytest.raises(NotFound):
        Mailbox("run_none", tmp_path)


def test_a_mailbox_that_cannot_be_written_is_a_typed_error(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1, stop_after=2)
    box = Mailbox(run, tmp_path)
    box.directory.rmdir()
    box.directory.write_text("in the way")
    with pytest.raises(Unavailable):
        box.post("pause")

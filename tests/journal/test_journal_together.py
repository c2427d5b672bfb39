"""Several processes around one run: a writer that dies early, readers, a full disk."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from carrel.journal import Journal, Mailbox, Reader, Runs, read_events
from carrel.journal.verify import verify

WRITER = Path(__file__).with_name("journal_writer.py")


def test_a_reader_beside_a_writer_sees_whole_events_in_order(tmp_path: Path) -> None:
    command = [sys.executable, str(WRITER), str(tmp_path), "run_1", "create"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        reader = Reader("run_1", tmp_path)
        seen: list[int] = []
        rounds = 0
        while len(seen) < 300:
            seen += [event.seq for event in reader.read()]
            rounds += 1
            assert verify("run_1", tmp_path).ok
        writer.kill()
    assert seen == list(range(len(seen)))
    assert rounds > 1


def test_a_writer_killed_while_it_begins_leaves_a_run_or_none(tmp_path: Path) -> None:
    chance = random.Random(3)
    code = (
        "import sys\nfrom pathlib import Path\nfrom carrel.journal import Journal\n"
        "import carrel.journal.journal, carrel.journal.redact\n"
        "print('ready', flush=True)\nsys.stdin.readline()\n"
        "for number in range(1000):\n"
        "    with Journal.create(f'run_{number}', home=Path(sys.argv[1])) as journal:\n"
        "        journal.append('run.started', {'task': 'x' * 3000})\n"
    )
    for number in range(12):
        home = tmp_path / str(number)
        with subprocess.Popen(
            [sys.executable, "-c", code, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdin is not None
            assert writer.stdout is not None
            writer.stdout.readline()
            writer.stdin.write(b"go\n")
            writer.stdin.flush()
            time.sleep(chance.random() * 0.05)
            writer.kill()
        for run in Runs(home).ids():
            assert verify(run, home).ok
        for path in home.glob("runs/*/journal.jsonl"):
            with Journal.open(path.parent.name, home=home) as journal:
                kind = "run.started" if journal.seq < 0 else "note"
                journal.append(kind, {})
            assert verify(path.parent.name, home).ok


def test_a_poster_that_is_killed_leaves_whole_messages(tmp_path: Path) -> None:
    Journal.create("run_1", home=tmp_path).close()
    code = (
        "import sys\nfrom pathlib import Path\nfrom carrel.journal import Mailbox\n"
        "box = Mailbox('run_1', Path(sys.argv[1]))\n"
        "for number in range(100000):\n"
        "    box.post('steer', {'text': 'x' * 5000, 'number': number})\n"
        "    print(number, flush=True)\n"
    )
    box = Mailbox("run_1", tmp_path)
    for _ in range(5):
        command = [sys.executable, "-c", code, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as poster:
            assert poster.stdout is not None
            said = poster.stdout.readline()
            poster.kill()
            said += poster.stdout.read()
        acknowledged = said.count(b"\n")
        taken = box.take()
        assert [message.data["number"] for message in taken] == list(range(len(taken)))
        assert acknowledged <= len(taken) <= acknowledged + 1
        assert all(len(str(message.data["text"])) == 5000 for message in taken)


FULL = """
import sys
from pathlib import Path
from carrel.errors import Unavailable
from carrel.journal import Journal, Mailbox
from carrel.journal.verify import verify
home = Path(sys.argv[1])
journal = Journal.create("run_1", home=home)
journal.append("run.started", {})
(home / "filler").write_bytes(bytes(150_000))
written = 0
try:
    for _ in range(2000):
        journal.append("note", {"text": "x" * 500})
        written += 1
except Unavailable as error:
    assert error.context["errno"] == 28, error
assert 0 < written < 2000
for act in (lambda: journal.put_blob(bytes(100_000)), lambda: Mailbox("run_1", home).post("pause")):
    try:
        act()
    except Unavailable:
        pass
    else:
        raise AssertionError("there was room")
assert verify("run_1", home).ok
(home / "filler").unlink()
journal.append("note", {"text": "room again"})
journal.append("run.finished", {"status": "failed"})
found = verify("run_1", home)
assert found.ok and found.events == written + 3, found
print("all well")
"""


@pytest.mark.namespace
def test_a_disk_that_really_is_full_loses_nothing_and_is_used_again(tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o size=256k none "$1" && exec "$2" -c "$3" "$1"'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, "sh", str(tmp_path), sys.executable, FULL],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "all well\n", done.stderr


def test_two_processes_never_both_get_to_write(tmp_path: Path) -> None:
    Journal.create("run_1", home=tmp_path).close()
    code = (
        "import sys\nfrom pathlib import Path\nfrom carrel.errors import WrongState\n"
        "from carrel.journal import Journal\n"
        "won = 0\n"
        "for _ in range(60):\n"
        "    try:\n"
        "        with Journal.open('run_1', home=Path(sys.argv[1])) as journal:\n"
        "            journal.append('run.started' if journal.seq < 0 else 'note', {})\n"
        "            won += 1\n"
        "    except WrongState: pass\n"
        "print(won)\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    won = sum(int(writer.communicate(timeout=60)[0]) for writer in writers)
    assert len(list(read_events("run_1", tmp_path))) == won > 0
    assert verify("run_1", tmp_path).ok

"""A program that writes a journal as fast as it can, and says which events are durable.

journal_writer.py HOME RUN create|open
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from carrel.journal import Journal


def main() -> None:
    home, run, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    journal = Journal.create(run, home=home) if how == "create" else Journal.open(run, home=home)
    if journal.seq < 0:
        journal.append("run.started", {"task": "be killed"})
    else:
        journal.append("run.status", {"status": "running", "reason": "resumed"})
    number = 0
    while True:
        number += 1
        # Every size: some lines fit a page, some take several writes of the disk.
        filler = "x" * ((number * 7919) % 9000)
        blob = journal.put_blob(f"{os.getpid()}/{number}/{filler}".encode())
        event = journal.append("frame", {"step": number, "frame": blob, "text": filler}, (blob,))
        os.write(1, f"{event.seq}\n".encode())


if __name__ == "__main__":
    main()

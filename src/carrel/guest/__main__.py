"""`python3 -m carrel.guest`: the program inside the machine.

Its X server takes as long to start as the rest takes to load, so it is started before that.
"""

from __future__ import annotations

import sys

from carrel.guest import server_start
from carrel.guest.first import become_first
from carrel.guest.without_tls import do_without_tls

__all__ = ["FIRST", "main"]

FIRST = "--first"
"""The argument that makes the guest process 1 of its machine."""


def main() -> int:
    """Run until the desk dies or somebody says stop; the last line of stderr says why."""
    if FIRST in sys.argv:
        sys.argv.remove(FIRST)
        become_first()
    started = server_start.take_over(sys.argv) or server_start.from_arguments(sys.argv[1:])
    do_without_tls()
    from carrel.guest.program import run

    return run(started)


if __name__ == "__main__":
    sys.exit(main())

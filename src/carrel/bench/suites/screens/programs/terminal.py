"""Prints real text in an xterm and says at which pixels of it; run inside a desk.

The terminal is asked for the size of its cells and the place of its text (XTWINOPS 16 and 13).

Usage: terminal.py FILE COMMAND...
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tty


def ask(query: str, answer: str) -> tuple[int, int]:
    """Ask the terminal something that it answers with two numbers."""
    sys.stdout.write(query)
    sys.stdout.flush()
    heard = ""
    while (found := re.search(answer, heard)) is None:
        heard += os.read(0, 64).decode("ascii", "replace")
    return int(found[1]), int(found[2])


def where() -> tuple[int, ...]:
    """Height and width of a cell, rows and columns, and where the first cell is."""
    return (
        *ask("\033[16t", r"\033\[6;(\d+);(\d+)t"),
        *ask("\033[18t", r"\033\[8;(\d+);(\d+)t"),
        *ask("\033[13;2t", r"\033\[3;(\d+);(\d+)t"),
    )


def show(lines: list[str], place: tuple[int, ...]) -> list[dict[str, object]]:
    """Print lines from the top on; where each word of them is."""
    height, width, rows, columns, left, top = place
    fitting = [line[:columns].rstrip() for line in lines[: rows - 2]]
    sys.stdout.write("\033[2J\033[H\033[?25l" + "\r\n".join(fitting))
    sys.stdout.flush()
    runs: list[dict[str, object]] = []
    for row, line in enumerate(fitting):
        for word in re.finditer(r"\S+", line):
            box = {
                "x": left + word.start() * width,
                "y": top + row * height,
                "width": len(word[0]) * width,
                "height": height,
            }
            runs.append({"text": word[0], "box": box, "height": float(height)})
    return runs


def main(path: str, command: list[str]) -> None:
    """Print what a command says, and write down where, whenever the window changes."""
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    tty.setraw(0)
    known: tuple[int, ...] = ()
    while True:
        place = where()
        if place != known:
            known = place
            runs = show(said.splitlines(), place)
            with open(path + ".new", "w") as file:  # noqa: PTH123 (as in any small script)
                json.dump({"runs": runs}, file)
            os.replace(path + ".new", path)  # noqa: PTH105
        time.sleep(0.3)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

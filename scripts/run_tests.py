#!/usr/bin/env python
"""Runs the whole suite, several tests at a time, and what failed of it once more, alone.

Many tests drive programs that are not ours (a browser, an editor, an engine) on machines that
share two processors with other tests: now and then one of them is late. What fails beside others
and passes alone is named at the end, as something to look into; what fails alone fails the run,
and so do more than a few failures at once.

Usage: scripts/run_tests.py WORKERS [ARGUMENTS OF PYTEST ...]
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

_FEW = 3
_FAILED = 1
_RECORD = Path(".pytest_cache/v/cache/lastfailed")


def main(workers: str, *arguments: str) -> int:
    """Run the suite; the answer is the exit code."""
    _RECORD.unlink(missing_ok=True)
    code = _pytest("-n", workers, "--dist", "loadfile", *arguments)
    failed = _failed()
    if code != _FAILED or not 0 < len(failed) <= _FEW:
        return code
    print(f"\n{len(failed)} failed beside others; once more, alone:", flush=True)
    code = _pytest(*arguments, *failed)
    again = _failed()
    alone = [each for each in failed if each not in again]
    if again:
        print("\nfailed again:", *again, sep="\n  ")
    if alone:
        print("\npassed alone, so look into why not beside others:", *alone, sep="\n  ")
    return code


def _failed() -> list[str]:
    """What failed in the last run, by pytest's own record."""
    return sorted(json.loads(_RECORD.read_text())) if _RECORD.exists() else []


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Which tests stay together when several workers share them."""

from __future__ import annotations

import re

import pytest
from xdist.scheduler import LoadScopeScheduling

# Each kind of computer is started once for all files of this folder.
_SHARED = re.compile(r"tests/conformance/.*\[(?:.*-)?(local|remote|machine)\]$")
# Pages of the documentation share nothing.
_APART = "tests/test_docs.py::test_every_snippet_works"


def company(nodeid: str) -> str:
    """What must be run by one worker: the tests of a desk, of a file, or one alone."""
    if found := _SHARED.match(nodeid):
        return f"tests/conformance[{found[1]}]"
    if nodeid.startswith(_APART):
        return nodeid
    return nodeid.partition("::")[0]


def longest_first(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that no worker is left alone with it at the end."""
    slow = {company(item.nodeid) for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: company(item.nodeid) not in slow)


class Together(LoadScopeScheduling):
    """Hands out tests in the order they were collected, company by company."""

    def _split_scope(self, nodeid: str) -> str:
        return company(nodeid)

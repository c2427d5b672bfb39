"""Descriptions derived from real screens, by templates that the rules were not written from."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from phrasings import Phrasing, phrasings

from carrel.computer import Computer
from carrel.computer.local import local_computer
from carrel.frames import Element
from carrel.geometry import Size
from carrel.perception.find import find

pytestmark = [pytest.mark.anyio, pytest.mark.desktop, pytest.mark.slow]

PAGE = Path(__file__).with_name("shop.html")
BROWSER = (
    *("chromium", "--no-sandbox", "--test-type", "--no-first-run", "--no-default-browser-check"),
    *("--password-store=basic", "--disable-gpu", "--force-renderer-accessibility"),
    *("--disable-background-networking", "--disable-component-update"),
)
LEAST = 0.95
NAMED = frozenset(
    {
        *("bare_name", "quoted_with_kind", "kind_that_says", "plain_with_kind", "lower_case"),
        *("kind_called", "chinese_quoted", "chinese_named"),
    }
)


@dataclass(frozen=True)
class Subject:
    """A program, and something that shows when it is there."""

    command: tuple[str, ...]
    sign: str
    phrases: int


def subjects(folder: Path) -> dict[str, Subject]:
    browser = (*BROWSER, f"--user-data-dir={folder}/profile", PAGE.as_uri())
    told = ("env", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1")
    return {
        "chromium": Subject(browser, "Place order", 300),
        "gtk3-widget-factory": Subject(("gtk3-widget-factory",), "togglebutton", 60),
        "featherpad": Subject((*told, "featherpad"), "Options", 30),
        "gnumeric": Subject(("gnumeric",), "Insert", 150),
    }


@asynccontextmanager
async def shown(subject: Subject, home: Path) -> AsyncIterator[tuple[Element, ...]]:
    async with local_computer(size=Size(1280, 900), home=home) as computer:
        process = await computer.start_process(*subject.command)
        try:
            yield await elements_with(computer, subject.sign)
        finally:
            await computer.kill_process(process)


async def elements_with(computer: Computer, sign: str) -> tuple[Element, ...]:
    """What is shown once the sign of it is, and nothing moves any more."""
    before: list[object] = []
    with anyio.fail_after(60):
        while True:
            tree = (await computer.elements(timeout=10)).elements
            now: list[object] = [(e.role, e.name, e.box) for e in tree]
            if now == before and any(element.name == sign for element in tree):
                return tree
            before = now
            await anyio.sleep(0.3)


def judged(elements: tuple[Element, ...], phrasing: Phrasing) -> str:
    found = find(elements, phrasing.words)
    wish, best = phrasing.element, found.best
    assert wish.box is not None
    right = best is not None and (
        best.element.id == wish.id
        # The text on it will do: a click lands on the same thing.
        or (wish.box.contains(best.point) and _area(best.element) <= wish.box.area)
    )
    if not found.sure:
        return "unsure"
    return "right" if right else "wrong"


def _area(element: Element) -> int:
    return element.box.area if element.box else 0


@pytest.mark.parametrize("name", ["chromium", "gtk3-widget-factory", "featherpad", "gnumeric"])
async def test_descriptions_of_real_screens_are_found_and_none_is_wrong(
    name: str, tmp_path: Path
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"needs {name}")
    subject = subjects(tmp_path)[name]
    async with shown(subject, tmp_path) as elements:
        said = list(phrasings(elements))
        verdicts = Counter(judged(elements, one) for one in said)
        wrong = [one.words for one in said if judged(elements, one) == "wrong"]
        assert len(said) >= subject.phrases
        assert wrong == []
        assert verdicts["right"] / len(said) >= LEAST, verdicts
        absent = [one for one in said if one.template in NAMED and not _means_more(one)]
        assert [one.words for one in absent if _sure_without(one, elements)] == []


def _means_more(phrasing: Phrasing) -> bool:
    """Whether its name is also a word for a kind or a place, which may be meant as such."""
    return phrasing.element.name.casefold() in {
        *("middle", "left", "right", "center", "field", "entry", "combo box", "button", "sum")
    }


def _sure_without(phrasing: Phrasing, elements: tuple[Element, ...]) -> bool:
    """Whether something is taken for a thing that is not there."""
    name = phrasing.element.name.casefold()
    others = tuple(
        e for e in elements if name not in (e.name.casefold(), (e.value or "").casefold())
    )
    return find(others, phrasing.words).sure

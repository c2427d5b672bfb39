"""Looking through tabs, sections or menus for something to use: said in any order of words.

What is told is always the same: where to look, what for, and what to do with it. So the words are
not taken one after another. Wherever all of them belong to such a search, the thing is found and
clicked: where to look for it is seen to when it is not in sight.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, listed, whole
from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["SEARCHING"]

_PLACE = re.compile(
    r"\b(?:folders|directories|tabs|sections|panels|accordions|folds|headings|"
    r"(?:each|every|one|which|what|right|correct|proper)\s+(?:of\s+the\s+)?"
    r"(?:collapsed\s+|folded\s+|closed\s+|hidden\s+)?(?:tab|section|panel|fold|heading)|"
    r"(?:tab|section|panel)\s+(?:by|after)\s+(?:tab|section|panel))\b",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:link|button|item|entry|option|image|icon|word|text)\b", re.IGNORECASE)
_IT = (
    r"(?:it|that|this|that\s+one|the\s+(?:link|button|item|entry|option|one)|that\s+(?:link|"
    r"button|item|entry|one))"
)
_USE = re.compile(
    r"\b(?:(?P<act>click|press|tap|hit|push|follow|select|choose|visit|activate|"
    r"use)(?:ing)?(?:\s+on)?|"
    rf"(?P<open>open)(?:ing)?(?=\s+(?:up\s+)?(?:{_IT}\b|the\s+(?:link|button|item|"
    rf"entry)\b|{QUOTE})))",
    re.IGNORECASE,
)
_WORDS = listed(
    "look looking looks search searching browse go going flip flipping step cycle move work "
    "working run walk through inside in into within behind under underneath beneath on at for "
    "the a an one ones of these those each every all any both tab tabs section sections panel "
    "panels accordion accordions fold folds heading headings until till when whenever once as "
    "soon after you your we i see seen find finds finding found come comes across upon spot "
    "discover discovered locate located hidden hides hiding concealed tucked away somewhere "
    "there where which it its is are be been being has have had holds hold holding contains "
    "contain containing includes include carries can could may might must should will would "
    "ll need needs to sits sit lies lie lives stands appears appear appearing shows show "
    "showing up visible turns turn try trying check checking inspect examine open opens "
    "opening opened expand expanding expanded unfold unfolding unfolded collapsed folded "
    "closed below above here page by another other time and then please that this them with "
    "out keep keeps switch switching between among or click press tap hit push follow select "
    "choose visit activate use clicking pressing link links button item entry option image "
    "icon word text called named labeled labelled marked reading saying says reads titled "
    "caption name label first just now so do get got reach exists displayed listed placed "
    "know figure right correct proper order make sure hide give s ve re what whichever "
    "them those for me track down dig folders directories tree file files across comes "
    "there's sequence two three four five several different various"
)
"""All that is said of a search, but for what is searched."""


def _plain(said: str) -> str:
    things = re.findall(ANY, said)
    place, use = _PLACE.search(said), _USE.search(said)
    if len(set(things)) != 1 or not re.match(QUOTE, things[0]) or place is None or use is None:
        return ""
    words = re.findall(r"[^\W\d_]+", re.sub(ANY, " ", said.casefold()))
    if any(word not in _WORDS for word in words):
        return ""
    noun = _NOUN.search(said)
    thing = f"the {noun[0].lower()} {things[0]}" if noun else things[0]
    return f"Find and click {thing}"


SEARCHING: tuple[Turn, ...] = (whole(_plain),)

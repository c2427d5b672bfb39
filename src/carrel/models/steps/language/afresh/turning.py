"""Putting an instruction into plainer words, by all the turns that fit it together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from carrel.models.steps.language.afresh.acts import ACTS
from carrel.models.steps.language.afresh.amounts import AMOUNTS
from carrel.models.steps.language.afresh.amounts_zh import AMOUNTS_ZH
from carrel.models.steps.language.afresh.booking import BOOKING
from carrel.models.steps.language.afresh.choices import CHOICES
from carrel.models.steps.language.afresh.choosing import CHOOSING
from carrel.models.steps.language.afresh.claims import CLAIMS
from carrel.models.steps.language.afresh.claims_zh import CLAIMS_ZH
from carrel.models.steps.language.afresh.commonly import COMMONLY
from carrel.models.steps.language.afresh.connecting import CONNECTING
from carrel.models.steps.language.afresh.copying import COPYING
from carrel.models.steps.language.afresh.counting import COUNTING
from carrel.models.steps.language.afresh.cuts_zh import cut_zh
from carrel.models.steps.language.afresh.deeds import DEEDS
from carrel.models.steps.language.afresh.demands import DEMANDS
from carrel.models.steps.language.afresh.described import DESCRIBED
from carrel.models.steps.language.afresh.doings_zh import DOINGS_ZH
from carrel.models.steps.language.afresh.drawing import DRAWING
from carrel.models.steps.language.afresh.editing import EDITING
from carrel.models.steps.language.afresh.everyday_acts import EVERYDAY_ACTS
from carrel.models.steps.language.afresh.filling import FILLING
from carrel.models.steps.language.afresh.finding import FINDING
from carrel.models.steps.language.afresh.handling import HANDLING
from carrel.models.steps.language.afresh.highlighting import HIGHLIGHTING
from carrel.models.steps.language.afresh.mailing import MAILING
from carrel.models.steps.language.afresh.moving import MOVING, WIDELY
from carrel.models.steps.language.afresh.narrowing import NARROWING
from carrel.models.steps.language.afresh.order import ORDER
from carrel.models.steps.language.afresh.particulars import PARTICULARS
from carrel.models.steps.language.afresh.politely import POLITELY
from carrel.models.steps.language.afresh.posts import POSTS
from carrel.models.steps.language.afresh.programs import PROGRAMS
from carrel.models.steps.language.afresh.questions import QUESTIONS
from carrel.models.steps.language.afresh.questions_zh import QUESTIONS_ZH
from carrel.models.steps.language.afresh.remarks import REMARKS
from carrel.models.steps.language.afresh.removals import REMOVALS
from carrel.models.steps.language.afresh.requests_zh import REQUESTS_ZH
from carrel.models.steps.language.afresh.searching import SEARCHING
from carrel.models.steps.language.afresh.seeking import SEEKING
from carrel.models.steps.language.afresh.shown_as import SHOWN_AS
from carrel.models.steps.language.afresh.signing_in import SIGNING_IN
from carrel.models.steps.language.afresh.signs import SIGNS
from carrel.models.steps.language.afresh.small_acts_zh import LAST_ACT_ZH, SMALL_ACTS_ZH
from carrel.models.steps.language.afresh.topics_zh import TOPICS_APART_ZH, TOPICS_ZH
from carrel.models.steps.language.afresh.turns import Turn
from carrel.models.steps.language.afresh.values import EACH_BY_PLACE, VALUES
from carrel.models.steps.language.afresh.voices import VOICES
from carrel.models.steps.language.afresh.weighty import is_weighty, keeps_weight
from carrel.models.steps.language.afresh.whereabouts import WHEREABOUTS
from carrel.models.steps.language.afresh.wishes import WISHES
from carrel.models.steps.language.atoms import Atoms

__all__ = ["commonly", "plainer"]

MOST_ROUNDS = 6
"""So often the turns are gone through: one may make way for another."""
FAMILIES: tuple[tuple[Turn, ...], ...] = (
    (
        *(*SEARCHING, *BOOKING, *COUNTING, *COPYING, *REMARKS, *ORDER, *CHOOSING, *DESCRIBED),
        *DEMANDS,
    ),
    (*MAILING, *ORDER),
    (*QUESTIONS, *POSTS, *EDITING, *VALUES, *WHEREABOUTS, *SEEKING, *SIGNING_IN, *ORDER),
    (*ORDER, *SIGNS, *DEEDS, *CHOICES),
    (*ORDER, *NARROWING),
    EVERYDAY_ACTS,
    (*HANDLING, *ORDER),
    (*ORDER, *PROGRAMS),
    (*ORDER, *CLAIMS, *REMOVALS, *AMOUNTS),
    (*ORDER, *ACTS, *PARTICULARS, *SHOWN_AS),
    (*MAILING, *MOVING, *DRAWING, *WIDELY, *FILLING, *FINDING, *HIGHLIGHTING, *VOICES, *ORDER),
    (*POLITELY, *WISHES, *CONNECTING, *COMMONLY, *ORDER),
    (*WISHES, *COMMONLY, *REMARKS, *SEEKING, *VALUES, *MAILING, *ORDER),
    TOPICS_ZH,
    *((*TOPICS_ZH, one) for one in TOPICS_APART_ZH),
    SMALL_ACTS_ZH,
    (*SMALL_ACTS_ZH, *AMOUNTS_ZH, *DOINGS_ZH, *CLAIMS_ZH),
    (*QUESTIONS_ZH, *AMOUNTS_ZH, *REQUESTS_ZH, *DOINGS_ZH),
    LAST_ACT_ZH,
)
"""Turns that go together: what one of them says, another of its family takes further."""
TURNS: tuple[Turn, ...] = tuple(dict.fromkeys(turn for family in FAMILIES for turn in family))


def plainer(text: str) -> Iterator[str]:
    """The same instruction in plainer words: by each family of turns, by all, then by each alone.

    Args:
        text: As the person said it.
    """
    atoms = Atoms()
    masked = " ".join(atoms.mask(text).split())
    told = {masked}
    turned = [_turned(masked, family) for family in (*FAMILIES, TURNS)]
    alone = (turn.applied(masked) for turn in TURNS)
    for worded in (*turned, *alone, *cut_zh(turned[-1]), *cut_zh(masked)):
        if worded not in told:
            told.add(worded)
            if keeps_weight(masked, worded):
                yield atoms.original(worded)


def commonly(text: str) -> str:
    """A task with common deeds in common words: always, as its rarer words may be misread.

    Args:
        text: As the person said it.
    """
    atoms = Atoms()
    masked = " ".join(atoms.mask(text).split())
    turns = (*POLITELY, *WISHES, *CONNECTING, *COMMONLY, EACH_BY_PLACE)
    # What is denied or bounded is not touched before it was read.
    if is_weighty(masked) or all(turn.applied(masked) == masked for turn in turns):
        return text
    return atoms.original(_turned(masked, turns))


def _turned(text: str, turns: Sequence[Turn]) -> str:
    for _ in range(MOST_ROUNDS):
        before = text
        for turn in turns:
            text = turn.applied(text)
        text = _tidied(text)
        if text == before:
            break
    return text


def _tidied(text: str) -> str:
    """Without the marks and spaces that are left where words were taken out."""
    text = re.sub(r"\s+([,.;])", r"\1", " ".join(text.split()))
    return re.sub(r"^[,.;]\s*|([,;.])(?:\s*[,;])+", r"\1", text).strip()

"""Carrying a step out as the one thing on the screen that accounts for all of its words."""

from __future__ import annotations

from carrel.actions import Click
from carrel.models.steps.afforded.offers import Offer, offers_for, topics_of
from carrel.models.steps.afforded.sayings import Saying, read_saying
from carrel.models.steps.afforded.together import by_names
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import control_meant
from carrel.models.steps.phrases.in_lists import chooses_in_list
from carrel.models.steps.phrases.small_words import KINDS, MAKES
from carrel.models.steps.phrases.stemming import stem
from carrel.models.steps.turns import Turns
from carrel.models.steps.verbs.filling import fill_slot
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.slots import Slot, look_into
from carrel.models.steps.verbs.ticking import bring_to
from carrel.perception.roles import TICKED, kind_of

__all__ = ["as_the_screen_tells", "by_the_screen", "offer_meant"]

COMING = (0.0, 0.4, 0.8)
"""Seconds before each look for what an unread deed is about: it may still come up."""
_SHARED = frozenset(map(stem, KINDS))


def by_the_screen(desk: Desk, said: str) -> Turns[bool]:
    """Do what a step says with the one control that takes all its words; whether there is one.

    What nothing on the screen accounts for, and what two controls account for as well as each
    other, is left alone.

    Args:
        desk: Where that is.
        said: The step, in the person's words.
    """
    saying = read_saying(said)
    if saying is None or not (saying.words or saying.quoted) or chooses_in_list(said):
        return False
    yield from look_into(desk)
    offer = offer_meant(desk, saying)
    if offer is None:
        return False
    yield from _take(desk, offer)
    return True


def as_the_screen_tells(desk: Desk, said: str) -> Turns[bool]:
    """Carry a deed that no rule reads out as what is on the screen tells; whether it does.

    Args:
        desk: Where that is.
        said: The deed, in the person's words.

    Raises:
        Missed: It was begun, and what is still to be done is not to be found.
    """
    for pause in COMING:
        yield from desk.again(pause, why="what these words may be about")
        if (yield from by_the_screen(desk, said)) or (yield from _by_one_control(desk, said)):
            return True
        if (yield from by_names(desk, said, unread=True)):
            return True
    return False


def _by_one_control(desk: Desk, said: str) -> Turns[bool]:
    """Press the one control of which all words tell, where the verb is none of giving a value."""
    saying = read_saying(said)
    meant = control_meant(desk.elements, said)
    if saying is None or saying.verb in MAKES or meant is None or kind_of(meant) in TICKED:
        return False
    yield from _take(desk, Offer(meant, "", saying.words, frozenset(), frozenset(), "use"))
    return True


def offer_meant(desk: Desk, saying: Saying) -> Offer | None:
    """The offer that takes all words; None where none does, or several do as well."""
    topics = topics_of(desk)
    fitting = [offer for offer in offers_for(desk, saying) if _fits(saying, offer, topics)]
    ranked = sorted(fitting, key=lambda offer: offer.rank, reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[1].rank == ranked[0].rank):
        return None
    return ranked[0]


def _fits(saying: Saying, offer: Offer, topics: frozenset[str]) -> bool:
    """Whether nothing of the step is left over.

    Where the control is told by its own name as well as by its value, what the whole page is about
    may be said besides: `only show classes for the Advanced level`.
    """
    left = saying.words - offer.said - _SHARED
    if left and offer.how == "set" and offer.label:
        left -= topics
    return not left


def _take(desk: Desk, offer: Offer) -> Turns[None]:
    why = f"{named(offer.control)} is all that these words fit"
    if offer.how in ("on", "off"):
        yield from bring_to(desk, offer.control, offer.how == "on", why)
    elif offer.how == "set":
        yield from fill_slot(desk, Slot(offer.control, offer.value))
    elif offer.control.box is not None:
        at = offer.control.box.center
        yield from desk.do(Click(at.x, at.y), why=why, last=True)
        yield from desk.effect()

"""What the rules of all verbs share: masked words, lists, phrases, and what is unclear."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from carrel.models.steps.language.atoms import QUOTE, Atoms
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.words import KINDS, verb_at
from carrel.models.steps.program import ForEach, Phrase, Step, Unclear

__all__ = [
    "CAME_UP",
    "EACH",
    "HERE",
    "IT",
    "PRONOUN",
    "NotUnderstood",
    "Talk",
    "each_of",
    "excepted",
    "first_few",
    "for_each",
    "listed",
    "readings",
    "trim",
]

IT = "it"
"""The name under which the language remembers what a pronoun stands for."""
EACH = "each"
"""The name of the item in a loop that the person did not name."""
PRONOUN = (
    r"(?:it|that|this|them|those|these|the same|its (?:value|text|content)|that (?:text|value|word|"
    r"number|name|result|one|answer|phrase)|this (?:text|value|word|number|name|result|answer)|"
    r"the (?:copied|found) (?:text|value|word|number)|它们?|其|他|她|这个|该项)"
)

HERE = re.compile(rf"(?:{PRONOUN}|him|her|he|she|they)", re.IGNORECASE)
"""A word that stands for a thing or a person named before."""


class NotUnderstood(Exception):
    """No rule takes these words; says why. Never leaves this package."""


@dataclass(slots=True)
class Talk:
    """One text that is being read.

    Attributes:
        atoms: What its words were masked with.
        chinese: Which language it is in.
        forbidden: What shall not be done, each as the steps that would do it.
        aside: Words that were said and understood, but are no instruction: why, or how it was.
        trying: Whether other ways to cut the text are being tried already.
        told: Days and times that are looked for: all the ways in which a page writes each, and
            the words that were said.
    """

    atoms: Atoms
    chinese: bool = False
    aside: list[str] = field(default_factory=list)
    forbidden: list[tuple[Unclear, tuple[Step, ...]]] = field(default_factory=list)
    trying: bool = False
    told: dict[str, str] = field(default_factory=dict)

    def put_aside(self, masked: str) -> None:
        """Tell that these words are understood, and ask for nothing."""
        self.aside.append(self.atoms.original(masked))

    def mark(self) -> tuple[int, int]:
        """How much was put aside and forbidden so far."""
        return len(self.aside), len(self.forbidden)

    def back_to(self, mark: tuple[int, int]) -> None:
        """Forget what a reading that came to nothing put aside or forbade."""
        del self.aside[mark[0] :], self.forbidden[mark[1] :]

    def phrase(self, masked: str, wanted: str = "what") -> Phrase:
        """A thing in words.

        Raises:
            NotUnderstood: There are none, or they leave open which thing it is.
        """
        _refuse_alternatives(masked, self)
        if self.chinese and "，" in masked.strip("，"):
            raise NotUnderstood(
                f"what is “{self.atoms.original(masked.strip())}”? no name has a comma"
            )
        if came := _CAME_UP.search(masked):
            self.put_aside(came[0])
            masked = masked[: came.start()]
        if _THESE.fullmatch(masked.strip()):
            said = self.atoms.original(masked.strip())
            raise NotUnderstood(f"which are “{said}”? name them one by one")
        phrase = self.atoms.phrase(trim(masked))
        if not phrase:
            raise NotUnderstood(f"it does not say {wanted}")
        return phrase

    def text(self, masked: str) -> str:
        """A text to be typed, verbatim."""
        return self.atoms.text(trim(masked))


# "these three emails": what was never named.
_THESE = re.compile(rf"(?:these|those)\s+(?:{NUMBER})\s+[a-z]+s", re.IGNORECASE)
CAME_UP = (
    r"(?:appears?|appeared|opens?|opened|unfolds|unfolded|unrolls|"
    r"(?:shows?|showed|comes?|came|pops?|popped)\s+(?:up|open)|"
    r"(?:slides|slid|drops|dropped|folds|folded|rolls|comes|came)\s+(?:up|down|out|in|open))"
)
"""How a list, a menu or a dialog is told by its having come up."""
# "the × that appears": when it is there, it has appeared.
_CAME_UP = re.compile(
    r"(?<!\bwindow)(?<!\bpage)(?<!\btab)(?<!\bone)(?<!\bthing)\s+(?:that|"
    r"which)\s+(?:(?:has\s+)?(?:just\s+)?"
    rf"{CAME_UP}|"
    r"is\s+(?:now\s+)?(?:shown|displayed|visible))(?:\s+(?:now|then|there))?$",
    re.IGNORECASE,
)
_OR = re.compile(
    r"\s(?:or|and/or)\s(?!(?:more|less|fewer|greater|higher|lower|later|earlier|newer|older|so)\b)|"
    r"(?:或者|或是|还是|(?<!许)或(?!许))",
    re.IGNORECASE,
)
# Of what kind one thing is may be left open: "the bill or receipt named Ann".
_KINDS_OR = re.compile(rf"\b(?:{KINDS}) or (?:an? |the )?(?:{KINDS})\b", re.IGNORECASE)
# Words that change what is asked can be no part of a plain name.
_TURNS = re.compile(
    r"\b(?:until|unless|otherwise|except|but (?:not|only|keep|leave|don['’]?t)|only if|so that|"
    r"whichever|whoever|both times|(?:each|every) time$|as (?:many|often)|by (?:means|way) of|"
    r"with the help of|rather than|"
    r"the same way|likewise|"
    r"and (?:try|retry|attempt|do|watch|ask|stay))\b|"
    r"直到|除非|如果|否则|不要(?!紧)",
)
_WITHOUT = re.compile(r"\bwithout\s+\w+ing\b|(?:而|但)?不要?(?=保存|关闭|提交|点击)", re.IGNORECASE)


# "… and frobnicate the rest": a second instruction whose verb nobody knows is no part of a name.
_SWALLOWED = re.compile(
    r"\s(?:and|but|then)\s+(?P<act>(?!(?:in|on|at|of|to|for|from|with|by|under|above|below|not|"
    r"also|"
    r"both|all|between|over|into|every|each|then|only|near|behind|after|before|is|are|has|was)\b)"
    r"[a-z]+)\s+(?:(?<=go )\w+|the|it|them|my|your|this|that|an?)(?=\s|$)"
)


# Words that begin a clause, or say something: a thing has them only after "that" or "which".
_CLAUSE = re.compile(
    r"\s(?:when|while|whenever|because|since|as long as|as soon as|so)\s(?=[a-z])|:\s+(?:it|"
    r"they|this|that)\s|"
    r"(?<!\bthat)(?<!\bwhich)(?<!\bwho)(?<!\bwhat)(?<!\bwhere)(?<!\bhow)\s(?:should|must|"
    r"ought to)\s(?=[a-z])"
)
# "the balance, we'll call it B", "the call, camera off": a remark or a setting, and no name.
_REMARK = re.compile(
    r"^(?:the|my|your|this|that)\s.*(?:,\s+(?:it['’]s|it is|we['’]ll|we|you['’]ll|I|I['’]ll|"
    r"that['’]s)\s|\s[–—]\s)|,\s+(?:[a-z]+\s)?[a-z]+\s(?:off|on|muted|included)(?:\s+and\s.*)?$|"
    r"\s[–—-]\s(?:I|we|it|you|they|there)\s|^(?:from|to|away)\s+(?:the|an?|my|your)\s|"
    r",\s+one\s[\w ]+\seach$|,\s+(?:separated|divided) (?:by|with)\s|"
    r",\s+\w+\s\w+\swill do$|^(?:your|my)self\b"
)
_COLON = re.compile(r":\s+(?P<act>[a-z].*)", re.DOTALL)
# "…, confirming each time it asks": how it is done, and no part of a name.
_MEANWHILE = re.compile(r",\s+(?:thereby\s+|thus\s+|while\s+)?(?P<act>[a-z]+ing)\s+\S")


def _refuse_alternatives(masked: str, talk: Talk) -> None:
    said = talk.atoms.original(masked.strip())
    if (meanwhile := _MEANWHILE.search(masked)) and verb_at(meanwhile["act"]):
        raise NotUnderstood(f"“{meanwhile['act']}” tells how, but no rule knows when that is done")
    colon = _COLON.search(masked)
    if _REMARK.search(masked.strip()) or (colon and verb_at(colon["act"])):
        raise NotUnderstood(
            f"a remark is no part of a thing: “{said}”; a sentence of its own says it"
        )
    if _OR.search(_KINDS_OR.sub(" ", masked)):
        raise NotUnderstood(
            f"it does not say which of them: “{said}”; one name goes in quotes or brackets"
        )
    if word := _TURNS.search(masked):
        raise NotUnderstood(
            f"no rule knows what “{word[0].strip()}” means in “{said}”; "
            "a name goes in quotes or brackets"
        )
    if (swallowed := _SWALLOWED.search(masked)) is not None:
        raise NotUnderstood(
            f"“{swallowed['act']}” is not a verb of steps, or of what is it a part?"
        )
    if _WITHOUT.search(masked):
        raise NotUnderstood(f"what not to do is no step: “{said}”; say what to click instead")
    if more := re.match(
        r"(?:it|them)\s+(?!all\b|both\b|too\b|again$)(?P<word>\w+)", masked.strip(), re.IGNORECASE
    ):
        raise NotUnderstood(f"no rule knows what “{more['word']}” means in “{said}”")
    if clause := _CLAUSE.search(masked):
        raise NotUnderstood(
            f"what is “{clause[0].strip()}” in “{said}”? A name goes in quotes or brackets"
        )


def trim(masked: str) -> str:
    """Without marks and manners at the end, or a colon before."""
    text = re.sub(r"[\s,;:.!?，。；：！？、]+$", "", masked.strip())
    # "etc." and "a.m." end with their dot; a phrase that is only a mark stays.
    return re.sub(r"^[\s:：,，]+", "", text) if text else masked.strip()


_AND = (
    r"\s*,?\s+(?:and|&|plus|as well as)\s+(?:also\s+)?|\s*[,;，、；]\s*(?:and\s+)?|"
    r"\s*(?:以及|和|与|及)\s*"
)


def listed(masked: str) -> list[str]:
    """The items of `A, B and C`."""
    text = re.sub(r"^(?:both|either)\s+", "", trim(masked), flags=re.IGNORECASE)
    return [item.strip() for item in re.split(_AND, text) if item.strip()]


def readings(said: str) -> tuple[tuple[str, ...], ...]:
    """Every way to split a list, the likeliest first: an `and` or a comma may belong to a name.

    Args:
        said: As the person said it: `Rice and Beans, Soup`.
    """
    atoms = Atoms()
    masked = atoms.mask(said)
    found = [m for m in re.finditer(_AND, masked) if m.start() > 0]
    results: list[tuple[str, ...]] = []
    for keep in range(2 ** min(len(found), 6)):
        cuts = [m for index, m in enumerate(found) if index >= 6 or not keep >> index & 1]
        starts = [0, *(m.end() for m in cuts)]
        ends = [*(m.start() for m in cuts), len(masked)]
        items = tuple(atoms.phrase(masked[a:b]) for a, b in zip(starts, ends, strict=True))
        if all(items) and items not in results:
            results.append(items)
    return tuple(sorted(results, key=len, reverse=True))


_ALL = re.compile(
    r"^(?:on\s+)?(?:each and every|all(?: of)?(?: the)?|every(?: single)?(?: one of the)?|"
    r"each(?: of the)?|both(?: of)?(?: the)?|as many)\s+(?P<what>.+?)"
    r"(?:\s+as\s+(?:possible|you\s+can|there\s+are))?$",
    re.IGNORECASE,
)


def each_of(masked: str) -> str | None:
    """The things that `all the X`, `every X` or `both X` speaks of; None for one thing."""
    found = _ALL.match(trim(masked))
    if found is None or re.match(rf"(?:text$|of it|{QUOTE}$)", found["what"], re.IGNORECASE):
        return None
    if re.match(r"(?:on\s+)?both\b", masked.strip(), re.IGNORECASE) and " and " in found["what"]:
        return None
    return found["what"]


_FEW = re.compile(rf"the\s+first\s+(?P<n>{NUMBER})\s+(?P<what>[a-z][\w-]*s\b.*)", re.IGNORECASE)


def first_few(masked: str) -> tuple[str, int] | None:
    """The things of `the first three boxes`, and how many; None for anything else."""
    found = _FEW.fullmatch(trim(masked))
    count = number(found["n"]) if found else None
    return (found["what"], int(count)) if found and count and count > 1 else None


_EXCEPT = re.compile(
    r"(?P<what>.+?)\s*,?\s+(?:except(?:ing)?(?: for)?|but(?: not)?(?: for)?|other than|"
    r"(?:apart|aside) from|excluding|besides|save for)\s+(?P<but>.+)",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"(?:the\s+)?(?P<which>first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th))(?:\s+one)?",
    re.IGNORECASE,
)


def excepted(masked: str, talk: Talk) -> tuple[str, tuple[Phrase, ...]]:
    """The things of a loop, and those of them that are left out: `boxes except the last one`."""
    if re.match(
        r"(?:but|except)\b|(?:second|third|other|\d+(?:nd|rd|th))\s", masked, re.IGNORECASE
    ):
        raise NotUnderstood(f"all of which: “{talk.atoms.original(masked)}”?")
    found = _EXCEPT.fullmatch(masked)
    if found is None:
        return masked, ()
    what = found["what"]
    noun = re.sub(
        r"(?:(?<=[sx])es|(?<=[^s])(?<!statu)s)(?=$|\s(?:from|in|on|of|with)\s)",
        "",
        re.sub(r"^the\s+", "", what.strip()),
        count=1,
    )
    but = []
    for item in listed(found["but"]):
        one = _ONE_OF.fullmatch(item)
        but.append(talk.phrase(f"the {one['which']} {noun}" if one else item))
    return what, tuple(but)


def for_each(talk: Talk, what: str, *body: Step, limit: int | None = None) -> ForEach:
    """A loop over things on the screen."""
    what, but = excepted(what, talk)
    every = talk.phrase(what)
    if re.fullmatch(
        r"(?:everything|anything|all|the) (?:else|others?|rest)|the rest|others?",
        every,
        re.IGNORECASE,
    ):
        every = "everything else"
    return ForEach(EACH, body, every=every, but=but, limit=limit)

"""Where an English claim has its verb: what it is about, what is said of it, and whether denied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from carrel.models.steps.language.atoms import QUOTE

__all__ = ["CLAIMING", "LATELY", "Predicate", "as_it_comes", "predicate_of", "uncontracted"]

Sense = Literal[
    "be", "stays", "there", "away", "tells", "starts", "ends", "matches", "equals", "has"
]

# Each verb as it stands after "should", and as it stands after one thing.
_VERBS: dict[Sense, str] = {
    "be": (
        "be:is|are|was|were|become:becomes|became|get:gets|come:comes|lie:lies|stand:stands|"
        "sit:sits|look:looks|looked|seem:seems|turn:turns|turned|end up:ends up|ended up"
    ),
    "stays": "remain:remains|remained|stay:stays|stayed|keep being:|continue to be:continues to be",
    "there": (
        "appear:appears|appeared|show up:shows up|showed up|come up:comes up|came up|"
        "pop up:pops up|popped up|turn up:turns up|turned up|exist:exists|be present:|"
        "come into view:comes into view|open:opens|load:loads|pop open:pops open|"
        "come back:comes back|came back|reappear:reappears|reappeared|arrive:arrives|arrived|"
        "come in:comes in|came in|emerge:emerges|launch:launches"
    ),
    "away": (
        "disappear:disappears|disappeared|vanish:vanishes|vanished|go away:goes away|went away|"
        "close:closes|fade away:fades away|fade out:fades out|drop out:drops out"
    ),
    "tells": (
        "show:shows|display:displays|read:reads|say:says|list:lists|"
        "mention:mentions|earn:earns|earned|ask:asks|asked|last:lasts|contain:contains|include:includes|state:states|feature:features|"
        "offer:offers|provide:provides|give:gives|report:reports|reported|print:prints|printed|"
        "announce:announces|announced|indicate:indicates|indicated|tell:tells|warn:warns|warned|"
        "output:outputs|reveal:reveals|present:presents|name:names|"
        "consist of:consists of|comprise:comprises|cost:costs|weigh:weighs|measure:measures|"
        "return:returns|returned|quote:quotes|confirm:confirms|explain:explains|note:notes|"
        "complain with:complains with|complained with|complain:complains|complained|"
        "greet with:greets with|respond with:responds with|answer with:answers with|"
        "reply with:replies with|notify:notifies|suggest:suggests|advertise:advertises|"
        "cover:covers|spell:spells|need:needs|require:requires|"
        "use:uses|take up:takes up|occupy:occupies|take:takes|took|exceed:exceeds|exceeded"
    ),
    "starts": "start with:starts with|begin with:begins with",
    "ends": "end with:ends with|end in:ends in",
    "matches": "match:matches",
    "equals": (
        "equal:equals|change from:changes from|changed from|go from:goes from|went from|"
        "change to:changes to|changed to|change into:changes into|turn to:turns to|"
        "turn into:turns into|switch to:switches to|go to:goes to|amount to:amounts to|"
        "add up to:adds up to|reach:reaches|reached|"
        "go back to:goes back to|went back to|return to:returns to|returned to|"
        "go up to:goes up to|went up to|go down to:goes down to|went down to|increase to:"
        "increases to|fall to:falls to|come to:comes to|drop to:drops to|rise to:rises to|"
        "shrink to:shrinks to|grow to:grows to|be "
        "equal to:"
    ),
    "has": "have:has|hold:holds|held|possess:possesses|come with:comes with|"
    "carry:carries|bear:bears",
}
_MODAL = (
    r"(?:should|must|shall|will|would|can|could|may|might|has to|have to|needs? to|ought to|"
    r"(?:is|are) (?:supposed|expected|meant) to|to)"
)
_NO = r"(?:not|no longer|never)"
_ADVERB = (
    r"(?:now|still|already|currently|also|then|again|both|all|each|actually|correctly|finally|"
    r"indeed|instead|automatically|once more|once again|just|eventually|no further|properly|"
    r"immediately|clearly|even|too|right away|at once|safely)"
)
_BETWEEN = rf"(?:\s+{_ADVERB})*"
_HAVE = r"(?:has|have|had)"
LATELY = re.compile(
    r"(?:,?\s+(?:already|any ?more|any longer|yet|at all|again|right now|(?:only )?now|so far|"
    r"by default|by now|at the moment|at present|either|as well|too|also|in full|only then|instead|"
    r"as expected|correctly|afterwards|accordingly|after that|this time|once more|once again))+$",
    re.IGNORECASE,
)
"""When it is so, of which a picture of now tells nothing more."""


def _forms() -> Iterator[tuple[str, Sense, bool]]:
    """Every form of every verb, and whether it is the one after `should`."""
    for sense, verbs in _VERBS.items():
        base = ""
        for word in re.split(r"[|]", verbs):
            first, colon, form = word.partition(":")
            if colon:
                base = first
                yield base, sense, True
            if form or not colon:
                yield form or first, sense, False


_BARE = {form: sense for form, sense, bare in _forms() if bare}
_FINITE = {form: sense for form, sense, bare in _forms() if not bare}
_DONE: dict[str, Sense] = {
    "been": "be", "become": "be", "appeared": "there", "shown up": "there", "come up": "there",
    "popped up": "there", "turned up": "there", "disappeared": "away", "vanished": "away",
    "gone away": "away", "gone": "away", "changed to": "equals", "changed from": "equals",
    "turned to": "equals", "turned into": "equals", "reached": "equals", "dropped to": "equals",
    "risen to": "equals", "gone back to": "equals", "returned to": "equals",
    "switched to": "equals", "gone up to": "equals", "opened": "there",
    "loaded": "there", "closed": "away", "arrived": "there", "come back": "there",
    "remained": "stays", "stayed": "stays", "turned": "be", "come in": "there",
    "printed": "tells", "reported": "tells", "returned": "tells",
}  # fmt: skip


CLAIMING = frozenset(
    word for forms in (_BARE, _FINITE, _DONE) for form in forms for word in form.split()
)
"""Every word of a verb that says something of a thing."""


def _any(forms: dict[str, Sense]) -> str:
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))


_GROUP = re.compile(
    rf"(?:(?<=\s)|^)(?P<early>(?:{_ADVERB}\s+)*)(?:"
    rf"(?P<modal>{_MODAL}|does|do|did)(?P<m1>{_BETWEEN})(?P<no1>\s+{_NO})?(?P<m2>{_BETWEEN})\s+"
    rf"(?:have{_BETWEEN}\s+(?P<done1>{_any(_DONE)})|(?P<bare>{_any(_BARE)}))"
    rf"|{_HAVE}(?P<no2>\s+{_NO})?{_BETWEEN}\s+(?P<done2>{_any(_DONE)})"
    rf"|(?P<no3>{_NO}\s+)?(?P<finite>{_any(_FINITE)})"
    rf"|(?P<no4>{_NO}\s+)?(?P<plural>{_any(_BARE)})"
    rf")(?P<no5>\s+{_NO})?(?P<late>{_BETWEEN})(?=\s|$)",
    re.IGNORECASE,
)
# In a clause about the subject: "the dialog that opens shows …".
_RELATIVE = re.compile(
    r"(?:^|\s)(?:that|which|who|whose|what|where|when|if|whether|to|of|and|or|how)$"
)
# What ends with such a word is a thing: "the list", "two displays".
_LIKE_NOUN = re.compile(
    r"(?:show|display|read|list|state|feature|offer|reach|hold|match|mention|start|end|open|"
    r"load|close|stand|come|sit|lie|get|give|say|look|turn|stay|report|print|name|cost|measure|"
    r"return|quote|note|cover|output|present|launch|bear|spell|last|ask)(?:e?s)?",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"(?:^|\s)(?:the|an?|this|these|those|my|your|its|their|his|her|every|each|no|any|some|in|on|"
    r"at|for|from|with|two|three|four|five|\d+|has|have|is|are)$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"the|an?|my|your|its|their|our|every", re.IGNORECASE)
_PLURAL = re.compile(
    rf"s$|\band\b|\b(?:they|all|both|these|those|people|i|we|you)\b|{QUOTE}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Predicate:
    """The parts of one claim, in masked words.

    Attributes:
        subject: What it is about; empty where that was said before.
        verb: As it is written, without what denies it.
        sense: What the verb means.
        no: Whether it is denied.
        rest: What follows the verb.
    """

    subject: str
    verb: str
    sense: Sense
    no: bool
    rest: str

    def of(self, subject: str) -> str:
        """The same, not denied, of another thing."""
        verb = f"should {self.verb}" if self.verb.lower() in _BARE else self.verb
        return f"{subject} {verb} {self.rest}".strip()


def predicate_of(text: str) -> Predicate | None:
    """The verb of a claim and its two sides; None where no verb is known."""
    for found in _GROUP.finditer(text):
        subject, rest = text[: found.start()].strip(), text[found.end() :].strip()
        if not _is_verb(found, subject, rest) or _is_inside(subject, rest):
            continue
        verb = next(v for k in ("bare", "done1", "done2", "finite", "plural") if (v := found[k]))
        forms = _DONE if found["done1"] or found["done2"] else {**_BARE, **_FINITE}
        denied = any(found[f"no{n}"] for n in range(1, 6))
        sense = forms[verb.lower()]
        if sense == "be" and verb.lower() in _DONE:
            verb = "is"
        return Predicate(subject, verb, sense, denied, LATELY.sub("", rest))
    return None


_OPENED = re.compile(
    r"\s(?:saying|stating|warning|telling|(?:that|which) (?:says|reads|tells|states))(?:\s|$)"
)
_MUST = re.compile(
    r"(?:^|\s)(?:should\s|must\s|ought to\s|(?:dis)?appears|opens|(?:shows|pops|comes|turns) up)\b",
    re.IGNORECASE,
)


def _is_inside(subject: str, rest: str) -> bool:
    """Whether it is what the subject says, and what is said of that comes later."""
    return _OPENED.search(subject) is not None and _MUST.search(rest) is not None


def _is_verb(found: re.Match[str], subject: str, rest: str) -> bool:
    """Whether it is the verb of the claim, not a noun and not in a clause about the subject."""
    if _RELATIVE.search(subject) or re.search(r"\s(?:is|are|was|were|be|been)$", subject):
        return False
    if _ARTICLE.fullmatch(subject):
        # "the changes to be saved": a noun.
        return False
    plain = found["finite"] or found["plural"]
    if plain and _LIKE_NOUN.fullmatch(plain) and _NOUN.search(subject):
        return False
    again = _GROUP.match(rest)
    be = plain and re.fullmatch(r"is|are|was|were", plain, re.IGNORECASE)
    if again is not None and plain and not be and not again["plural"]:
        # "the two lists are equal": a noun, and the verb comes after it.
        return False
    if found["plural"]:
        return bool(subject) and _PLURAL.search(subject) is not None
    return True


_SHORT = (
    (re.compile(r"\bcan(?:['’]t|not)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will not"),
    (
        re.compile(
            r"\b(is|are|was|were|does|do|did|has|have|had|should|must|could|would|need)n['’]t\b",
            re.IGNORECASE,
        ),
        r"\1 not",
    ),
    (re.compile(r"\b(it|that|there|he|she|this)['’]s\b", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\b(they|we|you)['’]re\b", re.IGNORECASE), r"\1 are"),
)


_TO_COME = re.compile(
    r"\s+(?:to|should|must|will|shall|ought to)(?:\s+(?:now|then|also))?\s+(?P<verb>open|close|"
    r"appear|disappear|vanish|exist|load|show(?= up\b)|come(?= up\b)|pop(?= up\b)|go(?= away\b))\b",
)


def uncontracted(text: str) -> str:
    """`isn't` as `is not`, `it's` as `it is`."""
    for short, full in _SHORT:
        text = short.sub(full, text)
    return text


def as_it_comes(text: str) -> str:
    """`should open` and `to open` as `opens`."""
    return _TO_COME.sub(lambda m: f" {m['verb']}{'es' if m['verb'][-1] in 'oh' else 's'}", text)

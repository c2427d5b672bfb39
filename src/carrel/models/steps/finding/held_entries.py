"""Entries by what they are: people in the table, items in the cart, the second message."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.phrases.place_words import ORDINALS
from carrel.models.steps.shown.entries import entry_groups
from carrel.models.steps.shown.reading import fold
from carrel.perception.labels import written_on
from carrel.perception.roles import Kind, kind_of

__all__ = [
    "column_cells",
    "entries_called",
    "entry_naming",
    "entry_owned",
    "is_numbered",
    "is_whole",
    "names_list",
    "numbered_entry",
    "plural_of",
]

_WHOLE = frozenset(
    re.findall(
        r"[a-z-]+",
        """
    people persons employees colleagues members customers clients students pupils teachers
    patients users guests visitors contacts friends players teams drivers candidates applicants
    authors flats apartments rooms houses hotels offices shops stores restaurants places countries
    cities flights trains buses trips tours tickets bookings reservations appointments meetings
    events books movies films songs tracks albums videos photos pictures images recipes courses
    lessons cars vehicles bikes devices machines computers servers printers phones projects tasks
    todos to-dos jobs issues bugs requests applications orders invoices bills payments
    transactions transfers accounts cards contracts offers deals quotes products articles goods
    items things entries records rows lines results hits matches messages mails emails e-mails
    conversations threads replies comments posts reviews notes drafts notifications files folders
    documents downloads attachments backups scans reports versions categories tags labels groups
    departments branches rules steps questions answers words
        """,
    )
)
"""What one calls whole entries by, whatever is written in them."""
_PHRASE = re.compile(
    r"(?:the |all |of )*(?P<noun>[a-z]+(?:-[a-z]+)?)"
    r"(?: (?:in|on|inside) (?:the|my|your|this) (?P<holder>[a-z]+(?: [a-z]+)?))?"
    r"(?: containing [\"“](?P<said>[^\"”]+)[\"”])?",
    re.IGNORECASE,
)
_NTH = re.compile(
    rf"the (?P<nth>{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)|only) (?P<noun>[a-z]+(?:-[a-z]+)?)"
    r"(?P<held> (?:in|on|inside) (?:the|my|your|this) [a-z]+(?: [a-z]+)?)?",
    re.IGNORECASE,
)
_SINGLE = ((r"ies$", "y"), (r"(?<=[sxh])es$", ""), (r"s$", ""))
_ANYWHERE = frozenset(
    ("playlist", "album", "gallery", "list", "table", "grid", "results", "page", "screen", "view")
)
"""Words for what holds entries that tell it from no other."""
_ODD = {"person": "people", "man": "men", "woman": "women", "child": "children"}


def plural_of(noun: str) -> str:
    """`flats` for `flat`."""
    word = noun.lower()
    if word in _ODD:
        return _ODD[word]
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(?:s|x|ch|sh)$", word) else f"{word}s"


def _forms(noun: str) -> frozenset[str]:
    """A word as it is said of one and of several."""
    word = noun.lower()
    one = {re.sub(form, end, word) for form, end in _SINGLE}
    one |= {single for single, many in _ODD.items() if many == word}
    return frozenset({word, *one, *(plural_of(w) for w in one)})


def is_whole(noun: str) -> bool:
    """Whether one calls whole entries so, whatever is written in them."""
    return bool(_forms(noun) & _WHOLE)


def entries_called(desk: Desk, phrase: str) -> list[Element] | None:
    """The entries that a noun means: those that say it, or all where it names whole entries.

    None where it is not certain in which list or table they are, or what the noun means there.
    """
    found = _PHRASE.fullmatch(phrase.strip())
    if found is None:
        return None
    forms, listed = _forms(found["noun"]), tuple(part_meant(desk.elements, ""))
    tree = Lineage(listed)
    groups = [(group, _called(tree, group)) for group in entry_groups(desk)]
    if found["holder"] and found["holder"] not in _ANYWHERE:
        words = _forms(found["holder"].split()[-1])
        groups = [(group, said) for group, said in groups if said & words]
    elif len(groups) != 1:
        called = [(group, said) for group, said in groups if said & forms]
        rows = [one for one in groups if kind_of(one[0][0]) is Kind.ROW]
        groups = rows if "entries" in forms and not called else called
    if len(groups) != 1:
        return None
    group, said = groups[0]
    saying = [entry for entry in group if _says(tree, entry, forms)]
    if not saying and not (forms & _WHOLE or said & forms):
        return None
    kept = saying or group
    return [e for e in kept if _mentions(tree, e, found["said"])] if found["said"] else kept


def _mentions(tree: Lineage, entry: Element, name: str) -> bool:
    said = re.compile(rf"(?<!\w){re.escape(fold(name))}(?!\w)")
    return any(said.search(fold(written_on(e))) for e in (entry, *tree.below(entry)))


_OF = re.compile(
    r"(?P<who>[A-Z].*?)['’]s (?P<one>[a-z]+)|"
    r"the (?P<noun>[a-z]+) (?:of|by|from|for) (?P<name>[A-Z].*)"
)


def entry_owned(desk: Desk, phrase: str) -> Element | None:
    """The one entry that says a name: that of `Ann's request`, `the order of Ben`."""
    found = _OF.fullmatch(phrase.strip())
    noun = (found["one"] or found["noun"]) if found else ""
    if found is None or not _forms(noun) & _WHOLE:
        return None
    tree = Lineage(tuple(part_meant(desk.elements, "")))
    name = fold((found["who"] or found["name"]).strip())
    entries = [
        entry
        for group in entry_groups(desk)
        for entry in group
        if any(fold(written_on(e)) == name for e in tree.below(entry))
    ]
    return entries[0] if len(entries) == 1 else None


def names_list(desk: Desk, phrase: str) -> bool:
    """Whether a list or a table is called by the noun, or by what holds it."""
    found = _PHRASE.fullmatch(phrase.strip())
    if found is None:
        return False
    if found["holder"] and found["holder"] not in _ANYWHERE:
        return True
    tree = Lineage(tuple(part_meant(desk.elements, "")))
    return any(_called(tree, group) & _forms(found["noun"]) for group in entry_groups(desk))


_OWN = re.compile(r"(?:row|line|item|option|column|cell)", re.IGNORECASE)
"""What is told by its number as any other thing of its kind."""


def is_numbered(phrase: str) -> bool:
    """Whether one entry is told by its number, and by what it is."""
    found = _NTH.fullmatch(phrase.strip())
    return found is not None and _OWN.fullmatch(found["noun"]) is None


def numbered_entry(desk: Desk, phrase: str) -> tuple[Element | None, str] | None:
    """The entry of `the second person`, `the only flat`; None where no such thing is said.

    Without an element there is no such entry, and the account tells why.
    """
    found = _NTH.fullmatch(phrase.strip())
    if found is None or not is_numbered(phrase):
        return None
    entries = entries_called(desk, f"{plural_of(found['noun'])}{found['held'] or ''}")
    if entries is None:
        return None
    nth = found["nth"].lower()
    if nth == "only":
        return (
            (entries[0], "") if len(entries) == 1 else (None, f"there are {len(entries)} of them")
        )
    at = ORDINALS.get(nth) or int(re.sub(r"\D", "", nth))
    at = at - 1 if at > 0 else len(entries) + at
    if not 0 <= at < len(entries):
        return None, f"there are only {len(entries)} of them"
    return entries[at], ""


_NAMING = re.compile(
    r"(?:an? |any |the |some )?(?P<noun>[a-z]+(?:-[a-z]+)?) "
    r"(?:from|by|about|called|named|titled|to|for) "
    r"(?P<name>[\"“][^\"”]+[\"”]|[A-Z]\S*(?: [A-Z]\S*)*)"
    r"(?: (?:in|on) (?:the|my|your) (?P<holder>[a-z]+(?: [a-z]+)?))?"
)


def entry_naming(desk: Desk, phrase: str) -> tuple[str, bool] | None:
    """The name of `a message from Ann in the inbox`, and whether an entry there says it.

    None where no entry is told by a name.
    """
    found = _NAMING.fullmatch(phrase.strip())
    if found is None or not _forms(found["noun"]) & _WHOLE:
        return None
    tree, name = Lineage(tuple(part_meant(desk.elements, ""))), found["name"].strip('"“”')
    groups = [(group, _called(tree, group)) for group in entry_groups(desk)]
    if found["holder"] and found["holder"] not in _ANYWHERE:
        words = _forms(found["holder"].split()[-1])
        groups = [(group, said) for group, said in groups if said & words]
    return name, any(_mentions(tree, entry, name) for group, _ in groups for entry in group)


def column_cells(desk: Desk, phrase: str) -> list[Element]:
    """The cells under the one heading that a noun names: `cities`, `every price`."""
    word = re.fullmatch(
        r"(?:the )?(?P<noun>[a-z]+)(?: in the table)?", phrase.strip(), re.IGNORECASE
    )
    tree = Lineage(tuple(part_meant(desk.elements, "")))
    heads = [
        e
        for e in tree.elements
        if word and kind_of(e) is Kind.COLUMN and fold(written_on(e)) in _forms(word["noun"])
    ]
    at = heads[0].box if len(heads) == 1 else None
    if at is None:
        return []
    return [
        e
        for e in tree.elements
        if kind_of(e) is Kind.CELL and e.box is not None and e.box.y >= at.bottom - 2
        if at.x <= e.box.center.x <= at.right
    ]


def _says(tree: Lineage, entry: Element, forms: frozenset[str]) -> bool:
    return any(fold(written_on(e)) in forms for e in tree.below(entry))


def _called(tree: Lineage, group: Sequence[Element]) -> frozenset[str]:
    """The words of the heading over a list, and of its own name."""
    holders = tree.above(group[0])[:3]
    names = [e.name for e in holders if kind_of(e) in (Kind.LIST, Kind.TABLE, Kind.TREE)]
    boxes = [e.box for e in group if e.box is not None]
    top, left = min(b.y for b in boxes), min(b.x for b in boxes)
    right = max(b.right for b in boxes)
    over = [
        e
        for e in tree.elements
        if kind_of(e) is Kind.HEADING and e.box is not None and e.box.bottom <= top + 4
        if e.box.x < right and e.box.right > left
    ]
    if over:
        names.append(written_on(max(over, key=lambda e: e.box.bottom if e.box else 0)))
    return frozenset(word for name in names for word in re.findall(r"[a-z-]+", name.casefold()))

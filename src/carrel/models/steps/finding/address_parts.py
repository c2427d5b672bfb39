"""An address said in one breath, and which field of a form takes which part of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["ADDRESS", "address_in", "fields_for_address"]

_NAME = r"(?-i:[^\W\d_])[^\d,;]*"
_CODE = (
    r"(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?|\d{3}\s\d{2}|\d{4}\s[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|"
    r"[A-Z]\d[A-Z]\s?\d[A-Z]\d"
)
ADDRESS = re.compile(
    r"(?:to|at|for|is|:|address)\s+(?P<all>[^\W\d_][^,;]*(?:,\s+[^,;]+){1,5})", re.IGNORECASE
)
_STREET = re.compile(r"(?=.*\d)(?=.*[^\W\d_]{3}).+")
_TOWN_CODE = (
    re.compile(rf"(?P<code>{_CODE})\s+(?P<town>[^\W\d_].*)"),
    re.compile(rf"(?P<town>[^\W\d_][^\d]*?)\s+(?P<code>{_CODE})"),
)
_STATE_CODE = re.compile(rf"(?P<state>[A-Z]{{2}})\s+(?P<code>{_CODE})")
_ONLY_CODE = re.compile(_CODE)
_LABELS: Mapping[str, str] = {
    "first": r"(?:first|given) name|forename|first",
    "last": r"(?:last|family) name|surname|last",
    "name": r"(?:full |your |recipient['’]?s? |contact )?name|recipient|addressee|to|deliver to|"
    r"ship to|(?:first and last|name of(?: the)? recipient).*",
    "street": r"(?:street|address|road)(?: line)?(?: ?1)?(?: (?:and|&|/) (?:house )?"
    r"(?:number|no\.?))?|"
    r"(?:delivery|shipping|postal|street|home|mailing) address|street name",
    "number": r"(?:house|street|building) (?:number|no\.?)|no\.?|number",
    "code": r"(?:post(?:al)? ?code|zip(?:[ -]?code)?|postcode|plz)(?: ?/ ?zip)?|"
    r"zip ?/ ?post(?:al)? ?code",
    "town": r"(?:city|town|place|locality|city ?/ ?town|town ?/ ?city|town or city|city or town)",
    "both": r"(?:post ?code|zip(?: code)?|postal code)(?:,| and| ?[/&]) ?(?:city|town|place)",
    "state": r"state|region|county|province|canton|state ?/ ?province",
    "country": r"country(?: ?/ ?region)?|nation",
}


def address_in(said: str) -> dict[str, str]:
    """The parts of an address, by what they are; nothing where it is not one, all of it.

    Args:
        said: The parts, with commas between them.
    """
    parts: dict[str, str] = {}
    for number, piece in enumerate(part.strip(" .") for part in said.split(",")):
        pair = next((m for one in _TOWN_CODE if (m := one.fullmatch(piece))), None)
        if (state := _STATE_CODE.fullmatch(piece)) is not None and "town" in parts:
            parts |= state.groupdict()
        elif pair is not None and "street" in parts and "code" not in parts:
            parts |= pair.groupdict()
        elif _ONLY_CODE.fullmatch(piece) and "code" not in parts:
            parts["code"] = piece
        elif _STREET.fullmatch(piece) and "street" not in parts:
            parts["street"] = piece
        elif re.fullmatch(_NAME, piece) and number == 0:
            parts["name"] = piece
        elif re.fullmatch(_NAME, piece) and "street" in parts:
            key = "town" if "town" not in parts else "country"
            if key in parts:
                return {}
            parts[key] = piece
        else:
            return {}
    return parts if "street" in parts and len(parts) > 1 else {}


def fields_for_address(
    parts: Mapping[str, str], labels: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """What goes into which field; nothing where a part has none, or more than one.

    Args:
        parts: The parts of an address, by what they are.
        labels: What each field is called, by its id.
    """
    by_sort = {
        sort: [key for key, names in labels.items() if any(_is(sort, name) for name in names)]
        for sort in _LABELS
    }
    given: dict[str, str] = {}
    for sort, text in _as_asked(dict(parts), by_sort).items():
        if len(by_sort[sort]) != 1:
            return {}
        given[by_sort[sort][0]] = text
    return given


def _is(sort: str, name: str) -> bool:
    return re.fullmatch(_LABELS[sort], name.strip(" :*"), re.IGNORECASE) is not None


def _as_asked(parts: dict[str, str], fields: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The parts cut or joined as a form asks for them."""
    if "name" in parts and not fields["name"] and fields["first"] and fields["last"]:
        parts["first"], _, parts["last"] = parts.pop("name").rpartition(" ")
    if fields["number"] and (street := parts.get("street")):
        for found in (
            re.fullmatch(r"(?P<street>.*?)\s+(?P<number>\d+\s?[a-z]?)", street, re.IGNORECASE),
            re.fullmatch(r"(?P<number>\d+[a-z]?)\s+(?P<street>.*)", street, re.IGNORECASE),
        ):
            if found is not None:
                parts |= found.groupdict()
                break
    if fields["both"] and not fields["town"] and {"code", "town"} <= parts.keys():
        parts["both"] = f"{parts.pop('code')} {parts.pop('town')}"
    return parts

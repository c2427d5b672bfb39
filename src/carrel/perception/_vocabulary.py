"""Words that tell things apart, in English: numbers, places, looks, states, relations."""

from __future__ import annotations

from collections.abc import Mapping

from carrel.perception import numbers
from carrel.perception.colours import NAMES
from carrel.perception.description import RelationKind

__all__ = [
    "ANY_ONE",
    "APPOSED",
    "ARTICLES",
    "COLOURS",
    "DENIALS",
    "FILLERS",
    "HINTS",
    "IN_COLOUR",
    "NAMINGS",
    "NUMERALS",
    "OPPOSITES",
    "ORDINALS",
    "PARTS",
    "PLACES",
    "QUANTIFIERS",
    "RELATIONS",
    "SHAPES",
    "SIZES",
    "STATES",
    "STRONG",
    "SUPERLATIVES",
    "TELLING",
    "VAGUE",
]

ARTICLES = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "my",
        "your",
        "our",
        "its",
        "their",
        "his",
        "her",
    ]
)
ANY_ONE = frozenset(["a", "an", "any", "some"])
APPOSED = frozenset(
    [
        "user",
        "person",
        "contact",
        "author",
        "member",
        "customer",
        "player",
        "friend",
        "colleague",
    ]
)
"""Nouns that may stand before a name without being a part of it."""
QUANTIFIERS = frozenset(["all", "every", "each", "both"])
FILLERS = frozenset(
    [
        "on-screen",
        "onscreen",
        "visible",
        "shown",
        "displayed",
        "big-picture",
        "please",
        "single",
        "only",
        "same",
        "specific",
        "particular",
        "corresponding",
        "appropriate",
        "relevant",
        "marked",
        "drawn",
    ]
)
HINTS = frozenset(["search", "password", "number", "address", "url", "location"])
"""What a field is for, said in one word with it."""
DENIALS = frozenset(
    ["not", "no", "non", "without", "except", "excluding", "isn't", "aren't", "doesn't", "never"]
)

NUMERALS: Mapping[str, int] = {
    word: number for number, word in enumerate(numbers.CARDINALS) if number
}
ORDINALS: Mapping[str, int] = {
    **{word: number for number, word in enumerate(numbers.ORDINALS, 1)},
    "last": -1,
    "final": -1,
    "penultimate": -2,
}

SUPERLATIVES: Mapping[str, str] = {
    "top": "top",
    "topmost": "top",
    "top-most": "top",
    "uppermost": "top",
    "highest": "top",
    "upper": "top",
    "bottom": "bottom",
    "bottommost": "bottom",
    "bottom-most": "bottom",
    "lowest": "bottom",
    "lowermost": "bottom",
    "lower": "bottom",
    "left": "left",
    "leftmost": "left",
    "left-most": "left",
    "left-hand": "left",
    "right": "right",
    "rightmost": "right",
    "right-most": "right",
    "right-hand": "right",
    "middle": "middle",
    "center": "middle",
    "centre": "middle",
    "central": "middle",
    "largest": "largest",
    "biggest": "largest",
    "widest": "widest",
    "tallest": "tallest",
    "larger": "largest",
    "bigger": "largest",
    "smaller": "smallest",
    "smallest": "smallest",
    "tiniest": "smallest",
    "longest": "longest",
    "shortest": "shortest",
    "next": "next",
    "previous": "previous",
    "preceding": "previous",
    "following": "next",
    "top-left": "top left",
    "top-right": "top right",
    "bottom-left": "bottom left",
    "bottom-right": "bottom right",
    "upper-left": "top left",
    "upper-right": "top right",
    "lower-left": "bottom left",
    "lower-right": "bottom right",
    "closest": "",
    "nearest": "",
}

PLACES = frozenset(["corner", "side", "edge", "half", "part", "end", "area", "portion", "region"])

COLOURS: Mapping[str, str] = {
    **{word: word for word in NAMES},
    "gray": "grey",
    "violet": "purple",
    "aqua": "cyan",
    "turquoise": "cyan",
    "teal": "cyan",
    "lime": "green",
    "olive": "yellow",
    "navy": "blue",
    "maroon": "red",
    "crimson": "red",
    "fuchsia": "magenta",
    "gold": "yellow",
    "indigo": "purple",
    "silver": "grey",
}

IN_COLOUR = frozenset(["colored", "coloured", "colorful", "colourful"])
"""After a colour they add nothing; alone they say that it is not black, grey or white."""

SHAPES: Mapping[str, str] = {
    "circle": "circle",
    "circles": "circle",
    "disc": "circle",
    "discs": "circle",
    "disk": "circle",
    "ball": "circle",
    "balls": "circle",
    "dot": "dot",
    "dots": "dot",
    "point": "dot",
    "points": "dot",
    "oval": "ellipse",
    "ellipse": "ellipse",
    "star": "star",
    "stars": "star",
    "polygon": "polygon",
    "polygons": "polygon",
    "square": "square",
    "squares": "square",
    "rectangle": "rectangle",
    "rectangles": "rectangle",
    "triangle": "triangle",
    "triangles": "triangle",
    "digit": "digit",
    "digits": "digit",
    "letter": "letter",
    "letters": "letter",
    "number": "number",
    "numbers": "number",
    "shape": "form",
    "shapes": "form",
    "figure": "any",
    "figures": "any",
    "pentagon": "pentagon",
    "pentagons": "pentagon",
    "hexagon": "hexagon",
    "hexagons": "hexagon",
    "heptagon": "heptagon",
    "octagon": "octagon",
    "diamond": "square",
}

VAGUE: Mapping[str, str] = {
    **dict.fromkeys(["item", "items", "object", "objects", "thing", "things"], "any"),
    "everything": "any",
    **dict.fromkeys(["box", "boxes"], "box"),
    **dict.fromkeys(["block", "blocks", "tile", "tiles", "brick", "bricks"], "block"),
    **dict.fromkeys(["cubes", "swatch", "swatches"], "block"),
}
"""Words for drawn things that mean others as well."""


SIZES: Mapping[str, str] = {
    "small": "small",
    "little": "small",
    "tiny": "small",
    "large": "large",
    "big": "large",
    "huge": "large",
}

OPPOSITES: Mapping[str, str] = {
    "checked": "unchecked",
    "selected": "unselected",
    "disabled": "enabled",
    "empty": "filled",
    "focused": "unfocused",
    "expanded": "collapsed",
    "editable": "read only",
    "required": "optional",
}

STATES: Mapping[str, str] = {
    **{word: word for pair in OPPOSITES.items() for word in pair},
    "ticked": "checked",
    "unticked": "unchecked",
    "active": "selected",
    "highlighted": "selected",
    "chosen": "selected",
    "current": "selected",
    "inactive": "unselected",
    "greyed-out": "disabled",
    "grayed-out": "disabled",
    "unavailable": "disabled",
    "blank": "empty",
    "unfilled": "empty",
    "open": "expanded",
    "opened": "expanded",
    "closed": "collapsed",
    "read-only": "read only",
    "readonly": "read only",
    "mandatory": "required",
}

# Longer ones first; those in STRONG are seldom part of a name.
RELATIONS: Mapping[str, RelationKind] = {
    "to the immediate right of": "right_of",
    "to the immediate left of": "left_of",
    "on the right hand side of": "right_of",
    "on the left hand side of": "left_of",
    "on the right side of": "right_of",
    "on the left side of": "left_of",
    "on the same row as": "row",
    "on the same line as": "row",
    "in the same row as": "row",
    "in the same line as": "row",
    "to the right of": "right_of",
    "to the left of": "left_of",
    "on the right of": "right_of",
    "on the left of": "left_of",
    "at the right of": "right_of",
    "at the left of": "left_of",
    "that comes after": "after",
    "that comes before": "before",
    "in the column of": "column",
    "in the row with": "row",
    "in the row for": "row",
    "in the row of": "row",
    "on the row of": "row",
    "on the row for": "row",
    "on the line of": "row",
    "in the line of": "row",
    "in the row containing": "row",
    "that belongs to": "of",
    "belonging to": "of",
    "associated with": "of",
    "right next to": "next_to",
    "in front of": "left_of",
    "on top of": "above",
    "right beside": "next_to",
    "directly right of": "right_of",
    "directly left of": "left_of",
    "adjacent to": "next_to",
    "in between": "between",
    "close to": "next_to",
    "closest to": "next_to",
    "nearest to": "next_to",
    "right of": "right_of",
    "left of": "left_of",
    "next to": "next_to",
    "inside of": "in",
    "that contains": "containing",
    "which contains": "containing",
    "that has": "containing",
    "underneath": "below",
    "beneath": "below",
    "beside": "next_to",
    "besides": "next_to",
    "alongside": "next_to",
    "between": "between",
    "below": "below",
    "under": "below",
    "above": "above",
    "over": "above",
    "nearest": "next_to",
    "near": "next_to",
    "by": "next_to",
    "inside": "in",
    "within": "in",
    "containing": "containing",
    "after": "after",
    "following": "after",
    "before": "before",
    "preceding": "before",
    "in": "in",
    "on": "in",
    "of": "of",
    "for": "of",
    "from": "in",
    "with": "containing",
    "at": "in",
}

STRONG = frozenset(RELATIONS) - frozenset(
    [
        "in",
        "on",
        "of",
        "for",
        "from",
        "with",
        "at",
        "by",
        "over",
        "after",
        "before",
        "under",
        "following",
        "nearest",
        "preceding",
    ]
)

TELLING = frozenset(
    [
        *(text for text in STRONG if " " not in text),
        *["under", "over", "after", "before", "following", "preceding", "nearest"],
        *["left", "right", "next", "previous", "row", "column"],
    ]
)
"""Words that say which one it is: where they are not understood, it may be any other."""

NAMINGS = (
    "with the accessible name",
    "with the placeholder",
    "with placeholder",
    "with the caption",
    "with the label",
    "with the title",
    "with the words",
    "with the name",
    "with the text",
    "with the word",
    "whose label is",
    "whose title is",
    "whose name is",
    "whose text is",
    "with caption",
    "with label",
    "with title",
    "with name",
    "with text",
    "that reads",
    "that says",
    "which reads",
    "which says",
    "labelled as",
    "labeled as",
    "marked as",
    "labelled",
    "labeled",
    "entitled",
    "marked",
    "titled",
    "called",
    "named",
    "saying",
    "reading",
)

PARTS: Mapping[str, str] = {
    "whose name starts with": "starts",
    "whose text starts with": "starts",
    "whose name contains": "contains",
    "whose text contains": "contains",
    "that starts with": "starts",
    "that ends with": "ends",
    "beginning with": "starts",
    "starting with": "starts",
    "ending with": "ends",
    "ending in": "ends",
}

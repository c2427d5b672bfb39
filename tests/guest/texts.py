"""Texts that must arrive byte for byte when they are typed."""

from __future__ import annotations

import random

ASCII = "".join(chr(code) for code in range(0x20, 0x7F))

_BASIC: dict[str, str] = {
    "ascii": ASCII,
    "ascii backwards": ASCII[::-1],
    "one letter": "a",
    "double letters": "aabbccAABBCC  ..--//",
    "case": "aAbBcCxXyYzZ The QUICK bRoWn FoX",
    "pangram": "The quick brown fox jumps over the lazy dog 0123456789.",
    "code": 'def f(x: int) -> str: return f"{x!r:>{10}}" if x[0] != ~1 else "a\\\\b"',
    "shell": "for i in $(seq 1 3); do echo \"$i\" | grep -v '#' > /tmp/x && cat <y; done",
    "url": "https://user:pa%20ss@example.org:8443/a/b?q=1&r=[2]#frag~^|`{}",
    "german": "Falsches Üben von Xylophonmusik quält jeden größeren Zwerg „ß“ ẞ €",
    "french": "Dès Noël où un zéphyr haï me vêt de glaçons würmiens « œuf » Ÿ",
    "spanish": "¿Qué? ¡El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia!",
    "portuguese": "À noite, vovô Kowalsky vê o ímã cair no pé do pinguim",
    "polish": "Zażółć gęślą jaźń ŻÓŁĆ",
    "czech": "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "hungarian": "Árvíztűrő tükörfúrógép ŐŰ",
    "turkish": "Pijamalı hasta yağız şoföre çabucak güvendi İıĞğŞş",
    "icelandic": "Kæmi ný öxi hér, ykist þjófum nú bæði víl og ádrepa",
    "vietnamese": "Tiếng Việt: Đặng Thùy Trâm ẩữợ ỹ",
    "esperanto": "Eĥoŝanĝo ĉiuĵaŭde",
    "latvian": "Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu vākus",
    "russian": "Съешь же ещё этих мягких французских булок, да выпей чаю. ЁЪЫЭ",
    "ukrainian": "Гей, хлопці, не вспію — на ґанку ваша файна їжа знищується! Є",
    "serbian": "Фијуче ветар у шибљу, леди пасаже и куће иза њих. Ђћџ",
    "greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία ΐΰ ς",
    "hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא חברה",
    "arabic": "نص حكيم له سر قاطع وذو شأن عظيم، مكتوب؟",
    "persian": "گچ پژ ۱۲۳ می\u200cخواهم",
    "hindi": "नमस्ते दुनिया क्षत्रिय ज्ञान",
    "tamil": "வணக்கம் உலகம்",
    "thai": "เป็นมนุษย์สุดประเสริฐ ๑๒๓ ฿",
    "georgian": "გამარჯობა მსოფლიო",
    "armenian": "Բարեւ աշխարհ",
    "amharic": "ሰላም ልዑል",
    "two han": "漢字",
    "chinese": "我能吞下玻璃而不伤身体。你好,世界!",
    "chinese traditional": "我能吞下玻璃而不傷身體。「測試」",
    "japanese": "いろはにほへと ちりぬるを カタカナ 日本語の文章。ｶﾅ ー",
    "korean": "키스의 고유조건은 입술끼리 만나야 하고 한글 ㄱㅏ",
    "combining": "e\u0301 a\u0308\u0323 n\u0303 q\u0307\u0323",
    "combined and plain": "é e\u0301 Å A\u030a \u212b",
    "symbols": "→ ← ↑ ↓ ∑ ∞ ≠ ≤ ≥ √ ∂ ∈ ∅ ⊂ ★ ☂ ✓ ♠ ♥",
    "punctuation": "“curly” ‘single’ — – … • † ‡ ‰ ′ ″ ‹›",
    "currency": "$ € £ ¥ ₹ ₽ ₩ ¢ ₿",
    "box drawing": "┌─┬┐│█▒░╬",
    "spaces": "a\u00a0b\u2003c\u2009d\u3000e",
    "fractions": "½ ⅓ ¼ ² ³ ⁴ ₂ ª º µ Ω",
    "mixed": "abc 漢字 déf كتاب 한글 Ωmega",
    "same again": "漢漢字字漢字 ééèè",
}

_ASTRAL: dict[str, str] = {
    "emoji": "😀 🎉 🚀 👍",
    "emoji joined": "👩\u200d💻 👨\u200d👩\u200d👧 🏳️\u200d🌈",
    "emoji skin and flags": "👍🏽 🇩🇪🇯🇵 ☀️",
    "mathematical": "𝒜𝔅 𝟘𝟙",
    "rare han": "𠮷野家 𩸽",
    "gothic": "𐌰𐌱𐌲",
}

TEXTS: dict[str, str] = {**_BASIC, **_ASTRAL}
"""Texts of one line each, by what they try."""

BASIC_TEXTS: dict[str, str] = {name: TEXTS[name] for name in _BASIC}
"""Those within the basic plane: a few old programs, Tk 8.6 among them, hold no other."""


def many_han(count: int, seed: int = 1) -> str:
    """A text of `count` distinct Han characters."""
    return "".join(map(chr, random.Random(seed).sample(range(0x4E00, 0x9FA5), count)))

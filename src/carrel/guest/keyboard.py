"""The keyboard: chords, held keys and any text, by XTEST.

A character the layout has is typed with the layout's own keys. Any other gets a keycode that the
layout leaves empty, bound to that character alone; it keeps it until all such keycodes are in use
and then the least recently used one changes hands, once everyone has read it
(`carrel.guest._readers`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    suppress,
)
from typing import TYPE_CHECKING

from anyio import lowlevel, sleep
from Xlib import X, Xatom
from Xlib import error as xerror

from carrel.actions import Key
from carrel.errors import ActionFailed, InvalidInput, MachineLost, Unsupported
from carrel.guest._readers import Readers
from carrel.guest._xkb import LockState, Xkb
from carrel.guest._xtest import FakeInput
from carrel.guest.display import open_display, read_property, x_errors
from carrel.guest.keymap import Keymap, SparePool, Stroke
from carrel.keys import KEYSYMS, MODIFIERS, key_keysym

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Keyboard"]

Piece = Stroke | int
"""A stroke of the layout, or the keysym that a spare keycode has to be lent to."""

_LOCK_KEYS = frozenset({"capslock", "numlock", "scrolllock"})
_TYPED_KEYS = {"\n": KEYSYMS["enter"], "\t": KEYSYMS["tab"]}
_SPARES_PROPERTY = "_CARREL_SPARE_KEYCODES"

_YIELD_AFTER = 200
"""Characters sent before other work of the program gets a turn."""
_KEEP_UP_AFTER = 2000
"""Characters sent before the application is asked whether it has read them, so that a slow one
does not pile up megabytes of events in the server."""


class Keyboard:
    """The keyboard of one display. Not for use by two tasks at once.

    Raises:
        Unavailable: There is no such display.
        Unsupported: Its server takes no synthetic input.
    """

    def __init__(self, display_name: str) -> None:
        with x_errors():
            self._display: Display = open_display(display_name)
            self._fake = FakeInput(self._display)
            self._root = self._display.screen().root
            self._xkb = Xkb(self._display)
            self._xkb.watch()
            self._readers = Readers(display_name)
            self._property = self._display.intern_atom(_SPARES_PROPERTY)
            self._pool = SparePool()
            self._held: dict[str, tuple[int, ...]] = {}
            self._down: set[int] = set()
            self._keymap = self._read_keymap()
            self._layout_changed = False

    # What callers use

    async def type(self, text: str) -> dict[str, object]:
        """Type text exactly, whatever the layout, the locks and the Shift keys held.

        Returns:
            How many characters were sent, and how many of them the layout does not have.

        Raises:
            InvalidInput: The text holds a control character or half of a surrogate pair; nothing
                was typed.
            ActionFailed: The application stopped reading its keys on the way.
        """
        text = _check_text(text)
        with x_errors():
            self._follow_layout()
            pieces = [self._piece(character) for character in text]
            with self._xkb.locked(LockState()), self._without_levels():
                for batch in self._batches(pieces):
                    await self._lend({piece for piece in batch if isinstance(piece, int)})
                    await self._strike(batch)
        lent = sum(isinstance(piece, int) for piece in pieces)
        return {"characters": len(text), "not_in_layout": lent}

    async def key(self, action: Key) -> dict[str, object]:
        """Press a chord, `repeat` times, and hold it for `hold` seconds each time.

        All keys are found before the first is pressed, and released whatever happens.
        """
        with x_errors():
            strokes = await self._strokes(action.keys)
            keycodes = self._chord(strokes)
            with self._locks_for(action.keys, strokes):
                for _ in range(action.repeat):
                    with self._pressed(keycodes):
                        if action.hold:
                            await sleep(action.hold)
                    await lowlevel.checkpoint()
            self._display.sync()
            self._note(keycodes)
        return {"keys": list(action.keys), "repeat": action.repeat}

    async def down(self, key: str) -> dict[str, object]:
        """Press a key and keep it down until `up` or `release_all`."""
        with x_errors():
            strokes = await self._strokes((key,))
            keycodes = self._held.get(key) or self._chord(strokes)
            with self._locks_for((key,), strokes):
                self._held[key] = keycodes
                for keycode in keycodes:
                    self._press(keycode)
            if not self._is_down(keycodes[-1]):
                self._drop(key)
                raise ActionFailed(f"the {key!r} key did not go down")
        return {"key": key, "down": True}

    async def up(self, key: str) -> dict[str, object]:
        """Release a key, whoever pressed it on this keyboard; `why` where that did nothing."""
        with x_errors():
            if key not in self._held:
                self._held[key] = self._chord(await self._strokes((key,)))[-1:]
            last = self._held[key][-1]
            was_down = self._is_down(last)
            self._drop(key)
            if self._is_down(last) and last not in self._down:
                raise ActionFailed(f"the {key!r} key did not go up")
        seen: dict[str, object] = {"key": key, "down": False}
        return seen if was_down else {**seen, "why": "it was not down"}

    @asynccontextmanager
    async def holding(self, keys: Sequence[str]) -> AsyncIterator[None]:
        """Hold modifier keys while the pointer is used."""
        with x_errors():
            keycodes = self._chord(await self._strokes(keys)) if keys else ()
            with self._pressed(keycodes):
                if keycodes:
                    self._display.sync()
                yield

    def release_all(self) -> None:
        """Release every key this object holds."""
        with x_errors():
            self._held.clear()
            for keycode in list(self._down):
                self._release(keycode)
            self._display.sync()

    def close(self) -> None:
        """Release every key, give the lent keycodes back and let the display go."""
        self._readers.close()
        with suppress(MachineLost, xerror.ConnectionClosedError):  # a dead display is closed, too
            self.release_all()
            with x_errors():
                self._bind(dict.fromkeys(self._pool.lent, X.NoSymbol))
                self._root.delete_property(self._property)
                self._display.sync()
            self._display.close()

    # The layout

    def _read_keymap(self) -> Keymap:
        info = self._display.display.info
        first, count = info.min_keycode, info.max_keycode - info.min_keycode + 1
        rows = dict(enumerate(self._display.get_keyboard_mapping(first, count), first))
        found = read_property(self._root, self._property, Xatom.CARDINAL)
        self._pool.follow(rows, () if found is None else found.value)
        modifiers = self._display.get_modifier_mapping()
        return Keymap(rows, modifiers, self._pool.keycodes)

    def _follow_layout(self) -> None:
        self._display.sync()
        if self._skip_events():
            self._keymap = self._read_keymap()
            self._layout_changed = True

    def _skip_events(self) -> int:
        """How many events came: this connection is sent none but those about the layout."""
        count = self._display.pending_events()
        for _ in range(count):
            self._display.next_event()
        return count

    def _piece(self, character: str) -> Piece:
        keysym = _TYPED_KEYS.get(character)
        if keysym is not None:
            return self._keymap.key(keysym) or keysym
        return self._keymap.character(character) or key_keysym(character)

    async def _strokes(self, keys: Sequence[str]) -> list[Stroke]:
        """A stroke for each key, with keycodes lent to those the layout lacks."""
        self._follow_layout()
        pieces = [self._key_piece(key) for key in keys]
        await self._lend({piece for piece in pieces if isinstance(piece, int)})
        strokes = [self._stroke(piece) for piece in pieces]
        self._note([stroke.keycode for stroke in strokes])
        return strokes

    def _note(self, keycodes: Collection[int]) -> None:
        if not self._pool.keycodes.isdisjoint(keycodes):
            self._readers.note()

    def _key_piece(self, key: str) -> Piece:
        if key.removesuffix("_r") in MODIFIERS:
            keycode = self._keymap.modifier(key)
            if keycode is None:
                raise Unsupported(f"the keyboard layout has no {key!r} key")
            return Stroke(keycode)
        if len(key) == 1:
            return self._piece(key)
        return self._keymap.key(KEYSYMS[key]) or KEYSYMS[key]

    def _stroke(self, piece: Piece) -> Stroke:
        if isinstance(piece, Stroke):
            return piece
        keycode = self._pool.find(piece)
        assert keycode is not None, "a keycode was lent before"
        self._pool.touch(keycode)
        return Stroke(keycode)

    def _batches(self, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
        """Runs of pieces whose lent keysyms fit into the pool together."""
        room = max(len(self._pool) - len(self._pool.keycodes & self._down), 1)
        batch: list[Piece] = []
        lent: set[int] = set()
        for piece in pieces:
            if isinstance(piece, int) and piece not in lent:
                if len(lent) == room:
                    yield batch
                    batch, lent = [], set()
                lent.add(piece)
            batch.append(piece)
        yield batch

    async def _lend(self, keysyms: Collection[int]) -> None:
        changes = self._pool.choose(keysyms, self._down)
        if not changes:
            return
        if self._layout_changed:
            # libX11 misses our notice while it is still loading the layout.
            self._readers.note()
        if self._layout_changed or changes.keys() & self._pool.lent.keys():
            await self._readers.settle()
        self._layout_changed = False
        self._pool.lend(changes)
        self._bind(changes)
        ours = sorted(self._pool.lent)
        self._root.change_property(self._property, Xatom.CARDINAL, 32, ours)
        self._display.sync()
        self._skip_events()
        # Whoever answers has then heard of the new meaning before it gets a key that has it.
        self._readers.note()
        await self._readers.keep_up()

    def _bind(self, changes: Mapping[int, int]) -> None:
        if not changes:
            return
        first, last = min(self._pool.keycodes), max(self._pool.keycodes)
        self._xkb.bind(changes, first, last)
        rows = self._display.get_keyboard_mapping(first, last - first + 1)
        if any(rows[keycode - first][0] != keysym for keycode, keysym in changes.items()):
            self._keymap = self._read_keymap()
            raise ActionFailed(
                "the display server did not take the characters the layout lacks",
                hint="another program changes the keyboard layout at the same time",
            )

    # Keys up and down

    async def _strike(self, pieces: Sequence[Piece]) -> None:
        lends = any(isinstance(piece, int) for piece in pieces)
        watched = lends or len(pieces) > _KEEP_UP_AFTER
        if watched:
            self._readers.note()
        levels: frozenset[int] = frozenset()
        try:
            for count, piece in enumerate(pieces, 1):
                stroke = self._stroke(piece)
                levels = self._hold_levels(levels, stroke)
                self._press(stroke.keycode)
                self._release(stroke.keycode)
                if count % _YIELD_AFTER == 0:
                    self._display.sync()
                    await lowlevel.checkpoint()
                if count % _KEEP_UP_AFTER == 0:
                    self._readers.note()
                    await self._readers.keep_up()
        finally:
            for keycode in levels:
                self._release(keycode)
            self._display.sync()
        if watched:
            self._readers.note()
        await lowlevel.checkpoint()

    def _hold_levels(self, held: frozenset[int], stroke: Stroke) -> frozenset[int]:
        wanted = self._levels(stroke)
        for keycode in held - wanted:
            self._release(keycode)
        for keycode in wanted - held:
            self._press(keycode)
        return wanted

    def _levels(self, stroke: Stroke) -> frozenset[int]:
        pairs = ((stroke.shift, self._keymap.shift), (stroke.altgr, self._keymap.altgr))
        return frozenset(code for needed, code in pairs if needed and code is not None)

    def _chord(self, strokes: Sequence[Stroke]) -> tuple[int, ...]:
        keycodes: dict[int, None] = {}
        for stroke in strokes:
            keycodes.update(dict.fromkeys([*self._levels(stroke), stroke.keycode]))
        return tuple(keycodes)

    def _locks_for(
        self, keys: Sequence[str], strokes: Sequence[Stroke]
    ) -> AbstractContextManager[None]:
        if _LOCK_KEYS.intersection(keys):
            return nullcontext()
        number = any(stroke.num_lock for stroke in strokes)
        return self._xkb.locked(LockState(self._keymap.num_lock_mask if number else 0))

    @contextmanager
    def _pressed(self, keycodes: Sequence[int]) -> Iterator[None]:
        """Hold keys that are not held already."""
        pressed = [keycode for keycode in keycodes if keycode not in self._down]
        try:
            for keycode in pressed:
                self._press(keycode)
            self._display.flush()
            yield
        finally:
            for keycode in reversed(pressed):
                self._release(keycode)
            self._display.flush()

    @contextmanager
    def _without_levels(self) -> Iterator[None]:
        """Lift Shift and AltGr that `down` holds: what is typed is the text itself."""
        shifts = {self._keymap.modifier(key) for key in ("shift", "shift_r", "altgr")}
        lifted = [keycode for keycode in self._down if keycode in shifts]
        for keycode in lifted:
            self._release(keycode)
        try:
            yield
        finally:
            for keycode in lifted:
                self._press(keycode)
            self._display.flush()

    def _press(self, keycode: int) -> None:
        self._down.add(keycode)
        self._fake.key(keycode, True)

    def _release(self, keycode: int) -> None:
        self._down.discard(keycode)
        self._fake.key(keycode, False)

    def _drop(self, key: str) -> None:
        keycodes = self._held.pop(key)
        others = {keycode for held in self._held.values() for keycode in held}
        for keycode in reversed(keycodes):
            if keycode not in others:
                self._release(keycode)

    def _is_down(self, keycode: int) -> bool:
        return bool(self._display.query_keymap()[keycode // 8] & 1 << keycode % 8)


def _check_text(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for character in set(text):
        if character not in _TYPED_KEYS and unicodedata.category(character) in ("Cc", "Cs"):
            raise InvalidInput(
                f"{character!r} cannot be typed",
                hint="press a key for a control character, for example: key ctrl+c",
            )
    return text

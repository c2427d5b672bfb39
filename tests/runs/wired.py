"""Runs on a real desk whose model is a script on the other end of a provider's real wire."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from task_desk import TaskDesk

from carrel.agent.agent import Agent
from carrel.agent.asking import Question
from carrel.agent.control import Answer as Said
from carrel.decisions import Usage
from carrel.events import Event
from carrel.geometry import Point, Size
from carrel.journal.run import Run
from carrel.journal.verify import verify
from carrel.models.model import Model
from carrel.testing import Answer, FakeProvider, Reply, Seen

USAGE = Usage(input=1200, cached=300, output=40)
TASK = "Do what the page is for"
PNG = b"\x89PNG\r\n\x1a\n"


class View:
    """A request, as a model sees it: the pictures' real sizes, and the words."""

    def __init__(self, seen: Seen, screen: Size) -> None:
        self.seen = seen
        self.screen = screen
        self.pictures = list(_pictures(seen.body))
        self.words = "\n".join(_words(seen.body))

    @property
    def size(self) -> tuple[int, int]:
        """Of a whole screenshot: the largest picture there is."""
        return max((png_size(picture) for picture in self.pictures), key=lambda size: size[0])

    def pixel(self, point: Point) -> list[int]:
        """Where a point of the screen is on the picture that was sent."""
        wide, high = self.size
        return [
            int((point.x + 0.5) * wide / self.screen.width),
            int((point.y + 0.5) * high / self.screen.height),
        ]

    def parts(self, point: Point, whole: int = 1000) -> list[int]:
        """The same in parts of the picture's width and height."""
        return [
            round((point.x + 0.5) * whole / self.screen.width),
            round((point.y + 0.5) * whole / self.screen.height),
        ]


Talk = Generator[Reply | None, View, None]
"""Is sent a view for every request and yields the model's answer to it; `None` to begin with."""


def png_size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(PNG)
    wide, high = struct.unpack(">II", picture[16:24])
    return wide, high


def _pictures(value: object) -> Iterator[bytes]:
    """Every picture in a request, in its order, wherever the API has them."""
    if isinstance(value, dict):
        for each in value.values():
            yield from _pictures(each)
    elif isinstance(value, list):
        for each in value:
            yield from _pictures(each)
    elif isinstance(value, str):
        text = value.partition("base64,")[2] if value.startswith("data:") else value
        if text.startswith("iVBORw0KGgo"):
            yield base64.b64decode(text)


def _words(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words(each)
    elif isinstance(value, str) and "iVBORw0KGgo" not in value[:60]:
        yield value


class Script:
    """Lets a talk answer a provider's requests, and remembers what it found wrong."""

    def __init__(self, talk: Talk, desk: TaskDesk, screen: Size) -> None:
        self.screen = screen
        self.views: list[View] = []
        self.failure: BaseException | None = None
        self._talk = talk
        next(talk)

    def __call__(self, seen: Seen) -> Reply:
        view = View(seen, self.screen)
        self.views.append(view)
        try:
            reply = self._talk.send(view)
        except StopIteration:
            self.failure = AssertionError("the model was asked once more than it has answers")
            raise self.failure from None
        except Exception as error:
            self.failure = error
            raise
        assert reply is not None
        return reply.using(USAGE) if isinstance(reply, Answer) and not reply.body else reply


class Person:
    """Answers every question the same way, and remembers it."""

    def __init__(self, choice: str = "allow") -> None:
        self.choice = choice
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Said:
        self.asked.append(question)
        return Said(self.choice)


@dataclass
class Driven:
    """A run that is over."""

    run: Run
    events: list[Event]
    views: list[View]
    seen: list[Seen]
    home: Path
    said: str = ""
    measured: list[tuple[int, str]] = field(default_factory=list)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [dict(event.data) for event in self.events if event.kind == kind]

    @property
    def refused(self) -> list[str]:
        return [seen.refused for seen in self.seen if seen.refused]


def base_url(provider: FakeProvider, model: str) -> str:
    own = model.startswith(("anthropic:", "gemini:"))
    return provider.url if own else provider.openai_url


async def drive(
    desk: TaskDesk,
    model: str,
    talk: Talk,
    home: Path,
    *,
    opened: Callable[[FakeProvider], Model] | None = None,
    also: FakeProvider | None = None,
    seconds: float = 60,
    **options: Any,
) -> Driven:
    """Run the task with a model by its name, over its provider's wire; see that all is in order.

    Args:
        desk: Where.
        model: Its name.
        talk: What it answers.
        home: Where the run is kept.
        opened: Opens the model in place of its name.
        also: A second provider, which the same talk answers for.
        seconds: The most it may take.
        options: Of the agent.
    """
    measured: list[tuple[int, str]] = []

    def measure(width: int, label: str) -> str:
        """Measure something.

        Args:
            width: How wide it is.
            label: What it is called.
        """
        measured.append((width, label))
        return f"{label} measures {width * 2}"

    said: list[str] = []
    script = Script(talk, desk, await desk.computer.screen_size())
    async with FakeProvider() as provider:
        provider.decide(script)
        if also is not None:
            also.decide(script)
        agent = Agent(
            model=opened(provider) if opened else model,
            base_url=base_url(provider, model),
            api_key=options.pop("api_key", provider.key),
            tools=[measure],
            home=home,
            settle=0.05,
            **options,
        )
        with anyio.fail_after(seconds):
            running = agent.run(TASK, desk.name, on_text=said.append)
            events = [event async for event in running]
        seen = [*provider.seen, *(also.seen if also else ())]
        if script.failure is not None:
            provider.reset()
            raise script.failure
    checked = verify(running.id, home)
    assert checked.ok, checked.problems
    return Driven(running.run, events, script.views, seen, home, "".join(said), measured)

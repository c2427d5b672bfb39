"""A run in the trajectory layout of cua, for the viewers and scripts that read it.

`<date>_<model>_<time>_<4 hex>/metadata.json`, and for each decision of the model a folder
`turn_NNN/` with files `NNNN_NAME.json` and `.png`: api_start, api_result, agent_response,
computer_call_result, function_call_result, screenshot_after and screenshot_action.
Written from the journal, from which secrets were taken out before anything was written down.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import cast

from carrel.codec import Json
from carrel.compat.items import Answered, Item, Reader, Responded, Saw, usage_item
from carrel.errors import InvalidInput, NotFound
from carrel.events import Event
from carrel.journal.blobs import read_blob
from carrel.journal.reader import read_events
from carrel.journal.run import Run, fold

__all__ = ["write"]

_STATUS = {"succeeded": "completed"}
_ARM = 20
"""Pixels from the centre of the cross that shows where an action went to its ends."""


def write(
    run: str,
    directory: Path | str,
    *,
    home: Path | None = None,
    screenshot_dir: Path | str | None = None,
    into: str | None = None,
) -> Path:
    """Write a run, finished or not, and return the directory it was written to.

    Args:
        run: Its id.
        directory: Where trajectories are collected; made if it is not there.
        home: Where runs are kept; the user's own place by default.
        screenshot_dir: Keep the pictures that `new_items` names here, not in the turns alone.
        into: The name of a trajectory in `directory` to go on with.

    Raises:
        NotFound: There is no such run, or nothing to go on with.
    """
    events = list(read_events(run, home))
    if not events:
        raise NotFound(f"{run} has not begun")
    read = partial(read_blob, run, home=home)
    shots = Path(screenshot_dir) if screenshot_dir is not None else None
    if into is None:
        target, before = Path(directory) / _name(events[0]), _nothing()
    else:
        target = Path(directory) / into
        before = _metadata_of(target)
    target.mkdir(parents=True, exist_ok=True)
    return _Writer(target, read, before, shots).write(events)


class _Writer:
    def __init__(
        self, target: Path, read: Callable[[str], bytes], before: Item, shots: Path | None
    ) -> None:
        self._target = target
        self._read = read
        self._before = before
        self._shots = shots
        self._turn = cast("int", before["total_turns"]) - 1
        self._artifact = sum(1 for _ in target.glob("turn_*/*")) if before["total_turns"] else 0
        self._new = list(cast("list[Json]", before["new_items"]))
        self._pictures: dict[str, str] = {}
        self._model = ""
        self._begun = False

    def write(self, events: list[Event]) -> Path:
        """All turns, then the metadata: what has none is not complete."""
        run = fold(events)
        self._model = run.model
        reader = Reader(self._read, images=False)
        for event in events:
            for moment in reader.read(event):
                if isinstance(moment, Responded):
                    self._response(moment)
                elif isinstance(moment, Saw):
                    self._picture(moment.blob)
                elif isinstance(moment, Answered):
                    self._answer(moment)
        self._finish(run, events)
        return self._target

    def _response(self, moment: Responded) -> None:
        self._turn += 1
        self._begun = True
        when = _time(moment.at)
        kwargs: Item = {"model": self._model}
        self._json("api_start", {"kwargs": kwargs, "created_at": when})
        self._json("api_result", {"kwargs": kwargs, "result": dict(moment.raw), "created_at": when})
        response: Item = {"output": cast("Json", moment.items), "usage": moment.usage}
        told: Item = {"timestamp": when, "model": self._model, "kwargs": kwargs}
        self._json("agent_response", {**told, "response": response})
        self._new += moment.items

    def _picture(self, blob: str) -> None:
        name = "screenshot_after" if self._begun else "screenshot"
        self._pictures[blob] = self._file(name, "png", self._read(blob))

    def _answer(self, moment: Answered) -> None:
        item, output = moment.item, dict(moment.output)
        if moment.frame is not None:
            output["output"] = {"type": "input_image", "image_url": self._shown(moment)}
        kind = str(item["type"])
        self._json(f"{kind}_result", {"item": item, "result": [output]})
        action = item.get("action")
        point = _point(action) if isinstance(action, dict) else None
        if point is not None and moment.frame is not None and moment.started:
            marked = _with_cross(self._read(moment.frame), *point)
            self._file("screenshot_action", "png", marked)
        self._new.append(output)

    def _shown(self, moment: Answered) -> str:
        """Where the picture of an output is: a path within the trajectory, or outside it."""
        blob = moment.frame or ""
        if self._shots is not None:
            self._shots.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"[^A-Za-z0-9_-]", "_", str(moment.item["call_id"]))[:80]
            path = self._shots / f"{name}_{blob[:8]}.png"
            path.write_bytes(self._read(blob))
            return str(path)
        if blob not in self._pictures:
            self._picture(blob)
        return self._pictures[blob]

    def _file(self, name: str, suffix: str, data: bytes) -> str:
        # What was seen before the model was asked belongs to its first turn.
        folder = self._target / f"turn_{self._turn + (not self._begun):03d}"
        folder.mkdir(exist_ok=True)
        path = folder / f"{self._artifact:04d}_{name}.{suffix}"
        path.write_bytes(data)
        self._artifact += 1
        return str(path.relative_to(self._target))

    def _json(self, name: str, data: Mapping[str, Json]) -> None:
        self._file(name, "json", _dump(data))

    def _finish(self, run: Run, events: list[Event]) -> None:
        started = events[0].data
        names = ("model", "task", "instructions", "tools", "limits", "options")
        kwargs = {name: started[name] for name in names if started.get(name)}
        metadata: Item = {
            "trajectory_id": self._target.name,
            "created_at": self._before.get("created_at") or _time(events[0].at),
            "status": _STATUS.get(run.status.value, run.status.value),
            "reason": run.reason,
            "message": run.message,
            "run": run.id,
            "kwargs": kwargs,
            "total_usage": _total(self._before, run),
            "new_items": self._new,
            "total_turns": self._turn + 1,
        }
        if run.ended is not None:
            metadata["completed_at"] = _time(run.ended)
        path = self._target / "metadata.json"
        partial_path = path.with_suffix(".tmp")
        partial_path.write_bytes(_dump(metadata))
        partial_path.replace(path)


def _name(started: Event) -> str:
    when = datetime.fromtimestamp(started.at, UTC).astimezone()
    model = str(started.data.get("model", "")).lower()
    last = re.split(r"[+:/]", model)[-1][:16]
    if "+" in model:
        last = f"{model[:4]}_{last}"
    word = re.sub(r"[^a-z0-9_]", "", last) or "model"
    # From the run's id: written twice, a run has the same name.
    tag = hashlib.sha256(started.run.encode()).hexdigest()[:4]
    return f"{when:%Y-%m-%d}_{word}_{when:%H%M%S}_{tag}"


def _nothing() -> Item:
    return {"total_turns": 0, "new_items": [], "total_usage": {}}


def _metadata_of(target: Path) -> Item:
    try:
        found = json.loads((target / "metadata.json").read_text())
    except FileNotFoundError:
        raise NotFound(f"there is no trajectory {target}") from None
    except ValueError as error:
        raise InvalidInput(f"{target} has no readable metadata: {error}") from error
    if not isinstance(found, dict) or not {"total_turns", "new_items"} <= found.keys():
        raise InvalidInput(f"{target} is no trajectory written here")
    return cast("Item", found)


def _total(before: Item, run: Run) -> Item:
    cost = None if run.cost is None else str(run.cost)
    total, earlier = usage_item(run.usage, cost), before.get("total_usage")
    earlier = earlier if isinstance(earlier, dict) else {}
    if earlier and "response_cost" not in earlier:
        # A part that is not known makes the whole unknown.
        total.pop("response_cost", None)
    return {key: _sum(earlier.get(key), value) for key, value in total.items()}


def _sum(one: Json, two: Json) -> Json:
    if isinstance(two, dict):
        held = one if isinstance(one, dict) else {}
        return {key: _sum(held.get(key), value) for key, value in two.items()}
    if isinstance(one, int | float) and isinstance(two, int | float):
        return one + two
    return two


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()


def _dump(data: Mapping[str, Json]) -> bytes:
    return json.dumps(data, indent=2, ensure_ascii=False).encode()


def _point(action: Mapping[str, Json]) -> tuple[int, int] | None:
    x, y = action.get("x"), action.get("y")
    return (x, y) if isinstance(x, int) and isinstance(y, int) else None


def _with_cross(data: bytes, x: int, y: int) -> bytes:
    from PIL import Image, ImageDraw

    with Image.open(io.BytesIO(data)) as image:
        marked = image.convert("RGB")
    draw = ImageDraw.Draw(marked)
    draw.line(((x - _ARM, y), (x + _ARM, y)), fill="red", width=2)
    draw.line(((x, y - _ARM), (x, y + _ARM)), fill="red", width=2)
    draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill="red")
    out = io.BytesIO()
    marked.save(out, "png", compress_level=1)
    return out.getvalue()

"""Films of runs, looked at by programs that did not make them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from carrel.errors import NotFound, RunError, Unavailable
from carrel.journal import Journal
from carrel.journal.views import write_gif, write_webm
from carrel.journal.views.video import shots
from synthetic_run import make_run, picture


def test_a_gif_shows_every_picture_and_every_mark(tmp_path: Path) -> None:
    run = make_run(tmp_path, 6)
    write_gif(run, tmp_path / "run.gif", home=tmp_path, fps=2)
    with Image.open(tmp_path / "run.gif") as film:
        assert film.format == "GIF"
        assert film.size == (320, 200)
        assert film.n_frames == 6 + 7
        total = 0
        for number in range(film.n_frames):
            film.seek(number)
            total += film.info["duration"]
        assert total == 500 * 13
        # The second picture is the click at 40, 50: the dot is there, and was not before.
        film.seek(0)
        before = film.convert("RGB").getpixel((40, 50))
        film.seek(1)
        after = film.convert("RGB").getpixel((40, 50))
    assert isinstance(before, tuple)
    assert isinstance(after, tuple)
    assert max(abs(a - b) for a, b in zip(after, (214, 51, 108), strict=True)) < 20
    assert before != after


def test_a_film_takes_the_time_the_run_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter(range(1000, 2000, 3))
    monkeypatch.setattr("carrel.journal.journal.time.time", lambda: float(next(moments)))
    run = make_run(tmp_path, 2)
    film = shots(run, home=tmp_path)
    assert [shot.seconds for shot in film] == [6, 6, 6, 6, 2]


def test_a_wide_screen_is_made_smaller_and_marks_with_it(tmp_path: Path) -> None:
    run = make_run(tmp_path, 1)
    write_gif(run, tmp_path / "run.gif", home=tmp_path, fps=1, width=161)
    with Image.open(tmp_path / "run.gif") as film:
        assert film.size == (160, 100)
        film.seek(1)
        red, green, blue = film.convert("RGB").getpixel((20, 25))  # type: ignore[misc]
    assert red > 150 > green
    assert blue < 160


def test_a_webm_is_what_a_player_expects(tmp_path: Path) -> None:
    if shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None:
        pytest.skip("ffmpeg is not installed")
    run = make_run(tmp_path, 4)
    write_webm(run, tmp_path / "run.webm", home=tmp_path, fps=2)
    done = subprocess.run(
        [
            *("ffprobe", "-v", "error", "-count_frames", "-of", "json"),
            *("-show_entries", "stream=codec_name,width,height,nb_read_frames:format=duration"),
            str(tmp_path / "run.webm"),
        ],
        capture_output=True,
        timeout=60,
        check=True,
    )
    facts = json.loads(done.stdout)
    stream = facts["streams"][0]
    assert (stream["codec_name"], stream["width"], stream["height"]) == ("vp9", 320, 200)
    assert int(stream["nb_read_frames"]) >= 9
    assert float(facts["format"]["duration"]) == pytest.approx(9 / 2, abs=0.6)


def test_without_ffmpeg_the_way_out_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(tmp_path, 1)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="ffmpeg") as found:
        write_webm(run, tmp_path / "run.webm", home=tmp_path)
    assert found.value.hint is not None
    assert "gif" in found.value.hint
    assert not (tmp_path / "run.webm").exists()


def test_a_run_without_pictures_has_no_film(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {"task": "think"})
    with pytest.raises(NotFound, match="no picture"):
        write_gif("run_1", tmp_path / "run.gif", home=tmp_path)


def test_screens_of_several_sizes_and_closer_looks_share_one_film(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append("run.started", {"task": "resize"})
        for size, region in (((320, 200), None), ((64, 48), {"x": 0}), ((201, 333), None)):
            sha = journal.put_blob(picture(1, size))
            data = {"blob": sha, "width": size[0], "height": size[1], "region": region}
            journal.append("frame", data, (sha,))
            click = {"type": "click", "x": 5, "y": 5}
            journal.append("act", {"action": click, "words": "klick größer 💡"})
    write_gif("run_1", tmp_path / "run.gif", home=tmp_path, fps=5)
    with Image.open(tmp_path / "run.gif") as film:
        assert film.size == (320, 200)
        assert film.n_frames == 6


def test_a_picture_that_is_none_is_a_typed_error(tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        sha = journal.put_blob(b"not a picture")
        journal.append("frame", {"blob": sha, "width": 9, "height": 9}, (sha,))
    with pytest.raises(RunError, match="cannot be read"):
        write_gif("run_1", tmp_path / "run.gif", home=tmp_path)

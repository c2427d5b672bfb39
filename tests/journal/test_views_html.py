"""The page that plays a run, in a real browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Page, chromium

from carrel import actions
from carrel.codec import Json
from carrel.journal import Journal, read_events
from carrel.journal.views import write_html
from synthetic_run import act_entries, decision_entry, frame_entry, make_run, picture, started

pytestmark = pytest.mark.browser

HOSTILE = [
    "</script><script>document.title='pwned'</script>",
    "<img src=x onerror=\"document.title='pwned'\">",
    "<!--<script>",
    "]]></style><svg onload=\"document.title='pwned'\">",
    "'\"`${document.title='pwned'}\\u003cscript\\u003e \u2028\u2029 \ud83d \x00 javascript:0",
]


def export(run: str, home: Path, path: Path) -> Path:
    with path.open("wb") as file:
        write_html(run, file, home=home)
    return path


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed")
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    return export(make_run(home, 8), home, home / "run.html")


def test_the_page_shows_the_run_and_asks_nothing_of_the_network(page: Page, played: Path) -> None:
    page.requests.clear()
    page.open(played)
    assert page.js("document.querySelector('h1').textContent") == "Fill in the form"
    words = page.js("document.body.innerText")
    for expected in ("openai:gpt-5.4", "succeeded (done)", "$0.1107", "11250", "0:13"):
        assert expected in words
    assert page.js("document.querySelectorAll('#moments li').length") == 41
    everything = page.js("document.querySelector('#moments').textContent")
    for expected in (
        'type "hello"',
        "The form is still empty; step 3",
        "isolated machine",
        "Send the form?",
        "the form has two pages",
        "overloaded",
        "the window is gone",
        "All filled in.",
    ):
        assert expected in everything
    assert all(url.startswith(("file:", "data:")) for url in page.requests), page.requests


def test_keys_slider_and_buttons_move_through_it(page: Page, played: Path) -> None:
    page.open(played)

    def now() -> int:
        return int(page.js("document.body.dataset.seq"))

    # It opens on the first picture.
    assert now() == 1
    assert page.js("document.querySelector('#view img') !== null")
    page.press("ArrowRight")
    assert now() == 2
    page.press("ArrowLeft")
    assert now() == 1
    page.press("End")
    assert now() == 40
    page.press("ArrowRight")
    assert now() == 40
    page.press("Home")
    assert now() == 0
    page.js("slider.value = 14; slider.dispatchEvent(new Event('input'))")
    assert now() == 14
    page.js("document.querySelectorAll('#moments button')[7].click()")
    assert now() == 7
    assert page.js("document.querySelector('.now .title').textContent") == '2type "hello"'


def test_it_plays_by_itself_and_stops_at_the_end(page: Page, played: Path) -> None:
    page.open(played, "#37")
    page.js("document.querySelector('#controls select').value = '16'")
    page.press(" ")
    assert "pause" in page.js("play.textContent")
    page.until("play.textContent.includes('play')")
    assert page.js("document.body.dataset.seq") == "40"


def test_the_address_leads_to_a_moment(page: Page, played: Path) -> None:
    page.open(played, "#7")
    assert page.js("document.body.dataset.seq") == "7"
    page.js("location.hash = '#12'")
    page.until("document.body.dataset.seq === '12'")


@pytest.mark.parametrize("size", [(1200, 700), (700, 900), (1600, 420)])
def test_marks_are_drawn_where_the_action_was(
    page: Page, played: Path, size: tuple[int, int]
) -> None:
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=size[0],
        height=size[1],
        deviceScaleFactor=1,
        mobile=False,
    )
    page.open(played, "#3")
    page.js("document.querySelector('#view img').decode()")
    place = page.js(
        """(() => {
        const image = document.querySelector('#view img'), box = image.getBoundingClientRect();
        const scale = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight);
        const left = box.x + (box.width - image.naturalWidth * scale) / 2;
        const top = box.y + (box.height - image.naturalHeight * scale) / 2;
        const dot = document.querySelector('#view circle.spot').getBoundingClientRect();
        return [(dot.x + dot.width / 2 - left) / scale, (dot.y + dot.height / 2 - top) / scale];
        })()"""
    )
    assert place == pytest.approx([40, 50], abs=0.6)
    page.open(played, "#14")
    points = page.js("document.querySelector('#view polyline').getAttribute('points')")
    assert points == "10,10 60,80 200,150"
    page.open(played, "#7")
    assert page.js("document.querySelector('#view text').textContent") == 'type "hello"'
    page.call("Emulation.clearDeviceMetricsOverride")


def test_hostile_text_is_shown_and_never_run(page: Page, tmp_path: Path) -> None:
    with Journal.create("run_1", home=tmp_path) as journal:
        kind, data, _ = started(HOSTILE[0], HOSTILE[1])
        journal.append(kind, data)
        sha = journal.put_blob(picture(1))
        frame = frame_entry(0, picture(1))
        journal.append("frame", frame[1], (sha,))
        for text in HOSTILE:
            kind, data, _ = decision_entry(1, (actions.Type("x"),), text, "0.1")
            journal.append(kind, data)
            journal.append("text", {"role": "model", "text": text})
            journal.append("error", {"message": text, "code": text})
            journal.append("plan", {text.encode("utf-8", "replace").decode(): text})
            act = next(iter(act_entries(1, 0, actions.Click(1, 2))))
            journal.append("act", {**act[1], "words": text})
            journal.append("frame", {"width": text, "height": 5, "blob": text, "frame": text})
        journal.append("run.finished", {"status": text, "text": text})
    path = export("run_1", tmp_path, tmp_path / "hostile.html")
    count = len(list(read_events("run_1", tmp_path)))
    page.open(path)
    for _ in range(count):
        page.press("ArrowRight")
    assert page.js("document.body.dataset.seq") == str(count - 1)
    assert "pwned" not in page.js("document.title").replace(HOSTILE[0][:80], "")
    assert page.js("document.querySelectorAll('script').length") == 2
    assert page.js("document.querySelectorAll('[onerror],[onload]').length") == 0
    shown = page.js("document.querySelector('#moments').textContent")
    for text in HOSTILE[:4]:
        assert text in shown


def test_the_policy_stops_even_a_script_that_got_in(page: Page, played: Path) -> None:
    page.open(played)
    page.js(
        "document.body.insertAdjacentHTML('beforeend', "
        '\'<img src=x onerror="window.got_in = 1"><iframe src="https://example.org"></iframe>\');'
        "const s = document.createElement('script'); s.textContent = 'window.got_in = 2';"
        "document.body.append(s); new Promise(done => setTimeout(done, 200))"
    )
    assert page.js("typeof window.got_in") == "undefined"


def test_the_page_says_so_when_a_picture_is_missing(page: Page, tmp_path: Path) -> None:
    run = make_run(tmp_path, 1)
    for blob in (tmp_path / "runs" / run / "blobs").iterdir():
        blob.unlink()
    page.open(export(run, tmp_path, tmp_path / "run.html"), "#1")
    assert page.js("document.querySelector('#view').textContent") == "This picture is missing."


def test_a_plain_dump_of_the_page_has_the_run_in_it(played: Path, tmp_path: Path) -> None:
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed")
    done = subprocess.run(
        [
            *("chromium", "--no-sandbox", "--headless=new", "--disable-gpu", "--dump-dom"),
            f"--user-data-dir={tmp_path / 'profile'}",
            f"{played.as_uri()}#3",
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert 'data-seq="3"' in done.stdout
    assert "click at 40, 50" in done.stdout


def test_the_file_stands_alone(played: Path) -> None:
    content = played.read_text()
    assert content.count("Content-Security-Policy") == 1
    assert "default-src 'none'" in content
    assert not re.search(r"(?:src|href)=[\"']?https?:", content)
    # Each picture is in it once.
    assert content.count("data:image/png;base64,") == 9


def test_only_what_was_confirmed_is_green_and_what_failed_says_why(
    page: Page, tmp_path: Path
) -> None:
    results: dict[str, dict[str, Json]] = {
        "good": {"ok": True, "effect": "confirmed"},
        "doubt": {"ok": True, "effect": "suspected_noop"},
        "": {"ok": True, "effect": "unverifiable"},
        "bad": {"ok": False, "error": {"code": "refused", "message": "files stay"}},
    }
    with Journal.create("run_1", home=tmp_path) as journal:
        journal.append(*started()[:2])
        for result in results.values():
            journal.append("result", {"result": result})
    page.open(export("run_1", tmp_path, tmp_path / "run.html"))
    classes = page.js("[...document.querySelectorAll('#moments button')].map(b => b.className)")
    assert classes[1:] == list(results)
    shown = page.js("document.querySelector('#moments').innerText")
    assert "Delivered, the screen did not change" in shown
    assert "files stay" in shown
    assert "interrupted" in page.js("document.querySelector('header').innerText")

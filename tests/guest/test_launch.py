from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import Open
from carrel.errors import (
    ActionFailed,
    CarrelError,
    InvalidInput,
    NotFound,
    Unavailable,
    Unsupported,
)
from carrel.guest.entries import Entries, Entry
from carrel.guest.launch import Launcher

pytestmark = pytest.mark.anyio


class Home:
    """A home with programs of its own; each writes its arguments to a file and waits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bin = path / "bin"
        self.apps = path / "data" / "applications"
        self.config = path / "config"
        for folder in (self.bin, self.apps, self.config):
            folder.mkdir(parents=True)
        for name in ("sleep", "sh", "dirname"):
            found = shutil.which(name)
            assert found
            (self.bin / name).symlink_to(found)
        self.env = {
            "PATH": str(self.bin),
            "HOME": str(path),
            "XDG_DATA_DIRS": str(path / "data"),
            "XDG_CONFIG_HOME": str(self.config),
            "XDG_CONFIG_DIRS": "/nonexistent",
        }
        self.launcher = Launcher(lambda: self.env, str(path))
        self.pids: list[int] = []

    def program(self, name: str, then: str = "exec sleep 60") -> None:
        file = self.bin / name
        # NUL between arguments, two at the end: nothing can be mistaken for another.
        file.write_text(
            f'#!/bin/sh\nprintf "%s\\0" "$0" "$@" > {self.path}/said.new\n'
            f"printf '\\0' >> {self.path}/said.new\n"
            f"/bin/mv {self.path}/said.new {self.path}/said\n{then}\n"
        )
        file.chmod(0o755)

    def entry(self, name: str, **fields: str) -> None:
        fields = {"Type": "Application", "Name": name, **fields}
        lines = "\n".join(f"{key}={value}" for key, value in fields.items())
        (self.apps / f"{name}.desktop").write_text(f"[Desktop Entry]\n{lines}\n")

    async def open(self, what: str, *arguments: str) -> dict[str, object]:
        with anyio.fail_after(10):
            done = await self.launcher.open(Open(what, arguments))
        self.pids.append(int(str(done["pid"])))
        return done

    async def said(self) -> list[str]:
        """What the last program was called with."""
        file = self.path / "said"
        with anyio.fail_after(10):
            while not file.exists():  # noqa: ASYNC110
                await anyio.sleep(0.01)
        words = file.read_bytes().decode().removesuffix("\0\0").split("\0")
        file.unlink()
        return [Path(words[0]).name, *words[1:]]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    for pid in made.pids:
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


NASTY = ["two words", "$(touch pwned)", "; rm -rf /", '"', "'", "ünï ☃", "-v", "%f"]


async def test_a_program_is_opened_with_its_arguments_untouched(home: Home) -> None:
    home.program("tool")
    done = await home.open("tool", *NASTY)
    assert (done["kind"], done["running"]) == ("app", True)
    assert await home.said() == ["tool", *NASTY]
    assert os.getpgid(int(str(done["pid"]))) == done["pid"]


async def test_a_program_that_is_done_at_once_has_worked(home: Home) -> None:
    home.program("quick", "exit 0")
    assert (await home.open("quick"))["running"] is False


async def test_a_program_that_fails_at_once_is_a_failure_with_its_words(home: Home) -> None:
    home.program("bad", "echo first >&2; echo no display >&2; exit 3")
    with pytest.raises(ActionFailed, match="exit code 3: no display") as caught:
        await home.open("bad")
    assert caught.value.context["stderr"] == "first\nno display"
    home.program("killed", "kill -9 $$")
    with pytest.raises(ActionFailed, match="signal 9"):
        await home.open("killed")


async def test_an_ended_program_is_not_left_a_zombie(home: Home) -> None:
    home.program("soon", "exec sleep 0.5")
    done = await home.open("soon")
    assert done["running"] is True
    with anyio.fail_after(10):
        while Path(f"/proc/{done['pid']}").exists():  # noqa: ASYNC110
            await anyio.sleep(0.02)


@pytest.mark.parametrize("name", ["org.example.Pad", "org.example.Pad.desktop", "Note Pad", "pad"])
async def test_an_application_is_found_by_entry_name_or_id(home: Home, name: str) -> None:
    home.program("padprogram")
    home.entry("org.example.Pad", Name="Note Pad", Exec="padprogram --new %U --end")
    assert (await home.open(name, "a b"))["kind"] == "app"
    assert await home.said() == ["padprogram", "--new", "a b", "--end"]


async def test_an_entry_that_takes_no_files_gets_arguments_at_the_end(home: Home) -> None:
    home.program("p")
    home.entry("calc", Exec='p "--title=two words" --name=%c 100%%', Name="Cal")
    await home.open("calc", "x")
    assert await home.said() == ["p", "--title=two words", "--name=Cal", "100%", "x"]


async def test_a_terminal_application_runs_in_a_terminal(home: Home) -> None:
    home.program("x-terminal-emulator")
    home.entry("top", Exec="top -d 1", Terminal="true")
    await home.open("top")
    assert await home.said() == ["x-terminal-emulator", "-e", "top", "-d", "1"]


async def test_an_unknown_application_says_which_are_known(home: Home) -> None:
    home.entry("pad", Name="Note Pad", Exec="pad")
    home.entry("gone", Name="Gone", Exec="gone", Hidden="true")
    with pytest.raises(NotFound) as caught:
        await home.open("nothing-like-it")
    assert caught.value.hint == "known applications: Note Pad"


async def test_an_entry_whose_program_is_missing_is_not_found(home: Home) -> None:
    home.entry("pad", Exec="pad %f", TryExec="no-such")
    home.entry("pod", Exec="no-such %f")
    for name in ("pad", "pod"):
        with pytest.raises(NotFound, match="no-such"):
            await home.open(name)


# URLs


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a?b=c&d='\"$(x)`y`;z#f",
        "http://localhost:8080/",
        "HTTPS://EXAMPLE.COM/",
        "file:///etc/hostname",
        "about:blank",
        "http://münchen.example/ü",
    ],
)
async def test_a_url_goes_to_the_browser_as_data(home: Home, url: str) -> None:
    home.program("chromium")
    assert (await home.open(url))["kind"] == "url"
    assert await home.said() == ["chromium", url]


async def test_the_chosen_browser_comes_first(home: Home) -> None:
    home.program("chromium")
    home.program("mine")
    home.env["BROWSER"] = "missing:mine --kiosk"
    await home.open("https://example.com/", "--incognito")
    assert await home.said() == ["mine", "--kiosk", "--incognito", "https://example.com/"]
    home.env["BROWSER"] = "mine --url=%s"
    await home.open("https://example.com/")
    assert await home.said() == ["mine", "--url=https://example.com/"]


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("javascript:alert(1)", Unsupported),
        ("data:text/html,x", Unsupported),
        ("ssh://host/", Unsupported),
        ("mailto:a@example.com", Unsupported),
        ("localhost:8080", Unsupported),
        ("https://", InvalidInput),
        ("https:/x", InvalidInput),
        ("https://exa mple.com/", InvalidInput),
        ("https://x/\n--flag", InvalidInput),
        ("http://[::1/", InvalidInput),
    ],
)
async def test_other_urls_are_not_opened(home: Home, what: str, error: type[CarrelError]) -> None:
    home.program("chromium")
    with pytest.raises(error):
        await home.open(what)
    assert not (home.path / "said").exists()


@pytest.mark.parametrize(
    ("what", "hint"),
    [
        ("mailto:a@example.com", "use http, https, file, about"),
        ("localhost:8080/x", "write http://localhost:8080/x"),
        ("example.com", "https://example.com for a web page, or the whole path of a file"),
        ("example.com/a", "https://example.com/a for a web page, or the whole path of a file"),
    ],
)
async def test_what_may_have_been_meant_is_told(home: Home, what: str, hint: str) -> None:
    home.entry("Note Pad", Exec="sleep")
    with pytest.raises(CarrelError) as caught:
        await home.open(what)
    assert caught.value.hint == hint


@pytest.mark.parametrize("name", ["new.txt", "notes/new.txt"])
async def test_a_file_named_without_its_path_is_told_with_it(home: Home, name: str) -> None:
    file = home.path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("x")
    with pytest.raises(NotFound) as caught:
        await home.open(name)
    assert caught.value.hint == f"write the whole path of a file: {file}"


async def test_a_url_of_a_file_that_is_not_there_is_refused(home: Home) -> None:
    home.program("chromium")
    (home.path / "a b.html").write_text("x")
    with pytest.raises(NotFound, match=r"there is no file .*/b c\.html"):
        await home.open(f"file://{home.path}/b%20c.html")
    assert not (home.path / "said").exists()
    assert (await home.open(f"file://{home.path}/a%20b.html"))["kind"] == "url"


async def test_without_a_browser_it_says_how_to_get_one(home: Home) -> None:
    with pytest.raises(Unavailable) as caught:
        await home.open("https://example.com/")
    assert "apt-get install" in str(caught.value.hint)


# Files


async def test_a_file_is_opened_by_its_type(home: Home) -> None:
    home.program("editor")
    home.entry("vi", Exec="vi %F", MimeType="text/plain;", Terminal="true")
    home.entry("zz", Exec="editor %F", MimeType="text/plain;")
    for name in ("a note.txt", "code.py", "data.json", "README", "empty"):
        (home.path / name).write_text("" if name == "empty" else "text")
        done = await home.open(f"~/{name}")
        assert done["kind"] == "file"
        assert await home.said() == ["editor", str(home.path / name)]


async def test_a_chosen_default_wins(home: Home) -> None:
    home.program("editor")
    home.program("other")
    home.entry("a", Exec="editor %F", MimeType="text/plain;")
    home.entry("b", Exec="other %F")
    (home.config / "mimeapps.list").write_text(
        "# mine\n[Default Applications]\ntext/plain=nope.desktop;b.desktop\n"
    )
    (home.path / "t.txt").write_text("x")
    await home.open(str(home.path / "t.txt"))
    assert (await home.said())[0] == "other"


async def test_a_folder_goes_to_the_file_manager(home: Home) -> None:
    home.program("manager")
    home.entry("fm", Exec="manager %U", MimeType="inode/directory;")
    await home.open(str(home.path))
    assert await home.said() == ["manager", str(home.path)]


async def test_a_picture_nobody_else_opens_goes_to_the_browser(home: Home) -> None:
    home.program("chromium")
    (home.path / "my pic.png").write_bytes(b"\x89PNG")
    await home.open("~/my pic.png")
    assert await home.said() == ["chromium", f"file://{home.path}/my%20pic.png"]


async def test_a_program_given_by_its_path_is_run(home: Home) -> None:
    home.program("tool")
    assert (await home.open(str(home.bin / "tool"), "x"))["kind"] == "app"
    assert await home.said() == ["tool", "x"]


async def test_an_entry_given_by_its_path_is_opened(home: Home) -> None:
    home.program("tool")
    (home.path / "my.desktop").write_text("[Desktop Entry]\nType=Application\nExec=tool hi\n")
    await home.open("~/my.desktop")
    assert await home.said() == ["tool", "hi"]


@pytest.mark.parametrize(
    ("name", "make", "error"),
    [
        ("missing", lambda path: None, NotFound),
        ("pipe", os.mkfifo, InvalidInput),
        ("blob", lambda path: path.write_bytes(b"\0\1\2"), Unavailable),
    ],
)
async def test_a_file_that_cannot_be_opened_is_a_clear_error(
    home: Home, name: str, make: Callable[[Path], object], error: type[CarrelError]
) -> None:
    make(home.path / name)
    with pytest.raises(error, match=name):
        await home.open(str(home.path / name))


# Entries


def test_an_entry_nearer_home_hides_one_further_down(tmp_path: Path) -> None:
    for folder, line in (("near", "Hidden=true"), ("far", "Name=Far")):
        (tmp_path / folder / "applications").mkdir(parents=True)
        (tmp_path / folder / "applications" / "a.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nExec=a\n{line}\n"
        )
    env = {"XDG_DATA_HOME": str(tmp_path / "near"), "XDG_DATA_DIRS": str(tmp_path / "far")}
    assert Entries(env, str(tmp_path)).find("a") is None
    env["XDG_DATA_HOME"] = str(tmp_path / "none")
    found = Entries(env, str(tmp_path)).find("a")
    assert found is not None
    assert found.name == "Far"


def test_an_entry_in_a_subfolder_has_it_in_its_id(tmp_path: Path) -> None:
    (tmp_path / "applications" / "kde").mkdir(parents=True)
    (tmp_path / "applications" / "kde" / "k.desktop").write_text("[Desktop Entry]\nExec=k\n")
    assert Entries({"XDG_DATA_DIRS": str(tmp_path)}, str(tmp_path)).find("kde-k") is not None


@pytest.mark.skipif(not Path("/usr/share/applications").is_dir(), reason="no applications here")
def test_the_entries_of_this_system_all_have_a_command(tmp_path: Path) -> None:
    entries = Entries({}, str(tmp_path))
    for name in entries.names():
        entry = entries.search(name)
        assert entry is not None
        assert entry.command(["/x"])[0]


@given(st.text(max_size=60), st.lists(st.text(max_size=10), max_size=3))
def test_any_exec_line_becomes_a_command_or_a_failure(line: str, arguments: list[str]) -> None:
    try:
        words = Entry("x", "/x.desktop", "X", line).command(arguments)
    except ActionFailed:
        return
    assert words


# The real thing


@pytest.fixture
def display() -> Iterator[str]:
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-nolisten", "tcp", "-screen", "0", "400x300x24"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as numbers:
        yield f":{numbers.readline().strip()}"
    server.terminate()
    server.wait(10)


@pytest.mark.desktop
async def test_a_real_terminal_opens_a_window(display: str, tmp_path: Path) -> None:
    if shutil.which("xterm") is None or shutil.which("xdotool") is None:
        pytest.skip("xterm and xdotool are not installed")
    env = {"DISPLAY": display, "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = await Launcher(lambda: env, str(tmp_path)).open(Open("XTerm"))
    try:
        with anyio.fail_after(15):
            search = ["xdotool", "search", "--onlyvisible", "--pid", str(done["pid"])]
            while not (await anyio.run_process(search, check=False, env=env)).stdout:  # noqa: ASYNC110
                await anyio.sleep(0.05)
    finally:
        os.killpg(int(str(done["pid"])), signal.SIGKILL)


@pytest.mark.desktop
async def test_an_application_without_a_display_is_a_failure(tmp_path: Path) -> None:
    if shutil.which("xterm") is None:
        pytest.skip("xterm is not installed")
    env = {"DISPLAY": ":59999", "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    with pytest.raises(ActionFailed, match="isplay"):
        await Launcher(lambda: env, str(tmp_path)).open(Open("xterm"))


async def test_closing_ends_what_was_opened_with_all_it_started(tmp_path: Path) -> None:
    launcher = Launcher(lambda: dict(os.environ), str(tmp_path))
    script = tmp_path / "family"
    script.write_text("#!/bin/sh\nsleep 4713 & echo $! > child; exec sleep 4714\n")
    script.chmod(0o755)
    with anyio.fail_after(20):
        opened = await launcher.open(Open("./family"))
        pids = [int(str(opened["pid"])), int((tmp_path / "child").read_text())]
        assert all(Path(f"/proc/{pid}").exists() for pid in pids)
        await launcher.close()
    assert not any(_lives(pid) for pid in pids)


def _lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"

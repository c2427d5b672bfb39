"""Settings: read from files and the environment, refused where they are wrong, written back."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput, NotFound, Refused
from carrel.geometry import Size
from carrel.machines.amounts import amount_words, parse_amount
from carrel.machines.settings import (
    HOST_KEYS,
    KEYS,
    find_project,
    get_key,
    load_host,
    load_layers,
    user_file,
)
from carrel.machines.user_file import set_value, unset_value


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No setting anywhere, and a project's directory to stand in."""
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "home"))
    for key in (*KEYS.values(), *HOST_KEYS.values()):
        monkeypatch.delenv(key.variable, raising=False)
    monkeypatch.delenv("CARREL_PROJECT_FILE", raising=False)
    project = tmp_path / "project" / "deep"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    (tmp_path / "home").mkdir()
    return tmp_path


def strongest(machine: str | None = None) -> dict[str, object]:
    return {name: value for at, values in load_layers(machine) for name, value in values.items()}


def test_nothing_set_is_no_layer(home: Path) -> None:
    assert load_layers() == []
    assert load_host() == {}
    assert user_file() == home / "home" / "config.toml"


def test_each_later_place_beats_the_earlier_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = home / "project" / "carrel.toml"
    project.write_text('[machine]\nmemory = "1GB"\ncpus = 1\npids = 100\nsize = "800x600"\n')
    assert strongest()["memory"] == 1024
    user_file().write_text('[machine]\nmemory = "2GB"\ncpus = 2\npids = 200\n')
    assert (strongest()["memory"], strongest()["size"]) == (2048, Size(800, 600))
    monkeypatch.setenv("CARREL_MEMORY", "3GB")
    assert strongest() == {"memory": 3072, "cpus": 2, "pids": 200, "size": Size(800, 600)}
    origins = [layer.origin for layer in load_layers()]
    assert origins == [str(project), str(user_file()), "CARREL_MEMORY"]


def test_a_machine_of_that_name_has_settings_of_its_own(home: Path) -> None:
    user_file().write_text('[machine]\ncpus = 1\n[machines.web]\ncpus = 2\nnetwork = "nat"\n')
    assert strongest()["cpus"] == 1
    assert strongest("web") == {"cpus": 2, "network": "nat"}
    assert strongest("other") == {"cpus": 1}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[machine]\nmemori = 1", "no setting 'memori'"),
        ("[machin]\ncpus = 1", r"no table \[machin\]"),
        ("cpus = 1", r"no table \[cpus\]"),
        ("machine = 1", "machine is not a table"),
        ('[machine]\ncpus = "many"', "cpus: 'many' is not a whole number"),
        ("[machine]\ncpus = true", "cpus: True is not a whole number"),
        ('[machine]\nmemory = "lots"', "memory: 'lots' is not an amount"),
        ('[machine]\nsize = "big"', "size"),
        ('[machine]\nnetwork = "open"', "network: 'open' is not known"),
        ('[machine]\nallow = ["http://x"]', "allow"),
        ('[machine]\nallow = "example.org:0"', "allow"),
        ("[machine]\nallow = [1]", "allow: 1 is not a text"),
        ('[machine]\nports = ["80"]', "ports: '80' is not a published port"),
        ('[machine]\nvolumes = ["x"]', "volumes: 'x' is not a volume"),
        ('[machine]\nenv = ["A"]', "env"),
        ("[machine]\nenv = { A = 1 }", "env"),
        ('[machine]\ntemplate = "nix"', "template: there is no template 'nix'"),
        ('[machine]\nprofile = "huge"', "profile: there is no profile 'huge'"),
        ('[machine]\npreset = "lax"', "preset: there is no preset 'lax'"),
        ('[machine]\nprovider = "vmware"', "provider: 'vmware' is not known"),
        ('[machines.web]\nrestart = "often"', "restart: 'often' is not known"),
        ("[machine]\nmemory = 0", "memory must be between 64MB and 1024GB, not 0"),
        ('[machines.web]\nmemory = "32MB"', "memory must be between 64MB and 1024GB, not 32MB"),
        ("[machine]\npids = 0", "pids must be between 16 and 4194304, not 0"),
        ("[machine]\ncpus = -1", "cpus must be between 0 and 1024, not -1"),
        ('[machine]\nsize = "0x0"', "size: '0x0' is not the size of a screen: from 64x64"),
        ('[machine]\nsize = "8000x600"', "size: 8000x600 is not the size of a screen: from 64x64"),
        ('[machine]\nimage = "foo"', "image: 'foo' is not known"),
        ('[machine]\nkind = "foo"', "kind: 'foo' is not known"),
        ('[machine]\nports = ["80:1", "80:2"]', "port 80 is given twice"),
        ("[host]\nmemory = 0", "host.memory: 0 is less than 64MB"),
        ("[host]\ncpus = 0", "host.cpus: 0 is less than 1"),
        ("[host]\nmemory = -1", "host.memory"),
        ('[host]\ncheck = "maybe"', "host.check"),
        ("[machine]\n= 1", "is not TOML"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_place(home: Path, text: str, complaint: str) -> None:
    if "memory = -1" in text:
        text = '[host]\nmemory = "-1"'
    user_file().write_text(text)
    with pytest.raises(InvalidInput, match=complaint) as raised:
        load_layers()
    assert str(user_file()) in raised.value.message


def test_an_unknown_key_is_answered_with_the_known_ones(home: Path) -> None:
    with pytest.raises(NotFound) as raised:
        get_key("ram", KEYS)
    assert raised.value.hint is not None
    assert "memory, disk, pids" in raised.value.hint


def test_a_mistake_in_the_environment_names_the_variable(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_CPUS", "two")
    with pytest.raises(InvalidInput, match="CARREL_CPUS: cpus: 'two'"):
        load_layers()


def test_an_empty_variable_sets_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_CPUS", "")
    assert load_layers() == []


def test_a_project_has_no_say_over_this_computer_or_its_screen(home: Path) -> None:
    project = home / "project" / "carrel.toml"
    project.write_text("[host]\ncheck = false\n")
    with pytest.raises(InvalidInput, match=r"no table \[host\] here"):
        load_layers()
    assert load_host() == {}
    project.write_text('[machine]\nprovider = "host"\n')
    with pytest.raises(Refused, match="cannot choose your own screen"):
        load_layers()


def test_the_nearest_project_counts_and_can_be_named_or_left_out(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer, inner = home / "project" / "carrel.toml", home / "project" / "deep" / "carrel.toml"
    outer.write_text("[machine]\ncpus = 1\n")
    assert find_project() == outer
    inner.write_text("[machine]\ncpus = 2\n")
    assert find_project() == inner
    monkeypatch.setenv("CARREL_PROJECT_FILE", str(outer))
    assert strongest() == {"cpus": 1}
    monkeypatch.setenv("CARREL_PROJECT_FILE", "")
    assert find_project() is None
    monkeypatch.setenv("CARREL_PROJECT_FILE", str(home / "nowhere.toml"))
    with pytest.raises(NotFound, match="nowhere"):
        find_project()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_project_of_somebody_else_is_not_obeyed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / "project" / "carrel.toml"
    path.write_text("[machine]\ncpus = 2\n")
    os.chown(path, 12345, 12345)
    with pytest.raises(Refused, match="belongs to another user"):
        load_layers()
    monkeypatch.setenv("CARREL_PROJECT_FILE", str(path))
    assert strongest() == {"cpus": 2}


def test_setting_a_value_keeps_all_else_as_it_was(home: Path) -> None:
    path = user_file()
    path.write_text("# mine\n[machine] # all\ncpus = 1  # few\n\n# one\n[machines.web]\ncpus = 2\n")
    set_value(path, "memory", "8GB")
    set_value(path, "cpus", "4")
    set_value(path, "host.check", "false")
    assert path.read_text() == (
        '# mine\n[machine] # all\ncpus = 4\nmemory = "8GB"\n\n# one\n[machines.web]\ncpus = 2\n'
        "\n[host]\ncheck = false\n"
    )
    unset_value(path, "memory")
    assert tomllib.loads(path.read_text())["machine"] == {"cpus": 4}
    with pytest.raises(NotFound, match="memory is not set"):
        unset_value(path, "memory")


@pytest.mark.parametrize(("before", "after"), [(None, 0o600), (0o644, 0o600), (0o400, 0o400)])
def test_what_is_set_is_its_owners_alone_to_read(
    home: Path, before: int | None, after: int
) -> None:
    path = home / "private" / "settings.toml"
    if before is not None:
        path.parent.mkdir()
        path.write_text("")
        path.chmod(before)
    umask = os.umask(0)
    try:
        set_value(path, "memory", "2G")
    finally:
        os.umask(umask)
    assert path.stat().st_mode & 0o777 == after
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_in_another_style_is_left_to_its_author(home: Path) -> None:
    path = user_file()
    before = "machine = { cpus = 1 }\n"
    path.write_text(before)
    with pytest.raises(InvalidInput, match="only its author can change"):
        set_value(path, "cpus", "2")
    assert path.read_text() == before
    before = '[machine]\nallow = [\n  "a.org:443",\n]\n'
    path.write_text(before)
    with pytest.raises(InvalidInput, match="only its author can change"):
        set_value(path, "allow", "b.org:443")
    assert path.read_text() == before


def test_a_wrong_value_changes_nothing(home: Path) -> None:
    with pytest.raises(InvalidInput, match="network: 'open' is not known"):
        set_value(user_file(), "network", "open")
    with pytest.raises(NotFound, match="no setting 'x'"):
        set_value(user_file(), "x", "1")
    assert not user_file().exists()


VALUES = {
    "cpus": st.integers(0, 1024).map(str),
    "memory": st.integers(64, 1 << 20).map(str),
    "network": st.sampled_from(["none", "nat", "allowlist"]),
    "ports": st.lists(
        st.tuples(st.integers(1, 65535), st.integers(1, 65535)),
        max_size=3,
        unique_by=lambda pair: pair[0],
    ).map(lambda pairs: ",".join(f"{here}:{there}" for here, there in pairs)),
    "env": st.dictionaries(
        st.from_regex(r"[A-Z_]{1,5}", fullmatch=True),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters=","), max_size=8),
        max_size=3,
    ).map(lambda pairs: ",".join(f"{name}={value}" for name, value in pairs.items())),
    "restart": st.sampled_from(["never", "on-failure", "always"]),
    "host.memory": st.integers(64, 1 << 20).map(str),
}


@given(
    st.lists(
        st.sampled_from(sorted(VALUES)).flatmap(lambda key: st.tuples(st.just(key), VALUES[key])),
        max_size=8,
    )
)
def test_what_was_set_last_is_what_is_read(
    tmp_path_factory: pytest.TempPathFactory, sets: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("settings") / "config.toml"
    expected: dict[str, object] = {}
    for key, text in sets:
        expected[key] = set_value(path, key, text)
    tables = tomllib.loads(path.read_text()) if path.exists() else {}
    for key, value in expected.items():
        table, _, name = key.rpartition(".")
        found = tables[table or "machine"][name]
        assert get_key(key, {**KEYS, **HOST_KEYS}).check(found, "here") == value


@given(st.integers(0, 1 << 40))
def test_an_amount_is_read_back_as_it_is_written(megabytes: int) -> None:
    words = amount_words(megabytes)
    if len(words.strip("GMB")) < 10:
        assert parse_amount(words) == megabytes


@given(st.text(max_size=20))
def test_no_text_breaks_a_key(text: str) -> None:
    for key in (*KEYS.values(), *HOST_KEYS.values()):
        try:
            value = key.check(text, "here")
        except InvalidInput:
            continue
        assert key.check(key.words(value) or value, "again") == value

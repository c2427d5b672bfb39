"""What is found out about a directory before it is deployed."""

from __future__ import annotations

import io
import json
import re
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput, NotFound
from carrel.machines.projects import read_project, requirement_marker, requirement_name, unpacked


def write(directory: Path, **files: str) -> Path:
    for name, text in files.items():
        path = directory / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


@pytest.mark.parametrize("name", ["main.py", "app.py", "server.py"])
def test_a_python_program_is_known_by_its_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    found = read_project(tmp_path)
    assert (found.kind, found.argv, found.needs) == ("python", ("python3", name), ())
    assert name in found.how


def test_a_python_project_may_name_its_one_script(tmp_path: Path) -> None:
    write(
        tmp_path,
        pyproject_dot_toml='[project]\ndependencies = ["six>=1"]\n'
        '[project.scripts]\nserve = "site.cli:App.run"\n',
        requirements_dot_txt="# mine\nsix>=1\n-r other.txt\nattrs # both\n\n",
    )
    found = read_project(tmp_path)
    code = "import sys; from site.cli import App; sys.exit(App.run())"
    assert found.argv == ("python3", "-c", code)
    assert found.needs == ("six>=1", "-r other.txt", "attrs")
    assert found.install == ("six>=1", "-r", "requirements.txt")
    assert "serve" in found.how


def test_files_of_requirements_are_followed_within_the_project(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (tmp_path / "outside.txt").write_text("secret")
    write(
        root,
        main_dot_py="",
        requirements_dot_txt="-r more/one.txt\n-i https://host/packages\n-c pins.txt\n"
        "-r ../outside.txt\n-e ./local\nsix==1 \\\n  --hash=sha256:ab\n-rmore/one.txt\n",
    )
    (root / "more").mkdir()
    (root / "more/one.txt").write_text("--requirement=two.txt\nattrs; python_version > '3'")
    (root / "more/two.txt").write_text("-r one.txt\n-r ../requirements.txt\nidna#1\n")
    needs = read_project(root).needs
    assert needs == (
        "idna#1",
        "attrs; python_version > '3'",
        "-r ../outside.txt",
        "-e ./local",
        "six==1    --hash=sha256:ab",
    )
    assert [requirement_name(need) for need in needs] == ["idna", "attrs", None, None, "six"]


def test_requirements_that_are_no_text_are_told(tmp_path: Path) -> None:
    write(tmp_path, main_dot_py="")
    (tmp_path / "requirements.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match=r"requirements\.txt cannot be read"):
        read_project(tmp_path)


def test_a_package_with_a_main_is_run_as_one(tmp_path: Path) -> None:
    write(tmp_path, pyproject_dot_toml="[project]\nname='x'\n", src__shop____main___dot_py="")
    (tmp_path / "src" / "shop").mkdir(parents=True, exist_ok=True)
    (tmp_path / "src" / "shop" / "__main__.py").write_text("")
    assert read_project(tmp_path).argv == ("python3", "-m", "shop")


def test_wheels_that_came_along_are_seen(tmp_path: Path) -> None:
    write(tmp_path, main_dot_py="", requirements_dot_txt="six")
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "six-1.0-py3-none-any.whl").touch()
    assert read_project(tmp_path).wheels == "wheels"


@pytest.mark.parametrize(
    ("start", "argv"),
    [
        ("node srv.js", ("/bin/sh", "-c", "exec node srv.js")),
        ("PORT=1 node a.js", ("/bin/sh", "-c", "PORT=1 node a.js")),
        ("node a.js && node b.js", ("/bin/sh", "-c", "node a.js && node b.js")),
    ],
)
def test_a_node_project_is_started_by_its_script(
    tmp_path: Path, start: str, argv: tuple[str, ...]
) -> None:
    write(tmp_path, package_dot_json=json.dumps({"scripts": {"start": start}}))
    found = read_project(tmp_path)
    assert (found.kind, found.argv) == ("node", argv)
    assert start in found.how


def test_of_a_node_project_what_is_not_with_it_is_missing(tmp_path: Path) -> None:
    facts = {"main": "lib.js", "dependencies": {"here": "1", "@scope/gone": "1"}}
    write(tmp_path, package_dot_json=json.dumps(facts), lib_dot_js="")
    (tmp_path / "node_modules" / "here").mkdir(parents=True)
    found = read_project(tmp_path)
    assert found.argv == ("node", "lib.js")
    assert found.needs == ("@scope/gone",)


def test_a_script_that_can_be_executed_is_enough(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/sh\n")
    with pytest.raises(NotFound, match="says how it is run") as caught:
        read_project(tmp_path)
    assert "--" in str(caught.value.hint)
    script.chmod(0o755)
    assert read_project(tmp_path).argv == ("./run.sh",)


def test_a_given_command_is_taken_and_needs_stay(tmp_path: Path) -> None:
    write(tmp_path, main_dot_py="", requirements_dot_txt="six")
    found = read_project(tmp_path, ("python3", "other.py"))
    assert found.argv == ("python3", "other.py")
    assert found.needs == ("six",)
    assert read_project(tmp_path / ".", ("true",)).how == "the command was given"


@pytest.mark.parametrize(
    ("name", "text"), [("package.json", "{"), ("pyproject.toml", "["), ("package.json", "\ud800")]
)
def test_a_broken_description_is_told(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(InvalidInput, match=re.escape(name)):
        read_project(tmp_path)


def test_an_archive_is_used_as_the_directory_it_holds(tmp_path: Path) -> None:
    inside = tmp_path / "shop-1.0"
    inside.mkdir()
    (inside / "main.py").write_text("")
    archive = tmp_path / "shop.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(inside, "shop-1.0")
    with unpacked(archive) as directory:
        assert [path.name for path in directory.iterdir()] == ["main.py"]
    assert not directory.exists()
    with unpacked(inside) as directory:
        assert directory == inside


def test_an_archive_that_reaches_outside_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as file:
        entry = tarfile.TarInfo("../../outside")
        entry.size = 1
        file.addfile(entry, io.BytesIO(b"x"))
    with pytest.raises(InvalidInput, match="cannot be unpacked"), unpacked(archive):
        pass


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    with pytest.raises(InvalidInput, match="file cannot be unpacked"), unpacked(tmp_path / "file"):
        pass
    with pytest.raises(NotFound), unpacked(tmp_path / "nowhere"):
        pass


NAMES = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,10}[A-Za-z0-9])?", fullmatch=True)


@given(NAMES, st.sampled_from(["", ">=1", "==2.0", "[extra]>=1", " ~= 3", " @ file:///x"]))
def test_a_requirement_names_a_package(name: str, rest: str) -> None:
    found = requirement_name(name + rest)
    assert found == re.sub(r"[-_.]+", "-", name).lower()
    marked = f"{name}{rest}; sys_platform == 'win32'"
    assert requirement_name(marked) == found
    assert requirement_marker(marked) == "sys_platform == 'win32'"
    assert requirement_marker(name + rest) == ""


@given(st.text(max_size=40))
def test_any_text_can_be_asked_for_its_package(text: str) -> None:
    found = requirement_name(text)
    assert found is None or re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", found)


@pytest.mark.parametrize(
    ("start", "modules", "programs"),
    [
        ("node tick.js", False, ("node",)),
        ("npm run serve && true", False, ("npm",)),
        ("python3 serve.py", False, ()),
        ("vite", True, ("node",)),
    ],
)
def test_a_node_project_says_what_must_be_in_the_machine(
    tmp_path: Path, start: str, modules: bool, programs: tuple[str, ...]
) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"scripts": {"start": start}}))
    if modules:
        (tmp_path / "node_modules").mkdir()
    assert read_project(tmp_path).programs == programs
    assert read_project(tmp_path, ("./own",)).programs == ()

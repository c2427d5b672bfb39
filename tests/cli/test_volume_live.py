"""`carrel volume` on real machines."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]


def carrel(env: Env, *args: str, check: int | None = 0) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([*CARREL, *args], env=env, input=b"", capture_output=True, timeout=120)
    if check is not None:
        assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str, check: int = 0) -> dict[str, object]:
    found = json.loads(carrel(env, *args, "--json", check=check).stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def env(tmp_path_factory: pytest.TempPathFactory, plain_env: Env) -> Iterator[Env]:
    """A store with one running machine, `desk`."""
    settings = {**plain_env, "CARREL_HOME": str(tmp_path_factory.mktemp("home"))}
    listed = document(settings, "provider", "list")["providers"]
    assert isinstance(listed, list)
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    carrel(settings, "up", "--image", "host", "--size", "640x480", "--provider", "namespace")
    yield settings
    carrel(settings, "delete", "desk", check=None)


def test_a_volume_is_attached_used_detached_and_deleted(env: Env) -> None:
    assert b"There is no volume" in carrel(env, "volume", "list").stdout
    assert document(env, "volume", "create", "data", "--size", "1MB")["size_mb"] == 1
    assert carrel(env, "volume", "create", "data", check=2).stderr
    done = carrel(env, "volume", "attach", "data", "desk", "--at", "/srv/data")
    assert b"desk runs: it takes effect at the next start (carrel restart desk)" in done.stdout
    carrel(env, "volume", "detach", "data", "desk")
    found = document(env, "volume", "attach", "data", "desk", "--at", "/srv/data", "--restart")
    assert (found["pending"], found["restarted"]) == (False, True)
    assert found["attached"] == [{"machine": "desk", "at": "/srv/data"}]
    fill = "echo kept > /srv/data/note; head -c 2000000 /dev/zero > /srv/data/large"
    carrel(env, "exec", "desk", "--", "sh", "-c", fill)
    lines = carrel(env, "volume", "list").stdout.decode().splitlines()
    assert lines[0].split() == ["NAME", "HOLDS", "SIZE", "MADE", "ATTACHED", "TO"]
    assert "exceeded" in lines[1]
    assert "desk:/srv/data (runs)" in lines[1]
    done = carrel(env, "volume", "delete", "data", "-f", check=2)
    assert done.stderr.endswith(b"try: carrel volume detach data desk\n")
    # To another machine it is attached meanwhile, but not with a start that could not succeed.
    carrel(env, "init", "other", "--image", "host", "--provider", "namespace")
    words = ("volume", "attach", "data", "other", "--at", "/srv/data")
    done = carrel(env, *words, "--restart", check=2)
    assert done.stderr.endswith(b"data is attached to desk, which runs\ntry: carrel stop desk\n")
    done = carrel(env, *words)
    assert b"desk has it now: other can be started with it when that is stopped" in done.stderr
    assert b"attached to desk, which runs" in carrel(env, "start", "other", check=2).stderr
    carrel(env, "delete", "other", "-f")
    carrel(env, "delete", "desk", "-f")
    carrel(env, "up", "desk", "--image", "host", "--size", "640x480", "--provider", "namespace")
    done = carrel(env, "volume", "attach", "data", "desk", "--at", "/home/agent/d", "--restart")
    assert b"data holds more than the 1.0 MB it should" in done.stderr
    assert carrel(env, "exec", "desk", "--", "cat", "d/note").stdout == b"kept\n"
    carrel(env, "volume", "detach", "data", "desk", "--restart")
    assert document(env, "volume", "delete", "data") == {"deleted": ["data"]}
    assert document(env, "volume", "list") == {"volumes": []}


def test_wrong_wishes_are_told(env: Env) -> None:
    carrel(env, "volume", "create", "data")
    for words, said in (
        (("attach", "none", "desk", "--at", "/srv/x"), b"there is no volume none"),
        (("attach", "data", "none", "--at", "/srv/x"), b"there is no machine named none"),
        (("attach", "data", "desk", "--at", "srv"), b"is not a volume and its place"),
        (("attach", "data", "desk", "--at", "/etc"), b"the machine needs that place"),
        (("detach", "data", "desk"), b"data is not attached to desk"),
        (("delete", "none"), b"there is no volume none"),
        (("create", "Bad Name"), b"is not a name for a volume"),
    ):
        assert said in carrel(env, "volume", *words, check=2).stderr

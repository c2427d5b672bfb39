"""The way into a virtual machine of Lume's: this system's `ssh`, with a key of our own.

A machine that was just fetched has a user whose password everybody knows; it is used once, to
leave our key there and to have passwords refused from then on.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import RunError
from carrel.machines.foreign.tool import find_program, run_tool, tool_environment
from carrel.machines.paths import data_home, private_directory

__all__ = ["Ssh"]

INSTALL = "install the ssh client of OpenSSH 8.4 or later, or name it in CARREL_LUME_SSH"
_ANSWER_SECONDS = 60.0
_REFUSED = "Permission denied"
_ASKPASS = '#!/bin/sh\nprintf "%s\\n" "$CARREL_LUME_PASSWORD"\n'
_SETTLE = """\
set -e
echo '{user} ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/carrel
chmod 440 /etc/sudoers.d/carrel
mkdir -p /etc/ssh/sshd_config.d
printf 'PasswordAuthentication no\\nKbdInteractiveAuthentication no\\n' \
> /etc/ssh/sshd_config.d/00-carrel.conf
"""


@dataclass(frozen=True, slots=True)
class Ssh:
    """How a virtual machine is entered.

    Attributes:
        user: Who we are there.
        password: What that user has before our key is there.
        jump: A host on the way, as `ssh -J` takes it; nothing where there is none.
    """

    user: str = "lume"
    password: str = "lume"  # noqa: S105 (everybody knows it: Lume's images have it)
    jump: str = ""

    @classmethod
    def chosen(cls) -> Ssh:
        """As the environment says, or as Lume's own images have it."""
        env = os.environ
        return cls(
            env.get("CARREL_LUME_USER", "lume"),
            env.get("CARREL_LUME_PASSWORD", "lume"),
            env.get("CARREL_LUME_JUMP", ""),
        )

    def environment(self) -> dict[str, str]:
        """What ssh needs; no password is in it."""
        return tool_environment("SSH_AUTH_SOCK")

    def _with_password(self) -> dict[str, str]:
        """With a program that tells ssh the password, which it asks for if our key is refused."""
        return {
            **self.environment(),
            "SSH_ASKPASS": str(_own("askpass", _ASKPASS)),
            "SSH_ASKPASS_REQUIRE": "force",
            "CARREL_LUME_PASSWORD": self.password,
        }

    def command(
        self, system: str, address: str, *argv: str, by_password: bool = False
    ) -> tuple[str, ...]:
        """The command that runs a program there, on the command's own stdio.

        Args:
            system: Under which name its host key is known.
            address: Where it is now.
            argv: The program.
            by_password: Whether a password is good where our key is not.
        """
        way = {"PreferredAuthentications": "publickey", "BatchMode": "yes"}
        if by_password:
            way = {"PreferredAuthentications": "publickey,password", "NumberOfPasswordPrompts": "1"}
        options = {
            "IdentityFile": str(_key()),
            "IdentitiesOnly": "yes",
            **way,
            # Trusted at the first sight of each system, and the same from then on.
            "StrictHostKeyChecking": "accept-new",
            "UserKnownHostsFile": str(_known(system)),
            "HostKeyAlias": system,
            "LogLevel": "ERROR",
            "ConnectTimeout": "10",
            # A system that is gone says nothing.
            "ServerAliveInterval": "15",
            "ServerAliveCountMax": "4",
        }
        words = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
        words += ["-J", self.jump] if self.jump else []
        ssh = find_program("ssh", "CARREL_LUME_SSH", INSTALL)
        return (ssh, *words, "-T", f"{self.user}@{address}", shlex.join(argv))

    def answers(self, system: str, address: str, *, known: bool = True) -> str | None:
        """Why a system does not let us in; None where it does.

        Args:
            system: Its name.
            address: Where it is now.
            known: Whether it has our key; of one that has not, it is enough that it refuses us.
        """
        try:
            self.run(system, address, "true")
        except RunError as error:
            return None if not known and _REFUSED in error.message else error.message
        return None

    def run(self, system: str, address: str, *argv: str, feed: str = "") -> bytes:
        """Run a program there to its end."""
        command = self.command(system, address, *argv)
        return run_tool(command, self.environment(), _ANSWER_SECONDS, [feed.encode()])

    def settle(self, system: str, address: str) -> None:
        """Leave our key, become root without a password, and have passwords refused.

        That is the one entry that the password is for.
        """
        public = _key().with_suffix(".pub").read_text()
        place = ("sh", "-c", "umask 077; mkdir -p ~/.ssh; cat >> ~/.ssh/authorized_keys")
        command = self.command(system, address, *place, by_password=True)
        run_tool(command, self._with_password(), _ANSWER_SECONDS, [public.encode()])
        words = _SETTLE.format(user=self.user)
        become_root = ("sudo", "-S", "-p", "", "sh", "-c", words)
        self.run(system, address, *become_root, feed=f"{self.password}\n")

    def forget(self, system: str) -> None:
        """A system is gone, and its host key with it."""
        _known(system).unlink(missing_ok=True)


def _known(system: str) -> Path:
    """What its host key is kept in: a file for each, as ssh itself writes to it at any time."""
    return private_directory(_home() / "known_hosts") / system


def _home() -> Path:
    return private_directory(data_home() / "lume")


def _own(name: str, text: str) -> Path:
    path = _home() / name
    if not path.exists() or path.read_text() != text:
        draft = path.with_name(f".{name}.{os.getpid()}")
        draft.write_text(text)
        draft.chmod(0o700)
        draft.replace(path)
    return path


def _key() -> Path:
    """Our own key, made when there is none."""
    key = _home() / "id_ed25519"
    if key.with_suffix(".pub").exists():
        return key
    with (_home() / "key.lock").open("w") as file:
        # Two halves of two keys would be none.
        fcntl.flock(file, fcntl.LOCK_EX)
        if not key.with_suffix(".pub").exists():
            key.unlink(missing_ok=True)
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "carrel", "-f", str(key)]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RunError(f"ssh-keygen failed: {done.stderr.strip()}", op="lume", hint=INSTALL)
    return key

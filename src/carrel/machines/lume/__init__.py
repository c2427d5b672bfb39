"""Lume: virtual machines of Apple's framework, by the server that `lume serve` is."""

from carrel.machines.lume.api import LumeApi, Share, Vm
from carrel.machines.lume.server import Lume
from carrel.machines.lume.ssh import Ssh

__all__ = ["Lume", "LumeApi", "Share", "Ssh", "Vm"]

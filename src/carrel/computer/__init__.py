"""The computer: the handle that sees and acts on a machine."""

from carrel.computer.client import Computer, ElementTree
from carrel.computer.process import Completed, Exit, Output, Process

__all__ = ["Completed", "Computer", "ElementTree", "Exit", "Output", "Process"]

"""The computer: the handle that sees and acts on a machine."""

from carrel.computer.client import Computer, ElementTree
from carrel.computer.process import BackgroundOutput, Completed, Exit, Output, Process

__all__ = ["BackgroundOutput", "Completed", "Computer", "ElementTree", "Exit", "Output", "Process"]

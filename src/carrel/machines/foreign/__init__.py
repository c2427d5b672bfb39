"""Systems that other programs keep: how they are driven, and how a desk is put into one."""

from carrel.machines.foreign.alone import alone
from carrel.machines.foreign.furniture import HOME, enter_command, furniture, hand_over
from carrel.machines.foreign.tool import Condition, Tool, find_program, run_tool

__all__ = [
    "HOME",
    "Condition",
    "Tool",
    "alone",
    "enter_command",
    "find_program",
    "furniture",
    "hand_over",
    "run_tool",
]

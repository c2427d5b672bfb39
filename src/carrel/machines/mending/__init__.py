"""What is not as it should be on this computer, and how it is put right."""

from carrel.machines.mending.fault import Fault
from carrel.machines.mending.mend import Outcome, find_faults, mend

__all__ = ["Fault", "Outcome", "find_faults", "mend"]

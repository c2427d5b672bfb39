"""What the screen affords: a step whose words fit no name, held against all that can be done.

A phrase is read before anything is seen. Here it is the other way about: each control says what it
could be used for, in words, and the one that accounts for every word of the step is what was meant
(`by_the_screen`), or several that are named one after another do so together (`by_names`).
"""

from carrel.models.steps.afforded.settling import as_the_screen_tells, by_the_screen
from carrel.models.steps.afforded.together import by_names

__all__ = ["as_the_screen_tells", "by_names", "by_the_screen"]

"""Reading afresh: an instruction that no rule took, put into plainer words that mean the same.

People put the same thing in more ways than there are rules for it. But for the few families of
`commonly`, which a whole task is put through before it is read, the rules of this package change no
reading that there is. They are asked where an instruction was not understood, where it was read
as something that nobody would call so, or where the screen has no such thing and nothing was done
yet. Each turns some words into plainer ones of the same meaning; what comes of all of them together
is read as if it had been said.
"""

from carrel.models.steps.language.afresh.odd_answers import tells_in_name
from carrel.models.steps.language.afresh.odd_steps import is_miswritten
from carrel.models.steps.language.afresh.suspicions import is_doubtful
from carrel.models.steps.language.afresh.turning import commonly, plainer

__all__ = ["commonly", "is_doubtful", "is_miswritten", "plainer", "tells_in_name"]

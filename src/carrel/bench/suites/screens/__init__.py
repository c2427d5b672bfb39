"""How well the screen is seen: real pages and applications, against what they say of themselves."""

"""A model that needs no key: plain-language steps, carried out by what can be seen."""

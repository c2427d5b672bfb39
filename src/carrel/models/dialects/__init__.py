"""How each family of models is spoken to: one module for each."""

"""For people who come from other products: their names and shapes, on Carrel's runtime."""

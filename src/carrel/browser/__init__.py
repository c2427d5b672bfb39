"""Talking to the browser of a desk over its debugging protocol."""

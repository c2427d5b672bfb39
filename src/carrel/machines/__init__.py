"""Machines: computers with a lifecycle, made by providers."""

"""Carrel: a desk of its own for an AI agent."""

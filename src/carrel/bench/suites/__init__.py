"""The suites that come with Carrel."""

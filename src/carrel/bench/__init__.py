"""Suites of tasks, run on real desks, judged by what happened there."""

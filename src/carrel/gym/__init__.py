"""The same suites as Gymnasium environments."""

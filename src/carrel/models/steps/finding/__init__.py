"""From a phrase to the thing on the screen that it means."""

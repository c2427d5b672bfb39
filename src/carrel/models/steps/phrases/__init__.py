"""Words for things: places, owners, programs, files; and words that are not the thing."""

"""The encodings: each file an idea, offering `ENCODINGS`; it is found by being there."""

"""The techniques: each file a family, offering `TECHNIQUES`; it is found by being there."""

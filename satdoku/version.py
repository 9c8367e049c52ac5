"""The version, for the build, `--version` and the header of exports."""

__version__ = "0.1.0"

"""Lets griffe read the section "Example:" of docstrings as code, as it reads "Examples:"."""

from typing import Any

from griffe import Extension


class Examples(Extension):
    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = obj.docstring.value.replace("\nExample:\n", "\nExamples:\n")

"""Random marks of each kind: a file for each file of kinds in `satdoku/variants/`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from satdoku.generator.makers.registry import MAKERS as MAKERS
from satdoku.generator.makers.registry import RULES as RULES
from satdoku.generator.makers.registry import Argument as Argument
from satdoku.generator.makers.registry import maker as maker

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)  # which enters its makers

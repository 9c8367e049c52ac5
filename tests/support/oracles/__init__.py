"""What every kind of mark says, in its own words: a module for each module of kinds in `satdoku/variants/`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from support.oracles.registry import BEYOND_THE_GRID as BEYOND_THE_GRID
from support.oracles.registry import LAYERS as LAYERS
from support.oracles.registry import MAKERS as MAKERS
from support.oracles.registry import ORACLES as ORACLES
from support.oracles.registry import RULES as RULES
from support.oracles.registry import Layered as Layered
from support.oracles.registry import draw as draw
from support.oracles.registry import maker as maker
from support.oracles.registry import obeys as obeys
from support.oracles.registry import oracle as oracle

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)  # which enters its oracles and makers

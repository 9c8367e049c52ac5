"""How things look to people: grids, tables, progress, messages."""

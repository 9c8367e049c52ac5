"""Tables for people, by rich."""

from collections.abc import Collection

from rich.table import Table


def plain(*columns: str, numeric: Collection[str] = ()) -> Table:
    """A table without lines; numeric columns are flush right and never wrapped."""
    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left", caption_justify="left")
    for column in columns:
        number = column in numeric
        table.add_column(column, justify="right" if number else "left", no_wrap=number)
    return table

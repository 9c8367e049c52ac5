"""Words that messages, notes and summaries are made of."""

from collections.abc import Sequence


def plural(count: int, word: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def article(noun: str) -> str:
    """`a table`, `an Arrow`."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def joined(parts: Sequence[str], last: str = "and") -> str:
    """`one, two and three`."""
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def counted(count: int, what: str, labels: Sequence[str]) -> str:
    """`2 cages (a, b)`, with the first labels that differ."""
    named = ", ".join(dict.fromkeys(label[:20] for label in labels[:5] if label))
    return plural(count, what) + f" ({named})" * bool(named)

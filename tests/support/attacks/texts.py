"""Random and crafted texts: each is read, or refused by an error of satdoku's own, within its limits.

`tried` gives the text of a number again.
"""

from __future__ import annotations

import json
import re
import resource
import signal
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random

from satdoku.errors import InputError
from satdoku.formats import Options, detect, formats
from satdoku.formats.fpuzzles_writer import ADDRESS, compress
from satdoku.formats.links import BASE64, unpacked
from satdoku.variants.boxes import Box
from satdoku.variants.summaries import describe
from support.pasted import MAKER, SCL, SPELLINGS, ZIPPED, deflated

PUZZLES = Path(__file__).parents[3] / "puzzles"
MAX_SECONDS = 5
ADDRESSES = (ADDRESS, ADDRESS, "https://sudokupad.app/scl", "https://sudokumaker.app/?puzzle=", "")
MAX_MEMORY = 200 << 20

SNIPPETS = [
    *(
        "\x00",
        "\x1b[2J",
        "\x7f",
        "\x85",
        "\u2028",
        "\r",
        "\t",
        "\ufeff",
        "\u202e",
        "\ud800",
        "\U0001f600",
        "٣",
        "\uff15",
        "²",
        "é",
    ),
    *(
        "9" * 400,
        "-1",
        "1e308",
        "NaN",
        "null",
        "true",
        "0x1F",
        "1_000",
        "\uff11",
        '"',
        "'",
        '"""',
        "#",
        ";",
        ",",
        ":",
        "|",
        "=",
    ),
    *(
        "r0c0",
        "R99C99",
        "r1c1-r9c9",
        "R-1C1",
        "[",
        "]",
        "{",
        "}",
        "[puzzle]",
        "[State]",
        "SumoCueV1",
        "3x3:d:k:",
        "?load=",
    ),
    *(
        "size = 16\n",
        "size = 99999\n",
        '"size":25,',
        '"size":1e9,',
        "\n",
        "\n\n",
        ".........",
        "---+---",
        "<!DOCTYPE x>",
        "%00%ff",
    ),
]
ALPHABET = "".join(chr(code) for code in range(32, 127)) + "\n\n\n....0000112345678999"


@cache
def real() -> list[str]:
    """Texts of every format, and links whose JSON is then mutated."""
    texts = [path.read_text("utf-8") for path in sorted(PUZZLES.rglob("*")) if path.is_file() and path.suffix != ".md"]
    texts = [text for text in texts if len(text) < 20_000]
    for text in list(texts):
        try:
            puzzle = detect(text, Options()).puzzle
        except InputError:
            continue
        for form in formats().values():
            try:
                texts.append(form.write(puzzle, metadata=False))
            except InputError:
                continue
    return texts + 5 * list(SPELLINGS.values())


def mutated(rng: Random, text: str) -> str:
    """A text after some of the accidents that texts have."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        text = rng.choice((reworded, reworded, reworded, patched, patched, spoiled))(rng, text)
    return text


def reworded(rng: Random, text: str) -> str:
    """A number or a word for another, which the syntax allows."""
    words = [found.span() for found in re.finditer(r"\d+|[A-Za-z-]{2,}", text[:20_000])] or [(0, 0)]
    (begin, end), (first, last) = rng.choice(words), rng.choice(words)
    other = rng.choice((text[first:last], str(rng.randrange(12)), str(rng.randrange(12))))
    return text[:begin] + other + text[end:]


def patched(rng: Random, text: str) -> str:
    """Some characters left out, replaced or repeated."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((1, 1, 1, 2, 5, 40)))
    some = text[start:end] * rng.choice((2, 2, 10, 300))
    return text[:start] + rng.choice(("", rng.choice(SNIPPETS), rng.choice(ALPHABET), some)) + text[end:]


def spoiled(rng: Random, text: str) -> str:
    """Cut off, gone on with by another, in another order, or a character replaced everywhere."""
    place, other = rng.randrange(len(text) + 1), rng.choice(real())
    shuffled = text.split("\n")
    rng.shuffle(shuffled)
    replaced = text[:20_000].replace(rng.choice('0123456789.rc[]{}",: '), rng.choice(SNIPPETS))
    return rng.choice((text[:place], text[:place] + other[-400:], "\n".join(shuffled), replaced))


def link(rng: Random) -> str:
    """A link whose data are mutated JSON, or are themselves mutated."""
    documents = [text for text in real() if text.startswith("{")] + 9 * [json.dumps(MAKER), json.dumps(SCL), ZIPPED]
    packed = compress(mutated(rng, rng.choice(documents)[:3000]).encode("utf-8", "replace").decode())
    return rng.choice(ADDRESSES) + (mutated(rng, packed) if rng.random() < 0.3 else packed)


def nested(rng: Random) -> str:
    """Brackets in brackets, more than any reader may follow."""
    depth, (begin, end) = (
        rng.choice((10, 900, 5_000)),
        rng.choice((("[", "]"), ('{"grid":', "}"), ("<a>", "</a>"), ("a=[", "]"))),
    )
    return rng.choice(("", '{"size":', "grid = ", "cage = ")) + begin * depth + "1" + end * rng.choice((depth, 0))


def huge(rng: Random) -> str:
    """A number where a small one belongs."""
    number = rng.choice(("9" * 5000, "1e999", "-1", "0", "1000000000", "4.5", "NaN", "Infinity", "true"))
    cell = {"value": 1, "given": True}
    data = json.dumps({"size": 4, "grid": [[cell] * 4] * 4, "killercage": [{"cells": ["R1C1", "R1C2"], "value": 3}]})
    form = rng.choice((data, 'size = 4\ncage = [{ cells = "r1c1 r1c2", value = 3 }]\ncandidates = { r1c1 = [1, 4] }'))
    digits = [index for index, character in enumerate(form) if character.isdigit()]
    place = rng.choice(digits)
    return form[:place] + number + form[place + 1 :]


def noise(rng: Random) -> str:
    """Characters at random."""
    pool = rng.choice((ALPHABET, "0123456789.", "123456789.|-+ \n", "".join(map(chr, range(0x250)))))
    return "".join(rng.choices(pool, k=rng.choice((1, 16, 81, 162, 400, 729, 5000))))


def repacked(rng: Random) -> str:
    """A link of which what it holds was mutated."""
    head, held, pack = rng.choice(packed())
    return head + pack(mutated(rng, held))


@cache
def packed() -> list[tuple[str, str, Callable[[str], str]]]:
    """Links: what stands before what they hold, that unpacked, and how it is packed."""
    found: list[tuple[str, str, Callable[[str], str]]] = []
    for text in real():
        link = re.fullmatch(r"(https?://\S*?(?:load=|puzzle=|/scl|/fpuz|[?&]p=))(\S{60,})\s*", text)
        if link is None:
            continue
        try:
            found.append((link[1], unpacked(link[2]), lz_packed))
        except InputError:
            with suppress(ValueError, zlib.error):
                found.append((link[1], zlib.decompress(b64decode(link[2]), -15).decode(), deflated))
    return [each for each in found if len(each[1]) < 20_000]


def lz_packed(text: str) -> str:
    return compress(text.encode("utf-8", "replace").decode())


def phrases(rng: Random, count: int) -> str:
    """LZ-string data of so many codes, most of them the longest phrase there is, so that they unpack to a lot."""
    bits, width, room, known = "00" + f"{rng.choice((57, 91, 123)):08b}"[::-1], 3, 4, 4
    for _ in range(count):
        code = known if rng.random() < 0.999 else rng.randrange(known + 2)
        bits += f"{code:0{width}b}"[::-1]
        known, room = known + 1, room - 1
        if room == 0:
            room, width = 1 << width, width + 1
    bits += f"{2:0{width}b}"[::-1]
    bits += "0" * (-len(bits) % 6)
    return "".join(BASE64[int(bits[at : at + 6], 2)] for at in range(0, len(bits), 6))


def bomb(rng: Random) -> str:
    """A short link that unpacks to a lot."""
    many = 10 ** rng.randint(3, 7)
    repeated = rng.choice(('{"size":4,"grid":[', "[", '{"a":', "1", "[{}],", "size = 9\n")) * (many // 8)
    penpa = f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={deflated(repeated)}"
    return rng.choice((rng.choice(ADDRESSES) + phrases(rng, rng.choice((10, 300, 3_000, 9_000))), penpa))


MAKERS: tuple[Callable[[Random], str], ...] = (
    *[lambda rng: mutated(rng, rng.choice(real()))] * 14,
    *(link, link, repacked, repacked, bomb, nested, huge, noise, noise),
)


def tried(number: int) -> tuple[str, Options]:
    """The text and the options of a number."""
    rng = Random(number)
    text = rng.choice(MAKERS)(rng)
    options = Options(
        format=rng.choice(sorted(formats())) if rng.random() < 0.1 else None,
        entered=rng.random() < 0.2,
        box=Box(2, 2) if rng.random() < 0.05 else None,
        alphabet="A-P" if rng.random() < 0.05 else None,
        empty="0" if rng.random() < 0.05 else None,
    )
    return text, options


@contextmanager
def limited(seconds: float = MAX_SECONDS) -> Iterator[None]:
    """Fail after some seconds of this process's own time: the load of the machine does not count."""

    def late(number: int, frame: object) -> None:
        raise AssertionError(f"it takes more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def attempt(number: int) -> str | None:
    """What goes wrong with the text of this number; None if it is read, or refused as it should be."""
    real()
    text, options = tried(number)
    before = memory()
    try:
        with limited():
            reading = detect(text, options)
            describe(reading.puzzle)
    except InputError as error:
        if not str(error) or "\n" in str(error):
            return f"a message of several lines or none: {str(error)[:200]!r}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {str(error)[:200]}"
    return f"takes {memory() - before} bytes" if memory() - before > MAX_MEMORY else None


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

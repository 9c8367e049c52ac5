"""Kinds of links and texts that are known and not read: a message that names one says more than a count of cells."""

from __future__ import annotations

import re

LINK = re.compile(
    r"\s*<?(?:https?://|sudokupad:/?/?|www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[/?#]|\s*$)[/?#]?(\S*)", re.IGNORECASE
)
SCHEME = re.compile(r"\s*<?(?:https?|sudokupad):", re.IGNORECASE)
MAX_HEAD = 4096
"""Characters of a text that are looked at."""

OTHER = "expected a link that holds the puzzle itself, such as one of f-puzzles.com with ?load="

SITES: dict[str, str] = {
    r"sudokupad\.app|crackingthecryptic\.com": "a SudokuPad link",
    r"tinyurl\.com|bit\.ly|t\.ly|is\.gd|t\.co|goo\.gl": "a shortened link: give the address that it leads to",
    r"sudokumaker\.app": "a SudokuMaker link",
    r"lisudoku\.xyz": "a lisudoku link",
    r"sudokulab\.net": "a SudokuLab link",
    r"sudokuwiki\.org": "a SudokuWiki link: the text behind bd= may be a puzzle by itself",
    r"(swaroopg92|opt-pan|tckmn)\.github\.io": "a Penpa link",
    r"sigh\.github\.io": "a link of the Interactive Sudoku Solver",
    r"f-puzzles\.com": "an f-puzzles link without ?load=",
}
"""By the host of a link: what it is, and what to do if that is more than to look for another link."""

SHORT_ID = re.compile(r"(?:sudoku(?:\.html)?/?\?puzzleid=)?(?!scl|scf|ctc|fpuz|classic)[\w/-]{0,60}", re.IGNORECASE)

TEXTS: dict[str, str] = {
    r".{0,200}<opensudoku": "an OpenSudoku file",
    r"<(\?xml|!doctype|html|svg)": "XML or HTML",
    r"p cnf \d|c [^\n]*\n(c[^\n]*\n)*p cnf ": "clauses in DIMACS CNF, which a SAT solver reads",
    r"N4[A-Za-z0-9+/%-]{20,}=*\s*$": "data of a link without the link, which may begin https://www.f-puzzles.com/?load=",
    r"[\[({]\s*[\[({]|\w+\s*=\s*\[": "lists of values, which the Python function satdoku.read takes",
    r"(.{0,1000}\n)?(```|~~~|\[code\])": "text with marks such as ``` or [code], between which the puzzle stands",
    r"\.-+\.-+\.-+\.\s": "a HoDoKu grid of candidates",
    r":\d{4}:[\dx]*:": "an entry of a HoDoKu library, whose fourth field, without the +, is a puzzle",
    r"\d+(x\d+|j)[a-z]*:[a-z_,\d]+\s*$": "an id of Simon Tatham's Solo",
    r"SudokuWiki|S9B": "a SudokuWiki text",
}
"""By the beginning of a text: what it is."""


def known(text: str) -> str | None:
    """What a text is known to be that is not read, as a sentence with what to do; None if it is none of these."""
    head = text[:MAX_HEAD].lstrip()
    link = LINK.match(head)
    if link and (SCHEME.match(head) or _site(link[1])):
        return _of_link(link[1], link[2])
    return next((f"{what}: not read" for begin, what in TEXTS.items() if re.match(begin, head, re.DOTALL)), None)


def _site(host: str) -> str | None:
    return next((what for site, what in SITES.items() if re.fullmatch(rf"(.*\.)?({site})", host, re.IGNORECASE)), None)


def _of_link(host: str, path: str) -> str:
    what = _site(host)
    if what is None:
        return f"a link to {host[:60]}, which is not read: {OTHER}"
    if what.startswith("a SudokuPad") and SHORT_ID.fullmatch(path):
        return f"this looks like a SudokuPad link with a short id, of a puzzle that only its site knows: {OTHER}"
    return what if ":" in what else f"{what}, which is not read: {OTHER}"

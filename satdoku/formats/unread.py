"""Kinds of links and texts that are known and not read: a message that names one says more than a count of cells."""

import re

LINK = re.compile(
    r"\s*<?(?:https?://|sudokupad:/?/?|www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[/?#]|\s*$)[/?#]?(\S*)", re.IGNORECASE
)
SCHEME = re.compile(r"\s*<?(?:https?|sudokupad):", re.IGNORECASE)
MAX_HEAD = 4096  # characters of a text that are looked at
OTHER = "expected a link that holds the puzzle itself, such as one of f-puzzles.com with ?load="

SITES = {  # by the host of a link: what it is, and what to do if that is more than to look for another link
    r"tinyurl\.com|bit\.ly|t\.ly|is\.gd|t\.co|goo\.gl": "a shortened link: give the address that it leads to",
    r"lisudoku\.xyz": "a lisudoku link",
    r"sudokulab\.net": "a SudokuLab link",
    r"puzz\.link": "a link of puzz.link",
    r"sudokuwiki\.(org|com)": "a SudokuWiki link without bd=",
    r"(swaroopg92|opt-pan|tckmn)\.github\.io": "a Penpa link without its data",
    r"sigh\.github\.io": "a link of the Interactive Sudoku Solver without constraints",
    r"f-puzzles\.com": "an f-puzzles link without ?load=",
    r"sudokumaker\.app": "a SudokuMaker link without ?puzzle=",
}

TEXTS = {  # by the beginning of a text: what it is
    r"<(\?xml|!doctype|html|svg)": "XML or HTML",
    r"p cnf \d|c [^\n]*\n(c[^\n]*\n)*p cnf ": "clauses in DIMACS CNF, which a SAT solver reads",
}


def known(text: str) -> str | None:
    """What a text is known to be that is not read, as a sentence with what to do; None if it is none of these."""
    head = text[:MAX_HEAD].lstrip()
    link = LINK.match(head)
    if link and (SCHEME.match(head) or _site(link[1])):
        return _of_link(link[1])
    return next(
        (f"{what}: not read" for begin, what in TEXTS.items() if re.match(begin, head, re.DOTALL | re.IGNORECASE)), None
    )


def _site(host: str) -> str | None:
    return next((what for site, what in SITES.items() if re.fullmatch(rf"(.*\.)?({site})", host, re.IGNORECASE)), None)


def _of_link(host: str) -> str:
    what = _site(host)
    if what is None:
        return f"a link to {host[:60]}, which is not read: {OTHER}"
    return what if ":" in what else f"{what}, which is not read: {OTHER}"

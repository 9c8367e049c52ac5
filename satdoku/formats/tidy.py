"""Texts as they are pasted: what mail, forums and keyboards put around and instead of cells, taken away. Lines keep
their numbers, and characters their columns, so that errors still name the right place."""

import re

from satdoku.cache import cached_texts

# Digits and the dot of East Asian keyboards, and blanks that are not one
CHARACTERS = {0xFF10 + digit: str(digit) for digit in range(10)} | {0xFF0E: ".", 0x3000: " ", 0xA0: " "}
FENCE = re.compile(r"\s*(?:```|~~~)")
TAG = re.compile(
    r"\[/?(?:code|tt|b|i|u|quote|pre|size|color|font)(?:=[^\]\n]{0,80})?\]"
    r"|</?(?:pre|code|tt|b|i|p|br|div|span|font)(?:\s[^>\n]{0,200})?/?>|&nbsp;",
    re.IGNORECASE,
)
QUOTE = re.compile(r"(\s*)>(?=[\s>]|$)")
# Two letters in a run of letters, which is not of x, or of o for 0, alone
WORD = re.compile(r"(?<![^\W\d_])(?![xXoO]+(?![^\W\d_]))[^\W\d_]*?[^\W\d_xX]{2}")
RULE = re.compile(  # words of rules
    r"\b(rules?|must|cannot|cells?|digits?|sums?|totals?|cages?|killer|thermo\w*|arrows?|diagonals?|anti\W?\w+|knight|king"
    r"|jigsaw|regions?|lines?|dots?|windoku|sandwich|consecutive|odd|even|sudoku\W?x|x\W?sudoku)\b",
    re.IGNORECASE,
)
MAX_SHOWN, MAX_QUOTES = 40, 9
SITE = re.compile(
    r"\s*<?(?:https?://|sudokupad:/?/?|www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[/?#]|\s*$)[/?#]?(\S*)", re.IGNORECASE
)
SCHEME = re.compile(r"\s*<?(?:https?|sudokupad):", re.IGNORECASE)
MAX_BEGIN = 4096  # characters of a text that are looked at
OTHER = "expected a link that holds the puzzle itself, such as one of f-puzzles.com with ?load="
SITES = {  # by the host of a link: what it is, and what to do if that is more than to look for another link
    r"tinyurl\.com|bit\.ly|t\.ly|is\.gd|t\.co|goo\.gl": "a shortened link: give the address that it leads to",
    r"lisudoku\.xyz": "a lisudoku link without ?import=",
    r"sudokuexchange\.com": "a sudokuexchange link without s=",
    r"sudokulab\.net": "a SudokuLab link",
    r"puzz\.link": "a link of puzz.link to another puzzle than Sudoku",
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


@cached_texts(2)
def tidied(text: str) -> str:
    """The text without fences, the tags of forums and web pages, and the quotation marks of mail.

    >>> tidied("> 53..")
    '  53..'
    """
    if text.isascii() and not any(mark in text for mark in "`~[<>&"):
        return text
    lines = text.translate(CHARACTERS).splitlines()
    if any(map(FENCE.match, lines)):
        lines = _fenced(lines)
    lines = [TAG.sub(lambda tag: " " * len(tag[0]), line) for line in lines]
    for _ in range(MAX_QUOTES):
        if not any(map(str.strip, lines)) or not all(QUOTE.match(line) or not line.strip() for line in lines):
            break
        lines = [QUOTE.sub(r"\1 ", line, count=1) for line in lines]
    return "\n".join(lines)


def _fenced(lines: list[str]) -> list[str]:
    inside, kept = False, []
    for line in lines:
        fence = FENCE.match(line) is not None
        kept.append(line if inside and not fence else "")
        inside = inside is not fence
    return kept


def is_prose(line: str) -> bool:
    """Whether a line has a word, which a row of digits has not."""
    return WORD.search(line) is not None


def tells_rules(text: str) -> bool:
    return any(is_prose(line) and RULE.search(line) for line in text.splitlines())


@cached_texts(2)
def without_prose(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without the lines that have words, and a note that tells them; all of it where each line has one."""
    lines = text.splitlines()
    words = [line.strip() for line in lines if is_prose(line) and not line.lstrip().startswith("#")]
    if not words or not any(line.strip() and not is_prose(line) for line in lines):
        return text, ()
    some = f"{len(words)} line{'s' * (len(words) > 1)} of text"
    shown = "".join(filter(str.isprintable, words[0][:MAX_SHOWN]))
    return "\n".join("" if is_prose(line) else line for line in lines), (f"left out {some}: {shown!r}",)


def known(text: str) -> str | None:
    """What a text is known to be that is not read, as a sentence with what to do; None if it is none of these."""
    head = text[:MAX_BEGIN].lstrip()
    link = SITE.match(head)
    if link and (SCHEME.match(head) or _site(link[1])):
        what = _site(link[1]) or f"a link to {link[1][:60]}"
        return what if ":" in what else f"{what}, which is not read: {OTHER}"
    texts = (what for begin, what in TEXTS.items() if re.match(begin, head, re.DOTALL | re.IGNORECASE))
    return next((f"{what}: not read" for what in texts), None)


def _site(host: str) -> str | None:
    return next((what for site, what in SITES.items() if re.fullmatch(rf"(.*\.)?({site})", host, re.IGNORECASE)), None)

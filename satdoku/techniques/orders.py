"""The orders in which techniques are tried, as data."""

SATDOKU = (
    "naked single", "hidden single",
    "locked candidates (pointing)", "locked candidates (claiming)",
    "cage combinations", "innies and outies", "thermometer", "minimum and maximum", "relation of neighbours",
    "relations along a line", "arrow combinations", "renban sets", "little killer combinations",
    "sandwich combinations", "clones", "counting circles", "counted digits", "indexing cells", "views from the edge",
    "ranked lines", "shaded cells", "connected cells", "modified cells",
    "other constraint", "naked pair", "hidden pair", "common exclusion (cell)",
    "common exclusion (house)", "naked triple", "hidden triple", "mark in its houses", "mark and houses",
    "mark and connected cells",
    "naked quadruple", "hidden quadruple", "two marks",
    "X-wing", "skyscraper", "two-string kite", "turbot fish", "empty rectangle", "swordfish", "finned X-wing",
    "sashimi X-wing", "simple colours (trap)", "simple colours (wrap)", "jellyfish", "finned swordfish",
    "sashimi swordfish", "multi colours (type 1)", "multi colours (type 2)", "finned jellyfish", "sashimi jellyfish",
    "house and its marks", "XY-wing", "XYZ-wing", "W-wing", "remote pair", "unique rectangle (type 1)",
    "unique rectangle (type 2)", "unique rectangle (type 3)", "unique rectangle (type 4)",
    "unique rectangle (type 5)", "unique rectangle (type 6)", "hidden rectangle", "avoidable rectangle (type 1)",
    "avoidable rectangle (type 2)", "BUG+1", "WXYZ-wing",
    "X-chain", "XY-chain", "continuous nice loop", "AIC", "two houses and their marks", "ALS-XZ", "Sue de Coq",
    "ALS-XY-wing", "grouped AIC", "kraken cell", "kraken house", "three houses and their marks", "ALS-XY-chain",
    "death blossom",
    "forcing chain (contradiction)", "forcing chain (verity)", "forcing net (contradiction)", "forcing net (verity)",
    "nested forcing net (depth 2)", "nested forcing net (depth 3)",
)  # fmt: skip
"""By level, within a level by how hard a person finds them. What another technique of the order also finds is left out:
a full house is a naked single, a locked pair a naked one."""

HODOKU = (
    "full house", "naked single", "hidden single",
    "locked pair", "locked triple", "locked candidates (pointing)", "locked candidates (claiming)",
    "naked pair", "naked triple", "hidden pair", "hidden triple", "naked quadruple", "hidden quadruple",
    "X-wing", "swordfish", "jellyfish", "remote pair", "BUG+1", "skyscraper", "two-string kite", "turbot fish",
    "empty rectangle", "W-wing", "XY-wing", "XYZ-wing", "unique rectangle (type 1)", "unique rectangle (type 2)",
    "unique rectangle (type 3)", "unique rectangle (type 4)", "unique rectangle (type 5)",
    "unique rectangle (type 6)", "hidden rectangle",
    "avoidable rectangle (type 1)", "avoidable rectangle (type 2)", "finned X-wing", "sashimi X-wing",
    "finned swordfish", "sashimi swordfish", "finned jellyfish", "sashimi jellyfish", "Sue de Coq",
    "simple colours (trap)", "simple colours (wrap)", "multi colours (type 1)", "multi colours (type 2)",
    "X-chain", "XY-chain", "continuous nice loop", "discontinuous nice loop", "AIC", "grouped continuous nice loop",
    "grouped discontinuous nice loop", "grouped AIC", "ALS-XZ", "ALS-XY-wing", "ALS-XY-chain", "death blossom",
    "Franken X-wing", "Franken swordfish", "finned Franken X-wing", "finned Franken swordfish",
    "forcing chain (contradiction)", "forcing chain (verity)", "forcing net (contradiction)",
    "forcing net (verity)", "nested forcing net (depth 2)", "nested forcing net (depth 3)",
)  # fmt: skip
"""That of HoDoKu's table of levels and scores, of the techniques that are here."""

SE_GROUPS = (
    "full house", "hidden single (region)", "hidden single (line)", "direct pointing", "direct claiming",
    "direct hidden pair", "naked single", "direct hidden triple", "locked candidates (pointing)",
    "locked candidates (claiming)", "naked pair", "X-wing", "hidden pair", "naked triple", "swordfish", "hidden triple",
    "XY-wing", "XYZ-wing",
    ("unique loop (type 1)", "unique loop (type 2)", "unique loop (type 3)", "unique loop (type 4)"),
    "naked quadruple", "jellyfish", "hidden quadruple",
    ("BUG+1", "bivalue universal grave (type 2)", "bivalue universal grave (type 4)",
     "bivalue universal grave (type 3)"),
    "aligned pair exclusion",
    ("X-cycle", "Y-cycle", "forcing X-chain", "XY-cycle", "forcing chain"),
    "aligned triplet exclusion",
    "Nishio",
    ("cell forcing chain", "region forcing chain"),
    "dynamic forcing chain",
    "dynamic forcing chain (plus)",
    "dynamic forcing chain (plus forcing chains)",
    "dynamic forcing chain (plus multiple forcing chains)",
    "dynamic forcing chain (plus dynamic forcing chains)",
)  # fmt: skip
"""That of Sudoku Explainer's ratings, as far as it is here. Of techniques in a group the step of the lowest rating is
taken, which depends on its size, then the smallest, then that of the first technique."""

SE = tuple(name for group in SE_GROUPS for name in ((group,) if isinstance(group, str) else group))

ORDERS = {"satdoku": SATDOKU, "hodoku": HODOKU}

"""Tables of one or several raw files: for the terminal, for Markdown, for CSV."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf

from satdoku.bench.raw import MeasuredSearch, Raw, Rules, Setup, Work
from satdoku.bench.statistics import MIN_PUZZLES, Costs, Interval, Ratio, Summary, costs, ratio, summary, virtual_best
from satdoku.errors import InputError
from satdoku.words import plural

SHOWN = {Work.FIRST: "a first solution", Work.UNIQUE: "uniqueness", Work.COUNT: "the number of solutions"}
RULES = {Rules.WARM: "rules kept loaded", Rules.COLD: "rules made anew for each puzzle"}
Cells = tuple[str, ...]
Sections = tuple[tuple[str, tuple[Cells, ...]], ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """What was asked of the searches that one table compares."""

    work: Work
    timeout: float
    rules: tuple[Rules, ...]
    limit: int | None = None

    def __str__(self) -> str:
        up_to = "" if self.work is not Work.COUNT or self.limit is None else f" up to {self.limit}"
        kept = "rules as named" if len(self.rules) > 1 else RULES[self.rules[0]]
        return f"{SHOWN[self.work]}{up_to}, {kept}, timeout {self.timeout:g} s"


@dataclass(frozen=True, slots=True)
class Study:
    """The searches of one scenario by contender, in the order of their plans."""

    scenario: Scenario
    searches: Mapping[str, Sequence[MeasuredSearch]]
    setups: Mapping[str, Sequence[Setup]]
    baseline: str

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The puzzle sets, each with one size of board."""
        return list(dict.fromkeys((one.set, one.size) for some in self.searches.values() for one in some))

    def group(self, contender: str, group: tuple[str, int]) -> list[MeasuredSearch]:
        return [search for search in self.searches[contender] if (search.set, search.size) == group]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportRow:
    """One contender on one set."""

    set: str
    size: int
    contender: str
    summary: Summary
    ratio: Ratio | None
    costs: Costs


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Text in columns, the first one words, the others numbers; `sections` are rows under the name of their set."""

    title: str
    columns: Cells
    sections: Sections
    notes: tuple[str, ...] = ()


def studies(raws: Sequence[Raw], baseline: str | None = None) -> list[Study]:
    """One study for each work, its limit, and timeout; one without `baseline` takes its first contender instead.

    Contenders of several files are distinguished where they must be: by whether rules were kept, and by the file.
    """
    scenarios = dict.fromkeys((one.work, one.timeout, raw.plan.limit) for raw in raws for one in raw.searches)
    if not scenarios:
        raise InputError(f"no measured search in {', '.join(raw.path for raw in raws)}")
    studied = [_study(raws, *scenario, baseline) for scenario in scenarios]
    labels = dict.fromkeys(label for study in studied for label in study.searches)
    if baseline is not None and baseline not in labels:
        raise InputError(f"--baseline {baseline}: expected one of the contenders: {', '.join(labels)}")
    return studied


def _study(raws: Sequence[Raw], work: Work, timeout: float, limit: int | None, baseline: str | None) -> Study:
    chosen = [
        (raw, [one for one in raw.searches if (one.work, one.timeout, raw.plan.limit) == (work, timeout, limit)])
        for raw in raws
    ]
    rules = tuple(dict.fromkeys(one.rules for _, searches in chosen for one in searches))
    by_label: dict[str, list[MeasuredSearch]] = {}
    setups: dict[str, list[Setup]] = {}
    for raw, searches in chosen:
        ending = _ending(raw, searches, chosen, rules)
        present = {search.contender for search in searches}
        for contender in dict.fromkeys((*raw.plan.contenders, *sorted(present))):
            if contender in present:
                label = contender + ending
                by_label.setdefault(label, []).extend(one for one in searches if one.contender == contender)
                setups.setdefault(label, []).extend(one for one in raw.setups if one.contender == contender)
    first = baseline if baseline in by_label else next(iter(by_label))
    return Study(Scenario(work, timeout, rules, limit), by_label, setups, first)


def rows(study: Study, clock: str = "wall") -> list[ReportRow]:
    """A row for each contender on each set that it was measured on."""
    each = ((group, name, study.group(name, group)) for group in study.groups for name in study.searches)
    return [
        ReportRow(
            set=group[0],
            size=group[1],
            contender=contender,
            summary=summary(searches, clock),
            ratio=None if contender == study.baseline else ratio(searches, study.group(study.baseline, group), clock),
            costs=costs(searches, study.setups[contender]),
        )
        for group, contender, searches in each
        if searches
    ]


def tables(study: Study, clock: str = "wall") -> list[ReportTable]:
    table_rows = rows(study, clock)
    made = (
        _times(study, table_rows, clock),
        _ratios(study, table_rows, clock),
        _best(study, clock),
        _costs(table_rows),
        _counted(table_rows),
    )
    return [table for table in made if table.sections]


def markdown(table: ReportTable, named: bool = False) -> str:
    """A table as Markdown, its notes below; `named` or of several sets, each set has a row for its name."""
    width = len(table.columns)
    rows = [[*map(escaped, table.columns)], ["---", *["---:"] * (width - 1)]]
    for name, body in table.sections:
        rows += [[f"**{escaped(name)}**", *[""] * (width - 1)]] if named or len(table.sections) > 1 else []
        rows += [[*map(escaped, row)] for row in body]
    lines = [f"### {escaped(table.title)}", "", *(f"| {' | '.join(row)} |" for row in rows), ""]
    return "\n".join([*lines, *(f"- {escaped(note)}" for note in table.notes)]) + "\n"


def escaped(text: str) -> str:
    """Text without what Markdown takes for markup."""
    return re.sub(r"([\\`*\[\]|])", r"\\\1", text)


def comma_separated(studied_rows: Iterable[tuple[Study, ReportRow]]) -> str:
    """Rows with all their figures as CSV: seconds and bytes, `inf` for a percentile that was not decided."""
    return _csv([_fields(study, row) for study, row in studied_rows])


def instances(studied: Sequence[Study], clock: str) -> str:
    """Each search as a row of CSV, with a column of seconds for each contender: `inf` undecided, empty not measured."""
    records: list[dict[str, object]] = []
    names = list(dict.fromkeys(name for study in studied for name in study.searches))
    for study in studied:
        by_layout: dict[object, dict[str, object]] = {}
        for name, searches in study.searches.items():
            for one in searches:
                scenario: dict[str, object] = {"work": one.work, "timeout": one.timeout}
                where = {"source": one.source, "line": one.line, "size": one.size, "repeat": one.repeat}
                row = scenario | where | dict.fromkeys(names)
                by_layout.setdefault((one.set, one.layout), row)[name] = one.decided(clock)
        records += by_layout.values()
    return _csv(records)


def _csv(records: Sequence[Mapping[str, object]]) -> str:
    names = list(dict.fromkeys(name for record in records for name in record))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return stream.getvalue()


def provenance(raw: Raw) -> Iterator[tuple[str, str]]:
    """What was run where: command, seed, machine, versions."""
    plan = raw.plan
    yield "contenders", ", ".join(plan.contenders)
    yield "sets", ", ".join(dict.fromkeys(one.set for one in raw.searches))
    yield "searches", f"{len(raw.searches)}, {plural(plan.puzzles, 'puzzle')}, {plural(plan.repeats, 'time')} each"
    memory = "" if plan.memory is None else f", {plan.memory} MB each"
    yield "limits", f"{plan.timeout:g} s{memory}"
    yield "seed", str(plan.seed)
    for session in raw.sessions:
        machine = session.machine
        memory = f"{machine.memory / 1e9:.0f} GB" if machine.memory else "unknown"
        yield "command", session.command
        yield "started", f"{session.started}, load {session.load}"
        yield "machine", f"{machine.processor}, {machine.cores} cores, {memory}, {machine.system}"
        yield "versions", ", ".join(f"{name} {version}" for name, version in session.versions.items())


def milliseconds(seconds: float | None) -> str:
    """Three digits that count."""
    if seconds is None:
        return ""
    value = 1000 * seconds
    digits = next((digits for digits, least in enumerate((99.95, 9.995, 0.9995, 0.09995)) if value >= least), None)
    return f"{value:.2g}" if digits is None else f"{value:.{digits}f}"


def _ending(
    raw: Raw,
    searches: Sequence[MeasuredSearch],
    chosen: Sequence[tuple[Raw, Sequence[MeasuredSearch]]],
    rules: Sequence[Rules],
) -> str:
    """What tells the contenders of one file from the same ones of another."""
    ours = {(one.contender, one.layout, one.rules) for one in searches}
    others = (one for other, theirs in chosen if other is not raw for one in theirs)
    twice = any((one.contender, one.layout, one.rules) in ours for one in others)
    kept = f" {searches[0].rules}" if searches and len(rules) > 1 else ""
    return f"{kept} ({raw.path})" if twice else kept


def _times(study: Study, table_rows: Sequence[ReportRow], clock: str) -> ReportTable:
    limited = any(row.summary.memory for row in table_rows)
    counted = ("timeouts", "memory", "failed") if limited else ("timeouts", "failed")
    columns = ("contender", "solved", "median", "90%", "mean", "PAR-2", "a second", *counted)
    timeout = study.scenario.timeout

    def figures(row: ReportRow) -> Iterator[str]:
        s = row.summary
        yield f"{s.solved} of {s.runs}"
        for time in (s.median, s.percentile_90):
            yield f"> {milliseconds(timeout)}" if time == inf else milliseconds(time)
        yield ("≥ " if s.solved < s.runs else "") + milliseconds(s.mean_at_least)
        yield milliseconds(s.par2)
        yield digits(s.puzzles_a_second, 1000)
        yield from map(str, (s.timeouts, s.memory, s.failed) if limited else (s.timeouts, s.failed))

    notes = (
        f"{clock} time in ms; 90%: nine of ten took no longer; ≥: searches that were cut count as the timeout",
        "PAR-2: mean, with twice the timeout for a search that was cut; a second: puzzles decided in one",
    )
    return ReportTable(f"Time to show {study.scenario}", columns, _sections(table_rows, figures), notes)


def _ratios(study: Study, table_rows: Sequence[ReportRow], clock: str) -> ReportTable:
    columns = ("contender", "typical", "95% interval", "total", "95% interval", "pairs", "p")

    def figures(row: ReportRow) -> Iterator[str]:
        assert row.ratio is not None
        yield from (*interval(row.ratio.typical), *interval(row.ratio.total))
        yield from (str(row.ratio.pairs), probability(row.ratio.p))

    notes = (
        f"{clock} time as a multiple of {study.baseline}'s, same puzzles in same layouts, cut searches as in PAR-2",
        "typical: geometric mean over puzzles; total: ratio of the sums, which the hardest puzzles decide",
        f"intervals by bootstrap over puzzles; none for fewer than {MIN_PUZZLES} puzzles",
        "p: Wilcoxon's signed-rank test over puzzles, two-sided",
    )
    compared = [row for row in table_rows if row.ratio is not None]
    return ReportTable(f"Times as long as {study.baseline}", columns, _sections(compared, figures), notes)


def _best(study: Study, clock: str) -> ReportTable:
    """The virtual best of several contenders, over the searches that all have."""
    sections: list[tuple[str, tuple[Cells, ...]]] = []
    for group in study.groups if len(study.searches) > 1 else ():
        by_name = {name: searches for name in study.searches if (searches := study.group(name, group))}
        best = virtual_best(list(by_name.values()), clock) if len(by_name) > 1 else None
        if best is not None:
            body = [("all of them", f"{best.solved} of {best.runs}", milliseconds(best.par2), "", "")]
            wins = zip(by_name, best.fastest, best.alone, strict=True)
            body += [(name, "", "", str(fastest), str(alone)) for name, fastest, alone in wins]
            sections.append((_title(*group), tuple(body)))
    notes = (
        f"the virtual best takes for each search the contender that was fastest, by {clock} time",
        "fastest, alone: searches of which a contender was the only fastest, and the only one that decided",
    )
    return ReportTable("The virtual best", ("contender", "solved", "PAR-2", "fastest", "alone"), tuple(sections), notes)


def _costs(table_rows: Sequence[ReportRow]) -> ReportTable:
    columns = ("contender", "start", "warm-up", "load rules", "search", "search CPU", "peak MB")

    def figures(row: ReportRow) -> Iterator[str]:
        c = row.costs
        yield from map(milliseconds, (c.start, c.warm_up, c.encode, c.search_wall, c.search_cpu))
        yield f"{c.peak_bytes / 1e6:.0f}"

    notes = (
        "medians in ms: to start the process, to warm up (imports and compiling among it), to load a board's rules,"
        " to search; peak memory of the process since it started",
    )
    return ReportTable("What it costs", columns, _sections(table_rows, figures), notes)


def _counted(table_rows: Sequence[ReportRow]) -> ReportTable:
    counted = sorted({name for row in table_rows for name in row.costs.statistics})

    def figures(row: ReportRow) -> Iterator[str]:
        for name in counted:
            yield f"{row.costs.statistics[name]:.0f}" if name in row.costs.statistics else ""

    sections = _sections((row for row in table_rows if row.costs.statistics), figures)
    return ReportTable("What the engines counted", ("contender", *counted), sections, ("medians of a search",))


def _sections(table_rows: Iterable[ReportRow], figures: Callable[[ReportRow], Iterator[str]]) -> Sections:
    by_set: dict[str, list[Cells]] = {}
    for row in table_rows:
        by_set.setdefault(_title(row.set, row.size), []).append((row.contender, *figures(row)))
    return tuple((name, tuple(body)) for name, body in by_set.items())


def _title(name: str, size: int) -> str:
    return f"{name}, {size}x{size}"


def interval(estimate: Interval) -> tuple[str, str]:
    """A figure, and its 95% interval."""
    ends = "" if estimate.low is None or estimate.high is None else f"{digits(estimate.low)} to {digits(estimate.high)}"
    return digits(estimate.value), ends


def probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def digits(value: float, whole: float = 100) -> str:
    """Three digits that count; from `whole` on, all before the point."""
    return f"{value:.0f}" if value >= whole else f"{value:.3g}"


def _fields(study: Study, row: ReportRow) -> dict[str, object]:
    scenario, costs = study.scenario, asdict(row.costs)
    fields: dict[str, object] = {"work": scenario.work, "limit": scenario.limit, "timeout": scenario.timeout}
    fields |= {"set": row.set, "size": row.size, "contender": row.contender, "baseline": study.baseline}
    fields |= asdict(row.summary)
    for name in ("typical", "total"):
        interval: Interval | None = getattr(row.ratio, name, None)
        for part, ending in (("value", ""), ("low", "_low"), ("high", "_high")):
            fields[f"{name}_ratio{ending}"] = getattr(interval, part, None)
    fields["signed_rank_p"] = None if row.ratio is None else row.ratio.p
    statistics = costs.pop("statistics")
    return {**fields, **costs, **statistics}

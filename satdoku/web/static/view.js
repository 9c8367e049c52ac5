// What the board shows of the work and of the answers: texts and tints of cells, marks to look at.
import { bare, markCells, markText, place, valuesOf } from "./puzzle.js";

/** What an answer in words speaks of: `kind` is conflict or step, `focus` the cell that it is about. */
export const NOTHING = { cells: [], givens: [], marks: [], houses: [], focus: null, kind: "" };

export function viewOf(what) {
  const { state, answers, old, lacking, hands, lit, show, spare, draft, drafting, seen, options, play } = what;
  const { puzzle } = state;
  const { given, entered, centre, corner, narrowed, colour } = state.stores;
  const { verdict, candidates } = answers;
  const values = valuesOf(puzzle);
  const differ = new Set((verdict?.verdict === "multiple" && !old.has("verdict") ? verdict.differ : []).map(bare));
  const known = old.has("candidates") ? null : candidates;
  const causes = new Set(lit.givens.map(bare));
  const waiting = new Map();
  for (const [index, text] of lacking) {
    const mark = puzzle.marks[index];
    for (const cell of mark ? markCells(mark) : []) waiting.set(cell, `${markText(mark)} ${text}`);
  }
  const digits = { ...given, ...entered };
  const clashes = options.conflicts ? seen.clashes(digits) : new Set();
  const watched = options.seen && !drafting ? seen.by(hands.cells) : new Set();
  const about = new Set([...lit.cells, ...lit.houses.flat()].map(bare));
  const conflict = lit.kind === "conflict" && options.conflicts;
  const digit = (cell) => given[cell] ?? entered[cell];
  const solved = (of, cell) => of?.[(place(cell)[0] - 1) * puzzle.columns + place(cell)[1] - 1];
  const solutions = verdict?.solutions ?? [];
  const normal = (cell) => seen.left(cell, digits, puzzle).filter((value) => narrowed[cell]?.includes(value) ?? true);
  const wrong = (cell) => clashes.has(cell) || play.wrong.includes(cell);
  const { struck } = play;
  const texts = (cell) => {
    const layers = show === "solution" ? Object.values(verdict?.layers ?? {}).map((of) => solved(of, cell)) : [];
    const more = layers.filter((value) => value !== undefined).map((value) => ({ text: String(value), kind: "layer" }));
    const held = given[cell] !== undefined ? "given" : "entered";
    if (digit(cell) !== undefined) {
      const kinds = [held, spare.givens.includes(cell) && "spare", wrong(cell) && "clash"];
      return [{ text: String(digit(cell)), kind: kinds.filter(Boolean).join(" ") }, ...more];
    }
    const out = (value) => ({ text: String(value), kind: "struck", index: values.indexOf(value) });
    if (struck[cell]) return struck[cell].map(out);
    if (centre[cell] || corner[cell]) {
      const outer = (corner[cell] ?? []).map((value, index) => ({ text: String(value), kind: "corner", index }));
      return [...outer, { text: (centre[cell] ?? []).join(values.at(-1) > 9 ? " " : ""), kind: "centre" }];
    }
    const several = solutions.map((grid) => solved(grid, cell)).filter((value) => value !== undefined);
    if (show === "difference" && new Set(several).size > 1) return [{ text: several.join(" / "), kind: "centre" }];
    const answer = { solution: several[0], second: several[1] }[show];
    if (answer !== undefined) return [{ text: String(answer), kind: "solution" }, ...more];
    const found = show === "candidates" ? candidates?.cells[cell] : show === "normal" ? normal(cell) : null;
    const kind = found ? "candidate" : "narrowed";
    if (found?.length === 1) return [{ text: String(found[0]), kind: `${kind} single` }];
    const small = (value) => ({ text: String(value), kind, index: values.indexOf(value) });
    return (found ?? narrowed[cell] ?? []).map(small);
  };
  const tint = (cell) => {
    if (lit.focus === cell) return "focus";
    if (causes.has(cell)) return conflict ? "cause" : "reason";
    if (about.has(cell)) return conflict ? "conflict" : "about";
    if (watched.has(cell)) return "seen";
    return differ.has(cell) && digit(cell) === undefined ? "differ" : "";
  };
  return {
    texts, tint, draft, conflict, lit: lit.kind === "conflict" && !conflict ? [] : lit.marks, spare: spare.marks,
    colours: (cell) => colour[cell] ?? [], cursor: hands.cursor,
    selected: drafting ? [] : hands.cells, spoken: (cell) => spoken(cell, state.stores, known, differ, waiting),
  };
}

/** What a screen reader and the line under the board say of a cell. */
function spoken(cell, { given, entered, centre, corner, narrowed, colour }, candidates, differ, waiting) {
  const parts = [
    given[cell] !== undefined ? `given ${given[cell]}` : entered[cell] !== undefined ? `tried ${entered[cell]}`
      : candidates?.cells[cell] ? counted(candidates, cell) : "",
    narrowed[cell] && `narrowed to ${narrowed[cell].join(" ")}`,
    centre[cell] && `centre ${centre[cell].join(" ")}`,
    colour[cell] && `colour ${colour[cell].join(" ")}`,
    corner[cell] && `corner ${corner[cell].join(" ")}`,
    waiting.get(cell),
    differ.has(cell) && "differs between solutions",
  ];
  return `${cell}: ${parts.filter(Boolean).join("; ") || "empty"}`;
}

function counted({ cells, counts, limit, least }, cell) {
  const found = cells[cell];
  if (found.length < 2) return found.length ? `only ${found[0]}` : "no candidate";
  if (!counts?.[cell]) return `candidates ${found.join(" ")}`;
  const many = (value) => (least || counts[cell][value] >= limit ? `${counts[cell][value]}+` : counts[cell][value] ?? 0);
  return `${found.map((value) => `${value} in ${many(value)}`).join(", ")} of the solutions`;
}

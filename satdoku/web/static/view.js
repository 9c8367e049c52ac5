// What the board shows of the work and of the answers: texts and tints of cells, marks to look at.
import { bare, valuesOf } from "./puzzle.js";

export const NOTHING = { cells: [], givens: [], marks: [], houses: [], focus: null, kind: "" };

/** `lit`: what an answer in words speaks of; `kind` is conflict or step. */
export function viewOf({ state, answers, selection, lit, show, spare, draft }) {
  const { puzzle, entered, centre, corner } = state.work;
  const values = valuesOf(puzzle);
  const { verdict, candidates } = answers;
  const differ = new Set((verdict?.verdict === "multiple" ? verdict.differ : []).map(bare));
  const sets = { cells: litCells(lit), givens: new Set(lit.givens.map(bare)), spare: new Set(spare.givens) };
  const digit = (cell) => puzzle.givens?.[cell] ?? entered[cell];

  const texts = (cell) => {
    const layers = show === "solution" ? layerTexts(verdict, cell, puzzle) : [];
    if (digit(cell) !== undefined) {
      const kind = puzzle.givens?.[cell] === undefined ? "entered" : "given";
      return [{ text: String(digit(cell)), kind: sets.spare.has(cell) ? `${kind} spare` : kind }, ...layers];
    }
    if (centre[cell]?.length || corner[cell]?.length) return notes(centre[cell] ?? [], corner[cell] ?? [], values);
    if (show === "solution" && verdict?.solution) {
      return [{ text: String(verdict.solution[index(cell, puzzle)]), kind: "solution" }, ...layers];
    }
    const found = show === "candidates" ? candidates?.cells[cell] : null;
    const kind = candidates?.stale ? "candidate stale" : "candidate";
    return small(found ?? puzzle.candidates?.[cell] ?? [], found ? kind : "narrowed", values);
  };

  const tint = (cell) => {
    if (lit.focus === cell) return "focus";
    if (sets.givens.has(cell)) return lit.kind === "conflict" ? "cause" : "reason";
    if (sets.cells.has(cell)) return lit.kind === "conflict" ? "conflict" : "about";
    return differ.has(cell) && digit(cell) === undefined ? "differ" : "";
  };

  return {
    texts, tint, spoken: (cell) => spoken(cell, state.work, candidates, differ),
    selected: draft ? [] : selection.cells, cursor: selection.cursor, houses: lit.houses, spare: spare.marks,
    draft: { parts: draft?.parts ?? [], path: draft?.path ?? [] },
    bad: lit.kind === "conflict" ? lit.marks : [], lit: lit.kind === "conflict" ? [] : lit.marks,
  };
}

const index = (cell, puzzle) => {
  const [row, column] = cell.match(/\d+/g).map(Number);
  return (row - 1) * puzzle.columns + column - 1;
};

/** Cells of rows, columns and regions are outlined, so that only those of other constraints are tinted. */
function litCells(lit) {
  const housed = new Set(lit.houses.flat().map(bare));
  return new Set(lit.cells.map(bare).filter((cell) => !housed.has(cell)));
}

const small = (found, kind, values) => found.map((value) => ({
  text: String(value), kind, index: values.indexOf(value), many: values.length,
}));

function notes(centre, corner, values) {
  const blank = values.at(-1) > 9 ? " " : "";
  return [
    ...(centre.length ? [{ text: centre.join(blank), kind: "centre" }] : []),
    ...corner.map((value, place) => ({ text: String(value), kind: "corner", index: place })),
  ];
}

function layerTexts(verdict, cell, puzzle) {
  return Object.values(verdict?.layers ?? {})
    .map((values) => values[index(cell, puzzle)]).filter((value) => value !== undefined && value !== null)
    .map((value) => ({ text: String(value), kind: "layer" }));
}

/** What a screen reader and the line under the board say of a cell. */
function spoken(cell, { puzzle, entered, centre, corner }, candidates, differ) {
  const parts = [];
  if (puzzle.givens?.[cell] !== undefined) parts.push(`given ${puzzle.givens[cell]}`);
  else if (entered[cell] !== undefined) parts.push(`tried ${entered[cell]}`);
  else if (candidates?.cells[cell]) parts.push(counted(candidates, cell));
  if (puzzle.candidates?.[cell]) parts.push(`narrowed to ${puzzle.candidates[cell].join(" ")}`);
  if (centre[cell]?.length) parts.push(`centre ${centre[cell].join(" ")}`);
  if (corner[cell]?.length) parts.push(`corner ${corner[cell].join(" ")}`);
  if (differ.has(cell)) parts.push("differs between solutions");
  return `${cell}: ${parts.join("; ") || "empty"}`;
}

function counted({ cells, counts, limit }, cell) {
  if (!cells[cell].length) return "no candidate";
  if (cells[cell].length === 1) return `only ${cells[cell][0]}`;
  if (!counts?.[cell]) return `candidates ${cells[cell].join(" ")}`;
  const many = (value) => (counts[cell][value] >= limit && limit > 1 ? `${limit}+` : counts[cell][value] ?? 0);
  return `${cells[cell].map((value) => `${value} in ${many(value)}`).join(", ")} of the solutions`;
}

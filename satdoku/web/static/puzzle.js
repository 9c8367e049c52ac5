// A puzzle as the server reads it, and what the page asks of it. Cells are named as people do: r1c1.
export const label = (row, column) => `r${row}c${column}`;
export const place = (name) => name.match(/\d+/g).slice(-2).map(Number);
export const bare = (name) => name.slice(name.lastIndexOf("r")); // a cell of a layer lies on a cell of the grid
const DIVISIONS = ["boxes", "region"];
const STEPS = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

export function fresh(rows = 9, columns = 9, values = null, boxes = "3x3") {
  const marks = boxes ? [{ kind: "boxes", value: boxes }] : [];
  return { rows, columns, ...(values ? { values } : {}), marks, givens: {} };
}

export function valuesOf(puzzle) {
  const [first, last] = puzzle.values ?? [1, Math.max(puzzle.rows, puzzle.columns)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export function cellsOf(puzzle) {
  const rows = Array.from({ length: puzzle.rows }, (_, row) => row + 1);
  return rows.flatMap((row) => Array.from({ length: puzzle.columns }, (_, column) => label(row, column + 1)));
}

/** What cells hold, without these. */
export const dropped = (store, cells) => (
  Object.fromEntries(Object.entries(store).filter(([cell]) => !cells.includes(cell))));

export const divides = (mark) => DIVISIONS.includes(mark.kind);
export const inside = ({ rows, columns }, [row, column]) => row >= 1 && row <= rows && column >= 1 && column <= columns;

/** Every cell that a mark names, those of marks inside it too. */
export const markCells = (mark) => [
  ...(mark.cells ?? []), ...(mark.lines ?? []).flat(), ...(mark.marks ?? []).flatMap(markCells),
];

/** `cage 15 at r1c1`. */
export function markText(mark) {
  const first = markCells(mark)[0];
  const name = [mark.name || mark.kind.replaceAll("-", " "), mark.value ?? ""].join(" ").trim();
  const within = mark.marks?.length ? ` of ${mark.marks.length} marks` : "";
  return name + within + (first ? ` at ${first}` : "");
}

export const sameMark = (one, other) => one.kind === other.kind && String(markCells(one)) === String(markCells(other));

/** The cells that a clue outside sees along a diagonal: toward `next`, or the first way that meets the grid. */
export function diagonal(puzzle, clue, next = null) {
  const [row, column] = place(clue);
  const wanted = next && place(next).map((to, axis) => Math.sign(to - [row, column][axis]));
  const ways = wanted && wanted[0] && wanted[1] ? [wanted] : STEPS;
  for (const [down, right] of ways) {
    const line = [];
    for (let at = [row + down, column + right]; inside(puzzle, at); at = [at[0] + down, at[1] + right]) {
      line.push(label(...at));
    }
    if (line.length) return line;
  }
  return [];
}

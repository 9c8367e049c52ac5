// What each shape of mark is drawn with: a draft collects cells by taps and drags until they are a mark.
import { diagonal, inside, label, place } from "./puzzle.js";

const OR = "or click them one by one and press Enter";

const one = ([cells]) => ({ cells });
const MANY = `Drag over the cells, ${OR}.`;

/** parts: how many lists of cells a mark takes; `make` makes the fields of the mark of them, if they do. */
export const SHAPES = {
  cell: { group: "One cell", parts: 1, single: true, make: one, hints: ["Click a cell, or drag over several."] },
  cells: {
    group: "Cells, cages and dots", parts: 1, make: one, hints: [MANY], grows: "Drag from one of its cells to add more.",
  },
  line: {
    group: "Lines", parts: 1, path: true, make: ([line]) => line.length > 1 && { lines: [line] },
    hints: [`Drag along the line from its first cell, ${OR}.`], grows: "Drag from one of its ends to make it longer.",
  },
  arrow: {
    group: "Arrows", parts: 2, path: true, make: ([cells, line]) => ({ cells, lines: [line] }),
    hints: [
      "Drag from the circle along the shaft. For a pill, click its cells first. By keys: the circle, Enter, the shaft.",
      "Now the cells of the shaft, then Enter.",
    ],
    grows: "Drag from the end of a shaft, or from its circle, to add cells.",
  },
  clue: {
    group: "Outside the grid", parts: 1, outside: true, single: true, make: one,
    hints: ["Click beside a row or a column, outside the grid."],
  },
  diagonal: {
    group: "Diagonals from outside", parts: 1, outside: true, path: true, make: along,
    hints: ["Drag from outside the grid into the diagonal."],
  },
  clone: { group: "Copies", parts: 2, make: copied, hints: [MANY, "Click where the first has its copy, then Enter."] },
  groups: {
    group: "Groups of cells", parts: Infinity, make: (lines) => lines.length > 1 && { lines },
    hints: [MANY, "Now another group; Enter again when all are there."],
  },
  drawing: {
    group: "Drawings without a rule", parts: 1, path: true, make: one,
    hints: ["Click a cell, an edge or a corner; for a line or an arrow drag through its cells."],
  },
  rule: { group: "Whole board", parts: 0, hints: ["Holds for the whole board."] },
  marks: { group: "Combinations of marks", parts: 0, hints: ["Tick marks in the list below, then add."] },
};

function along([[clue, next]], puzzle) {
  const line = inside(puzzle, place(clue)) ? [] : diagonal(puzzle, clue, next);
  return line.length && { cells: [clue], lines: [line] };
}

function copied([cells, copy]) {
  if (copy.length === cells.length) return { cells, lines: [copy] };
  const shift = place(copy[0]).map((to, axis) => to - place(cells[0])[axis]);
  return { cells, lines: [cells.map((cell) => label(...place(cell).map((at, axis) => at + shift[axis])))] };
}

export const CORNERED = ["quadruple", "negative-quadruple", "quad-sum"];
const EDGED = ["difference", "ratio", "xv", "edge-sum", "edge-product", "greater-than"];
const NEAR = 0.28; // of a cell, from a corner or an edge

/** The cells that meet at the corner or edge that a point is near, for kinds of marks that live there. */
export function snapped(name, [row, column], puzzle) {
  const [top, left] = [Math.floor(row), Math.floor(column)];
  const [down, right] = [Math.abs(row - top - 0.5) < NEAR, Math.abs(column - left - 0.5) < NEAR];
  const [across, along] = [Math.round(row), Math.round(column)];
  const corner = [[top, left], [top, left + 1], [top + 1, left], [top + 1, left + 1]];
  const edge = down ? [[top, along], [top + 1, along]] : [[across, left], [across, left + 1]];
  const [corners, edges] = [CORNERED, EDGED].map((names) => names.includes(name) || name.startsWith("drawn-"));
  const cells = corners && down && right ? corner : edges && down !== right ? edge : [];
  return cells.length && cells.every((cell) => inside(puzzle, cell)) ? cells.map((cell) => label(...cell)) : null;
}

/** A mark with the cells of a drag added, which begins in it: a line grows at an end, an arrow from its shafts and its
 * circle; null where it does not grow from there. */
export function grown(mark, shape, [from, ...path]) {
  const { cells = [], lines = [] } = mark;
  if (!SHAPES[shape].grows) return null;
  if (shape === "cells") return cells.includes(from) ? { ...mark, cells: [...new Set([...cells, ...path])] } : null;
  const last = lines.findIndex((line) => line.at(-1) === from);
  const first = shape === "line" ? lines.findIndex((line) => line[0] === from) : -1;
  const line = lines[last < 0 ? first : last] ?? [];
  const more = path.filter((cell) => !line.includes(cell) && !(shape === "arrow" && cells.includes(cell)));
  if (last >= 0) return { ...mark, lines: lines.with(last, [...line, ...more]) };
  if (first >= 0) return { ...mark, lines: lines.with(first, [...more.reverse(), ...line]) };
  return shape === "arrow" && cells.includes(from) ? { ...mark, lines: more.length ? [...lines, more] : lines } : null;
}

export class Draft {
  parts = []; // lists of cells that are complete
  path = []; // the one that is not
  touched = false; // else it is what was selected before

  constructor(shape, puzzle) {
    Object.assign(this, { shape: SHAPES[shape], puzzle });
  }

  get hint() { return this.shape.hints[Math.min(this.parts.length, this.shape.hints.length - 1)]; }
  get cells() { return [...this.parts.flat(), ...this.path]; }

  get #bulb() { return this.shape === SHAPES.arrow ? this.parts[0] : null; }

  /** The fields of a mark, as far as it is drawn; null if nothing is. */
  get rest() {
    if (!this.touched || !this.cells.length) return null;
    const [first = this.path, ...others] = this.parts;
    const lines = [...others, this.parts.length ? this.path : []].filter((line) => line.length);
    if (this.shape === SHAPES.line) return { lines: [first] };
    if (this.shape === SHAPES.groups) return { lines: [first, ...lines] };
    const [clue, ...seen] = first;
    if (this.shape === SHAPES.diagonal) return { cells: [clue], lines: seen.length ? [seen] : [] };
    return { cells: first, lines };
  }

  /** Whether clicks go on with cells: a cell that was selected before is no beginning, several are. */
  get begun() { return this.path.length > (this.touched ? 0 : 1); }

  #touch(drags, cell) {
    if (!this.begun || (!this.touched && drags && !this.path.includes(cell))) this.path = [];
    this.touched = true;
  }

  /** Each of these three returns the marks that are complete now. */
  tap(cell) {
    this.#touch(false);
    if (this.shape.single) return this.drag([cell]);
    const again = this.shape.path ? this.path.at(-1) === cell : this.path.includes(cell);
    this.path = again ? this.path.filter((other) => other !== cell) : [...this.path, cell];
    return [];
  }

  drag(cells) {
    this.#touch(true, cells[0]);
    if (this.shape.single) return [...new Set(cells)].map((cell) => this.shape.make([[cell]]));
    const pill = this.path.includes(cells[0]) ? this.path : [cells[0]];
    if (this.shape === SHAPES.arrow && !this.parts.length) this.parts = [pill];
    else if (this.path.length) {
      this.path = [...new Set([...this.path, ...cells])];
      return [];
    }
    return this.#part(cells);
  }

  enter() {
    if (this.path.length) return this.#part(this.path);
    return this.parts.length > 1 ? this.#finish() : [];
  }

  #part(cells) {
    const left = this.shape.path ? cells.filter((cell) => !this.#bulb?.includes(cell)) : [...new Set(cells)];
    this.path = [];
    if (left.length) this.parts.push(left);
    return this.parts.length < this.shape.parts ? [] : this.#finish();
  }

  #finish() {
    const mark = this.shape.make(this.parts, this.puzzle);
    [this.parts, this.path] = [[], []];
    return mark ? [mark] : [];
  }
}

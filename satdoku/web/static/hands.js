// Hands on the board: pointer and keys become a selection, a draft of a mark, or digits.
import { cellsOf, label, place, valuesOf } from "./puzzle.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NEAR = 0.42; // how near its centre a pointer must come to a cell to draw through it, so that diagonals are easy
export const MODES = ["given", "entered", "centre", "corner", "narrowed"];

export class Hands {
  /** host: state, board, tools (with the draft of the tool in use), and `refresh`, called after every change. */
  constructor(host) {
    Object.assign(this, { host, cells: [], cursor: null, mode: "given", path: null, typed: null });
    const { root } = host.board;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#drop());
    root.addEventListener("pointerleave", () => host.hover(null));
    root.addEventListener("dblclick", (event) => this.#alike(event));
    root.addEventListener("keydown", (event) => this.key(event));
  }

  get draft() {
    return this.host.tools.draft;
  }

  clear() {
    this.cells = [];
    this.typed = null;
  }

  #allowed(at) {
    const { rows, columns } = this.host.state.puzzle;
    const ring = at.row >= 0 && at.row <= rows + 1 && at.column >= 0 && at.column <= columns + 1;
    return at.inside || (ring && Boolean(this.draft?.shape.outside));
  }

  #down(event) {
    const at = this.host.board.at(event);
    if (event.button || !this.#allowed(at)) return;
    event.preventDefault();
    this.host.board.root.focus({ preventScroll: true });
    this.host.board.root.setPointerCapture(event.pointerId);
    this.path = [at.cell];
    this.cursor = at.cell;
    this.typed = null;
    if (this.draft) return this.host.refresh();
    const more = event.ctrlKey || event.metaKey || event.shiftKey;
    const alone = this.cells.length === 1 && this.cells[0] === at.cell;
    this.removing = this.cells.includes(at.cell) && (more || alone);
    if (!more) this.cells = alone ? this.cells : [];
    this.#select(at.cell);
  }

  #select(cell) {
    const others = this.cells.filter((other) => other !== cell);
    this.cells = this.removing ? others : [...others, cell];
    this.host.refresh();
  }

  #move(event) {
    const at = this.host.board.at(event);
    if (!this.path) return this.host.hover(at.inside ? at.cell : null);
    if (at.off > NEAR || !this.#allowed(at) || at.cell === this.path.at(-1)) return;
    for (const cell of between(this.path.at(-1), at.cell)) this.#through(cell);
    this.host.refresh();
  }

  #through(cell) {
    this.cursor = cell;
    if (!this.draft) {
      this.path.push(cell);
      return this.#select(cell);
    }
    if (cell === this.path.at(-2)) this.path.pop();
    else if (!this.path.includes(cell) || (cell === this.path[0] && this.draft.shape.path)) this.path.push(cell);
  }

  #up() {
    if (!this.path) return;
    const path = this.path;
    this.path = null;
    if (this.draft) this.host.tools.add(path.length > 1 ? this.draft.drag(path) : this.draft.tap(path[0]));
    this.host.refresh();
  }

  #drop() {
    this.path = null;
    this.host.refresh();
  }

  /** A double click selects the cells that hold the same digit. */
  #alike(event) {
    const { givens = {} } = this.host.state.puzzle;
    const { entered } = this.host.state.work;
    const digit = (cell) => givens[cell] ?? entered[cell];
    const wanted = digit(this.host.board.at(event).cell);
    if (this.draft || wanted === undefined) return;
    this.cells = cellsOf(this.host.state.puzzle).filter((cell) => digit(cell) === wanted);
    this.host.refresh();
  }

  key(event) {
    const known = this.#keys(event);
    if (!known) return;
    event.preventDefault();
    known();
    this.host.refresh();
  }

  #keys(event) {
    const { key, shiftKey } = event;
    const control = event.ctrlKey || event.metaKey;
    if (ARROWS[key]) return () => this.#walk(ARROWS[key], shiftKey, control);
    if (key === "a" && control) return () => (this.cells = cellsOf(this.host.state.puzzle));
    if (control || event.altKey) return null;
    if (/^\d$/.test(key)) return () => this.type(key);
    const others = {
      Backspace: () => this.erase(), Delete: () => this.erase(), Escape: () => this.#escape(), " ": () => this.#space(),
    };
    if (this.draft) others.Enter = () => this.host.tools.add(this.draft.enter());
    return others[key] ?? null;
  }

  #walk([down, right], more, control) {
    const { rows, columns } = this.host.state.puzzle;
    const ring = this.draft?.shape.outside ? 1 : 0;
    const [row, column] = this.cursor ? place(this.cursor) : [1 - down, 1 - right];
    const round = (at, last) => (at < 1 - ring ? last + ring : at > last + ring ? 1 - ring : at);
    const from = this.cursor;
    this.cursor = label(round(row + down, rows), round(column + right, columns));
    this.typed = null;
    if (this.draft) {
      if (more) this.draft.path = [...(this.draft.path.length || !from ? this.draft.path : [from]), this.cursor];
    } else if (!control) {
      this.removing = false;
      this.cells = more ? this.cells : [];
      this.#select(this.cursor);
    }
  }

  #space() {
    if (this.draft && this.cursor) this.host.tools.add(this.draft.tap(this.cursor));
    else if (!this.draft) this.host.setMode(MODES[(MODES.indexOf(this.mode) + 1) % MODES.length]);
  }

  #escape() {
    if (this.draft?.cells.length) this.host.tools.restart();
    else if (this.draft) this.host.tools.choose(null);
    else this.clear();
  }

  /** A digit key: with the one before it, where those two make a value of the board, it is that value. */
  type(key) {
    const values = valuesOf(this.host.state.puzzle);
    const same = this.typed && this.typed.mode === this.mode && this.typed.cells === String(this.cells);
    const joined = same ? Number(this.typed.text + key) : NaN;
    const both = same && values.includes(joined);
    if (both && values.includes(Number(this.typed.text))) this.put(Number(this.typed.text)); // takes it back
    const value = both ? joined : Number(key);
    this.typed = { text: both ? this.typed.text + key : key, mode: this.mode, cells: String(this.cells) };
    if (values.includes(value)) this.put(value);
  }

  /** Put a value into the selected cells, or take it from them where all have it. */
  put(value) {
    const { puzzle, entered, centre, corner } = this.host.state.work;
    const givens = puzzle.givens ?? {};
    if (!this.cells.length) return;
    if (this.mode === "given") {
      const cells = this.cells;
      const gone = cells.every((cell) => givens[cell] === value);
      const candidates = without(puzzle.candidates ?? {}, cells);
      const parts = { givens: gone ? without(givens, cells) : { ...givens, ...each(cells, value) }, candidates };
      return this.host.state.change({ puzzle: { ...puzzle, ...parts }, entered: without(entered, cells) });
    }
    const cells = this.cells.filter((cell) => givens[cell] === undefined);
    if (this.mode === "entered") {
      const gone = cells.every((cell) => entered[cell] === value);
      return this.host.state.change({ entered: gone ? without(entered, cells) : { ...entered, ...each(cells, value) } });
    }
    const before = { centre, corner, narrowed: puzzle.candidates ?? {} }[this.mode];
    const after = toggled(before, cells, value);
    if (this.mode === "narrowed") return this.host.state.edit({ candidates: after });
    return this.host.state.change({ [this.mode]: after });
  }

  /** Empty the selected cells: of what the mode writes, or of everything if there is nothing of that. */
  erase() {
    const { puzzle, entered, centre, corner } = this.host.state.work;
    const stores = { given: puzzle.givens ?? {}, entered, centre, corner, narrowed: puzzle.candidates ?? {} };
    if (!this.cells.length) return;
    const held = this.cells.some((cell) => stores[this.mode][cell] !== undefined);
    const left = Object.fromEntries(Object.entries(stores).map(([mode, store]) => [
      mode, !held || mode === this.mode ? without(store, this.cells) : store,
    ]));
    const { given: givens, narrowed: candidates, ...notes } = left;
    this.host.state.change({ puzzle: { ...puzzle, givens, candidates }, ...notes });
  }
}

const each = (cells, value) => Object.fromEntries(cells.map((cell) => [cell, value]));
const without = (store, cells) => Object.fromEntries(Object.entries(store).filter(([cell]) => !cells.includes(cell)));

function toggled(store, cells, value) {
  const gone = cells.every((cell) => store[cell]?.includes(value));
  const changed = cells.map((cell) => {
    const others = (store[cell] ?? []).filter((other) => other !== value);
    return [cell, gone ? others : [...others, value].sort((one, other) => one - other)];
  });
  return Object.fromEntries(Object.entries({ ...store, ...Object.fromEntries(changed) }).filter(([, held]) => held.length));
}

/** The cells from one to another, without the first. */
function between(from, to) {
  const [[row, column], [endRow, endColumn]] = [place(from), place(to)];
  const steps = Math.max(Math.abs(endRow - row), Math.abs(endColumn - column));
  return Array.from({ length: steps }, (_, step) => label(
    Math.round(row + ((endRow - row) * (step + 1)) / steps), Math.round(column + ((endColumn - column) * (step + 1)) / steps),
  ));
}

// Hands on the board: pointer and keys become a selection, a draft of a mark, or digits.
import { cellsOf, dropped, label, place, valuesOf } from "./puzzle.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NEAR = 0.42; // how near its centre a pointer must come to a cell to draw through it, so that diagonals are easy
export const MODES = {
  given: "Given", entered: "Try", corner: "Corner", centre: "Centre", narrowed: "Narrow", colour: "Colour",
};
export const COLOURS = 9;
const NAMES = Object.keys(MODES);
const DIGITS = ["given", "entered"]; // the modes that write one digit; the others write several
const LETTERS = { x: "corner", c: "centre", v: "colour" }; // z is for digits

export class Hands {
  cells = []; // what is selected, in order
  cursor = null;
  mode = "given";
  path = null; // the cells that the pointer has drawn through
  pulls = false; // whether that adds cells to the mark that is chosen
  typed = null;

  /** host: state, board, tools (with the draft of the tool in use), and `refresh`, called after every change. */
  constructor(host) {
    this.host = host;
    const listen = (type, action) => host.board.root.addEventListener(type, action);
    listen("pointerdown", (event) => this.#down(event));
    listen("pointermove", (event) => this.#move(event));
    listen("pointerup", () => this.#up());
    listen("pointercancel", () => (this.path = null));
    listen("dblclick", (event) => this.#alike(host.board.at(event).cell));
    listen("pointerleave", () => host.hover(null));
    listen("keydown", (event) => this.key(event));
  }

  get draft() { return this.host.tools.draft; }
  clear() { this.cells = []; }

  /** Whether the pointer draws through cells, and does not select them. */
  get draws() { return this.draft !== null || this.pulls; }

  #allowed({ inside, ring }) { return inside || (ring && this.draft?.shape.outside); }

  #down(event) {
    const at = this.host.board.at(event);
    if (event.button || !this.#allowed(at)) return;
    event.preventDefault();
    this.host.board.root.focus({ preventScroll: true });
    this.host.board.root.setPointerCapture(event.pointerId);
    this.cursor = at.cell;
    this.typed = null;
    if (this.host.menu.carried) return this.host.menu.drop(at.cell);
    if (event.altKey) return this.host.menu.pick(at.cell);
    this.path = [at.cell];
    this.point = at.point;
    if (this.draft) return this.host.refresh();
    const more = event.ctrlKey || event.metaKey || event.shiftKey;
    this.removing = this.cells.includes(at.cell) && (more || this.cells.length === 1);
    this.adding = more;
    this.pulls = !more && this.host.tools.grown(this.path) !== null;
    if (!this.pulls) this.#begin(at.cell);
  }

  #begin(cell) {
    if (!this.adding && !this.removing) this.cells = [];
    this.#select(cell);
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
    for (const cell of between(this.path.at(-1), at.cell)) {
      if (this.draws && cell === this.path.at(-2)) this.path.pop();
      else if (!this.path.includes(cell) || (cell === this.path[0] && this.draft?.shape.path)) this.path.push(cell);
      if (!this.draws) this.#select(cell);
    }
    this.cursor = at.cell;
    this.host.refresh();
  }

  #up() {
    const { path } = this;
    this.path = null;
    if (path?.length === 1 && this.draft) this.host.tools.tap(path[0], this.point);
    else if (path && this.draft) this.host.tools.add(this.draft.drag(path));
    else if (path?.length === 1 && this.pulls) this.#begin(path[0]); // a click, which selects
    else if (path && this.pulls) this.host.tools.extend(path);
    this.host.refresh();
  }

  key(event) {
    const action = this.#action(event);
    if (!action) return;
    event.preventDefault();
    action();
    this.host.refresh();
  }

  /** The modes that the page has: all, or those of a player. */
  get modes() { return this.host.play.on ? NAMES.filter((name) => !["given", "narrowed"].includes(name)) : NAMES; }

  /** Select every cell with the digit of this one, else with its notes or its colours. */
  #alike(cell) {
    const { given, entered, centre, corner, colour } = this.host.state.stores;
    if (this.draft) return;
    const store = [{ ...given, ...entered }, centre, corner, colour].find((held) => held[cell] !== undefined);
    if (!store) return;
    this.cells = Object.keys(store).filter((other) => String(store[other]) === String(store[cell]));
    this.host.refresh();
  }

  #action({ key, code, shiftKey, ctrlKey, metaKey, altKey }) {
    const control = ctrlKey || metaKey;
    const digit = /^Digit(\d)$/.exec(code)?.[1];
    if (digit && !altKey && (shiftKey || control)) { // another mode for this digit
      return () => this.#type(digit, shiftKey && control ? "colour" : shiftKey ? "corner" : "centre");
    }
    if (ARROWS[key]) return () => this.#walk(ARROWS[key], shiftKey, control);
    if (key === "a" && control) return () => (this.cells = cellsOf(this.host.state.puzzle));
    if (control || altKey) return null;
    if (/^\d$/.test(key)) return () => this.#type(key);
    if (key === "Enter" && this.host.menu.carried) return () => this.host.menu.drop(this.cursor);
    if (key === "Enter" && this.draft) return () => this.host.tools.add(this.draft.enter());
    const letter = key.toLowerCase();
    if (letter === "z") return () => (this.mode = this.modes[0]);
    if (LETTERS[letter]) return () => (this.mode = LETTERS[letter]);
    const erase = () => this.erase();
    return { Backspace: erase, Delete: erase, Escape: () => this.#escape(), " ": () => this.#space() }[key];
  }

  #walk([down, right], more, control) {
    const { rows, columns } = this.host.state.puzzle;
    const ring = this.draft?.shape.outside ? 1 : 0;
    const round = (at, last) => (at < 1 - ring ? last + ring : at > last + ring ? 1 - ring : at);
    const [row, column] = this.cursor ? place(this.cursor) : [1 - down, 1 - right];
    const from = this.cursor ? [this.cursor] : [];
    this.cursor = label(round(row + down, rows), round(column + right, columns));
    this.typed = null;
    this.removing = false;
    if (this.draft && more) this.draft.touched = true;
    if (this.draft && more) this.draft.path = [...(this.draft.path.length ? this.draft.path : from), this.cursor];
    if (this.draft || control) return;
    if (!more) this.cells = [];
    this.#select(this.cursor);
  }

  #space() {
    if (!this.draft) this.mode = this.modes[(this.modes.indexOf(this.mode) + 1) % this.modes.length];
    else if (this.cursor) this.host.tools.add(this.draft.tap(this.cursor));
  }

  #escape() {
    if (this.host.menu.carried) this.host.menu.carried = null;
    else if (this.draft?.cells.length) this.host.tools.restart();
    else this.host.tools.choose(null);
  }

  /** A digit key: with the one before it, where those two make a value of the board, it is that value. */
  #type(key, mode = this.mode) {
    if (mode === "colour") return Number(key) ? this.put(Number(key), mode) : null;
    const values = valuesOf(this.host.state.puzzle);
    const where = `${mode} ${this.cells}`;
    const before = this.typed?.where === where ? this.typed.text : "";
    const both = before !== "" && values.includes(Number(before + key));
    if (both && values.includes(Number(before))) this.put(Number(before), mode); // takes it back
    const text = both ? before + key : key;
    this.typed = { text, where };
    return values.includes(Number(text)) ? this.put(Number(text), mode) : null;
  }

  /** Put a value into the selected cells, or take it from them where all have it. */
  put(value, mode = this.mode) {
    const { host } = this;
    const { stores } = host.state;
    const free = (cell) => ["given", "colour"].includes(mode) || stores.given[cell] === undefined;
    const cells = this.cells.filter(free);
    if (!cells.length) return;
    const before = stores[mode];
    const gone = cells.every((cell) => [before[cell]].flat().includes(value));
    const others = mode === "given" ? without(stores, cells, ["entered", "narrowed"]) : {};
    const held = (cell) => (DIGITS.includes(mode) ? (gone ? [] : value) : toggled(before[cell], value, gone));
    const after = Object.entries({ ...before, ...Object.fromEntries(cells.map((cell) => [cell, held(cell)])) });
    host.state.write({ ...others, [mode]: Object.fromEntries(after.filter(([, left]) => [left].flat().length)) });
  }

  /** Empty the selected cells, of digits and notes: a player leaves the givens. Without any, take away the mark or the
   * drawing that is chosen. */
  erase() {
    const { state, tools, play } = this.host;
    if (this.cells.length) state.write(without(state.stores, this.cells, this.modes));
    else if (tools.chosen && !tools.drawn && !play.on) tools.remove(tools.chosen.list, tools.chosen.index);
  }
}

const without = (stores, cells, names) => Object.fromEntries(names.map((name) => [name, dropped(stores[name], cells)]));
const toggled = (held = [], value, gone) => (
  [...held.filter((other) => other !== value), ...(gone ? [] : [value])].sort(inOrder));

/** Numbers, then colours that are no number. */
const inOrder = (one, other) => (
  typeof one === typeof other ? (one > other) - (one < other) : typeof one === "number" ? -1 : 1);

/** The cells from one to another, without the first. */
function between(from, to) {
  const [start, end] = [place(from), place(to)];
  const steps = Math.max(...start.map((at, axis) => Math.abs(end[axis] - at)));
  const way = (step) => start.map((at, axis) => Math.round(at + ((end[axis] - at) * step) / steps));
  return Array.from({ length: steps }, (_, step) => label(...way(step + 1)));
}

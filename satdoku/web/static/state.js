// The work of this tab: the puzzle, digits tried in it, notes; every earlier state for undo; kept in the browser.
import { fresh } from "./puzzle.js";

const KEY = "satdoku:work:";
const BROKEN = "satdoku:broken:";
const UNDO = "satdoku:undo"; // of this tab, written when it is left
const MAX_UNDO = 200; // states that a reload keeps
const MAX_SIDE = 256; // rows and columns, as in the form of the board
const held = new Set(); // the ids that this tab has locked
const started = (puzzle) => ({ puzzle, entered: {}, centre: {}, corner: {}, colour: {} });

export class State extends EventTarget {
  id = null;
  work = started(fresh());
  past = [];
  future = [];
  drawing = null; // what was being drawn when this work was left, until that is taken up
  begun = () => null; // what is being drawn

  constructor() {
    super();
    addEventListener("pagehide", () => {
      this.#leave();
      const kept = { id: this.id, past: this.past.slice(-MAX_UNDO), future: this.future.slice(-MAX_UNDO) };
      try {
        sessionStorage.setItem(UNDO, JSON.stringify(kept));
      } catch {
        sessionStorage.removeItem(UNDO); // too large for the browser's store
      }
    });
  }

  get puzzle() { return this.work.puzzle; }

  /** Set parts of the work. Changes with the same `merge` in a row are one step of undo. */
  change(parts, merge = null) {
    if (!merge || merge !== this.merge) this.past.push(this.work);
    this.merge = merge;
    this.future = [];
    this.#set({ ...this.work, ...parts });
  }

  edit(parts, merge = null) { this.change({ puzzle: { ...this.puzzle, ...parts } }, merge); }

  /** What stands in cells, by the mode that writes it, and the way back. */
  get stores() {
    const { puzzle, ...notes } = this.work;
    return { given: puzzle.givens ?? {}, narrowed: puzzle.candidates ?? {}, ...notes };
  }

  write({ given = this.stores.given, narrowed = this.stores.narrowed, ...notes }) {
    this.change({ puzzle: { ...this.puzzle, givens: given, candidates: narrowed }, ...notes });
  }

  /** Undo, or redo if the two are exchanged. */
  undo(from = this.past, to = this.future) {
    if (!from.length) return;
    to.push(this.work);
    this.merge = null;
    this.#set(from.pop());
  }

  redo() { this.undo(this.future, this.past); }

  /** Begin with another puzzle, or with work that was kept; undo goes back beyond it only after a reload. */
  async open(puzzle, kept = null, notes = {}) {
    this.#leave();
    this.id = await own(kept);
    sessionStorage.setItem("satdoku:work", this.id);
    const { id, past, future } = JSON.parse(sessionStorage.getItem(UNDO) ?? "{}");
    [this.past, this.future, this.merge] = kept && id === this.id ? [past, future, null] : [[], [], null];
    sessionStorage.removeItem(UNDO);
    const { drawing = null, ...work } = (kept && load(kept)) ?? { ...started(puzzle ?? fresh()), ...notes };
    this.drawing = drawing;
    this.#set(work, puzzle !== null);
    this.dispatchEvent(new Event("open"));
  }

  /** What was being drawn when this work was left: from here on it is being drawn again. */
  take() {
    const { drawing } = this;
    this.drawing = null;
    if (drawing) keep(this.id, this.work);
    return drawing;
  }

  /** What is being drawn is kept beside the work. */
  #leave() {
    const drawing = this.begun() ?? this.drawing;
    if (drawing) keep(this.id, { ...this.work, drawing });
  }

  #set(work, changed = true) {
    if (changed) keep(this.id, work);
    this.work = work;
    this.dispatchEvent(new Event("change"));
  }
}

/** An id for the work of this tab: the one asked for, or a new one where another tab has that open. */
async function own(kept) {
  const id = kept ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
  if (!navigator.locks || held.has(id)) return id;
  const free = await new Promise((answer) => {
    navigator.locks.request(KEY + id, { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      return lock && new Promise(() => {}); // held for as long as the tab lives
    });
  });
  return free ? (held.add(id), id) : own(null);
}

function keep(id, work) {
  const { drawing, puzzle: { title, marks, givens, drawings, candidates }, ...notes } = work;
  const known = localStorage.getItem(KEY + id);
  const held = [givens, drawings, candidates, ...Object.values(notes)];
  const written = held.some((each) => each && Object.keys(each).length);
  if (!known && !drawing && !title && marks.length < 2 && !written) return; // nothing yet
  const text = JSON.stringify({ ...work, time: Date.now() });
  try {
    localStorage.setItem(KEY + id, text);
  } catch {
    recent().slice(5).forEach((each) => forget(each.id)); // the browser's store is full: the oldest go
    localStorage.setItem(KEY + id, text);
  }
}

/** Kept work; null if there is none. */
export function load(id) {
  const { time, ...work } = stored(id) ?? {};
  return time === undefined ? null : work;
}

/** Whether this has the shape of work, so that it can be shown. */
function sound({ puzzle, entered, centre, corner, colour = {}, drawing = null }) {
  const lists = (store) => Object.values(store).every(Array.isArray);
  const marks = (every) => every.every(({ kind, cells, lines: ways, marks: inner }) => (
    typeof kind === "string" && lists([cells ?? [], ...(ways ?? [])]) && marks(inner ?? [])));
  return (drawing === null || lists([drawing.parts, drawing.path])) && Object.values(entered).every(Number.isInteger)
    && lists({ ...puzzle.candidates }) && [centre, corner, colour].every(lists) && marks(puzzle.marks)
    && [puzzle.rows, puzzle.columns].every((side) => side > 0 && side <= MAX_SIDE);
}

/** Kept work and when it was kept; null if there is none, or what is kept is not work, which then lies under another
 * name. */
function stored(id) {
  const text = localStorage.getItem(KEY + id);
  try {
    const work = JSON.parse(text);
    if (work === null) return null;
    if (sound(work)) return { time: 0, colour: {}, ...work };
  } catch {
    // not even JSON, or parts are missing
  }
  localStorage.removeItem(KEY + id);
  localStorage.setItem(BROKEN + id, text);
  return null;
}

/** Set aside what is kept and cannot be read; a sentence about it, if there is any. */
export function setAside() {
  const before = Object.keys(localStorage).filter((key) => key.startsWith(BROKEN)).length;
  recent();
  const many = Object.keys(localStorage).filter((key) => key.startsWith(BROKEN)).length;
  return many > before ? `Work that this browser kept could not be read and was set aside: ${many - before}.` : "";
}
export const forget = (id) => localStorage.removeItem(KEY + id);

/** What is kept, the latest first. */
export function recent() {
  const ids = Object.keys(localStorage).filter((key) => key.startsWith(KEY)).map((key) => key.slice(KEY.length));
  const kept = ids.map((id) => ({ id, work: stored(id) })).filter(({ work }) => work);
  return kept.map(({ id, work }) => ({ id, ...work })).sort((one, other) => other.time - one.time);
}

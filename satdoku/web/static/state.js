// The work of this tab: the puzzle, digits tried in it, notes; every earlier state for undo; kept in the browser.
import { fresh } from "./puzzle.js";

const KEY = "satdoku:work:";
const MAX_KEPT = 60;

export class State extends EventTarget {
  constructor() {
    super();
    this.id = null;
    this.work = started(fresh());
    this.past = [];
    this.future = [];
  }

  get puzzle() {
    return this.work.puzzle;
  }

  /** Set parts of the work. Changes with the same `merge` in a row are one step of undo. */
  change(parts, merge = null) {
    if (!merge || merge !== this.merge) this.past.push(this.work);
    this.merge = merge;
    this.future = [];
    this.#set({ ...this.work, ...parts });
  }

  edit(parts, merge = null) {
    this.change({ puzzle: { ...this.puzzle, ...parts } }, merge);
  }

  undo() {
    this.#travel(this.past, this.future);
  }

  redo() {
    this.#travel(this.future, this.past);
  }

  /** Begin with another puzzle, or with work that was kept; undo does not go back beyond it. */
  async open(puzzle, kept = null) {
    this.id = await own(kept);
    sessionStorage.setItem("satdoku:work", this.id);
    [this.past, this.future, this.merge] = [[], [], null];
    this.#set(kept ? (load(kept) ?? started(fresh())) : started(puzzle), Boolean(kept));
    this.dispatchEvent(new Event("open"));
  }

  #travel(from, to) {
    if (!from.length) return;
    to.push(this.work);
    this.merge = null;
    this.#set(from.pop());
  }

  #set(work, kept = false) {
    this.work = work;
    if (!kept) keep(this.id, work);
    this.dispatchEvent(new Event("change"));
  }
}

const started = (puzzle) => ({ puzzle, entered: {}, centre: {}, corner: {} });

/** An id for the work of this tab: the one asked for, or a new one where another tab has that open. */
async function own(kept) {
  const id = kept ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
  if (!navigator.locks) return id;
  const free = await new Promise((answer) => {
    navigator.locks.request(KEY + id, { ifAvailable: true }, (lock) => {
      answer(lock !== null);
      return lock && new Promise(() => {}); // held for as long as the tab lives
    });
  });
  return free || holding.has(id) ? (holding.add(id), id) : own(null);
}
const holding = new Set();

function keep(id, { puzzle, ...rest }) {
  const blank = !puzzle.title && puzzle.marks.length < 2 && !Object.keys(puzzle.givens ?? {}).length;
  if (!id || (blank && !localStorage.getItem(KEY + id))) return;
  const text = JSON.stringify({ puzzle, ...rest, time: Date.now() });
  if (!localStorage.getItem(KEY + id)) recent().slice(MAX_KEPT - 1).forEach((each) => forget(each.id));
  for (let tries = 0; tries < MAX_KEPT; tries += 1) {
    try {
      return localStorage.setItem(KEY + id, text);
    } catch {
      forget(recent().at(-1)?.id); // the browser's store is full: the oldest goes
    }
  }
}

export function load(id) {
  try {
    const { time, ...work } = JSON.parse(localStorage.getItem(KEY + id));
    return work.puzzle?.rows ? work : null;
  } catch {
    return null;
  }
}

export const forget = (id) => localStorage.removeItem(KEY + id);

/** What is kept, the latest first. */
export function recent() {
  const found = [];
  for (const key of Object.keys(localStorage).filter((key) => key.startsWith(KEY))) {
    try {
      const { puzzle, time } = JSON.parse(localStorage.getItem(key));
      found.push({ id: key.slice(KEY.length), puzzle, time });
    } catch {
      localStorage.removeItem(key);
    }
  }
  return found.sort((one, other) => other.time - one.time);
}

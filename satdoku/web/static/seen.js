// Which cells see each other, by the groups of cells that differ: what is seen, what is left, which digits clash.
import { label, valuesOf } from "./puzzle.js";

export class Seen {
  peers = new Map(); // the cells that each cell sees

  /** groups: lists of the numbers of cells, by rows. */
  constructor(groups = [], columns = 1) {
    const name = (cell) => label(Math.floor(cell / columns) + 1, (cell % columns) + 1);
    for (const group of groups.map((cells) => cells.map(name))) {
      for (const cell of group) {
        if (!this.peers.has(cell)) this.peers.set(cell, new Set());
        for (const other of group) if (other !== cell) this.peers.get(cell).add(other);
      }
    }
  }

  of(cell) { return this.peers.get(cell) ?? new Set(); }

  /** What all of these cells see. */
  by([first, ...others]) {
    const all = (cell) => others.every((other) => this.of(other).has(cell));
    return new Set(first ? [...this.of(first)].filter(all) : []);
  }

  /** The cells whose digit stands in a cell that they see, too. */
  clashes(digits) {
    const same = (cell) => [...this.of(cell)].some((other) => digits[other] === digits[cell]);
    return new Set(Object.keys(digits).filter(same));
  }

  /** The values of a cell that no digit which it sees has. */
  left(cell, digits, puzzle) {
    const taken = new Set([...this.of(cell)].map((other) => digits[other]));
    return valuesOf(puzzle).filter((value) => !taken.has(value));
  }
}

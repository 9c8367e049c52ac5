// Marks on the board itself: Alt and a click choose one; a menu edits, moves, copies or deletes those of a cell.
import { $, h } from "./dom.js";
import { inside, label, markCells, markText, place } from "./puzzle.js";

export class Menu {
  carried = null; // the mark that is moved or copied, and the cell that it was taken up by

  /** host: state, board, hands, tools, kinds, play, `current`, `refresh`. */
  constructor(host) {
    this.host = host;
    host.board.root.addEventListener("contextmenu", (event) => this.#open(event));
    document.addEventListener("pointerdown", ({ target }) => !$("menu").contains(target) && this.#close());
    $("menu").addEventListener("keydown", (event) => this.#key(event));
  }

  /** The places of the marks in a cell, the last drawn first. */
  #at(cell) {
    const { marks } = this.host.state.puzzle;
    return [...marks.keys()].filter((index) => markCells(marks[index]).includes(cell)).reverse();
  }

  /** Choose a mark of a cell; again, the one below it. */
  pick(cell) {
    const found = this.#at(cell);
    this.#choose(found[(found.indexOf(this.host.current) + 1) % found.length] ?? null);
  }

  #choose(index) {
    this.host.tools.choose(null);
    this.host.current = index;
    this.host.refresh();
  }

  #open(event) {
    const { host } = this;
    const cell = event.button === 2 ? host.board.at(event).cell : host.hands.cursor; // else the key was pressed
    const found = host.play.on || !cell ? [] : this.#at(cell);
    if (!found.length) return;
    event.preventDefault();
    $("menu").replaceChildren(...found.flatMap((index) => this.#items(index, cell)));
    $("menu").hidden = false;
    const { right, bottom } = document.getElementById(cell)?.getBoundingClientRect() ?? {};
    const [x, y] = event.button === 2 || !right ? [event.clientX, event.clientY] : [right, bottom];
    const { width, height } = $("menu").getBoundingClientRect();
    $("menu").style.left = `${Math.max(0, Math.min(x, innerWidth - width))}px`;
    $("menu").style.top = `${Math.max(0, Math.min(y, innerHeight - height))}px`;
    $("menu").querySelector("button").focus();
  }

  #items(index, cell) {
    const { host } = this;
    const mark = host.state.puzzle.marks[index];
    const carry = (copied) => () => (this.carried = { index, cell, copied });
    const edit = () => {
      this.#choose(index);
      requestAnimationFrame(() => $("value").select());
    };
    const gone = () => host.state.edit({ marks: host.state.puzzle.marks.toSpliced(index, 1) });
    const actions = { Move: carry(false), Copy: carry(true), Delete: gone };
    if (host.kinds.get(mark.kind)?.value) actions["Edit the value"] = edit;
    const item = ([name, action]) => h("button", {
      role: "menuitem", "aria-label": `${name}: ${markText(mark)}`,
      click: () => (this.#close(), host.board.root.focus(), action(), host.refresh()),
    }, name);
    return [h("p", { role: "presentation" }, markText(mark)), ...Object.entries(actions).map(item)];
  }

  #close() { $("menu").hidden = true; }

  #key(event) {
    const items = [...$("menu").querySelectorAll("button")];
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      this.#close();
      this.host.board.root.focus();
    } else if (to !== undefined) items.at(to % items.length).focus();
    else return;
    event.preventDefault();
  }

  get hint() {
    if (!this.carried) return null;
    const mark = this.host.state.puzzle.marks[this.carried.index];
    return mark ? `Where does ${this.carried.cell} of ${markText(mark)} go? Click there, or Escape.` : null;
  }

  /** Put the mark that is carried so that the cell which it was taken up by comes here. */
  drop(cell) {
    const { index, cell: from, copied } = this.carried;
    const { puzzle } = this.host.state;
    const mark = puzzle.marks[index];
    const shift = place(cell).map((to, axis) => to - place(from)[axis]);
    const moved = mark && shifted(mark, shift);
    const stays = (was) => {
      const to = place(was).map((at, axis) => at + shift[axis]);
      const near = Math.min(...to) >= 0 && to[0] <= puzzle.rows + 1 && to[1] <= puzzle.columns + 1;
      return near && inside(puzzle, to) === inside(puzzle, place(was)); // a clue stays outside, a cage inside
    };
    const fits = moved && markCells(mark).every(stays);
    if (fits) {
      const marks = copied ? [...puzzle.marks, moved] : puzzle.marks.with(index, moved);
      this.host.state.edit({ marks });
    }
    this.carried = mark && !fits ? this.carried : null;
    this.host.refresh();
  }
}

/** The mark so many rows and columns away. */
function shifted(mark, shift) {
  const to = (cell) => label(...place(cell).map((at, axis) => at + shift[axis]));
  const { cells, lines, marks } = mark;
  return {
    ...mark, ...(cells && { cells: cells.map(to) }), ...(lines && { lines: lines.map((line) => line.map(to)) }),
    ...(marks && { marks: marks.map((inner) => shifted(inner, shift)) }),
  };
}

// Marks and drawings on the board itself: Alt and a click choose one; a menu edits, moves, copies or deletes those of a
// cell.
import { $, h } from "./dom.js";
import { drawnCells, drawnText, kindOf, shiftedDrawing } from "./drawn.js";
import { inside, label, markCells, markText, place } from "./puzzle.js";

export class Menu {
  carried = null; // what is moved or copied, and the cell that it was taken up by

  /** host: state, board, hands, tools, kinds, play, `current`, `loose`, `refresh`. */
  constructor(host) {
    this.host = host;
    host.board.root.addEventListener("contextmenu", (event) => this.#open(event));
    document.addEventListener("pointerdown", ({ target }) => !$("menu").contains(target) && this.#close());
    $("menu").addEventListener("keydown", (event) => this.#key(event));
  }

  /** The places of what lies in a cell, the last drawn first, marks before drawings without a rule. */
  #at(cell) {
    const { puzzle } = this.host.state;
    return Object.entries(LISTS).flatMap(([list, { cells }]) => {
      const every = puzzle[list] ?? [];
      const here = [...every.keys()].filter((index) => cells(every[index]).includes(cell));
      return here.reverse().map((index) => ({ list, index }));
    });
  }

  /** Choose what lies in a cell; again, what is below it. */
  pick(cell) {
    const found = this.#at(cell);
    const before = found.findIndex(({ list, index }) => this.host[LISTS[list].chosen] === index);
    this.#choose(found[(before + 1) % found.length] ?? null);
  }

  #choose(found) {
    this.host.tools.choose(null);
    if (found) this.host[LISTS[found.list].chosen] = found.index;
    this.host.refresh();
  }

  #open(event) {
    const { host } = this;
    const cell = event.button === 2 ? host.board.at(event).cell : host.hands.cursor; // else the key was pressed
    const found = host.play.on || !cell ? [] : this.#at(cell);
    if (!found.length) return;
    event.preventDefault();
    $("menu").replaceChildren(...found.flatMap((each) => this.#items(each, cell)));
    $("menu").hidden = false;
    const { right, bottom } = document.getElementById(cell)?.getBoundingClientRect() ?? {};
    const [x, y] = event.button === 2 || !right ? [event.clientX, event.clientY] : [right, bottom];
    const { width, height } = $("menu").getBoundingClientRect();
    $("menu").style.left = `${Math.max(0, Math.min(x, innerWidth - width))}px`;
    $("menu").style.top = `${Math.max(0, Math.min(y, innerHeight - height))}px`;
    $("menu").querySelector("button").focus();
  }

  #items({ list, index }, cell) {
    const { host } = this;
    const each = host.state.puzzle[list][index];
    const text = LISTS[list].text(each);
    const carry = (copied) => () => (this.carried = { list, index, cell, copied });
    const edit = () => {
      this.#choose({ list, index });
      requestAnimationFrame(() => host.tools.focus());
    };
    const actions = { Move: carry(false), Copy: carry(true), Delete: () => host.tools.remove(list, index) };
    const { value, paints } = LISTS[list].kind(each, host.kinds) ?? {};
    const edited = [value && (value.name ?? "value").toLowerCase(), paints && "colours"].filter(Boolean).join(" and ");
    if (edited) actions[`Edit the ${edited}`] = edit;
    const item = ([name, action]) => h("button", {
      role: "menuitem", "aria-label": `${name}: ${text}`,
      click: () => (this.#close(), host.board.root.focus(), action(), host.refresh()),
    }, name);
    return [h("p", { role: "presentation" }, text), ...Object.entries(actions).map(item)];
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
    const { list, index, cell } = this.carried;
    const each = this.host.state.puzzle[list]?.[index];
    return each ? `Where does ${cell} of ${LISTS[list].text(each)} go? Click there, or Escape.` : null;
  }

  /** Put what is carried so that the cell which it was taken up by comes here. */
  drop(cell) {
    const { list, index, cell: from, copied } = this.carried;
    const { puzzle } = this.host.state;
    const every = puzzle[list] ?? [];
    const each = every[index];
    const shift = place(cell).map((to, axis) => to - place(from)[axis]);
    const moved = each && LISTS[list].shifted(each, shift);
    const stays = (was) => {
      const to = place(was).map((at, axis) => at + shift[axis]);
      const near = Math.min(...to) >= 0 && to[0] <= puzzle.rows + 1 && to[1] <= puzzle.columns + 1;
      return near && inside(puzzle, to) === inside(puzzle, place(was)); // a clue stays outside, a cage inside
    };
    const fits = moved && LISTS[list].cells(each).every(stays);
    if (fits) this.host.state.edit({ [list]: copied ? [...every, moved] : every.with(index, moved) });
    this.carried = each && !fits ? this.carried : null;
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

/** What can lie in a cell, by its list in the puzzle; `chosen` is where the page keeps which of them is chosen. */
const LISTS = {
  marks: {
    chosen: "current", cells: markCells, text: markText, shifted, kind: ({ kind }, kinds) => kinds.get(kind),
  },
  drawings: { chosen: "loose", cells: drawnCells, text: drawnText, shifted: shiftedDrawing, kind: kindOf },
};

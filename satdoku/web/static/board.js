// The board as SVG: strokes from the server, digits, candidates and notes, and the cells that are selected or lit.
import { s, set } from "./dom.js";
import { cellsOf, inside, label, place, valuesOf } from "./puzzle.js";

const UNIT = 64; // of the drawing, for a cell
const CAPITALS = 0.72; // height of capitals, as a part of the size of the letters
const READABLE = 2.5; // height of capitals in CSS pixels; candidates below it are dots
const CANDIDATES = ["candidate", "narrowed", "struck"];
const LAYERS = ["colours", "tint", "layer0", "layer1", "layer2", "digits", "selected", "draft", "cells"];
const CORNERS = [[-1, -1], [-1, 1], [1, -1], [1, 1], [-1, 0], [1, 0], [0, -1], [0, 1]];
const fixed = (number) => Math.round(number * UNIT * 100) / 100;

export class Board {
  constructor(root) {
    this.root = root;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name, "aria-hidden": "true" })]));
    this.layers.cells.removeAttribute("aria-hidden");
    root.append(...Object.values(this.layers));
  }

  /** Prepare for a board of this many rows, columns and values. */
  shape(puzzle) {
    this.puzzle = puzzle;
    const key = `${puzzle.rows}x${puzzle.columns} ${puzzle.values}`;
    if (key === this.key) return;
    this.key = key;
    this.values = valuesOf(puzzle);
    const row = (_, index) => s("g", { role: "row", id: `row${index + 1}` });
    this.layers.cells.replaceChildren(...Array.from({ length: puzzle.rows }, row));
    this.items = new Map(cellsOf(puzzle).map((cell) => [cell, this.#cell(cell)]));
    for (const name of ["colours", "tint", "digits", "selected"]) {
      this.layers[name].replaceChildren(...[...this.items.values()].map((item) => item[name]));
    }
    this.draw([]);
  }

  #cell(cell) {
    const [row, column] = place(cell);
    const [x, y] = [fixed(column - 0.5), fixed(row - 0.5)];
    const square = (more) => s("rect", { x, y, width: UNIT, height: UNIT, ...more });
    const item = { row, column, tint: square(), selected: square(), digits: s("g"), colours: s("g") };
    item.hit = square({ role: "gridcell", id: cell, "aria-selected": "false" });
    this.layers.cells.children[row - 1].append(item.hit);
    return item;
  }

  /** Draw the strokes of the marks, in the order they come. */
  draw(strokes) {
    for (const layer of [0, 1, 2]) this.layers[`layer${layer}`].replaceChildren();
    this.bounds = [0.45, 0.45, this.puzzle.rows + 0.55, this.puzzle.columns + 0.55];
    for (const stroke of strokes.filter(({ type }) => type !== "note")) {
      const element = DRAW[stroke.type](stroke);
      element.classList.add(stroke.type);
      element.classList.toggle("thin", stroke.width < 0.1);
      if (stroke.mark !== null) element.dataset.mark = stroke.mark;
      this.layers[`layer${Math.min(stroke.layer, 2)}`].append(element);
      widen(this.bounds, stroke);
    }
  }

  /** Show the board at a zoom; with a ring of cells around it for clues. */
  frame(zoom, ring) {
    const reach = ring ? [-0.6, -0.6, this.puzzle.rows + 1.6, this.puzzle.columns + 1.6] : this.bounds;
    const [top, left, bottom, right] = this.bounds.map((at, side) => Math[side < 2 ? "min" : "max"](at, reach[side]));
    const [width, height] = [right - left + 0.2, bottom - top + 0.2];
    set(this.root, { viewBox: [left - 0.1, top - 0.1, width, height].map(fixed).join(" ") });
    this.root.style.setProperty("--aspect", width / height);
    this.root.style.setProperty("--zoom", zoom);
  }

  /** What stands in the cells, and what is selected or lit. */
  paint(view) {
    const sees = this.#sight();
    this.dotted = false;
    for (const [cell, item] of this.items) this.#show(cell, item, view, sees);
    for (const element of this.root.querySelectorAll("[data-mark]")) {
      const index = Number(element.dataset.mark);
      element.classList.toggle("bad", view.conflict && view.lit.includes(index));
      element.classList.toggle("lit", !view.conflict && view.lit.includes(index));
      element.classList.toggle("spare", view.spare.includes(index));
    }
    const way = (cells) => s("polyline", { points: points([cells[0], ...cells].map(place)) });
    this.layers.draft.replaceChildren(...view.draft.map(way));
    if (this.items.has(view.cursor)) this.root.setAttribute("aria-activedescendant", view.cursor);
    else this.root.removeAttribute("aria-activedescendant");
  }

  /** Whether candidates of a cell can be read: none at a small size, else those of cells in sight. */
  #sight() {
    const matrix = this.root.getScreenCTM();
    const height = candidateHeight(this.values) * UNIT * matrix.a * (window.visualViewport?.scale ?? 1);
    if (height < READABLE) return () => false;
    const corner = (x, y) => new DOMPoint(x, y).matrixTransform(matrix.inverse());
    const { left, right, top, bottom } = this.root.parentElement.getBoundingClientRect(); // it scrolls
    const from = corner(Math.max(left, 0), Math.max(top, 0));
    const to = corner(Math.min(right, window.innerWidth), Math.min(bottom, window.innerHeight));
    const within = (at, low, high) => low / UNIT - 1 < at && at < high / UNIT + 1;
    return ({ row, column }) => within(row, from.y, to.y) && within(column, from.x, to.x);
  }

  #show(cell, item, view, sees) {
    const colours = view.colours(cell);
    if (String(colours) !== item.coloured) this.#colour(item, colours);
    const [texts, spoken, on] = [view.texts(cell), view.spoken(cell), view.selected.includes(cell)];
    const tint = view.tint(cell);
    set(item.tint, { class: tint, fill: tint ? `var(--${tint})` : "none" });
    set(item.selected, { class: `${on ? "on" : ""} ${view.cursor === cell ? "cursor" : ""}` });
    set(item.hit, { "aria-selected": on, "aria-label": spoken });
    item.spoken = spoken;
    const small = texts.length > 1 && CANDIDATES.includes(texts[0].kind) && !sees(item);
    this.dotted ||= small;
    const written = `${small} ${JSON.stringify(texts)}`;
    if (written === item.written) return; // what is the same is not drawn again
    item.written = written;
    item.digits.replaceChildren(...(small ? [this.#dots(item, texts)] : texts.map((each) => this.#text(item, each))));
  }

  #text(item, { text, kind, index = 0 }) {
    const [down, right, height] = placeOf(kind, text, index, this.values);
    return letter([item.row + down, item.column + right], text, height, "middle", { class: kind });
  }

  /** Candidates that cannot be read, as dots in their places: thousands of texts would take seconds. */
  #dots(item, texts) {
    const dot = ({ text, kind, index }) => {
      const [down, right] = placeOf(kind, text, index, this.values);
      return `M${fixed(item.column + right)} ${fixed(item.row + down)}h0`;
    };
    const width = fixed(candidateHeight(this.values));
    return s("path", { d: texts.map(dot).join(""), class: `${texts[0].kind} dots`, "stroke-width": width });
  }

  /** Each colour has a stripe of the cell. */
  #colour(item, colours) {
    item.coloured = String(colours);
    const wide = UNIT / colours.length;
    const [x, y] = [fixed(item.column - 0.5), fixed(item.row - 0.5)];
    item.colours.replaceChildren(...colours.map((colour, index) => s("rect", {
      x: x + index * wide, y, width: wide, height: UNIT, class: "coloured",
      fill: typeof colour === "string" ? shade(colour) : `var(--colour${colour})`,
    })));
  }

  /** The cell at a pointer, how far from its centre that is, in cells, and whether it is in the grid or around it. */
  at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    const [row, column] = [Math.round(y / UNIT), Math.round(x / UNIT)];
    const { rows, columns } = this.puzzle;
    const ring = inside({ rows: rows + 2, columns: columns + 2 }, [row + 1, column + 1]);
    const point = [y / UNIT, x / UNIT];
    const off = Math.hypot(y / UNIT - row, x / UNIT - column);
    return { cell: label(row, column), point, off, inside: inside(this.puzzle, [row, column]), ring };
  }
}

/** Rows down and columns to the right of the centre of the cell, and the height of the capitals. */
function placeOf(kind, text, index, values) {
  const [name, size] = [kind.split(" ")[0], [0.5, 0.36, 0.26][Math.min(String(values.at(-1)).length, 3) - 1]];
  if (kind.endsWith("single")) return [0, 0, 0.7 * size];
  if (name === "corner") return [...CORNERS[index % CORNERS.length].map((side) => 0.33 * side), 0.15];
  if (name === "centre") return [0, 0, Math.min(0.2, 1 / (text.length + 1))];
  if (name === "layer") return [-0.3, 0.3, 0.15];
  if (!CANDIDATES.includes(name)) return [0, 0, size];
  const across = Math.ceil(Math.sqrt(values.length));
  const down = (Math.floor(index / across) + 0.5) / Math.ceil(values.length / across) - 0.5;
  const right = ((index % across) + 0.5) / across - 0.5;
  return [0.08 + 0.8 * down, 0.86 * right, candidateHeight(values)];
}

/** Of the capitals, in cells. */
const candidateHeight = (values) => (values.at(-1) < 10 ? 0.5 : 0.36) / Math.ceil(Math.sqrt(values.length));

function letter([row, column], text, height, anchor, more) {
  const at = { x: fixed(column), y: fixed(row + height / 2), "text-anchor": anchor };
  return s("text", { ...at, "font-size": fixed(height / CAPITALS), ...more }, text);
}

const points = (list) => list.map(([row, column]) => `${fixed(column)},${fixed(row)}`).join(" ");

/** The colour on light paper, and its counterpart in the dark. */
export function shade(tint) {
  if (!tint) return "none";
  const parts = [1, 3, 5].map((at) => Number.parseInt(tint.slice(at, at + 2), 16) / 255);
  const turned = 1 - Math.max(...parts) - Math.min(...parts);
  const dark = parts.map((part) => Math.round(255 * (0.08 + 0.85 * (part + turned))));
  return `light-dark(${tint}, rgb(${dark.join(" ")}))`;
}

const DRAW = {
  line: ({ points: list, tint, width, closed, dashed }) => s(closed ? "polygon" : "polyline", {
    points: points(list), fill: "none", stroke: shade(tint), "stroke-width": fixed(width),
    "stroke-dasharray": dashed ? `${fixed(0.1)} ${fixed(0.06)}` : null,
  }),
  area: ({ points: list, tint }) => s("polygon", { points: points(list), fill: shade(tint) }),
  disc: ({ centre: [row, column], radius, fill, edge }) => s("circle", {
    cx: fixed(column), cy: fixed(row), r: fixed(radius), fill: shade(fill), stroke: shade(edge), "stroke-width": 2,
  }),
  text: ({ at, text, height, tint, anchor, bold, paper }) => letter(at, text, height, anchor, {
    fill: shade(tint), "font-weight": bold ? "bold" : null, class: paper ? "paper" : null,
  }),
};

/** Strokes as a picture of their own. */
export function icon(strokes) {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  strokes.forEach((stroke) => widen(bounds, stroke));
  const [top, left, bottom, right] = bounds;
  const box = [left - 0.1, top - 0.1, right - left + 0.2, bottom - top + 0.2].map(fixed).join(" ");
  const parts = strokes.map((stroke) => DRAW[stroke.type](stroke));
  return s("svg", { class: "icon-of-kind", viewBox: box, "aria-hidden": "true" }, ...parts);
}

function widen(bounds, stroke) {
  const reach = stroke.radius ?? stroke.height ?? 0;
  const wide = stroke.type === "text" ? 0.45 * stroke.height * stroke.text.length : reach;
  for (const [row, column] of stroke.points ?? [stroke.centre ?? stroke.at]) {
    [row - reach, column - wide].forEach((at, side) => (bounds[side] = Math.min(bounds[side], at)));
    [row + reach, column + wide].forEach((at, side) => (bounds[side + 2] = Math.max(bounds[side + 2], at)));
  }
}

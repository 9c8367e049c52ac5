// The board as SVG: strokes from the server, digits, candidates and notes, and the cells that are selected or lit.
import { s } from "./dom.js";
import { bare, cellsOf, inside, label, place, valuesOf } from "./puzzle.js";

const UNIT = 64; // of the drawing, for a cell
const CAPITALS = 0.72; // height of capitals, as a part of the size of the letters
const LAYERS = ["tints", "layer0", "layer1", "layer2", "houses", "digits", "selected", "draft", "cells"];
const CORNERS = [[-1, -1], [-1, 1], [1, -1], [1, 1], [-1, 0], [1, 0], [0, -1], [0, 1]];
const fixed = (number) => Math.round(number * UNIT * 100) / 100;

export class Board {
  constructor(root) {
    this.root = root;
    this.layers = {};
    for (const name of LAYERS) {
      this.layers[name] = root.appendChild(s("g", { class: name, "aria-hidden": name !== "cells" && "true" }));
    }
  }

  /** Prepare for a board of this many rows and columns. */
  shape(puzzle) {
    this.puzzle = puzzle;
    const key = `${puzzle.rows}x${puzzle.columns} ${puzzle.values}`;
    if (key === this.key) return;
    this.key = key;
    this.items = new Map();
    for (const name of ["tints", "digits", "selected", "cells"]) this.layers[name].replaceChildren();
    for (let row = 1; row <= puzzle.rows; row += 1) {
      this.layers.cells.append(s("g", { role: "row", id: `row${row}` }));
    }
    for (const cell of cellsOf(puzzle)) this.items.set(cell, this.#cell(cell));
    this.draw([]);
  }

  #cell(cell) {
    const [row, column] = place(cell);
    const square = (more) => s("rect", {
      x: fixed(column - 0.5), y: fixed(row - 0.5), width: UNIT, height: UNIT, ...more,
    });
    const item = { row, column, tint: square(), selected: square(), digits: s("g"), key: "" };
    item.hit = square({ role: "gridcell", id: cell, "data-cell": cell, "aria-selected": "false" });
    item.tip = item.hit.appendChild(s("title"));
    this.layers.tints.append(item.tint);
    this.layers.digits.append(item.digits);
    this.layers.selected.append(item.selected);
    this.layers.cells.children[row - 1].append(item.hit);
    return item;
  }

  /** Draw the strokes of the marks, in the order they come. */
  draw(strokes) {
    for (const layer of [0, 1, 2]) this.layers[`layer${layer}`].replaceChildren();
    const bounds = [0.45, 0.45, this.puzzle.rows + 0.55, this.puzzle.columns + 0.55];
    for (const stroke of strokes.filter((stroke) => stroke.type !== "note")) {
      const element = DRAW[stroke.type](stroke);
      element.classList.add(stroke.type, ...(stroke.type === "line" && stroke.width < 0.1 ? ["thin"] : []));
      if (stroke.mark !== null) element.dataset.mark = stroke.mark;
      this.layers[`layer${Math.min(stroke.layer, 2)}`].append(element);
      widen(bounds, stroke);
    }
    this.bounds = bounds;
  }

  /** Show the board at a zoom; with a ring of cells around it for clues. */
  frame(zoom, ring) {
    const [top, left, bottom, right] = this.bounds ?? [];
    const edges = ring
      ? [Math.min(top, -0.6), Math.min(left, -0.6), Math.max(bottom, this.puzzle.rows + 1.6),
        Math.max(right, this.puzzle.columns + 1.6)]
      : [top - 0.1, left - 0.1, bottom + 0.1, right + 0.1];
    const [width, height] = [edges[3] - edges[1], edges[2] - edges[0]];
    this.root.setAttribute("viewBox", [edges[1], edges[0], width, height].map(fixed).join(" "));
    this.root.style.setProperty("--aspect", width / height);
    this.root.style.setProperty("--zoom", zoom);
    this.root.classList.toggle("ring", ring);
  }

  /** What stands in the cells, and what is selected or lit. */
  paint(view) {
    for (const [cell, item] of this.items) {
      const texts = view.texts(cell);
      const key = JSON.stringify(texts);
      if (key !== item.key) {
        item.key = key;
        item.digits.replaceChildren(...this.#texts(item, texts));
      }
      setClass(item.tint, view.tint(cell));
      setClass(item.selected, view.selected.includes(cell) ? "on" : "");
      item.hit.setAttribute("aria-selected", view.selected.includes(cell));
      const spoken = view.spoken(cell);
      if (spoken !== item.spoken) {
        item.spoken = spoken;
        item.hit.setAttribute("aria-label", spoken);
        item.tip.textContent = spoken;
      }
    }
    for (const element of this.root.querySelectorAll("[data-mark]")) {
      const index = Number(element.dataset.mark);
      element.classList.toggle("bad", view.bad.includes(index));
      element.classList.toggle("lit", view.lit.includes(index));
      element.classList.toggle("spare", view.spare.includes(index));
    }
    this.layers.houses.replaceChildren(...view.houses.map((cells) => outline(cells, view.bad.length > 0)));
    this.layers.draft.replaceChildren(...draftShapes(view.draft, view.cursor));
    const active = view.cursor && this.items.has(view.cursor) ? view.cursor : null;
    if (active) this.root.setAttribute("aria-activedescendant", active);
    else this.root.removeAttribute("aria-activedescendant");
  }

  #texts({ row, column }, texts) {
    const values = valuesOf(this.puzzle);
    return texts.map(({ text, kind, index = 0, many = 1 }) => {
      const [down, right, height] = placeOf(kind.split(" ")[0], text, index, many, values);
      return letter([row + down, column + right], text, height, "middle", { class: kind });
    });
  }

  /** The cell at a pointer, and how far from its centre it is, in cells. */
  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    const [row, column] = [Math.round(point.y / UNIT), Math.round(point.x / UNIT)];
    const off = Math.hypot(point.y / UNIT - row, point.x / UNIT - column);
    return { row, column, cell: label(row, column), off, inside: inside(this.puzzle, [row, column]) };
  }
}

function setClass(element, name) {
  if (element.getAttribute("class") !== name) element.setAttribute("class", name);
}

/** Rows down and columns to the right of the centre of the cell, and the height of the capitals. */
function placeOf(kind, text, index, many, values) {
  const length = Math.max(1, text.length);
  if (kind === "corner") {
    const [down, right] = CORNERS[index % CORNERS.length];
    return [0.33 * down, 0.33 * right, 0.15];
  }
  if (kind === "centre") return [0, 0, Math.min(0.2, 1 / length)];
  if (kind === "candidate" || kind === "narrowed") {
    const across = Math.ceil(Math.sqrt(values.length));
    const rows = Math.ceil(values.length / across);
    const down = 0.08 + 0.8 * ((Math.floor(index / across) + 0.5) / rows - 0.5);
    const size = (String(values.at(-1)).length < 2 ? 0.5 : 0.36) / across;
    return [down, 0.86 * (((index % across) + 0.5) / across - 0.5), size];
  }
  if (kind === "layer") return [-0.3, 0.3, 0.15];
  return [0, 0, [0.5, 0.36, 0.26][Math.min(length, 3) - 1]];
}

function letter([row, column], text, height, anchor, more) {
  const size = fixed(height / CAPITALS);
  const element = s("text", { x: fixed(column), y: fixed(row + height / 2), "font-size": size, ...more });
  if (anchor !== "start") element.setAttribute("text-anchor", "middle");
  element.textContent = text;
  return element;
}

const points = (list) => list.map(([row, column]) => `${fixed(column)},${fixed(row)}`).join(" ");

/** The colour on light paper, and its counterpart in the dark. */
function shade(tint) {
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

function widen(bounds, stroke) {
  const reach = stroke.radius ?? stroke.height ?? 0;
  const wide = stroke.type === "text" ? 0.45 * stroke.height * stroke.text.length : reach;
  for (const [row, column] of stroke.points ?? [stroke.centre ?? stroke.at]) {
    bounds[0] = Math.min(bounds[0], row - reach);
    bounds[1] = Math.min(bounds[1], column - wide);
    bounds[2] = Math.max(bounds[2], row + reach);
    bounds[3] = Math.max(bounds[3], column + wide);
  }
}

/** The sides of a row, column, region or cage that lie between one of its cells and any other. */
function outline(names, bad) {
  const cells = new Set(names.map(bare));
  let way = "";
  for (const [row, column] of [...cells].map(place)) {
    const open = (down, right) => !cells.has(label(row + down, column + right));
    const [top, left, bottom, right] = [row - 0.46, column - 0.46, row + 0.46, column + 0.46].map(fixed);
    if (open(-1, 0)) way += `M${left} ${top}H${right}`;
    if (open(1, 0)) way += `M${left} ${bottom}H${right}`;
    if (open(0, -1)) way += `M${left} ${top}V${bottom}`;
    if (open(0, 1)) way += `M${right} ${top}V${bottom}`;
  }
  return s("path", { d: way, class: bad ? "bad" : "" });
}

function draftShapes({ parts, path }, cursor) {
  const shapes = [];
  const square = (cell, half, name) => {
    const [row, column] = place(cell);
    const side = 2 * half * UNIT;
    return s("rect", { x: fixed(column - half), y: fixed(row - half), width: side, height: side, rx: 6, class: name });
  };
  for (const cells of [...parts, path].filter((cells) => cells.length)) {
    shapes.push(...cells.map((cell) => square(cell, 0.42, "cell")));
    shapes.push(s("polyline", { points: points(cells.map(place)) }));
  }
  return cursor ? [...shapes, square(cursor, 0.48, "cursor")] : shapes;
}

// Drawings without a rule: the tools for them, in the form of the table of kinds, and what they make.
import { label, place } from "./puzzle.js";

/** The colours at hand, by their names. */
export const PALETTE = {
  grey: "#cfcfcf", red: "#f4a6a6", orange: "#f7c98a", yellow: "#f2e27a", green: "#67f067", blue: "#8fbdf5",
  purple: "#c9a6f5", black: "#000000", white: "#ffffff", "dark grey": "#777777", "dark red": "#c0262d",
  "dark green": "#1f7a33", "dark blue": "#1f5fbf",
};
const PATHS = ["line", "arrow", "thermometer"];
export const along = (draws) => PATHS.includes(draws);
const MAX_TEXT = 100; // characters
const TEXT = { form: "text", words: [], name: "Text", meaning: "what stands in it", default: null };
const INKED = { paints: { tint: "Colour" } };
const WAY = { value: null, ...INKED, sizes: { Width: ["width"] } };
const FILLED = { value: TEXT, paints: { fill: "Inside", tint: "Border" } };

/** What can be edited of each shape: the text in it, its colours and its sizes, by the names that the page has. */
const EDITED = {
  line: WAY, arrow: WAY, thermometer: WAY, cage: { value: TEXT, ...INKED },
  text: { value: TEXT, ...INKED, sizes: { Height: ["height"] } },
  circle: { ...FILLED, sizes: { Size: ["height", "width"] } },
  rectangle: { ...FILLED, sizes: { Height: ["height"], Width: ["width"] } },
};
const [GREY, BLACK] = [PALETTE.grey, PALETTE.black];

const tool = (draws, sentence, look, edited = EDITED[draws]) => {
  const names = { name: `drawn-${draws}`, aliases: [`cosmetic-${draws}`], presets: {} };
  return { ...names, shape: "drawing", icon: ICONS[draws], draws, sentence, look, ...edited };
};
const way = (width, ...points) => ({ type: "line", points, tint: "#777777", width });
const square = (side) => ({
  type: "area", points: [[-side, -side], [-side, side], [side, side], [side, -side]], tint: GREY,
});
const frame = { type: "line", points: square(0.5).points, tint: BLACK, width: 0.04, closed: true };
const ICONS = {
  line: [way(0.2, [0.5, -0.5], [-0.5, 0.5])], cell: [square(0.5), frame], square: [square(0.3), frame],
  arrow: [way(0.08, [0.5, -0.5], [-0.5, 0.5]), way(0.08, [-0.5, 0], [-0.5, 0.5], [0, 0.5])],
  circle: [{ type: "disc", centre: [0, 0], radius: 0.4, fill: GREY, edge: null }, frame],
  text: [{ type: "text", at: [0, 0], text: "T", height: 0.6, tint: BLACK, anchor: "middle" }, frame],
};
const CELL = { value: null, paints: { fill: "Colour" } };
export const DRAWING_TOOLS = [
  tool("line", "A line through cells that says nothing.", { tint: GREY }),
  tool("arrow", "An arrow through cells that says nothing.", { tint: BLACK }),
  tool("circle", "A circle in a cell, on an edge or at a corner that says nothing.", { fill: GREY, tint: "" }),
  tool("square", "A square that says nothing.", { fill: GREY, tint: "" }, EDITED.rectangle),
  tool("text", "A text in a cell, on an edge or at a corner that says nothing.", { tint: BLACK }),
  tool("cell", "The colour of a cell that says nothing.", { fill: GREY }, CELL),
];

/** A drawing in the form of the table of kinds, for what edits it. */
export const kindOf = ({ shape, height, width }) => ({
  name: `drawn-${shape}`, shape: "drawing", sentence: "It says nothing.",
  ...EDITED[shape === "circle" && height !== width ? "rectangle" : shape], // of an ellipse each side
});

/** The cells that a drawing lies on: those of a line's way too; on an edge or at a corner those that meet there. */
export function drawnCells({ shape, points }) {
  const from = (index) => (index && along(shape) ? points[index - 1] : points[index]);
  const way = points.flatMap((to, index) => between(from(index), to));
  const near = (at) => [...new Set([Math.ceil(at - 0.5), Math.floor(at + 0.5)])];
  const cells = way.map((point) => point.map(near)).flatMap(([rows, columns]) => (
    rows.flatMap((row) => columns.map((column) => label(row, column)))));
  return [...new Set(cells)];
}

/** Points at most a cell apart, from one without itself to another. */
function between(from, to) {
  const far = to.map((at, axis) => at - from[axis]);
  const steps = Math.max(1, Math.ceil(Math.max(...far.map(Math.abs))));
  return Array.from({ length: steps }, (_, step) => from.map((at, axis) => at + (far[axis] * (step + 1)) / steps));
}

/** `line at r1c1`. */
export const drawnText = (each) => [each.shape, each.text, "at", drawnCells(each)[0]].filter(Boolean).join(" ");

/** The drawing so many rows and columns away. */
export const shiftedDrawing = (each, shift) => (
  { ...each, points: each.points.map((point) => point.map((at, axis) => at + shift[axis])) });

/** A text as drawings hold it. */
export const fitted = (text) => [...text.trim()].slice(0, MAX_TEXT).join("");

/** What `draws` makes at or through cells, with these colours and sizes and a text; a sentence where it cannot. */
export function drawing(draws, cells, look, text) {
  const points = cells.map(place);
  const middle = [0, 1].map((axis) => points.reduce((sum, at) => sum + at[axis], 0) / points.length);
  const over = cells.length > 1;
  const plain = { tint: "", fill: "", height: 0, width: 0, text, over: false, points: [middle] };
  if (draws === "text" && !text) return "A drawn text needs its text first.";
  if (draws === "text") return { ...plain, shape: "text", height: 0.3, over: true, ...look };
  if (along(draws)) return { ...plain, shape: draws, points, width: draws === "line" ? 0.2 : 0.05, ...look };
  const side = draws === "cell" ? 1 : over ? 0.3 : 0.75;
  const shape = draws === "circle" ? draws : "rectangle";
  return { ...plain, shape, height: side, width: side, over, ...look };
}

/** Drawings and a new one, which takes the place of the colour that a cell has. */
export function joined(drawings, made) {
  const cell = ({ shape, points: [at], height, width, over }) => (
    shape === "rectangle" && height === 1 && width === 1 && !over ? String(at) : null);
  const free = cell(made) === null ? drawings : drawings.filter((each) => cell(each) !== cell(made));
  return [...free, made];
}

// Drawings without a rule: the tools for them, in the form of the table of kinds, and what they make.
import { label, place } from "./puzzle.js";

const NAMES = {
  grey: "#cfcfcf", red: "#f4a6a6", orange: "#f7c98a", yellow: "#f2e27a", green: "#67f067", blue: "#8fbdf5",
  purple: "#c9a6f5", black: "#000000", white: "#ffffff",
};
const PATHS = ["line", "arrow", "thermometer"];
const FORM = { form: "text", words: [] };
const COLOUR = { ...FORM, required: false, default: "grey", meaning: "the colour, such as red or #ff8800" };
const TEXT = { ...FORM, required: true, default: null, meaning: "the text" };
const tool = (draws, sentence, value) => {
  const names = { name: `drawn-${draws}`, aliases: [`cosmetic-${draws}`], presets: {} };
  return { ...names, shape: "drawing", icon: [], draws, sentence, value };
};
export const DRAWING_TOOLS = [
  tool("line", "A line through cells that says nothing.", COLOUR),
  tool("circle", "A circle in a cell, on an edge or at a corner that says nothing.", COLOUR),
  tool("square", "A square that says nothing.", COLOUR),
  tool("text", "A text in a cell, on an edge or at a corner that says nothing.", TEXT),
];

/** The cells that a drawing lies on: those of a line's way too; on an edge or at a corner those that meet there. */
export function drawnCells({ shape, points }) {
  const from = (index) => (index && PATHS.includes(shape) ? points[index - 1] : points[index]);
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

/** The colour of a name or of six digits; null for what is none. */
const shade = (text) => NAMES[text || "grey"] ?? (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null);

/** What `draws` makes at or through cells, with a text or a colour; a sentence where it cannot. */
export function drawing(draws, cells, value) {
  const points = cells.map(place);
  const middle = [0, 1].map((axis) => points.reduce((sum, at) => sum + at[axis], 0) / points.length);
  const over = cells.length > 1;
  const none = { tint: "", fill: "", height: 0, width: 0, text: "", over: false };
  const text = String(value ?? "").trim();
  if (draws === "text") {
    if (!text || text.length > 100) return "A drawn text needs its text first, of at most 100 characters.";
    return { ...none, shape: "text", points: [middle], tint: "#000000", height: 0.3, text, over: true };
  }
  const colour = shade(text);
  const names = Object.keys(NAMES).join(", ");
  if (!colour) return `${text} is not a colour: expected ${names} or six digits such as #ff8800.`;
  if (draws === "line") return { ...none, shape: "line", points, tint: colour, width: 0.2 };
  const side = over ? 0.3 : 0.75;
  const form = { shape: draws === "circle" ? "circle" : "rectangle", height: side, width: side, over };
  return { ...none, ...form, points: [middle], tint: over ? "#000000" : "", fill: colour };
}

// The board as a picture that needs no page: its strokes, givens, colours, and a solution that is shown.
import { h, s } from "./dom.js";

const LAYERS = ["colours", "layer0", "layer1", "layer2", "digits"];
const TEXTS = ["given", "narrowed", "solution", "layer"]; // of the cells; the others are of the page
const LIT = ["bad", "lit", "spare"]; // what an answer points at
const LOOK = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "paint-order",
  "font-family", "font-weight",
];

/** The text of an SVG file, with the look of light paper written into each element. */
export function svg(board) {
  const layers = LAYERS.map((name) => board.querySelector(`.${name}`).cloneNode(true));
  const [x, y, width, height] = board.getAttribute("viewBox").split(" ").map(Number);
  const copy = s("svg", { viewBox: `${x} ${y} ${width} ${height}`, width, height },
    s("rect", { x, y, width, height, fill: "#ffffff" }), ...layers);
  for (const each of copy.querySelectorAll(".digits text")) {
    if (!TEXTS.some((kind) => each.classList.contains(kind))) each.remove();
  }
  copy.style.colorScheme = "light";
  const room = h("div", { hidden: true }, copy);
  document.body.append(room);
  for (const each of copy.querySelectorAll("g :not(g)")) {
    each.classList.remove(...LIT);
    const look = getComputedStyle(each);
    const names = each.localName === "text" ? LOOK : LOOK.filter((name) => !name.startsWith("font"));
    for (const name of names) each.setAttribute(name, look.getPropertyValue(name));
  }
  room.remove();
  for (const each of copy.querySelectorAll("g:empty")) each.remove();
  for (const each of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of each.getAttributeNames()) if (/^(class|style|data-|aria-)/.test(name)) each.removeAttribute(name);
  }
  return new XMLSerializer().serializeToString(copy);
}

/** The board as a file of this media type: SVG or PNG. */
export async function picture(board, media) {
  const drawn = new Blob([svg(board)], { type: "image/svg+xml" });
  if (media === drawn.type) return drawn;
  const address = URL.createObjectURL(drawn);
  try {
    const image = h("img", { src: address });
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = h("canvas", { width: String(width), height: String(height) });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return await new Promise((made) => canvas.toBlob(made, media));
  } finally {
    URL.revokeObjectURL(address);
  }
}

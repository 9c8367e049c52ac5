// The board as a picture that needs no page: its strokes, givens, colours, and a solution that is shown.
import { h, s } from "./dom.js";

const LAYERS = ["colours", "layer0", "layer1", "layer2", "digits"];
const TEXTS = ["given", "narrowed", "solution", "layer"]; // of the cells; the others are of the page
const LIT = ["bad", "lit", "spare"]; // what an answer points at
const LOOK = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "paint-order",
  "font-family", "font-weight",
];

const PDF = "application/pdf";
const POINTS = 0.75; // of a page, for a unit of the board
const [FINE, MAX_PIXELS] = [3, 16e6]; // pixels for each unit of the board, and of all of it

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

/** The board as a file of this media type: SVG, PNG, or PDF with the board as a picture of pixels. */
export async function picture(board, media) {
  const drawn = new Blob([svg(board)], { type: "image/svg+xml" });
  if (media === drawn.type) return drawn;
  const address = URL.createObjectURL(drawn);
  try {
    const image = h("img", { src: address });
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const fine = media === PDF ? Math.min(FINE, Math.sqrt(MAX_PIXELS / (width * height))) : 1;
    const sides = { width: String(Math.round(width * fine)), height: String(Math.round(height * fine)) };
    const canvas = h("canvas", sides);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    if (media === PDF) return await pdf(canvas, [width, height].map((side) => (side * POINTS).toFixed(2)));
    return await new Promise((made) => canvas.toBlob(made, media));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A PDF file of one page that a canvas fills. */
async function pdf(canvas, [width, height]) {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = data.filter((_, index) => index % 4 < 3); // without how opaque they are
  const packed = new Blob([colours]).stream().pipeThrough(new CompressionStream("deflate"));
  const pixels = await new Response(packed).blob();
  const drawn = `${width} 0 0 ${height} 0 0 cm /Board Do`;
  const size = `/Width ${canvas.width} /Height ${canvas.height} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  const objects = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R`
      + " /Resources << /XObject << /Board 5 0 R >> >> >>"],
    [`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`],
    [`<< /Type /XObject /Subtype /Image ${size} /Filter /FlateDecode /Length ${pixels.size} >>\nstream\n`, pixels,
      "\nendstream"],
  ];
  const parts = ["%PDF-1.4\n"];
  const places = objects.map((object, index) => {
    const place = new Blob(parts).size;
    parts.push(`${index + 1} 0 obj\n`, ...object, "\nendobj\n");
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  const end = `trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${new Blob(parts).size}\n%%EOF\n`;
  return new Blob([...parts, table, end], { type: PDF });
}

// Links of this page: the address holds the puzzle, and nothing else does.
const PACKED = "packed="; // before what is packed
const PACKING = "deflate-raw";
const MOST = 1e6; // bytes that are unpacked: more cannot be read

const here = () => `${location.origin}${location.pathname}#`;

/** An address with the puzzle and the colours of its cells, without what is tried or noted. */
export async function linked({ satdoku, puzzle, colour }) {
  const text = new Blob([JSON.stringify({ satdoku, puzzle, colour })]);
  const packed = await new Response(text.stream().pipeThrough(new CompressionStream(PACKING))).arrayBuffer();
  const letters = btoa(Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte)).join(""));
  const safe = letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${here()}${PACKED}${safe}`;
}

/** What is pasted, or what it holds if it is a link of this page; throws for one that is damaged. */
export const pasted = (text) => (String(text).startsWith(here()) ? held(text.slice(here().length)) : text);

/** The text that an address holds behind `#`; throws for one that is damaged. */
export async function held(text) {
  if (!text.startsWith(PACKED)) return decoded(text);
  const letters = atob(text.slice(PACKED.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]);
  const reader = packed.stream().pipeThrough(new DecompressionStream(PACKING)).getReader();
  const parts = [];
  for (let [size, part] = [0, await reader.read()]; !part.done; part = await reader.read()) {
    parts.push(part.value);
    if ((size += part.value.length) > MOST) break;
  }
  return new Blob(parts).text();
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it has a % of its own
  }
}

// Starts Python: Pyodide's core and satdoku's modules, in a web worker, and in node where the site is built.
import { loadPyodide } from "./pyodide.mjs";

const PACKAGES = "/packages"; // where they are unpacked
const MEMORY = 2e9; // bytes that a worker may have, as one of `satdoku web`
const PAGE = 65536; // bytes by which it grows

const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function bounded(pages) {
  if (this.buffer.byteLength + pages * PAGE > MEMORY) throw new RangeError("no more memory for this worker");
  return grow.call(this, pages);
};

/** folder: of this file, with a / at its end; archive: the packages, or a promise of them; post: as of `Browser`. */
export async function start({ folder, archive, post, interrupt }) {
  const [python, packages] = await Promise.all([
    loadPyodide({ indexURL: folder, lockFileURL: `${folder}pyodide-lock.json` }), archive,
  ]);
  python.unpackArchive(packages, "zip", { extractDir: PACKAGES });
  if (interrupt) python.setInterruptBuffer(interrupt);
  python.globals.set("post", post);
  const browser = python.runPython(`
import sys
sys.path.insert(0, ${JSON.stringify(PACKAGES)})
from satdoku.web.browser.answering import Browser
Browser(post)
`);
  return { python, browser };
}

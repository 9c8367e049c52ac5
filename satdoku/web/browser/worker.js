// A web worker with Python in it: jobs come as {job, data, file, drawn}, and each part of an answer goes back as {part,
// data}; {ready} and {done} say that the next job may come, {failed} that Python could not be started.
import { loadPyodide } from "./pyodide.mjs";

const PACKAGES = "/packages"; // where they are unpacked

async function start({ interrupt }) {
  const here = new URL(".", import.meta.url).href;
  const [python, packages] = await Promise.all([
    loadPyodide({ indexURL: here, lockFileURL: `${here}pyodide-lock.json` }),
    fetch(`${here}packages.zip`).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(packages, "zip", { extractDir: PACKAGES });
  if (interrupt) python.setInterruptBuffer(interrupt);
  const post = (part, data) => {
    const bytes = data ? data.toJs() : null;
    data?.destroy();
    postMessage({ part, data: bytes });
  };
  python.globals.set("post", post);
  return python.runPython(`
import sys
sys.path.insert(0, ${JSON.stringify(PACKAGES)})
from satdoku.web.browser.answering import Browser
Browser(post)
`);
}

let started = null;

onmessage = async ({ data: asked }) => {
  try {
    if (!started) {
      started = start(asked);
      await started;
      postMessage({ ready: true });
      return;
    }
    (await started).answer(asked.job, asked.data, asked.file ?? "", asked.drawn ?? "");
    postMessage({ done: true });
  } catch (error) {
    postMessage({ failed: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};

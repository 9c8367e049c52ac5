// A web worker with Python in it: jobs come as {job, data, file, drawn, sends, receives}, the last two the channels of a
// search that two workers share; each part of an answer goes back as {part, data}; {ready} and {done} say that the next
// job may come, {failed} that Python could not be started.
import { reader, writer } from "./channel.js";
import { start } from "./start.mjs";

const HERE = new URL(".", import.meta.url).href;

function post(part, data) {
  const bytes = data ? data.toJs() : null;
  data?.destroy();
  postMessage({ part, data: bytes });
}

let started = null;

onmessage = async ({ data: asked }) => {
  try {
    if (!started) {
      const archive = fetch(`${HERE}packages.zip`).then((answer) => answer.arrayBuffer());
      started = start({ folder: HERE, archive, post, interrupt: asked.interrupt });
      await started;
      postMessage({ ready: true });
      return;
    }
    const { browser } = await started;
    const shared = asked.sends ? [writer(asked.sends), reader(asked.receives)] : [];
    browser.answer(asked.job, asked.data, asked.file ?? "", asked.drawn ?? "", ...shared);
    postMessage({ done: true });
  } catch (error) {
    postMessage({ failed: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};

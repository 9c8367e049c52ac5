// `node compile.mjs FOLDER`: compiles the modules in the archives of a site's folder `python` that Python loads before
// the first question, by that Python itself. A browser keeps no compiled modules: it would compile them at each visit.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

async function main(folder) {
  const { start } = await import(pathToFileURL(join(folder, "start.mjs")));
  const read = (name) => new Uint8Array(readFileSync(join(folder, name)));
  const { python } = await start({ folder: join(folder, "/"), archive: read("packages.zip"), post: () => {} });
  const compiled = python.runPython(`
loaded = {module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)}
from satdoku.web.browser.archives import compiled
lambda archive, root: compiled(archive.to_bytes(), root, loaded)
`);
  const library = python.runPython("next(path for path in sys.path if path.endswith('.zip'))");
  for (const [name, root] of [["packages.zip", "/packages"], ["python_stdlib.zip", library]]) {
    const made = compiled(read(name), root);
    writeFileSync(join(folder, name), made.toJs());
    made.destroy();
  }
}

try {
  await main(process.argv[2]);
} catch (error) {
  process.stderr.write(`${String(error.message ?? error).trim().split("\n").at(-1)}\n`); // node's own would show all the code
  process.exitCode = 1;
}

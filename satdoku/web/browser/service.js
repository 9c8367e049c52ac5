// The service worker: it keeps every file of this edition, and adds headers: those by which the page may share memory, and
// the policy of the page, which holds for its workers only if they come with it. An edition that takes the place of
// another waits until it has all files, and until no tab shows that one.
const EDITION = "satdoku-@EDITION@";
const FILES = ["@FILES@"];
const PYTHON = "python/"; // where the large files are, which the first visit loads without waiting for all of them
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "@POLICY@",
};

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(url));
});

async function fill() {
  const wanted = FILES.filter((name) => registration.active || !name.startsWith(PYTHON));
  const found = await Promise.all(wanted.map((name) => answer(new URL(name, location))));
  if (!found.every(({ ok }) => ok)) throw new Error("a file of this edition is missing");
}

async function begin() {
  const old = (await caches.keys()).filter((name) => name.startsWith("satdoku-") && name !== EDITION);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(url) {
  const kept = await caches.open(EDITION);
  const address = new URL(url);
  address.search = "";
  address.pathname = address.pathname.replace(/index\.html$/, "");
  const known = await kept.match(address.href);
  if (known) return known;
  const found = await fetch(address.href, { cache: "no-cache" });
  const headers = new Headers(found.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  const { status, statusText } = found;
  const whole = new Response(found.body, { status, statusText, headers });
  if (found.ok) await kept.put(address.href, whole.clone());
  return whole;
}

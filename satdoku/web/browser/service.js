// The service worker: it keeps every file of this edition, and adds the headers by which the page may share memory.
const EDITION = "satdoku-@EDITION@";
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});

async function begin() {
  const old = (await caches.keys()).filter((name) => name.startsWith("satdoku-") && name !== EDITION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(request) {
  const kept = await caches.open(EDITION);
  const address = new URL(request.url);
  address.search = "";
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

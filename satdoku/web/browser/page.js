// In the place of the server: requests and the socket, answered by web workers with Python in them. One answers; a spare
// one starts when an answer takes long: a search that does not stop for an interrupt goes with its worker. As long as
// nothing else is asked the spare one helps to look for candidates.
import { channel } from "../python/channel.js";
import { held, linked, pasted } from "./links.js";

const GRACE = 500; // milliseconds that a job waits for a worker until another is started
const LONG = 1000; // milliseconds that a job takes until a spare worker is started
const MOST = 2; // workers that are kept
const INTERRUPT = 2; // the number of the signal that Ctrl-C sends
const ONCE = "satdoku:kept"; // in the session: the page was loaded again, by the service worker
const HOME = new URL("../", import.meta.url);
const OPEN = ["multiple", "undecided"]; // the verdicts after which candidates are looked for
const SHARES = crossOriginIsolated && navigator.hardwareConcurrency > 1; // whether two workers search faster than one
const LINK = "link"; // the form that only this page has
const DAMAGED = "The link of this page is damaged: it may have been cut.";
const KEPT = ["kinds", "forms", "start"]; // what is answered by files

/** The service worker keeps the files, and adds the headers by which a page may share memory: an interrupt needs it. */
async function keep() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(new URL("service.js", HOME));
    await navigator.serviceWorker.ready;
  } catch {
    return; // without it the page works all the same, with a network
  }
  if (navigator.serviceWorker.controller || sessionStorage.getItem(ONCE)) return;
  sessionStorage.setItem(ONCE, "1");
  location.reload();
  await new Promise(() => {}); // the page begins anew
}

class Python {
  job = null; // {part, end}, what is being answered

  constructor() {
    this.interrupt = crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    this.worker = new Worker(new URL("python/worker.js", HOME), { type: "module" });
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message || "Python cannot be loaded"));
      this.worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.failed && !this.job) reject(new Error(data.failed));
        else if (data.part) this.job?.part(JSON.parse(data.part), data.data);
        else this.#end(data.failed);
      };
    });
    this.ready.catch(() => {}); // who waits for it hears of it
    this.worker.postMessage({ interrupt: this.interrupt });
  }

  #end(failed) {
    const { end } = this.job;
    this.job = null;
    end(failed);
  }

  run(message, part) {
    if (this.interrupt) this.interrupt[0] = 0;
    return new Promise((end) => {
      this.job = { part, end };
      this.worker.postMessage(message);
    });
  }

  stop() { if (this.interrupt) this.interrupt[0] = INTERRUPT; }
}

class Pool {
  idle = [];
  waiting = []; // who is given the next worker that has nothing to do
  all = new Set();
  starting = 0;
  startTime = 0; // milliseconds that the last start took
  wish = null; // {message, over}, a job that a worker may help with until it is over
  recall = null; // frees the worker that helps

  /** A worker that does nothing; another is started if none is free soon. */
  async #take() {
    const python = this.idle.pop();
    if (python) return python;
    const given = new Promise((taken, refused) => this.waiting.push({ taken, refused }));
    this.recall?.();
    setTimeout(() => this.waiting.length && !this.starting && this.#start(), this.all.size ? GRACE : 0);
    return given;
  }

  #free(python) {
    const next = this.waiting.shift();
    if (next) next.taken(python);
    else if (this.all.size > MOST) this.#lose(python);
    else if (this.wish) this.#help(python);
    else this.idle.push(python);
  }

  /** Have a worker that has nothing to do help with a job until that is over; a spare one as soon as there is one. */
  help(message, over) {
    const wish = { message, over };
    this.wish = wish;
    over.then(() => this.wish === wish && (this.wish = null));
    const python = this.idle.pop();
    if (python) this.#help(python);
  }

  async #help(python) {
    const { message, over } = this.wish;
    this.wish = null;
    const needed = new Promise((resolve) => (this.recall = resolve));
    const enough = Promise.race([over, needed]).then(() => (this.recall = null));
    await this.#work(python, message, () => {}, enough);
    this.recall = null;
  }

  #lose(python) {
    python.worker.terminate();
    this.all.delete(python);
  }

  #spare() { if (!this.idle.length && !this.starting && !this.recall) this.#start(); }

  async #start() {
    const python = new Python();
    this.all.add(python);
    this.starting += 1;
    const begun = performance.now();
    try {
      await python.ready;
      this.startTime = performance.now() - begun;
      this.starting -= 1;
      this.#free(python);
    } catch (error) {
      this.starting -= 1;
      this.#lose(python);
      this.waiting.splice(0).forEach(({ refused }) => refused(error));
    }
  }

  /** Load Python before it is asked anything. */
  async warm() { this.#free(await this.#take()); }

  /** Run a job: `part` is given each part of the answer. `stopped` is a promise; once it holds, nothing more comes. */
  async run(message, part, stopped = new Promise(() => {})) {
    let wanted = true;
    stopped.then(() => (wanted = false));
    let python;
    try {
      python = await this.#take();
    } catch (error) {
      return part({ error: `Python cannot be started: ${error.message}` });
    }
    if (!wanted) return this.#free(python);
    const spare = setTimeout(() => this.#spare(), LONG);
    await this.#work(python, message, part, stopped);
    return clearTimeout(spare);
  }

  async #work(python, message, part, stopped) {
    let [wanted, sound] = [true, true];
    stopped.then(() => (wanted = false));
    const over = python.run(message, (each, data) => {
      sound &&= !each.fault;
      if (wanted) part(each, data);
    }).then((failed) => {
      if (this.wish?.message.data === message.data) this.wish = null; // nothing is left to help with
      if (failed && wanted) part({ error: `the worker was lost, and another takes its place: ask again (${failed})` });
      if (sound && !failed) this.#free(python);
      else this.#lose(python);
    });
    await Promise.race([over, stopped]);
    return wanted ? null : this.#stop(python, over);
  }

  /** Give a worker as long to end its job as another takes to start; after that it goes, with what it has loaded. */
  async #stop(python, over) {
    python.stop();
    const late = await Promise.race([over, new Promise((wait) => setTimeout(wait, this.startTime, true))]);
    if (late !== true) return;
    this.#lose(python);
    this.#spare();
  }
}

await keep();
addEventListener("hashchange", () => location.hash && location.reload()); // another puzzle was opened in this tab
const pool = new Pool();
const loaded = pool.warm();

/** What takes the place of a WebSocket: a question, or {stop}; a new question takes the place of the one before. */
class Socket extends EventTarget {
  readyState = WebSocket.CONNECTING;
  stop = () => {};

  constructor() {
    super();
    loaded.then(() => this.#state(WebSocket.OPEN, new Event("open")), (error) => (
      this.#state(WebSocket.CLOSED, new CloseEvent("close", { reason: `Python cannot be started: ${error.message}` }))));
  }

  #state(state, event) {
    this.readyState = state;
    this.dispatchEvent(event);
  }

  async send(text) {
    this.stop();
    const { id, ask, stop } = JSON.parse(text);
    if (stop) return;
    const stopped = new Promise((resolve) => (this.stop = resolve));
    const data = new TextEncoder().encode(text);
    const [there, back] = SHARES && ask === "live" ? [channel(), channel()] : [];
    let [last, ended] = [{}, null];
    const over = new Promise((resolve) => (ended = resolve));
    const tell = (part) => {
      if (there && OPEN.includes(part.verdict)) pool.help({ job: "help", data, sends: back, receives: there }, over);
      last = part;
      this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ id, ...part }) }));
    };
    let wanted = true;
    stopped.then(() => (wanted = false));
    stopped.then(ended);
    await pool.run({ job: "ask", data, sends: there, receives: back }, tell, stopped);
    ended();
    if (wanted && !last.error) tell({ part: "done" });
  }
}
export const connect = () => new Socket();

/** The answer to a request, as the server would give it. */
export async function request(address, { body, headers = {} } = {}) {
  const name = address.slice(1);
  if (KEPT.includes(name)) return fetch(new URL(`${name}.json`, HOME));
  const asked = name === "write" ? JSON.parse(body) : null;
  if (asked?.form === LINK) return new Response(await linked(asked.work));
  let text = body;
  try {
    if (name === "read") text = await pasted(body);
  } catch {
    return Response.json({ error: DAMAGED }, { status: 400 });
  }
  const data = new Uint8Array(await new Blob([text]).arrayBuffer());
  let [reply, written] = [{}, null];
  const [file, drawn] = ["X-Name", "X-Drawn"].map((key) => decodeURIComponent(headers[key] ?? ""));
  await pool.run({ job: name, data, file, drawn }, (part, bytes) => ([reply, written] = [part, bytes]));
  if (reply.error) return Response.json({ error: reply.error }, { status: 400 });
  if (!written) return Response.json(reply);
  return new Response(written, { headers: { "content-type": reply.media, "x-left-out": reply.left_out.join(", ") } });
}

/** What an address answers in JSON; throws the error that it tells. The address of the page may hold a puzzle. */
export async function json(address) {
  const answer = await request(address);
  const reply = await answer.json();
  if (!answer.ok) throw new Error(reply.error);
  return address === "/start" ? { ...reply, ...await brought() } : reply;
}

/** `#TEXT`, or `?load=TEXT`: whatever can be read, a link of another page too. It comes before the work of the tab. The
 * address keeps it until it can be read: a page that is loaded again before has it still. */
async function brought() {
  const [, load = ""] = /[?&]load=(.*)$/s.exec(location.search) ?? []; // links may hold + and &, which mean themselves
  const text = load || location.hash.slice(1);
  if (!text) return {};
  loaded.then(() => history.replaceState(null, "", location.pathname), () => {});
  sessionStorage.removeItem("satdoku:work");
  try {
    return { text: await held(text) };
  } catch {
    return { note: DAMAGED };
  }
}

// The answer in words: the verdict first, then what was asked about it. Answers arrive in parts from the socket.
import { $, h, on } from "./dom.js";
import { dropped, markText } from "./puzzle.js";
import { Seen } from "./seen.js";
import { NOTHING } from "./view.js";

const VERDICTS = {
  unique: ["One solution", "good"], multiple: ["Several solutions", "warn"], unsolvable: ["No solution", "bad"],
  undecided: ["Not decided", "warn"], invalid: ["Not a puzzle yet", "bad"],
};
/** What the socket tells: parts of answers, each taken by the method of its name, and how it fares itself. */
const PARTS = ["strokes", "verdict", "candidates", "conflict", "count", "step", "why", "spare", "unique", "error"]
  .concat("stop", "ask", "end", "online");
const EMPTY = { givens: [], marks: [] };
/** The part that is shown on the board, by the choices of Show; normal candidates are of none: they are always new. */
const SHOWN = { candidates: "candidates", solution: "verdict", second: "verdict", difference: "verdict" };
const plural = (many, what) => `${many.toLocaleString("en")} ${what}${many === 1 ? "" : "s"}`;

export class Answer {
  answers = {}; // the parts "verdict" and "candidates"
  rules = ""; // in words, of the marks
  seen = new Seen();
  lacking = new Map(); // what each mark that is not finished lacks, by its place
  old = new Set(); // those of both parts that are about the puzzle before it was changed
  lit = NOTHING;
  unneeded = EMPTY;
  drawn = []; // what is drawn without a rule, in words
  steps = [];

  /** host: state, live, hands, board, `refresh`; the buttons with `data-ask` ask that. */
  constructor(host) {
    this.host = host;
    for (const button of document.querySelectorAll("[data-ask]")) {
      button.addEventListener("click", () => this.#asked(button.dataset));
    }
    on("stop", "click", () => host.live.stop());
    on("limit", "change", () => this.again(true));
    for (const part of PARTS) {
      host.live.addEventListener(part, ({ detail }) => {
        this[part]?.(detail);
        host.refresh();
      });
    }
  }

  strokes(found) {
    this.rules = found.rules;
    this.drawn = found.drawn;
    this.seen = new Seen(found.groups, this.host.state.puzzle.columns);
    this.lacking = new Map(found.errors.map(({ mark, error }) => [mark, error]));
    this.host.board.draw(found.strokes);
  }

  candidates(found) {
    this.answers.candidates = found;
    this.old.delete("candidates");
  }

  error(found) { this.#say(found.error, "error"); }
  stop(stopped) {
    if (stopped) this.#say("Stopped.");
    this.end(stopped);
  }

  /** What ends without a verdict is not decided: none is waited for any more. */
  end(ended) {
    if (ended?.ask !== "live" || !this.old.has("verdict")) return;
    this.answers = {};
    this.old.clear();
    this.#head("undecided");
  }

  #head(verdict) {
    $("verdict").textContent = VERDICTS[verdict][0];
    $("verdict").style.setProperty("--tone", `var(--${VERDICTS[verdict][1]})`);
  }

  /** The puzzle as it is asked about: digits that are tried count as givens. */
  get #puzzle() {
    const { given, entered, narrowed } = this.host.state.stores;
    const { title, author, rules, solution, not_enforced, ...rest } = this.host.state.puzzle;
    return { ...rest, givens: { ...given, ...entered }, candidates: dropped(narrowed, Object.keys(entered)) };
  }

  /** Ask for the verdict and the candidates, if anything that they follow from has changed. */
  again(anyway = false) {
    const puzzle = this.#puzzle;
    const { marks, rows, columns } = puzzle;
    const text = JSON.stringify(this.host.play.on ? { marks, rows, columns } : puzzle);
    if (text === this.last && !anyway) return;
    this.last = text;
    this.#clear();
    this.#age();
    if (this.host.play.on) return this.host.live.ask("strokes", puzzle); // no answer that could be seen
    return this.host.live.ask("live", puzzle, { limit: Math.max(1, Number($("limit").value) || 1) });
  }

  /** Both parts are old from here on, until others come: nothing that they coloured keeps its colour. */
  #age() {
    if (!this.old.has("verdict")) this.changed = Date.now();
    this.old = new Set(["verdict", "candidates"]);
    this.#grey();
    clearInterval(this.clock);
    this.clock = setInterval(() => this.#grey(), 500);
  }

  #grey() {
    const old = this.old.has("verdict");
    const seconds = Math.floor((Date.now() - this.changed) / 1000);
    if (!old) clearInterval(this.clock);
    $("answer").classList.toggle("stale", old);
    $("board").classList.toggle("stale", this.old.has(SHOWN[this.host.show]));
    $("age").textContent = old && this.answers.verdict && seconds ? `${seconds} s old` : "";
  }

  /** Another puzzle is open: nothing is known of it. One like that before is asked about anew. */
  forget() {
    if (!this.old.has("verdict")) this.again(true);
    this.answers = {};
    $("verdict").textContent = "Waiting for the first answer";
  }

  #clear() {
    [this.steps, this.lit, this.unneeded] = [[], NOTHING, EMPTY];
    $("replies").replaceChildren();
  }

  #asked({ ask, limit }) {
    const step = this.steps.at(-1);
    this.#clear();
    const cell = this.host.hands.cells.at(-1);
    if (ask === "why" && !cell) return this.#say("Select a cell, and choose the digit to ask about.");
    if (ask === "why") {
      const asked = { ...this.#puzzle, givens: dropped(this.#puzzle.givens, [cell]) };
      return this.host.live.ask(ask, asked, { cell, value: Number($("why-value").value) });
    }
    if (ask === "step" && limit && step) { // the step before is taken
      const { entered } = this.host.state.work;
      this.host.state.change({ entered: { ...entered, [step.cell]: step.value } });
    }
    return this.host.live.ask(ask, this.#puzzle, limit ? { limit: Number(limit) } : {});
  }

  #say(text, kind = "") { $("replies").append(h("p", { class: kind }, text)); }

  verdict(found) {
    const follow = ["unique", "multiple", "undecided"].includes(found.verdict);
    this.answers = { verdict: found, candidates: follow ? this.answers.candidates : null };
    this.old = new Set(follow ? ["candidates"] : []);
    this.#head(found.verdict);
    if (found.verdict === "invalid") this.lit = { ...NOTHING, kind: "conflict", marks: found.marks };
  }

  show() {
    const { verdict } = this.answers;
    const { running, socket, trouble } = this.host.live;
    if (!running && String([...this.old]) === "candidates") { // none came
      this.answers.candidates = null;
      this.old.clear();
    }
    this.#grey();
    const loose = [...this.drawn, ...(this.host.state.puzzle.not_enforced ?? [])];
    const tried = Object.keys(this.host.state.work.entered).length;
    const parts = [
      document.querySelector("#replies .conflict") ? null : verdict?.reason, // which it says
      verdict?.verdict === "multiple" && `${plural(verdict.differ.length, "cell")} differ between two of them`,
      verdict?.unfinished > 0 && `without ${plural(verdict.unfinished, "unfinished mark")}`,
      loose.length && `not enforced: ${loose.join(", ")}`,
      tried > 0 && `with ${plural(tried, "digit")} that you try`,
      verdict?.seconds !== undefined && `${Math.max(1, Math.round(1000 * verdict.seconds))} ms`,
    ];
    $("detail").textContent = parts.filter(Boolean).join(" · ");
    for (const button of document.querySelectorAll("[data-for]")) {
      button.hidden = !button.dataset.for.includes(verdict?.verdict ?? "none");
    }
    $("answer").setAttribute("aria-busy", String(Boolean(running)));
    $("stop").disabled = !running;
    $("offline").hidden = socket.readyState <= WebSocket.OPEN;
    $("offline").textContent = trouble || "Not connected. Is satdoku web still running? Trying again.";
  }

  count({ count, text, exact, note }) {
    if (!$("counted")) $("replies").append(h("p", { id: "counted" }));
    const many = `${exact ? "" : "at least "}${text} solution${count === 1 ? "" : "s"}`;
    $("counted").textContent = [many, note].filter(Boolean).join("; ");
  }

  conflict(found) {
    const whole = { ...found, focus: null, kind: "conflict" };
    const causes = { ...whole, cells: [], houses: [] };
    this.lit = causes;
    for (const earlier of document.querySelectorAll("#replies .conflict")) earlier.remove(); // a better one came
    for (const text of found.clashes.length ? found.clashes : [found.text]) {
      const sentence = h("p", { class: "conflict", tabindex: 0 }, text);
      const show = (lit) => () => (this.lit = lit, this.host.refresh());
      for (const type of ["mouseenter", "focus"]) sentence.addEventListener(type, show(whole));
      for (const type of ["mouseleave", "blur"]) sentence.addEventListener(type, show(causes));
      $("replies").append(sentence);
    }
  }

  step(found) {
    this.steps.push(found);
    const look = () => {
      this.lit = { ...found, focus: found.cell, kind: "step" };
      this.host.refresh();
    };
    const button = h("button", { class: "step", click: look }, found.text);
    if (!$("steps")) $("replies").append(h("ol", { id: "steps" }));
    $("steps").append(h("li", {}, button));
    look();
  }

  why(found) {
    this.lit = { ...found, focus: this.host.live.running.cell, kind: "step" };
    this.#say(found.text);
  }

  spare(found) {
    this.unneeded = found;
    const { given, entered } = this.host.state.stores;
    const { marks } = this.host.state.puzzle;
    const names = [...found.givens, ...found.marks.map((index) => markText(marks[index]))];
    if (found.untested) this.#say(`Not tested in time: ${found.untested}.`);
    if (!names.length) return this.#say("Every given and every mark that was tested is needed.");
    this.#say(`Not needed, all together: ${names.join(", ")}.`);
    const click = () => {
      const left = marks.filter((_, index) => !found.marks.includes(index));
      const puzzle = { ...this.host.state.puzzle, givens: dropped(given, found.givens), marks: left };
      this.host.state.change({ puzzle, entered: dropped(entered, found.givens) });
    };
    return $("replies").append(h("button", { click }, "Remove them"));
  }

  unique({ givens, smallest }) {
    this.host.state.edit({ givens: { ...this.host.state.stores.given, ...givens } });
    const text = Object.entries(givens).map(([cell, value]) => `${cell}=${value}`).join(", ");
    this.#say(`Given now: ${text}${smallest ? ", as few as can be" : ""}. Undo takes it back.`);
  }
}

// The answer in words: the verdict first, then what was asked about it. Answers arrive in parts from the socket.
import { $, h } from "./dom.js";
import { markText } from "./puzzle.js";
import { NOTHING } from "./view.js";

const VERDICTS = {
  unique: ["One solution", "good"], multiple: ["Several solutions", "warn"], unsolvable: ["No solution", "bad"],
  undecided: ["Not decided", "warn"], invalid: ["Not a puzzle yet", "bad"],
};
const plural = (many, what) => `${many.toLocaleString("en")} ${what}${many === 1 ? "" : "s"}`;

export class Answer {
  /** host: state, live, hands, `refresh`; the buttons with a `data-ask` ask that. */
  constructor(host) {
    Object.assign(this, { host, answers: {}, lit: NOTHING, spare: { givens: [], marks: [] }, steps: [] });
    for (const button of document.querySelectorAll("[data-ask]")) {
      button.addEventListener("click", () => this.#asked(button.dataset));
    }
    $("stop").addEventListener("click", () => host.live.stop());
    $("limit").addEventListener("change", () => this.again(true));
    const hear = (part, take) => host.live.addEventListener(part, (event) => {
      take(event.detail);
      host.refresh();
    });
    hear("strokes", (found) => host.board.draw(found.strokes));
    hear("verdict", (found) => this.#verdict(found));
    hear("candidates", (found) => (this.answers.candidates = found));
    hear("conflict", (found) => this.#conflict(found));
    hear("count", (found) => this.#count(found));
    hear("step", (found) => this.#step(found));
    hear("why", (found) => this.#why(found));
    hear("spare", (found) => this.#spare(found));
    hear("unique", (found) => this.#unique(found));
    hear("error", (found) => this.say(h("p", { class: "error" }, found.error)));
    hear("stop", (stopped) => this.#stopped(stopped));
    for (const part of ["ask", "online"]) hear(part, () => this.#busy());
    hear("end", () => this.#ended());
  }

  /** The puzzle as it is asked about: digits that are tried count as givens. */
  get asked() {
    const { puzzle, entered } = this.host.state.work;
    const { title, author, rules, solution, ...rest } = puzzle;
    const narrowed = Object.entries(rest.candidates ?? {}).filter(([cell]) => entered[cell] === undefined);
    return { ...rest, givens: { ...rest.givens, ...entered }, candidates: Object.fromEntries(narrowed) };
  }

  /** Ask for the verdict and the candidates, if anything that they follow from has changed. */
  again(anyway = false) {
    const puzzle = this.asked;
    const text = JSON.stringify(puzzle);
    if (text === this.last && !anyway) return;
    this.last = text;
    this.steps = [];
    this.lit = NOTHING;
    this.spare = { givens: [], marks: [] };
    $("said").replaceChildren();
    this.host.live.ask("live", puzzle, { limit: Math.max(1, Number($("limit").value) || 1) });
  }

  #asked({ ask, limit }) {
    const more = limit ? { limit: Number(limit) } : {};
    if (ask === "why") {
      const cell = this.host.hands.cells.at(-1);
      const value = Number($("why-value").value);
      if (!cell || $("why-value").value === "") return this.say(h("p", {}, "Select a cell, and choose a digit to ask about."));
      const { [cell]: _, ...givens } = this.asked.givens;
      return this.host.live.ask(ask, { ...this.asked, givens }, { cell, value });
    }
    const step = this.steps.at(-1);
    if (ask === "step" && limit && step) this.#enter(step);
    else if (ask === "step") this.steps = [];
    $("said").replaceChildren();
    this.lit = NOTHING;
    this.host.live.ask(ask, this.asked, more);
    return this.host.refresh();
  }

  /** Put the digit of a step into its cell, as one that is tried. */
  #enter({ cell, value }) {
    const { entered } = this.host.state.work;
    this.host.state.change({ entered: { ...entered, [cell]: value } });
  }

  say(...elements) {
    $("said").append(...elements);
  }

  #verdict(found) {
    const open = ["unique", "multiple", "undecided"].includes(found.verdict);
    const old = open && this.answers.candidates;
    this.answers = { verdict: found, candidates: old ? { ...old, stale: true } : null }; // until the new ones come
    const [words, tone] = VERDICTS[found.verdict];
    $("verdict").textContent = words;
    $("answer").dataset.tone = tone;
    if (found.verdict === "invalid") {
      this.lit = { ...NOTHING, kind: "conflict", cells: found.cells ?? [], marks: found.marks ?? [] };
    }
  }

  show() {
    const { verdict, candidates } = this.answers;
    const tried = Object.keys(this.host.state.work.entered).length;
    const parts = [];
    if (verdict?.error) parts.push(verdict.error);
    if (verdict?.verdict === "multiple") {
      const exact = candidates && verdict.differ.length === 0 ? "" : plural(verdict.differ.length, "cell");
      if (exact) parts.push(`${exact} differ between solutions`);
      if (candidates?.counts && candidates.exact && candidates.solutions) {
        parts.push(candidates.solutions >= candidates.limit ? "many solutions" : plural(candidates.solutions, "solution"));
      }
    }
    if (tried) parts.push(`with ${plural(tried, "digit")} that you try`);
    if (verdict?.seconds !== undefined) parts.push(`${Math.max(1, Math.round(1000 * verdict.seconds))} ms`);
    $("detail").textContent = parts.join(" · ");
    for (const button of document.querySelectorAll("[data-for]")) {
      button.hidden = !button.dataset.for.split(" ").includes(verdict?.verdict);
    }
  }

  #busy() {
    const { running, socket } = this.host.live;
    $("answer").setAttribute("aria-busy", String(Boolean(running)));
    $("stop").disabled = !running;
    $("offline").hidden = socket.readyState <= WebSocket.OPEN;
  }

  #stopped(stopped) {
    if (stopped) this.say(h("p", {}, stopped.ask === "live" ? "Stopped before the answer was complete." : "Stopped."));
    this.#ended();
  }

  #ended() {
    if (this.answers.candidates?.stale) this.answers.candidates = null;
    this.#busy();
  }

  #conflict(found) {
    this.lit = { ...found, focus: null, kind: "conflict" };
    const clashes = (found.clashes ?? []).filter((clash) => clash !== found.text);
    this.say(...[found.text, ...clashes].map((text) => h("p", { class: "conflict" }, text)));
  }

  #count({ count, exact }) {
    const text = `${exact ? "" : "at least "}${plural(count, "solution")}`;
    const line = $("counted") ?? $("said").appendChild(h("p", { id: "counted" }));
    line.textContent = text;
  }

  #step(found) {
    this.steps.push(found);
    this.#look(found);
    const item = h("li", {}, h("button", { type: "button", class: "step", click: () => this.#look(found, true) }, found.text));
    const list = $("steps") ?? $("said").appendChild(h("ol", { id: "steps", "aria-label": "Steps" }));
    list.append(item);
  }

  /** Light the cells of a step. */
  #look(found, again = false) {
    this.lit = { ...found, focus: found.cell, kind: "step" };
    if (again) this.host.refresh();
  }

  #why(found) {
    $("said").replaceChildren();
    this.lit = { ...NOTHING, ...found, focus: this.host.live.running.cell, kind: "step" };
    this.say(h("p", {}, found.text));
  }

  #spare(found) {
    this.spare = found;
    const { marks } = this.host.state.puzzle;
    const names = [...found.givens, ...found.marks.map((index) => markText(marks[index]))];
    const open = found.untested ? ` ${plural(found.untested, "more")} not tested in time.` : "";
    if (!names.length) return this.say(h("p", {}, `Every given and every mark is needed.${open}`));
    const remove = () => this.#remove(found);
    return this.say(
      h("p", {}, `Not needed, all together: ${names.join(", ")}.${open}`),
      h("button", { type: "button", click: remove }, "Remove them"),
    );
  }

  #remove({ givens, marks }) {
    const { puzzle, entered } = this.host.state.work;
    const without = (store) => Object.fromEntries(Object.entries(store).filter(([cell]) => !givens.includes(cell)));
    const left = puzzle.marks.filter((_, index) => !marks.includes(index));
    this.host.state.change({ puzzle: { ...puzzle, givens: without(puzzle.givens), marks: left }, entered: without(entered) });
  }

  #unique({ givens, smallest }) {
    const { puzzle } = this.host.state.work;
    this.host.state.edit({ givens: { ...puzzle.givens, ...givens } });
    const text = Object.entries(givens).map(([cell, value]) => `${cell}=${value}`).join(", ");
    const least = smallest ? ", as few as can be" : "";
    this.say(h("p", {}, `Given: ${text}${least}. Undo takes it back.`));
  }
}

// Playing: a board without spoilers, a timer, checks, hints in three stages, and how hard the puzzle is.
import { $, h, on } from "./dom.js";
import { NOTHING } from "./view.js";

const KEY = "satdoku:time:"; // seconds played, by the work
const ASKS = ["check", "hint", "rate"];
const STAGES = ["Where to look", "Which technique", "What follows"];
const two = (number) => String(number).padStart(2, "0");

export class Play {
  on = sessionStorage.getItem("satdoku:play") === "on";
  seconds = 0;
  paused = false;
  done = false;
  found = null; // the hint, and how many of its stages are shown
  shown = 0;
  wrong = []; // cells that a check has named
  number = 1; // of the step that the next hint is about

  /** host: state, live, answer, hands, `refresh`. */
  constructor(host) {
    this.host = host;
    on("play", "click", () => this.turn(!this.on));
    on("pause", "click", () => (this.paused = !this.paused, host.refresh()));
    on("check", "click", () => this.#ask("check"));
    on("hint", "click", () => this.#hint());
    on("rate", "click", () => this.#ask("rate"));
    for (const part of ["checked", "hint", "rated", "error"]) {
      host.live.addEventListener(part, ({ detail }) => (this[part](detail), host.refresh()));
    }
    setInterval(() => this.#tick(), 1000);
  }

  turn(to) {
    this.on = to;
    sessionStorage.setItem("satdoku:play", to ? "on" : "off");
    this.host.hands.mode = to ? "entered" : "given";
    if (to) this.host.tools.choose(null);
    else this.host.tools.resume(this.host.state.take());
    this.changed();
    this.host.answer.again(true);
    this.host.refresh();
  }

  /** Another puzzle is open. */
  open() {
    this.seconds = Number(localStorage.getItem(KEY + this.host.state.id)) || 0;
    [this.paused, this.done] = [false, false];
    this.changed();
    if (this.on) this.host.hands.mode = "entered";
  }

  /** What was shown, or is looked for, is about another state of the grid. */
  changed() {
    if (this.asked) this.host.live.stop();
    [this.found, this.number, this.wrong] = [null, 1, []];
    $("messages").replaceChildren();
    if (!this.#full) this.done = false;
    if (this.on && this.#full && !this.done) this.#ask("check");
  }

  /** Whether something that can be shown is looked for. */
  get asked() { return ASKS.includes(this.host.live.running?.ask); }

  get #full() {
    const { puzzle, stores } = this.host.state;
    const filled = Object.keys({ ...stores.given, ...stores.entered }).length;
    return filled > 0 && filled === puzzle.rows * puzzle.columns;
  }

  #tick() {
    if (!this.on || this.paused || this.done || document.hidden) return;
    this.seconds += 1;
    localStorage.setItem(KEY + this.host.state.id, this.seconds);
    $("timer").textContent = this.time;
  }

  get time() {
    const [hours, minutes] = [Math.floor(this.seconds / 3600), Math.floor(this.seconds / 60) % 60];
    return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(this.seconds % 60)}`;
  }

  #ask(what, more = {}) {
    const { puzzle, stores } = this.host.state;
    const { title, author, rules, solution, not_enforced, ...rest } = puzzle;
    this.found = null;
    $("messages").replaceChildren();
    this.host.live.ask(what, rest, { entered: stores.entered, ...more });
  }

  /** The next stage of the hint that is shown, else the next hint; notes in the centre count as what is left. */
  #hint() {
    if (this.found && this.shown < STAGES.length) {
      this.shown += 1;
      return this.#stage();
    }
    if (this.host.live.running?.ask === "hint") return null; // it comes
    if (this.found) this.number += 1;
    return this.#ask("hint", { limit: this.number, noted: this.host.state.work.centre });
  }

  hint(found) {
    [this.found, this.shown] = [found, 1];
    $("messages").replaceChildren();
    this.#stage();
  }

  #stage() {
    const text = this.found.stages[this.shown - 1];
    $("messages").append(h("p", {}, h("strong", {}, `${STAGES[this.shown - 1]}: `), text));
    this.host.refresh();
  }

  /** What the hint lights on the board, as far as it has been shown. */
  get lit() {
    if (!this.found) return NOTHING;
    const { houses, cells, marks, placed } = this.found;
    const looked = { ...NOTHING, houses, kind: "step", cells: houses.length || marks.length ? [] : cells, marks };
    if (this.shown < STAGES.length) return looked;
    return { ...looked, cells, focus: placed[0] ?? null };
  }

  /** The candidates that the hint excludes, once it has shown them. */
  get struck() { return this.found && this.shown === STAGES.length ? this.found.struck : {}; }

  checked({ wrong, right, complete }) {
    const many = wrong?.length ?? 0;
    this.done = right && complete;
    const text = this.done ? `Solved in ${this.time}.`
      : right ? "Nothing is wrong so far."
        : wrong ? `${many} ${many === 1 ? "digit is" : "digits are"} wrong.` : "No solution is left.";
    const show = () => (this.wrong = wrong, this.host.refresh());
    $("messages").replaceChildren(h("p", {}, text), ...(many ? [h("button", { click: show }, "Show where")] : []));
  }

  error({ error }) { $("messages").replaceChildren(h("p", { class: "error" }, error)); }

  rated({ level, name, of, least }) {
    $("messages").replaceChildren(h("p", {}, `Difficulty ${least ? "at least " : ""}${level} of ${of} (${name}).`));
  }

  show() {
    $("messages").setAttribute("aria-busy", String(this.asked));
    document.body.classList.toggle("playing", this.on);
    document.body.classList.toggle("paused", this.on && this.paused);
    $("play").textContent = this.on ? "Set" : "Play";
    $("pause").textContent = this.paused ? "Go on" : "Pause";
    $("timer").textContent = this.time;
    $("hint").textContent = this.found && this.shown < STAGES.length ? "More of the hint" : "Hint";
    $("play-rules").textContent = this.host.state.puzzle.rules || this.host.answer.rules;
  }
}

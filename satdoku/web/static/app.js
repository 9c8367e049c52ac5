// The page: it puts state, board, hands, tools, answers and files together.
import { Answer } from "./answer.js";
import { Board } from "./board.js";
import { $, h, on } from "./dom.js";
import { drawnCells } from "./drawn.js";
import { Files } from "./files.js";
import { COLOURS, Hands, MODES } from "./hands.js";
import { Live } from "./live.js";
import { Marks } from "./marks.js";
import { Menu } from "./menu.js";
import { Play } from "./play.js";
import { valuesOf } from "./puzzle.js";
import { json } from "./server.js";
import { load, recent, setAside, State } from "./state.js";
import { Tools } from "./tools.js";
import { viewOf } from "./view.js";

const MAX_KEYS = 36; // buttons for digits; greater values are typed
const ZOOM = { step: 1.25, least: 1, most: 6 };

class App {
  current = null; // the index of the mark whose value can be changed
  loose = null; // that of the drawing without a rule that is chosen
  zoom = 1;
  show = "candidates";

  constructor(kinds, forms) {
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.state = new State();
    this.board = new Board($("board"));
    this.board.shape(this.state.puzzle);
    this.live = new Live();
    this.tools = new Tools(this, this.kinds);
    this.state.begun = () => this.tools.begun;
    this.hands = new Hands(this);
    this.play = new Play(this);
    this.menu = new Menu(this);
    this.answer = new Answer(this);
    this.files = new Files(this, forms);
    this.marks = new Marks(this);
    this.state.addEventListener("change", () => this.#changed());
    this.state.addEventListener("open", () => this.#opened());
    this.#controls();
    const scheme = localStorage.getItem("satdoku:theme") ?? "light dark";
    document.documentElement.style.colorScheme = $("theme").value = scheme;
  }

  /** Begin with the text of the address, else the work of this tab, else the puzzle of the command line, else the work
   * of the last visit. */
  async start() {
    const broken = setAside();
    const { puzzle, note, version, text } = await json("/start");
    this.live.version = version;
    const mine = sessionStorage.getItem("satdoku:work");
    if (text) await this.state.open(null);
    else if (mine && load(mine)) await this.state.open(null, mine);
    else await this.state.open(puzzle, puzzle ? null : (recent()[0]?.id ?? null));
    if (note || broken) this.files.note([note, broken].filter(Boolean).join(" "));
    document.documentElement.dataset.ready = "true";
    if (text) await this.files.read(text);
  }

  #changed() {
    const { puzzle } = this.state;
    if (!puzzle.marks[this.current]) this.current = null;
    if (!puzzle.drawings?.[this.loose]) this.loose = null;
    if (this.tools.draft) this.tools.draft.puzzle = puzzle;
    this.board.shape(puzzle);
    this.answer.again();
    this.play.changed();
    this.refresh();
  }

  #opened() {
    this.zoom = 1;
    this.answer.forget();
    this.play.open();
    this.hands.clear();
    this.hands.cursor = null;
    this.tools.restart(); // what was being drawn was for the puzzle before
    this.tools.choose(null);
    if (!this.play.on) this.tools.resume(this.state.take());
    this.files.show();
  }

  /** Show everything as it is now, once before the next frame. */
  refresh() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.#paint();
    });
  }

  #paint() {
    const { state, hands, tools, answer, show, play } = this;
    const mark = state.puzzle.marks[this.current];
    const loose = state.puzzle.drawings?.[this.loose];
    const drawn = tools.draft ? [...tools.draft.parts, tools.draft.path] : [];
    const chosen = [...(mark ? partsOf(mark) : []), ...(loose ? [drawnCells(loose)] : [])];
    const draft = [...drawn, hands.draws && hands.path ? hands.path : [], ...chosen].filter((cells) => cells.length);
    const { old, lacking, seen } = answer;
    const drafting = Boolean(tools.draft);
    const setting = { answers: answer.answers, lit: answer.lit, show, spare: answer.unneeded };
    const playing = { answers: {}, lit: play.lit, show: "", spare: { givens: [], marks: [] } };
    const options = { seen: $("seen").checked, conflicts: $("conflicts").checked };
    const shown = { struck: play.on ? play.struck : {}, wrong: play.on ? play.wrong : [] };
    this.board.frame(this.zoom, Boolean(tools.draft?.shape.outside));
    const what = { state, old, lacking, hands, draft, drafting, seen, options, play: shown };
    this.board.paint(viewOf({ ...what, ...(play.on ? playing : setting) }));
    this.#keys();
    tools.show();
    answer.show();
    play.show();
    this.marks.show();
    $("undo").disabled = !state.past.length;
    $("redo").disabled = !state.future.length;
    document.title = `${state.puzzle.title || "Untitled"} - satdoku`;
    this.hover(this.hovered);
  }

  #keys() {
    const coloured = this.hands.mode === "colour";
    const values = coloured ? Array.from({ length: COLOURS }, (_, index) => index + 1) : valuesOf(this.state.puzzle);
    for (const each of $("modes").children) {
      each.setAttribute("aria-pressed", String(each.id === this.hands.mode));
      each.hidden = !this.hands.modes.includes(each.id);
      if (each.id === "entered") each.textContent = this.play.on ? "Digit" : MODES.entered;
    }
    if (`${coloured} ${values}` === this.keyed) return;
    this.keyed = `${coloured} ${values}`;
    const digit = (value) => {
      const click = () => (this.hands.put(value), this.refresh());
      const name = `${coloured ? "Colour" : "Digit"} ${value}`;
      const look = coloured ? `colour${value}` : null;
      return h("button", { "aria-label": name, class: look, click }, String(value));
    };
    $("digits").replaceChildren(...(values.length <= MAX_KEYS ? values.map(digit) : []), $("erase"));
    if (!coloured) $("why-value").replaceChildren(...values.map((value) => h("option", { value }, String(value))));
  }

  /** The line under the board: the cell at the pointer, else the one that was selected last. */
  hover(cell) {
    this.hovered = cell;
    $("hover").textContent = this.menu.hint ?? this.board.items.get(cell ?? this.hands.cursor)?.spoken ?? "";
  }

  #controls() {
    const click = (id, action) => on(id, "click", () => (action(), this.refresh()));
    click("undo", () => this.state.undo());
    click("redo", () => this.state.redo());
    click("zoom-in", () => (this.zoom = Math.min(ZOOM.most, this.zoom * ZOOM.step)));
    click("zoom-out", () => (this.zoom = Math.max(ZOOM.least, this.zoom / ZOOM.step)));
    click("erase", () => this.hands.erase());
    for (const [mode, name] of Object.entries(MODES)) {
      $("modes").append(h("button", { id: mode }, name));
      click(mode, () => (this.hands.mode = mode));
    }
    for (const option of ["seen", "conflicts"]) on(option, "change", () => this.refresh());
    on("show", "change", ({ target }) => (this.show = target.value, this.refresh()));
    on("value", "input", ({ target }) => this.tools.setValue(target.value));
    on("value", "keydown", ({ key }) => {
      if (key === "Enter") this.tools.finish();
      else if (key === "Escape") this.tools.choose(null);
      else return;
      $("board").focus();
    });
    on("theme", "change", ({ target }) => {
      document.documentElement.style.colorScheme = target.value;
      localStorage.setItem("satdoku:theme", target.value);
    });
    document.addEventListener("keydown", (event) => this.#shortcut(event));
    const look = () => this.board.dotted && this.refresh(); // other candidates are in sight, or large enough
    document.addEventListener("scroll", look, { capture: true, passive: true });
    for (const target of [window, window.visualViewport].filter(Boolean)) target.addEventListener("resize", look);
  }

  #shortcut(event) {
    const control = event.ctrlKey || event.metaKey;
    const buttons = control ? { z: event.shiftKey ? "redo" : "undo", y: "redo" } : { "+": "zoom-in", "-": "zoom-out" };
    const button = $(buttons[event.key.toLowerCase()]);
    if (event.target.closest("input:not(.swatch), textarea, select") || event.altKey) return;
    const wanted = /^Digit\d$/.test(event.code) || /^[\dzxcv]$/i.test(event.key);
    if (wanted && event.target !== $("board")) this.hands.key(event); // after a click on a button
    if (!button && event.key !== "/") return;
    event.preventDefault();
    if (!button) return $("tool-search").focus();
    button.disabled = false; // it is as it was painted last, perhaps before the last stroke
    button.click();
  }
}

const partsOf = ({ cells = [], lines = [], marks = [] }) => [cells, ...lines, ...marks.flatMap(partsOf)];

try {
  const [kinds, forms] = await Promise.all([json("/kinds"), json("/forms")]);
  await new App(kinds, forms).start();
} catch (error) {
  $("offline").textContent = error.message;
  $("offline").hidden = false;
  throw error;
}

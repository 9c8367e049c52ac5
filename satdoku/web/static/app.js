// The page: it puts state, board, hands, tools, answers and files together.
import { Answer } from "./answer.js";
import { Board } from "./board.js";
import { $, h } from "./dom.js";
import { Files } from "./files.js";
import { Hands, MODES } from "./hands.js";
import { Live } from "./live.js";
import { Marks } from "./marks.js";
import { fresh, valuesOf } from "./puzzle.js";
import { load, recent, State } from "./state.js";
import { Tools } from "./tools.js";
import { NOTHING, viewOf } from "./view.js";

const MAX_KEYS = 36; // buttons for digits; greater values are typed
const ZOOM = { step: 1.25, least: 1, most: 6 };
const MODE_NAMES = { given: "Given", entered: "Try", centre: "Centre", corner: "Corner", narrowed: "Narrow" };
const json = async (address) => (await fetch(address)).json();

class App {
  constructor(kinds, forms) {
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.state = new State();
    this.board = new Board($("board"));
    this.board.shape(this.state.puzzle);
    Object.assign(this, { current: null, pointed: NaN, zoom: 1, show: "candidates", waiting: false });
    this.live = new Live();
    this.tools = new Tools(this, this.kinds);
    this.hands = new Hands(this);
    this.answer = new Answer(this);
    this.files = new Files(this, forms);
    this.marks = new Marks(this);
    this.state.addEventListener("change", () => this.#changed());
    this.state.addEventListener("open", () => this.#opened());
    this.#controls();
  }

  get spare() {
    return this.answer.spare;
  }

  async start() {
    const { puzzle, note } = await json("/start");
    const mine = sessionStorage.getItem("satdoku:work");
    const last = recent()[0]?.id;
    if (mine && load(mine)) await this.state.open(null, mine);
    else if (puzzle) await this.state.open(puzzle);
    else if (!note && last) await this.state.open(null, last);
    else await this.state.open(fresh());
    if (note) this.files.note(note);
    document.documentElement.dataset.ready = "true";
  }

  #changed() {
    const { marks } = this.state.puzzle;
    if (this.current !== null && !marks[this.current]) this.current = null;
    if (this.tools.draft) this.tools.draft.puzzle = this.state.puzzle;
    this.board.shape(this.state.puzzle);
    this.answer.again();
    this.refresh();
  }

  #opened() {
    Object.assign(this, { current: null, zoom: 1 });
    this.hands.clear();
    this.hands.cursor = null;
    this.tools.choose(null);
    this.answer.again(true);
    this.files.show();
  }

  /** Show everything as it is now, once before the next frame. */
  refresh() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.#paint();
    });
  }

  #paint() {
    const { state, hands, tools, answer } = this;
    const mark = state.puzzle.marks[this.pointed] ?? state.puzzle.marks[this.current];
    const dragged = tools.draft && hands.path ? [hands.path] : [];
    const draft = tools.draft || mark
      ? { parts: [...(tools.draft?.parts ?? []), ...dragged, ...(mark ? partsOf(mark) : [])], path: tools.draft?.path ?? [] }
      : null;
    const view = viewOf({
      state, answers: answer.answers, selection: hands, lit: answer.lit, show: this.show, spare: this.spare, draft,
    });
    if (!tools.draft) view.selected = hands.cells;
    this.board.frame(this.zoom, Boolean(tools.draft?.shape.outside));
    this.board.paint(view);
    this.#keys();
    tools.show();
    answer.show();
    this.marks.show();
    $("undo").disabled = !state.past.length;
    $("redo").disabled = !state.future.length;
    const title = state.puzzle.title || "Untitled";
    document.title = `${title} - satdoku`;
    this.hover(this.hovered ?? null);
  }

  #keys() {
    const values = valuesOf(this.state.puzzle);
    const key = String(values);
    if (key !== this.keyed) {
      this.keyed = key;
      const digit = (value) => h("button", { type: "button", "aria-label": `Digit ${value}`, click: () => this.#put(value) }, String(value));
      $("digits").replaceChildren(...(values.length <= MAX_KEYS ? values.map(digit) : []));
      $("why-value").replaceChildren(...values.map((value) => h("option", { value }, String(value))));
    }
    for (const mode of MODES) $(`mode-${mode}`).setAttribute("aria-pressed", String(this.hands.mode === mode));
  }

  #put(value) {
    this.hands.put(value);
    this.refresh();
  }

  setMode(mode) {
    this.hands.mode = mode;
    this.refresh();
  }

  /** A mark of the list: its value can be changed, its cells are shown. */
  chooseMark(index) {
    this.tools.choose(null);
    this.current = index;
    this.refresh();
  }

  point(index) {
    if (Object.is(index, this.pointed)) return;
    this.pointed = index;
    this.refresh();
  }

  /** The line under the board: the cell at the pointer, else the one that was selected last. */
  hover(cell) {
    this.hovered = cell;
    const shown = cell ?? this.hands.cursor;
    const item = this.board.items.get(shown);
    $("hover").textContent = item ? item.spoken : "";
  }

  #controls() {
    const click = (id, action) => $(id).addEventListener("click", action);
    click("undo", () => this.state.undo());
    click("redo", () => this.state.redo());
    click("zoom-in", () => this.#zoom(ZOOM.step));
    click("zoom-out", () => this.#zoom(1 / ZOOM.step));
    click("erase", () => (this.hands.erase(), this.refresh()));
    for (const mode of MODES) {
      $("modes").append(h("button", { type: "button", id: `mode-${mode}`, click: () => this.setMode(mode) }, MODE_NAMES[mode]));
    }
    $("show").addEventListener("change", ({ target }) => {
      this.show = target.value;
      this.refresh();
    });
    $("value").addEventListener("input", ({ target }) => this.tools.setValue(target.value));
    $("value").addEventListener("keydown", ({ key }) => {
      if (key === "Enter") this.#valued();
    });
    $("theme").value = localStorage.getItem("satdoku:theme") ?? "light dark";
    $("theme").addEventListener("change", ({ target }) => {
      localStorage.setItem("satdoku:theme", target.value);
      document.documentElement.style.colorScheme = target.value;
    });
    document.documentElement.style.colorScheme = $("theme").value;
    document.addEventListener("keydown", (event) => this.#shortcut(event));
  }

  /** Enter in the field of the value: a rule of the whole board comes with it; else the board has the keys again. */
  #valued() {
    const { tool } = this.tools;
    if (tool?.kind.shape === "rule" && this.current === null) this.tools.add([{}]);
    $("board").focus();
  }

  #zoom(factor) {
    this.zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, this.zoom * factor));
    this.refresh();
  }

  #shortcut(event) {
    const { target, key } = event;
    const control = event.ctrlKey || event.metaKey;
    const typing = target.closest("input, textarea, select");
    const actions = control
      ? { z: () => (event.shiftKey ? this.state.redo() : this.state.undo()), Z: () => this.state.redo(), y: () => this.state.redo() }
      : { "/": () => $("tool-search").focus(), "+": () => this.#zoom(ZOOM.step), "-": () => this.#zoom(1 / ZOOM.step) };
    if (typing || !actions[key] || event.altKey) return;
    event.preventDefault();
    actions[key]();
  }
}

const partsOf = (mark) => (mark.marks?.length ? mark.marks.flatMap(partsOf) : [mark.cells ?? [], ...(mark.lines ?? [])]);

const [kinds, forms] = await Promise.all([json("/kinds"), json("/forms")]);
const app = new App(kinds, forms);
await app.start();

// The tools, made from the table of kinds: a search field, a button for each kind, and what the chosen one needs.
import { $, h, on } from "./dom.js";
import { icon } from "./board.js";
import { along, drawing, DRAWING_TOOLS, fitted, joined, kindOf } from "./drawn.js";
import { MODES } from "./hands.js";
import { Paints } from "./paints.js";
import { divides, sameMark, valuesOf } from "./puzzle.js";
import { CORNERED, Draft, grown, SHAPES, snapped } from "./shapes.js";

const spaced = (name) => name.replace(/-(?=\w)/g, " ");
/** The kinds that are used most: always in view. */
const COMMON = ["cage", "thermometer", "arrow", "little-killer", "difference", "ratio", "xv", "quadruple", "whispers"]
  .concat("renban", "sandwich", "region");
/** What else the modes of the digits are called in a search. */
const CALLED = { given: ["digit", "clue"], corner: ["corner mark"], centre: ["pencil mark"], colour: ["color"] };

export class Tools {
  tool = null; // a kind under one of its names, perhaps with a value that the name stands for
  draft = null;
  fresh = ""; // the value of the next mark
  looks = {}; // the colours and sizes of the next drawing, by what draws it
  inner = new Set(); // the marks that go into a combination

  /** host: state, hands, `refresh`, and `current` or `loose`, the index of the mark or of the drawing that the fields
   * are about. */
  constructor(host, kinds) {
    Object.assign(this, { host, kinds });
    const preset = (word) => [word.toLowerCase(), word]; // `v` is an XV with a V
    const words = ({ words = [] }) => words.map(preset).filter(([name]) => !kinds.has(name));
    const named = ({ name, presets, ...kind }) => (
      [[name, null], ...Object.entries(presets), ...words(kind.value ?? {})].map(([other, value]) => (
        { kind: { name, ...kind }, name: other, value, hidden: kind.value?.words.includes(value) })));
    const tools = [...kinds.values(), ...DRAWING_TOOLS].filter(({ name }) => name !== "boxes").flatMap(named);
    this.buttons = tools.map((tool) => this.#button(tool));
    for (const [shape, { group }] of Object.entries(SHAPES)) {
      const home = h("div", { class: "chips" });
      for (const each of this.buttons.filter(({ tool }) => tool.kind.shape === shape)) each.home = home;
      $("tool-list").append(h("details", {}, h("summary", {}, group), home));
    }
    const common = COMMON.map((name) => this.buttons.find(({ tool }) => tool.name === name));
    this.buttons = [...common, ...this.buttons.filter((each) => !common.includes(each))];
    this.common = common.map(({ tool }) => this.#button(tool)); // in view whatever is searched
    this.modes = Object.entries(MODES).map((mode) => this.#mode(...mode));
    $("tool-common").append(...this.common.map(({ button }) => button));
    on("tool-search", "input", () => this.#search());
    on("tool-search", "keydown", ({ key }) => key === "Enter" && $("tool-found").firstElementChild?.click());
    on("tool-add", "click", () => this.finish());
    on("tool-done", "click", () => this.choose(null));
    this.paints = new Paints((...painted) => this.#paint(...painted));
    this.#search();
    this.choose(null);
  }

  #button(tool, { kind, name } = tool) {
    const called = [name, ...(name === kind.name ? kind.aliases : [])];
    const names = called.flatMap((each) => [spaced(each), each.replace(/-(?=\w)/g, "")]); // `xsum` is an X-sum
    const letters = () => h("span", { class: "icon-of-kind", "aria-hidden": "true" }, initials(name));
    const look = kind.icon.length && tool.value === null ? icon(kind.icon) : letters();
    const role = kind.shape === "rule" ? { role: "switch", "aria-checked": "false" } : {};
    const click = () => this.choose(tool);
    const button = h("button", { class: "chip", title: kind.sentence, click, ...role },
      look, h("span", { class: "chip-name" }, spaced(name)));
    return { button, tool, names, words: `${names} ${kind.sentence}`.toLowerCase() };
  }

  /** A mode of the digits, which is found by a search as tools are. */
  #mode(mode, name) {
    const names = [name.toLowerCase(), ...(CALLED[mode] ?? [])];
    const click = () => {
      this.choose(null);
      this.host.hands.mode = mode;
      this.host.refresh();
    };
    const button = h("button", { class: "chip", title: "What digits are, under the board", click },
      h("span", { class: "chip-name" }, name));
    return { button, tool: { hidden: true }, names, words: String(names) };
  }

  /** What fits, the best first: the name, a whole word of one, names that begin so, names with a word that begins so,
   * then words of the sentence. */
  #search() {
    const query = spaced($("tool-search").value.trim().toLowerCase());
    const whole = (name) => ` ${name} `.includes(` ${query} `);
    const begins = (name) => whole(name) || name.startsWith(query);
    const tests = [(name) => name === query, whole, begins, (name) => ` ${name}`.includes(` ${query}`)];
    const rank = ({ names }) => tests.filter((test) => !names.some(test)).length;
    const fits = ({ words }) => query.split(/\s+/).every((word) => words.includes(word));
    const all = [...this.buttons, ...this.modes];
    const found = all.filter((each) => fits(each) && (!each.tool.hidden || rank(each) < tests.length));
    for (const { button, home, tool } of this.buttons) if (!tool.hidden) home.append(button);
    found.sort((one, other) => rank(one) - rank(other));
    if (query) $("tool-found").replaceChildren(...found.map(({ button }) => button));
    $("tool-list").hidden = Boolean(query);
  }

  /** The mark that is being drawn, as far as it is; null if there is none. */
  get drawn() { return this.draft?.rest && !this.tool.kind.draws ? this.#valued(this.draft.rest) : null; }

  /** What has to be kept so that drawing can go on; null if nothing is drawn. */
  get begun() {
    if (!this.drawn) return null;
    const { tool, fresh, draft: { parts, path } } = this;
    return { name: tool.name, kind: tool.kind.name, fresh, parts, path };
  }

  /** Go on with what was being drawn when the page was left. */
  resume(begun) {
    const { name, kind, fresh, parts, path } = begun ?? {};
    const found = this.buttons.find(({ tool }) => tool.name === name && tool.kind.name === kind);
    if (found) this.choose(found.tool);
    if (!found || !this.draft) return;
    this.fresh = fresh;
    Object.assign(this.draft, { parts, path, touched: true });
  }

  /** Take up a tool, or lay it down; a rule of the whole board is switched on or off. */
  choose(tool) {
    if (this.drawn) this.#leave();
    const { marks } = this.host.state.puzzle;
    this.tool = tool === this.tool ? null : tool;
    this.fresh = this.tool?.value ?? "";
    this.host.current = this.host.loose = null;
    this.inner.clear();
    this.restart();
    if (this.draft && matchMedia("(max-width: 760px)").matches) scrollTo(0, 0); // to the board, as in style.css
    if (tool?.kind.shape !== "rule") return;
    const left = marks.filter((mark) => mark.kind !== tool.kind.name);
    if (left.length < marks.length) {
      this.tool = null;
      this.host.state.edit({ marks: left });
    } else if (this.tool && !(tool.kind.value?.required && this.fresh === "")) this.add([{}]);
    if (this.tool && tool.kind.value) requestAnimationFrame(() => $("value").focus());
  }

  /** What is being drawn becomes a mark, finished or not. */
  #leave() {
    const { drawn } = this;
    const made = this.draft.enter();
    const { marks } = this.host.state.puzzle;
    if (made.length) this.add(made);
    else this.host.state.edit({ marks: [...marks, drawn] });
  }

  restart() {
    const { shape } = this.tool?.kind ?? {};
    this.draft = shape && SHAPES[shape].parts ? new Draft(shape, this.host.state.puzzle) : null;
    if (this.draft && !this.draft.shape.single) this.draft.path = [...(this.host.hands?.cells ?? [])];
    this.host.hands?.clear(); // what was selected is the beginning of the draft
    this.host.refresh();
  }

  /** The button that adds, or Enter in the field of the value. */
  finish() {
    if (!this.tool || this.chosen) return;
    if (this.draft) return this.add(this.draft.enter());
    if (this.tool.kind.shape === "rule") return this.add([{}]);
    const { marks } = this.host.state.puzzle;
    const [inside, left] = [true, false].map((within) => marks.filter((_, index) => this.inner.has(index) === within));
    this.inner.clear();
    const mark = this.#valued({ marks: inside });
    if (inside.length) this.#enter([...left, mark], mark);
  }

  #valued(parts) {
    return { kind: this.tool.kind.name, ...(this.fresh === "" ? {} : { value: this.fresh }), ...parts };
  }

  /** A click that draws: where a mark lives at corners or edges, one there is about all the cells that meet. */
  tap(cell, point) {
    const { draws, name } = this.tool.kind;
    const cells = this.draft.begun || along(draws) ? null : snapped(name, point, this.host.state.puzzle);
    if (draws && !along(draws)) return this.#draw([(draws !== "cell" && cells) || [cell]]);
    this.add(cells ? this.draft.drag(cells) : this.draft.tap(cell));
  }

  /** Add marks that a draft has made; one that is there is chosen, or goes if it is of one cell and has no value. */
  add(made) {
    const { draws } = this.tool.kind;
    if (draws) return this.#draw(made.flatMap(({ cells }) => (along(draws) ? [cells] : cells.map((cell) => [cell]))));
    let { marks } = this.host.state.puzzle;
    let chosen = null;
    for (const mark of made.map((parts) => this.#valued(parts))) {
      const there = marks.findIndex((other) => sameMark(other, mark));
      const bulb = marks.findIndex((other) => other.kind === mark.kind && String(other.cells) === String(mark.cells));
      if (there >= 0 && this.draft?.shape.single && !this.tool.kind.value) marks = marks.toSpliced(there, 1);
      else if (there >= 0) chosen = marks[there];
      else if (bulb >= 0 && this.tool.kind.shape === "arrow") {
        marks = marks.with(bulb, { ...marks[bulb], lines: [...marks[bulb].lines, ...mark.lines] });
      } else {
        marks = [...(divides(mark) ? room(marks, mark) : marks), mark];
        chosen = mark;
      }
    }
    if (made.length) this.#enter(settled(marks, this.host.state.puzzle), chosen);
    this.host.refresh();
  }

  /** Add a drawing without a rule for each list of cells. */
  #draw(places) {
    const { state, files } = this.host;
    const made = places.map((cells) => drawing(this.tool.kind.draws, cells, this.#look, this.fresh));
    const trouble = made.find((each) => typeof each === "string");
    if (trouble) files.note(trouble, true);
    else if (made.length) state.edit({ drawings: made.reduce(joined, state.puzzle.drawings ?? []) });
    this.host.refresh();
  }

  /** The mark that is chosen, with the cells of a drag that begins in it; null where it does not grow from there. */
  grown(path) {
    const mark = this.host.state.puzzle.marks[this.host.current];
    return mark && !this.draft && !this.host.play.on ? grown(mark, this.kinds.get(mark.kind).shape, path) : null;
  }

  extend(path) {
    const mark = this.grown(path);
    const { host } = this;
    const { marks } = host.state.puzzle;
    const region = divides(mark);
    const after = settled(region ? [...room(marks, mark), mark] : marks.with(host.current, mark), host.state.puzzle);
    this.#enter(after, mark);
  }

  /** The marks as they are after a change, and the one of them that is chosen; none if that has gone. */
  #enter(marks, chosen) {
    this.host.current = marks.includes(chosen) ? marks.indexOf(chosen) : null;
    this.host.loose = null;
    this.host.state.edit({ marks });
    if (this.host.current !== null && this.tool?.kind.value && !matchMedia("(pointer: coarse)").matches) {
      $("value").select();
    }
  }

  /** What the field of the value says: for what was drawn last or is chosen, else for the next one. */
  setValue(raw) {
    const text = raw.trim();
    const kind = this.valued;
    const number = kind.value.form === "number" && /^-?\d+$/.test(text);
    const digits = CORNERED.includes(kind.name) && valuesOf(this.host.state.puzzle).at(-1) < 10;
    const drawn = kind.shape === "drawing";
    const words = drawn ? fitted(text) : text;
    const value = number ? Number(text) : digits ? [...text.matchAll(/\d/g)].join(" ") : words;
    if (!this.chosen) this.fresh = value;
    else if (!this.#unlettered(text)) this.#change({ [drawn ? "text" : "value"]: value }, "value");
  }

  /** Put the focus where what is chosen is edited. */
  focus() {
    const swatches = "#paints fieldset:not([hidden]) .swatch:not([hidden])";
    if (this.valued?.value) $("value").select();
    else (document.querySelector(`${swatches}:checked`) ?? document.querySelector(swatches))?.focus();
  }

  /** Whether the text that is chosen would have no letters: it keeps those that it has until others are typed. */
  #unlettered(text) { return this.chosen?.each.shape === "text" && !text; }

  /** Colours and sizes of what is chosen, else of the next drawing; those with one `merge` are one step of undo. */
  #paint(parts, merge) {
    if (this.chosen) this.#change(parts, merge);
    else this.looks[this.tool.kind.draws] = { ...this.#look, ...parts };
    this.host.refresh();
  }

  /** How the next drawing looks. */
  get #look() { return this.looks[this.tool.kind.draws] ?? this.tool.kind.look; }

  /** Set parts of what is chosen. */
  #change(parts, merge) {
    const { list, index, each } = this.chosen;
    const every = this.host.state.puzzle[list].with(index, { ...each, ...parts });
    this.host.state.edit({ [list]: every }, merge && `${list} ${index} ${merge}`);
  }

  /** Take a mark or a drawing away. */
  remove(list, index) {
    const { host } = this;
    host.current = host.loose = null; // they are places in the lists as these were
    host.state.edit({ [list]: host.state.puzzle[list].toSpliced(index, 1) });
  }

  /** The mark or the drawing whose value, text and colours the fields hold; null if there is none. */
  get chosen() {
    const { current, loose, state: { puzzle: { marks, drawings = [] } } } = this.host;
    if (marks[current]) return { list: "marks", index: current, each: marks[current] };
    return drawings[loose] ? { list: "drawings", index: loose, each: drawings[loose] } : null;
  }

  /** The kind of what the fields are about. */
  get valued() {
    const { list, each } = this.chosen ?? {};
    if (!list) return this.tool?.kind ?? null;
    return list === "marks" ? this.kinds.get(each.kind) : kindOf(each);
  }

  show() {
    const { marks } = this.host.state.puzzle;
    const rules = new Set(marks.map((mark) => mark.kind));
    for (const { button, tool } of [...this.buttons, ...this.common]) {
      const there = tool.kind.shape === "rule" && rules.has(tool.kind.name);
      const state = tool.kind.shape === "rule" ? "aria-checked" : "aria-pressed";
      button.setAttribute(state, String(tool === this.tool || there));
    }
    const { tool, valued: kind } = this;
    $("tool").hidden = !kind;
    if (!kind) return;
    $("tool-add").hidden = !tool || (tool.kind.shape === "rule" && rules.has(tool.kind.name));
    $("tool-name").textContent = spaced(tool?.name ?? kind.name);
    $("tool-sentence").textContent = kind.sentence;
    $("tool-hint").textContent = this.draft?.hint ?? (tool ? SHAPES[kind.shape].hints[0] : SHAPES[kind.shape].grows ?? "");
    for (const id of ["value", "value-label"]) $(id).hidden = !kind.value;
    const each = this.chosen?.each;
    const noun = kind.shape === "drawing" ? "drawing" : "mark";
    const whose = each ? `of this ${noun}` : `for the next ${noun}`;
    if (kind.value) this.#showValue(kind.value, whose, each ? (each.text ?? each.value) : this.fresh);
    this.paints.show(kind, each ?? (kind.paints ? this.#look : {}), whose);
  }

  #showValue({ name = "Value", meaning, default: usual, form, words }, whose, held) {
    const value = String(held ?? "");
    const otherwise = usual === null ? "" : `, ${usual} if left out`;
    $("value-label").textContent = `${name} ${whose}: ${meaning}${otherwise}`;
    $("value").inputMode = form === "number" ? "numeric" : "text";
    $("value-words").replaceChildren(...words.map((word) => h("option", { value: word })));
    const shown = $("value").value.trim();
    if (shown === value || (this.#unlettered(shown) && document.activeElement === $("value"))) return;
    $("value").value = value;
  }
}

const initials = (name) => name.split("-").map((word) => word[0]).join("").slice(0, 3).toUpperCase();

/** A region takes its cells from the others. */
function room(marks, { cells }) {
  const region = ({ kind }) => kind === "region";
  const rest = (mark) => ({ ...mark, cells: mark.cells.filter((cell) => !cells.includes(cell)) });
  return marks.map((mark) => (region(mark) ? rest(mark) : mark)).filter((mark) => !region(mark) || mark.cells.length);
}

/** Regions take the place of boxes once they cover the grid. */
function settled(marks, { rows, columns }) {
  const covered = new Set(marks.flatMap((mark) => (mark.kind === "region" ? mark.cells : [])));
  return covered.size < rows * columns ? marks : marks.filter(({ kind }) => kind !== "boxes");
}

// The tools, made from the table of kinds: a search field, a button for each kind, and what the chosen one needs.
import { $, h } from "./dom.js";
import { divides, sameMark } from "./puzzle.js";
import { Draft, SHAPES } from "./shapes.js";

const said = (name) => name.replaceAll("-", " ");

export class Tools {
  /** host: state, `refresh`, and `current`, the index of the mark that the field of the value is about. */
  constructor(host, kinds) {
    Object.assign(this, { host, kinds, tool: null, draft: null, fresh: "", inner: new Set() });
    this.buttons = [];
    for (const [shape, { group }] of Object.entries(SHAPES)) {
      const known = [...kinds.values()].filter((kind) => kind.shape === shape && kind.name !== "boxes");
      const tools = known.flatMap((kind) => [
        { kind, name: kind.name, value: null },
        ...Object.entries(kind.presets).map(([name, value]) => ({ kind, name, value })),
      ]);
      const home = h("div", { class: "chips" });
      home.append(...tools.map((tool) => this.#button(tool, home)));
      const open = ["cell", "cells", "line", "arrow"].includes(shape);
      $("tool-list").append(h("details", { open }, h("summary", {}, group), home));
    }
    $("tool-search").addEventListener("input", (event) => this.#search(event.target.value));
    $("tool-search").addEventListener("keydown", (event) => {
      if (event.key === "Enter") $("tool-found").firstElementChild?.click();
    });
    $("tool-add").addEventListener("click", () => this.#addClicked());
    $("tool-done").addEventListener("click", () => this.choose(null));
    this.choose(null);
  }

  #button(tool, home) {
    const title = tool.kind.sentence;
    const button = h("button", { type: "button", class: "chip", "aria-pressed": "false", title, click: () => this.choose(tool) });
    button.append(said(tool.name));
    const names = (tool.value === null ? [tool.name, ...tool.kind.aliases] : [tool.name]).map(said);
    this.buttons.push({ button, tool, home, names, words: [...names, tool.kind.sentence].join(" ").toLowerCase() });
    return button;
  }

  /** What fits, the best first: by name, by another name, by the words of the sentence. */
  #search(text) {
    const words = said(text.toLowerCase()).split(/\s+/).filter(Boolean);
    const query = words.join(" ");
    const rank = ({ names, words: all }) => (
      names.includes(query) ? 0 : names.some((name) => name.startsWith(query)) ? 1 : names.some((name) => name.includes(query)) ? 2
        : words.every((word) => all.includes(word)) ? 3 : null);
    const ranked = this.buttons.map((each) => [rank(each), each.button]).filter(([found]) => found !== null);
    ranked.sort(([one], [other]) => one - other);
    this.buttons.forEach(({ button, home }) => home.append(button));
    if (query) $("tool-found").replaceChildren(...ranked.map(([, button]) => button));
    $("tool-list").hidden = Boolean(query);
    $("tool-none").hidden = ranked.length > 0;
  }

  choose(tool) {
    this.tool = tool === this.tool ? null : tool;
    this.fresh = this.tool?.value ?? "";
    this.host.current = null;
    this.inner.clear();
    this.restart();
    const { kind } = this.tool ?? {};
    const there = kind && this.host.state.puzzle.marks.findIndex((mark) => mark.kind === kind.name);
    if (kind?.shape === "rule" && there >= 0) this.host.current = there;
    else if (kind?.shape === "rule" && !(kind.value?.required && this.fresh === "")) this.add([{}]);
    this.host.refresh();
    if (this.tool && kind.value && this.draft === null && kind.shape === "rule") $("value").focus();
  }

  restart() {
    const { shape } = this.tool?.kind ?? {};
    this.draft = shape && SHAPES[shape].parts ? new Draft(shape, this.host.state.puzzle) : null;
    const cells = this.host.hands?.cells ?? [];
    if (this.draft && !this.draft.shape.single) this.draft.path = [...cells]; // what is selected is the beginning
    this.host.hands?.clear();
    this.host.refresh();
  }

  #addClicked() {
    if (this.draft) return this.add(this.draft.enter());
    const { marks } = this.host.state.puzzle;
    if (this.tool.kind.shape === "rule") return this.add([{}]);
    const inner = [...this.inner].map((index) => marks[index]);
    if (!inner.length) return;
    const left = marks.filter((_, index) => !this.inner.has(index));
    this.inner.clear();
    this.#enter([...left, this.#valued({ kind: this.tool.kind.name, marks: inner })], left.length);
  }

  #valued(mark) {
    return this.fresh === "" ? mark : { ...mark, value: this.fresh };
  }

  /** Add marks that a draft has made; a mark of one cell that is there already goes instead. */
  add(made) {
    let { marks } = this.host.state.puzzle;
    let current = null;
    for (const parts of made.filter(Boolean)) {
      const mark = this.#valued({ kind: this.tool.kind.name, ...parts });
      const there = marks.findIndex((other) => sameMark(other, mark));
      const bulb = marks.findIndex((other) => this.#shares(other, mark));
      if (there >= 0 && this.draft?.shape.single && !this.tool.kind.value) {
        marks = marks.filter((_, index) => index !== there);
      } else if (there >= 0) {
        current = there;
      } else if (bulb >= 0) {
        marks = marks.with(bulb, { ...marks[bulb], lines: [...marks[bulb].lines, ...mark.lines] });
      } else {
        marks = this.#room(marks, mark).concat(mark);
        current = marks.length - 1;
      }
    }
    if (made.length) this.#enter(marks, current);
    else this.host.refresh();
  }

  /** Another shaft of an arrow that is there. */
  #shares(other, mark) {
    return this.tool.kind.shape === "arrow" && other.kind === mark.kind && String(other.cells) === String(mark.cells);
  }

  /** A region takes its cells from the others, and takes the place of boxes. */
  #room(marks, mark) {
    if (!divides(mark)) return marks;
    const left = marks.filter((other) => other.kind !== "boxes").map((other) => (
      divides(other) ? { ...other, cells: other.cells.filter((cell) => !mark.cells.includes(cell)) } : other
    ));
    return left.filter((other) => !divides(other) || other.cells.length);
  }

  #enter(marks, current) {
    this.host.current = current;
    this.host.state.edit({ marks });
    const { kind } = this.tool;
    if (current !== null && kind.value && !matchMedia("(pointer: coarse)").matches) $("value").select();
  }

  /** What the field of the value says: for the mark that was drawn last or chosen, else for the next one. */
  setValue(raw) {
    const text = raw.trim();
    const kind = this.valued;
    const value = kind.value.form === "number" && /^-?\d+$/.test(text) ? Number(text) : text;
    const { marks } = this.host.state.puzzle;
    const { current } = this.host;
    if (current === null) {
      this.fresh = value;
      return;
    }
    const { value: _, ...mark } = marks[current];
    const merge = `value ${current} of ${marks.length}`;
    this.host.state.edit({ marks: marks.with(current, text === "" ? mark : { ...mark, value }) }, merge);
  }

  /** The kind whose value the field holds. */
  get valued() {
    const mark = this.host.state.puzzle.marks[this.host.current];
    return mark ? this.kinds.get(mark.kind) : (this.tool?.kind ?? null);
  }

  show() {
    const { current, state } = this.host;
    const marks = state.puzzle.marks;
    for (const { button, tool } of this.buttons) {
      const on = tool.kind.shape === "rule" && marks.some((mark) => mark.kind === tool.name);
      button.setAttribute("aria-pressed", String(tool === this.tool || on));
      button.classList.toggle("active", tool === this.tool);
    }
    const { tool } = this;
    const kind = this.valued;
    $("tool").hidden = !kind;
    $("tool-add").hidden = !tool || (tool.kind.shape === "rule" && marks.some((mark) => mark.kind === tool.kind.name));
    if (!kind) return;
    $("tool-name").textContent = said(tool?.name ?? kind.name);
    $("tool-sentence").textContent = kind.sentence;
    $("tool-hint").textContent = this.draft?.hint ?? (tool ? SHAPES[kind.shape].hints[0] : "");
    $("value-row").hidden = !kind.value;
    if (kind.value) this.#showValue(kind, current === null ? this.fresh : (marks[current].value ?? ""), current);
  }

  #showValue(kind, value, current) {
    const usual = kind.value.default === null ? "" : `, ${kind.value.default} if left out`;
    const whose = current === null ? "for the next mark" : "of this mark";
    $("value-label").textContent = `Value ${whose}: ${kind.value.meaning}${usual}`;
    $("value").inputMode = kind.value.form === "number" ? "numeric" : "text";
    $("value-words").replaceChildren(...kind.value.words.map((word) => h("option", { value: word })));
    if ($("value").value.trim() !== String(value)) $("value").value = value;
  }
}

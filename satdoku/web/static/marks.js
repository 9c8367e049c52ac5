// The list of the marks on the board, and the panel that sets its size, boxes and texts.
import { $, h } from "./dom.js";
import { divides, fresh, inside, markCells, markText, place, rulesText, valuesOf } from "./puzzle.js";

export class Marks {
  constructor(host) {
    this.host = host;
    const { state } = host;
    for (const key of ["title", "author"]) {
      $(key).addEventListener("input", (event) => state.edit({ [key]: event.target.value }, key));
    }
    $("rules").addEventListener("input", (event) => state.edit({ rules: event.target.value }, "rules"));
    $("rules-write").addEventListener("click", () => state.edit({ rules: "" }));
    $("board-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#resize();
    });
    $("mark-list").addEventListener("mouseover", ({ target }) => host.point(Number(target.closest("li")?.dataset.index ?? NaN)));
    $("mark-list").addEventListener("mouseleave", () => host.point(NaN));
    for (const key of ["rows", "columns"]) $(`board-${key}`).addEventListener("input", () => this.#suggest());
    $("new").addEventListener("click", () => {
      const { rows, columns, values, marks } = state.puzzle;
      const boxes = marks.find((mark) => mark.kind === "boxes")?.value ?? null;
      state.open(fresh(rows, columns, values, boxes));
    });
  }

  /** Another size suggests its usual boxes and values. */
  #suggest() {
    const [rows, columns] = ["rows", "columns"].map((key) => Number($(`board-${key}`).value));
    const side = Math.max(rows, columns);
    const high = Array.from({ length: Math.floor(Math.sqrt(side)) }, (_, index) => index + 1);
    const best = high.filter((height) => side % height === 0).at(-1);
    $("board-values").value = `1-${side}`;
    $("board-boxes").value = best > 1 && rows % best === 0 && columns % (side / best) === 0 ? `${best}x${side / best}` : "none";
  }

  /** Set size, values and boxes; what does not fit the new board goes. */
  #resize() {
    const { puzzle, ...notes } = this.host.state.work;
    const [rows, columns] = ["rows", "columns"].map((key) => Number($(`board-${key}`).value));
    const ends = $("board-values").value.match(/^\s*(\d+)\s*-\s*(\d+)\s*$/)?.slice(1).map(Number);
    const boxes = $("board-boxes").value.trim().toLowerCase();
    const sized = { ...puzzle, rows, columns, values: ends ?? [1, Math.max(rows, columns)], solution: undefined };
    const values = valuesOf(sized);
    const known = (value) => (Array.isArray(value) ? value.every(known) : values.includes(value));
    const fits = ([cell, value]) => inside(sized, place(cell)) && known(value);
    const kept = (store) => Object.fromEntries(Object.entries(store ?? {}).filter(fits));
    const resized = rows !== puzzle.rows || columns !== puzzle.columns;
    const stays = (mark) => mark.kind !== "boxes" && !(divides(mark) && (boxes !== "none" || resized))
      && (!resized || markCells(mark).every((cell) => inside(sized, place(cell))));
    const marks = [...(boxes && boxes !== "none" ? [{ kind: "boxes", value: boxes }] : []), ...puzzle.marks.filter(stays)];
    this.host.state.change({
      puzzle: { ...sized, marks, givens: kept(puzzle.givens), candidates: kept(puzzle.candidates) },
      ...Object.fromEntries(Object.entries(notes).map(([key, store]) => [key, kept(store)])),
    });
  }

  show() {
    const { state, kinds } = this.host;
    const { puzzle } = state;
    const values = valuesOf(puzzle);
    const texts = {
      title: puzzle.title ?? "", author: puzzle.author ?? "", rules: puzzle.rules || rulesText(puzzle, kinds),
      "board-rows": puzzle.rows, "board-columns": puzzle.columns, "board-values": `${values[0]}-${values.at(-1)}`,
      "board-boxes": puzzle.marks.find((mark) => mark.kind === "boxes")?.value ?? "none",
    };
    for (const [key, text] of Object.entries(texts)) {
      if (!$("board-form").contains(document.activeElement) || !key.startsWith("board")) $(key).value = text;
    }
    $("rules-write").disabled = !puzzle.rules;
    $("print-title").textContent = texts.title;
    $("print-author").textContent = texts.author && `by ${texts.author}`;
    $("print-rules").textContent = texts.rules;
    this.#list();
  }

  #list() {
    const { marks } = this.host.state.puzzle;
    const listed = marks.map((mark, index) => [mark, index]).filter(([mark]) => mark.kind !== "boxes");
    const { current, tools, spare } = this.host;
    const key = JSON.stringify([listed, current, tools.tool?.name, [...tools.inner], spare]);
    if (key === this.listed) return; // what is under the pointer or has the focus stays
    this.listed = key;
    $("mark-count").textContent = String(listed.length);
    $("mark-none").hidden = listed.length > 0;
    $("mark-list").replaceChildren(...listed.map(([mark, index]) => this.#row(mark, index)));
  }

  #row(mark, index) {
    const { current, tools, spare, state } = this.host;
    const text = markText(mark);
    const ticks = tools.tool?.kind.shape === "marks" && !divides(mark);
    const tick = h("input", {
      type: "checkbox", "aria-label": `${text} goes inside`, checked: tools.inner.has(index),
      change: ({ target }) => tools.inner[target.checked ? "add" : "delete"](index),
    });
    const choose = h("button", {
      type: "button", class: "mark-name", "aria-pressed": String(index === current),
      click: () => this.host.chooseMark(index === current ? null : index),
    }, text);
    const note = spare.marks.includes(index) ? h("span", { class: "tag" }, "not needed") : null;
    const gone = h("button", {
      type: "button", class: "icon", "aria-label": `Delete ${text}`, title: "Delete",
      click: () => state.edit({ marks: dropped(state.puzzle.marks, index) }),
    }, "×");
    return h("li", { "data-index": index }, ticks ? tick : null, choose, note, gone);
  }
}

const dropped = (marks, index) => marks.filter((_, other) => other !== index);

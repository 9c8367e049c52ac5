// The list of the marks on the board, and the panel that sets its size, boxes and texts.
import { $, h, on } from "./dom.js";
import { drawnText } from "./drawn.js";
import { divides, fresh, inside, markCells, markText, place, valuesOf } from "./puzzle.js";

const MAX_LISTED = 100; // drawings; the menu on the board has all of them

export class Marks {
  constructor(host) {
    this.host = host;
    const { state } = host;
    for (const key of ["title", "author", "rules"]) {
      on(key, "input", ({ target }) => state.edit({ [key]: target.value }, key));
    }
    on("rules-write", "click", () => state.edit({ rules: "" }));
    on("board-form", "submit", (event) => this.#resize(event));
    on("new", "click", () => {
      const { rows, columns, values, marks } = state.puzzle;
      state.open(fresh(rows, columns, values, marks.find(({ kind }) => kind === "boxes")?.value));
    });
    for (const key of ["rows", "columns"]) on(`board-${key}`, "input", () => this.#suggest());
  }

  get #sides() { return ["board-rows", "board-columns"].map((key) => Number($(key).value)); }

  /** Another size suggests its usual values and boxes. */
  #suggest() {
    const [rows, columns] = this.#sides;
    const side = Math.max(rows, columns);
    let high = Math.floor(Math.sqrt(side));
    while (side % high) high -= 1;
    $("board-values").value = `1-${side}`;
    const fits = high > 1 && rows % high === 0 && columns % (side / high) === 0;
    $("board-boxes").value = fits ? `${high}x${side / high}` : "none";
  }

  /** Set size, values and boxes; what does not fit the new board goes. */
  #resize(event) {
    event.preventDefault();
    const { puzzle } = this.host.state;
    const [rows, columns] = this.#sides;
    const boxes = $("board-boxes").value.trim();
    const ends = $("board-values").value.match(/\d+/g)?.map(Number);
    const sized = { ...puzzle, rows, columns, values: ends, solution: null };
    const values = valuesOf(sized);
    const within = (cell) => inside(sized, place(cell));
    const resized = rows !== puzzle.rows || columns !== puzzle.columns;
    const stays = (mark) => (divides(mark) ? mark.kind !== "boxes" && boxes === "none" : true)
      && (!resized || markCells(mark).every(within));
    const kept = (store) => Object.fromEntries(Object.entries(store).filter(([cell, held]) => (
      within(cell) && [held].flat().every((value) => values.includes(value)))));
    const stores = Object.entries(this.host.state.stores).map(([name, store]) => [name, kept(store)]);
    const { given: givens, narrowed: candidates, ...notes } = Object.fromEntries(stores);
    const division = boxes === "none" ? [] : [{ kind: "boxes", value: boxes }];
    const marks = [...division, ...puzzle.marks.filter(stays)];
    this.host.state.change({ puzzle: { ...sized, marks, givens, candidates }, ...notes });
  }

  show() {
    const { puzzle } = this.host.state;
    const values = valuesOf(puzzle);
    const { title = "", author = "" } = puzzle;
    const texts = { title, author, rules: puzzle.rules || this.host.answer.rules };
    const board = {
      "board-rows": puzzle.rows, "board-columns": puzzle.columns, "board-values": `${values[0]}-${values.at(-1)}`,
      "board-boxes": puzzle.marks.find(({ kind }) => kind === "boxes")?.value ?? "none",
    };
    fill($("board-form").contains(document.activeElement) ? texts : { ...texts, ...board });
    for (const [key, text] of Object.entries(texts)) $(`print-${key}`).textContent = text;
    $("rules-write").disabled = !puzzle.rules;
    this.#list(puzzle.marks);
  }

  #list(marks) {
    const { current, loose: chosen, tools } = this.host;
    const drawings = this.host.state.puzzle.drawings ?? [];
    const { unneeded, lacking, drawn: loose } = this.host.answer;
    const begun = tools.drawn;
    const shown = [marks, current, tools.tool?.name, [...tools.inner], unneeded, [...lacking], begun];
    const key = JSON.stringify([...shown, loose, drawings, chosen]);
    if (key === this.listed) return; // what is under the pointer or has the focus stays
    this.listed = key;
    const rows = marks.map((mark, index) => mark.kind !== "boxes" && this.#row(mark, index)).filter(Boolean);
    $("mark-count").textContent = String(rows.length);
    const drawn = begun && [h("span", {}, markText(begun)), h("small", {}, "is being drawn")];
    if (begun) rows.push(h("li", { class: "waiting" }, ...drawn));
    if (loose.length) rows.push(this.#loose(loose), ...drawings.slice(0, MAX_LISTED).map(this.#drawing, this));
    $("mark-list").replaceChildren(...rows);
  }

  /** What is drawn without a rule, which can go. */
  #loose(drawn) {
    const gone = () => this.host.state.edit({ drawings: [] });
    const icon = { class: "icon", title: "Delete all", "aria-label": "Delete the drawings without a rule", click: gone };
    return h("li", {}, h("span", { class: "soft" }, `Drawn without a rule: ${drawn.join(", ")}`), h("button", icon, "×"));
  }

  #drawing(each, index) {
    const { host } = this;
    const text = drawnText(each);
    const chosen = index === host.loose;
    const gone = () => host.tools.remove("drawings", index);
    const choose = () => {
      host.tools.choose(null);
      host.loose = chosen ? null : index;
    };
    return h("li", {}, h("button", { class: "name", "aria-pressed": String(chosen), click: choose }, text),
      h("button", { class: "icon", title: "Delete", "aria-label": `Delete ${text}`, click: gone }, "×"));
  }

  #row(mark, index) {
    const { host } = this;
    const { inner, tool } = host.tools;
    const text = markText(mark);
    const change = ({ target }) => inner[target.checked ? "add" : "delete"](index);
    const chosen = index === host.current;
    const gone = () => host.tools.remove("marks", index);
    const icon = { class: "icon", title: "Delete", "aria-label": `Delete ${text}`, click: gone };
    const choose = () => {
      host.tools.choose(null);
      host.current = chosen ? null : index; // its value can be changed, its cells are shown
    };
    const lacks = host.answer.lacking.get(index);
    return h("li", { class: lacks ? "waiting" : null },
      tool?.kind.shape === "marks" && !divides(mark)
        && h("input", { type: "checkbox", "aria-label": `${text} goes inside`, checked: inner.has(index), change }),
      h("button", { class: "name", "aria-pressed": String(chosen), click: choose },
        h("span", {}, text), lacks && h("small", {}, lacks)),
      host.answer.unneeded.marks.includes(index) && h("span", { class: "tag" }, "not needed"),
      h("button", icon, "×"));
  }
}

function fill(texts) {
  for (const [key, text] of Object.entries(texts)) if ($(key).value !== String(text)) $(key).value = text;
}

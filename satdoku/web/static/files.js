// In and out: paste, drop or open what satdoku reads; copy or save in any format that it writes; recent work.
import { $, download, h, on } from "./dom.js";
import { picture } from "./picture.js";
import { request } from "./server.js";
import { forget, recent } from "./state.js";

const MAX_BYTES = 1_000_000; // of a text or a file; the server takes no more
/** What the format has no place for. */
const without = ({ headers }) => (headers.get("x-left-out") ? `, which cannot hold ${headers.get("x-left-out")}` : "");
const DRAWN = "satdoku:drawn:"; // answers about drawings, by the text of the puzzle
const isText = ({ media }) => media.startsWith("text/") || media.includes("json");

export class Files {
  constructor(host, forms) {
    Object.assign(this, { host, forms: new Map(forms.map((form) => [form.form, form])) });
    $("form").append(...forms.map(({ form, summary }) => h("option", { value: form }, `${form}: ${summary}`)));
    $("form").value = localStorage.getItem("satdoku:form") ?? "toml";
    on("form", "change", () => localStorage.setItem("satdoku:form", $("form").value));
    on("copy", "click", () => this.#copy($("form").value));
    on("save", "click", () => this.#save($("form").value));
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.hidden = !this.forms.has(button.dataset.copy);
      button.addEventListener("click", () => this.#copy(button.dataset.copy));
    }
    on("print", "click", () => print());
    on("read", "click", () => this.read($("text").value));
    on("file", "change", ({ target }) => this.#take(target));
    document.addEventListener("paste", ({ target, clipboardData }) => {
      if (!target.closest("input, textarea")) this.#take(clipboardData);
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#take(event.dataTransfer);
    });
  }

  #take(data) {
    const [file] = data.files;
    if (file) this.read(file, file.name);
    else if (data.getData) this.read(data.getData("text"));
  }

  /** Read a text or a file; on success it is the puzzle of this tab. What its drawings are is asked where that is open:
   * the answers are kept, and chosen when it is read again. */
  async read(body, name = "", drawn = null) {
    if (body === "") return this.note("There is no text to read.", true);
    if (new Blob([body]).size > MAX_BYTES) return this.note("More than 1 MB: too large to read here.", true);
    this.note("Reading …");
    const headers = {
      ...(name && { "X-Name": encodeURIComponent(name) }),
      ...(drawn && { "X-Drawn": encodeURIComponent(JSON.stringify(drawn)) }),
    };
    const answer = await this.#ask("/read", body, headers);
    const reply = await answer.json();
    $("drawings").replaceChildren();
    if (!answer.ok) return this.note(reply.error, true);
    if (reply.ask) return this.#drawings(reply, body, name);
    const { work, notes } = reply;
    const { satdoku, puzzle, ...digits } = work;
    await this.host.state.open({ ...puzzle, marks: puzzle.marks.map(({ drawing, ...mark }) => mark) }, null, digits);
    $("text").value = "";
    return this.note(["Opened", ...notes].join("; ") + (notes.length ? "" : "."));
  }

  /** What the drawings of a puzzle are, whose rules are only described. */
  async #drawings({ ask, drawn, rules }, body, name) {
    this.note("This puzzle has drawings whose rules are only described in words. What are they?");
    const text = typeof body === "string" ? body : await body.text();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    const key = `${DRAWN}${[...digest].slice(0, 8).join(".")}`;
    const before = JSON.parse(localStorage.getItem(key) ?? "[]");
    const named = (kind) => (kind ? kind.replaceAll("-", " ") : "no rule: decoration, or not listed");
    const option = (kind) => h("option", { value: kind }, named(kind));
    const selects = ask.map(({ kinds }, index) => {
      const select = h("select", { id: `drawing${index}` }, ...["", ...kinds].map(option));
      select.value = before[index] ?? "";
      return select;
    });
    const open = () => {
      const answers = selects.map((select) => select.value);
      localStorage.setItem(key, JSON.stringify(answers));
      return this.read(body, name, answers);
    };
    const rows = ask.flatMap(({ what, cells }, index) => [
      h("label", { for: selects[index].id }, `${what}, the first at ${cells[0].join(" ")}: what are they?`),
      selects[index],
    ]);
    const cancel = () => ($("drawings").replaceChildren(), this.note(""));
    $("drawings").replaceChildren(
      h("p", {}, `It draws ${drawn.join(", ")}.`), h("p", { class: "soft", tabindex: 0 }, rules), ...rows,
      h("button", { click: open }, "Open it so"), h("button", { click: cancel }, "Do not open it"),
    );
    $("drawings").querySelector("select, button").focus();
  }

  async #ask(address, body, headers = {}) {
    try {
      return await request(address, { method: "POST", body, headers });
    } catch {
      return Response.json({ error: "The server does not answer. Start satdoku web again." }, { status: 503 });
    }
  }

  async #write(form) {
    const solution = ["solution", "second"].includes(this.host.show);
    const { state, tools } = this.host;
    const drawn = tools.drawn ? [{ ...tools.drawn, drawing: true }] : [];
    const puzzle = { ...state.puzzle, marks: [...state.puzzle.marks, ...drawn] };
    const { entered, centre, corner, colour } = state.work;
    const work = { satdoku: "page", puzzle, entered, centre, corner, colour };
    const answer = await this.#ask("/write", JSON.stringify({ work, form, solution }));
    if (answer.ok) return answer;
    return this.note((await answer.json()).error, true);
  }

  async #copy(form) {
    if (!isText(this.forms.get(form))) return this.#save(form);
    const answer = await this.#write(form);
    if (!answer) return null;
    $("text").value = (await answer.text()).trim();
    try {
      await navigator.clipboard.writeText($("text").value);
      return this.note(`Copied: ${form}${without(answer)}.`);
    } catch {
      $("text").select();
      return this.note(`The browser does not allow copying: the text is in the field, selected${without(answer)}.`);
    }
  }

  async #save(form) {
    const { media, suffix, board } = this.forms.get(form);
    if (board) return this.#keep(await picture($("board"), media), suffix);
    const begun = Date.now();
    const passed = () => this.note(`Making the ${form} file: ${Math.round((Date.now() - begun) / 1000)} s.`);
    const clock = setInterval(passed, 1000);
    const answer = await this.#write(form).finally(() => clearInterval(clock));
    return answer && this.#keep(await answer.blob(), suffix, without(answer));
  }

  #keep(blob, suffix, left = "") {
    const title = (this.host.state.puzzle.title ?? "").replace(/[^\p{L}\p{N} _-]+/gu, "").trim() || "puzzle";
    const name = `${title}.${suffix}`;
    download(blob, name);
    this.note(`Saved: ${name}${left}.`);
  }

  note(text, bad = false) {
    $("note").textContent = text;
    $("note").classList.toggle("error", bad);
  }

  show() { $("recent").replaceChildren(...recent().map((each) => this.#row(each))); }

  #row({ id, puzzle, time }) {
    const { rows, columns, givens = {}, marks } = puzzle;
    const when = new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const drawn = marks.filter(({ kind }) => kind !== "boxes").length;
    const name = puzzle.title || `${rows}x${columns}, givens: ${Object.keys(givens).length}, marks: ${drawn}`;
    const disabled = id === this.host.state.id;
    const gone = () => (forget(id), this.show());
    const icon = { class: "icon", title: "Forget", "aria-label": `Forget ${name}`, disabled, click: gone };
    return h("li", {},
      h("button", { class: "name", disabled, click: () => this.host.state.open(null, id) },
        h("span", {}, name), h("small", {}, disabled ? "open here" : when)),
      h("button", icon, "×"));
  }
}

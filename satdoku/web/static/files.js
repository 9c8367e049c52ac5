// In and out: paste, drop or open what satdoku reads; copy or save in any format that it writes; recent work.
import { $, download, h } from "./dom.js";
import { rulesText } from "./puzzle.js";
import { forget, recent } from "./state.js";

const MAX_BYTES = 1_000_000; // of a text or a file; the server takes no more

export class Files {
  constructor(host, forms) {
    Object.assign(this, { host, forms });
    const groups = [["Links", ({ link }) => link], ["Texts", ({ link, media }) => !link && isText(media)],
      ["Pictures and proofs", ({ link, media }) => !link && !isText(media)]];
    for (const [name, within] of groups) {
      const options = forms.filter(within).map(({ form, summary }) => h("option", { value: form }, `${form}: ${summary}`));
      $("form").append(h("optgroup", { label: name }, ...options));
    }
    $("form").value = localStorage.getItem("satdoku:form") ?? "sudokupad";
    $("form").addEventListener("change", () => localStorage.setItem("satdoku:form", $("form").value));
    $("copy").addEventListener("click", () => this.#copy($("form").value));
    $("save").addEventListener("click", () => this.#save($("form").value));
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => this.#copy(button.dataset.copy));
    }
    for (const button of document.querySelectorAll("[data-save]")) {
      button.addEventListener("click", () => this.#save(button.dataset.save));
    }
    $("print").addEventListener("click", () => print());
    $("read").addEventListener("click", () => this.read($("text").value));
    $("file").addEventListener("change", ({ target }) => this.#file(target.files[0]));
    document.addEventListener("paste", (event) => this.#pasted(event));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => this.#dropped(event));
    $("open").addEventListener("toggle", () => this.show());
  }

  #pasted(event) {
    if (event.target.closest("input, textarea")) return;
    const { files } = event.clipboardData;
    if (files.length) this.#file(files[0]);
    else this.read(event.clipboardData.getData("text"));
  }

  #dropped(event) {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length) this.#file(files[0]);
    else this.read(event.dataTransfer.getData("text"));
  }

  #file(file) {
    if (file) this.read(file, file.name);
  }

  /** Read a text or a file; on success it is the puzzle of this tab. */
  async read(body, name = "") {
    if (typeof body === "string" && !body.trim()) return this.#note("There is no text to read.", true);
    if ((body.size ?? new Blob([body]).size) > MAX_BYTES) return this.#note("More than 1 MB: too large to read here.", true);
    const headers = name ? { "X-Name": encodeURIComponent(name) } : {};
    const answer = await this.#fetch("/read", { method: "POST", body, headers });
    if (!answer) return null;
    const { puzzle, notes } = await answer.json();
    await this.host.state.open(puzzle);
    $("text").value = "";
    return this.#note(["Opened.", ...(notes ?? [])].join(" "));
  }

  async #fetch(address, options) {
    try {
      const answer = await fetch(address, options);
      if (answer.ok) return answer;
      this.#note((await answer.json()).error, true);
    } catch {
      this.#note("The server does not answer. Start satdoku web again.", true);
    }
    return null;
  }

  #write(form) {
    const { puzzle } = this.host.state;
    const rules = puzzle.rules || rulesText(puzzle, this.host.kinds);
    const body = JSON.stringify({ puzzle: { ...puzzle, rules }, form, solution: this.host.show === "solution" });
    return this.#fetch("/write", { method: "POST", body, headers: { "Content-Type": "application/json" } });
  }

  #known(form) {
    return this.forms.find((each) => each.form === form);
  }

  async #copy(form) {
    const { media } = this.#known(form);
    if (!isText(media)) return this.#save(form);
    const answer = await this.#write(form);
    if (!answer) return null;
    const text = (await answer.text()).trim();
    $("text").value = text;
    try {
      await navigator.clipboard.writeText(text);
      return this.#note(`Copied: ${form}.`);
    } catch {
      $("text").select();
      return this.#note("The browser does not allow copying: the text is in the field, selected.");
    }
  }

  async #save(form) {
    const answer = await this.#write(form);
    if (!answer) return;
    const name = (this.host.state.puzzle.title || "puzzle").replace(/[^\p{L}\p{N} _-]+/gu, "").trim() || "puzzle";
    download(await answer.blob(), `${name}.${this.#known(form).suffix}`);
    this.#note(`Saved: ${name}.${this.#known(form).suffix}.`);
  }

  #note(text, bad = false) {
    $("note").textContent = text;
    $("note").classList.toggle("error", bad);
  }

  note(text) {
    this.#note(text);
  }

  show() {
    const rows = recent().map(({ id, puzzle, time }) => {
      const when = new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      const marks = puzzle.marks.length - 1;
      const name = puzzle.title || `${puzzle.rows}x${puzzle.columns}, ${Object.keys(puzzle.givens ?? {}).length} givens, ${marks} marks`;
      const here = id === this.host.state.id;
      return h("li", {},
        h("button", { type: "button", class: "mark-name", disabled: here, click: () => this.host.state.open(null, id) },
          h("span", {}, name), h("small", {}, here ? "open here" : when)),
        h("button", { type: "button", class: "icon", "aria-label": `Forget ${name}`, title: "Forget", disabled: here,
          click: () => { forget(id); this.show(); } }, "×"));
    });
    $("recent").replaceChildren(...rows);
    $("recent-none").hidden = rows.length > 0;
  }
}

const isText = (media) => media.startsWith("text/") || media.includes("json");

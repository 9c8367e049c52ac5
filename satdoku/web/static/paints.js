// The fields for colours, sizes and the layer of a drawing: colours at hand, any other, none where it is still seen.
import { $, h } from "./dom.js";
import { shade } from "./board.js";
import { PALETTE } from "./drawn.js";

const MAX_SIZE = 20; // cells

export class Paints {
  /** take: called with fields of a drawing, and the name under which changes in a row are one, while it is dragged. */
  constructor(take) {
    this.take = take;
    this.sets = ["fill", "tint"].map((key) => this.#set(key, take));
    this.sizes = h("div", { class: "row" });
    const change = ({ target: { checked: over } }) => take({ over }, null);
    this.over = h("input", { id: "over", type: "checkbox", change });
    this.layer = h("label", {}, this.over, " Over the lines of the grid");
    $("paints").append(...this.sets.map(({ root }) => root), this.sizes, this.layer);
  }

  #size([name, keys]) {
    const bounds = { type: "number", min: 0, max: MAX_SIZE, step: "any" };
    const input = ({ target: { value, valueAsNumber: size } }) => {
      if (value && size >= 0 && size <= MAX_SIZE) this.take(Object.fromEntries(keys.map((key) => [key, size])), name);
    };
    const field = h("input", { id: `size-${name.toLowerCase()}`, ...bounds, input });
    return { keys, field, root: h("label", {}, `${name} in cells `, field) };
  }

  /** The fields stay as long as what is edited has the same ones: one of them may have the focus. */
  #showSizes(names, look) {
    if (String(Object.keys(names)) !== this.sized) {
      this.sized = String(Object.keys(names));
      this.fields = Object.entries(names).map((each) => this.#size(each));
      this.sizes.replaceChildren(...this.fields.map(({ root }) => root));
    }
    for (const { keys: [key], field } of this.fields) {
      const size = look[key] === undefined ? "" : String(Number(look[key].toFixed(2)));
      if (document.activeElement !== field || Number(field.value) !== Number(size)) field.value = size;
    }
  }

  #set(key, take) {
    const choices = Object.entries({ none: "", ...PALETTE }).map(([name, colour]) => {
      const look = { class: `swatch ${colour ? "" : "none"}`, title: name, "aria-label": name };
      const change = () => take({ [key]: colour }, null);
      const choice = h("input", { type: "radio", name: `paint-${key}`, value: colour, change, ...look });
      if (colour) choice.style.background = shade(colour); // as the board shows it
      return choice;
    });
    const input = ({ target }) => take({ [key]: target.value }, key);
    const other = h("input", { type: "color", class: "swatch", input });
    const name = h("legend");
    const row = h("div", { class: "row" }, ...choices, h("label", {}, "other ", other));
    const root = h("fieldset", { id: `paint-${key}` }, name, row);
    return { key, root, name, choices, other };
  }

  /** Show the colours and sizes that a drawing or the next one has, under the names of those which can be set. */
  show({ paints: names = {}, sizes = {} }, colours, whose) {
    this.#showSizes(sizes, colours);
    this.layer.hidden = colours.over === undefined || colours.shape === "cage"; // of a drawing that is there
    this.over.checked = colours.over === true;
    for (const { key, root, name, choices, other } of this.sets) {
      root.hidden = !names[key];
      if (root.hidden) continue;
      const colour = colours[key] ?? "";
      const seen = Object.keys(names).some((each) => each !== key && colours[each]);
      name.textContent = `${names[key]} ${whose}`;
      for (const choice of choices) choice.checked = choice.value === colour;
      choices[0].hidden = !seen;
      other.value = colour || PALETTE.white;
      other.classList.toggle("chosen", Boolean(colour) && !choices.some(({ checked }) => checked));
    }
  }
}

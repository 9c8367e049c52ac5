// The fields for the colours of a drawing: those at hand, any other, and none where the drawing can still be seen.
import { $, h } from "./dom.js";
import { shade } from "./board.js";
import { PALETTE } from "./drawn.js";

export class Paints {
  /** take: called with the name of a field of drawings, its colour, and whether that is still being dragged. */
  constructor(take) {
    this.sets = ["fill", "tint"].map((key) => this.#set(key, take));
    $("paints").append(...this.sets.map(({ root }) => root));
  }

  #set(key, take) {
    const choices = Object.entries({ none: "", ...PALETTE }).map(([name, colour]) => {
      const look = { class: `swatch ${colour ? "" : "none"}`, title: name, "aria-label": name };
      const change = () => take(key, colour, false);
      const choice = h("input", { type: "radio", name: `paint-${key}`, value: colour, change, ...look });
      if (colour) choice.style.background = shade(colour); // as the board shows it
      return choice;
    });
    const input = ({ target }) => take(key, target.value, true);
    const other = h("input", { type: "color", class: "swatch", input });
    const name = h("legend");
    const row = h("div", { class: "row" }, ...choices, h("label", {}, "other ", other));
    const root = h("fieldset", { id: `paint-${key}` }, name, row);
    return { key, root, name, choices, other };
  }

  /** Show the colours that a drawing or the next one has, under the names of those which can be set. */
  show(names, colours, whose) {
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

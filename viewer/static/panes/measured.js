// The measurements of a study as a list: their values for everybody, screen readers too.

import { el, setFlag } from "./dom.js";
import { read, toolNamed } from "./measure.js";

const WORLD = ["x", "y", "z"];

export class MeasuredList {
  constructor(tools) {
    this.tools = tools;
    this.open = false;
    this.rows = el("ol");
    this.clear = el("button", { type: "button", textContent: "Delete all", onclick: (event) => tools.remove(undefined, event) });
    this.root = el("section", { className: "measured", "aria-label": "Measurements" }, this.rows, this.clear);
    this.listed = "";
  }

  toggle() {
    this.open = !this.open;
    setFlag(this.root, "data-open", this.open);
    return this.open;
  }

  show(state, measured) {
    const lines = measured.map((one) => lineOf(one, state));
    const key = JSON.stringify(lines);
    this.root.hidden = lines.length === 0;
    if (key === this.listed) return;
    this.listed = key;
    const focused = this.#buttons().indexOf(document.activeElement);
    this.rows.replaceChildren(...lines.map((line) => this.#row(line)));
    const buttons = this.#buttons();
    if (focused >= 0) buttons[Math.min(focused, buttons.length - 1)]?.focus();
  }

  #buttons() {
    return [...this.rows.querySelectorAll("button")];
  }

  #row({ id, what, where, value }) {
    return el(
      "li", {},
      el("button", { type: "button", className: "where", title: "Show its slice", onclick: (event) => this.tools.show(id, event) },
        el("b", { textContent: value }), el("span", { textContent: `${what}, ${where}` })),
      el("button", { type: "button", className: "remove", textContent: "×", title: "Delete", "aria-label": `Delete ${what} ${value}`,
        onclick: (event) => this.tools.remove(id, event),
        // The next row's button gets the focus: Enter that is held would press it too.
        onkeydown: (event) => event.repeat && event.key === "Enter" && event.preventDefault() }),
    );
  }
}

export function lineOf(one, state) {
  const { through } = state.rows[one.plane];
  const { value } = read(one);
  return {
    id: one.id,
    what: toolNamed(one.tool).label,
    where: `${one.sequence} ${one.plane} ${WORLD[through]} ${one.points[0][through].toFixed(1)} mm`,
    value: value + onImage(value, one.plane, state),
  };
}

// A patient's side is also an image's side: which one, by the convention that is shown.
function onImage(value, plane, { rows, convention }) {
  const side = /patient's (left|right)/.exec(value)?.[1];
  if (!side) return "";
  const { left } = rows[plane].edges[convention];
  const shown = left === side[0].toUpperCase() ? "left" : "right";
  return ` (image ${shown}, ${convention})`;
}

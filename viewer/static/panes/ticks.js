// Marks on the slice bar: the slices that the model was shown, each a button that goes there.

import { el } from "./dom.js";

export class Ticks {
  constructor(act) {
    this.act = act;
    this.root = el("div", { className: "ticks" });
    this.drawn = "";
  }

  // places of shown.js in the plane of the bar; `count` slices lie along it.
  show(places, count) {
    const key = places.map(({ plane, index, sequences }) => `${plane}${index}${sequences}`).join() + count;
    if (key === this.drawn) return;
    this.drawn = key;
    this.root.replaceChildren(...places.map((place) => this.#tick(place, count)));
  }

  #tick(place, count) {
    const says = `Shown to the model: ${place.plane} ${place.index}, ${place.sequences.join(", ")}`;
    const tick = el("button", {
      type: "button", className: "tick", title: says, "aria-label": says, tabIndex: -1,
      onclick: (event) => this.act(event).place(place),
    });
    tick.style.left = `${((place.index + 0.5) / count) * 100}%`;
    return tick;
  }
}

// "Model input ‹ › 2 of 3": steps through the slices that the model was shown.

import { el, setText } from "./dom.js";
import { Steps } from "./findings.js";
import { neighbour } from "./shown.js";

const KEYS = ["B", "F"];

export class ShownBar {
  constructor(act) {
    this.steps = new Steps("Model input", KEYS, (event, by) => act(event).shown(by));
    this.back = el("button", {
      type: "button", textContent: "×", hidden: true, title: "Mark the present model input again",
      "aria-label": "Mark the present model input again", onclick: (event) => act(event).set({ answer: null }),
    });
    this.root = this.steps.root;
    this.root.append(this.back);
    this.root.classList.add("shown");
  }

  // all: places of shown.js; of: "answer" where they are those of an answer gone to
  show(all, plane, index, of) {
    const at = all.findIndex((place) => place.plane === plane && place.index === index);
    setText(this.steps.name, of === "answer" ? "Answer’s input" : "Model input");
    if (this.back.hidden !== (of !== "answer")) this.back.hidden = of !== "answer";
    this.steps.show({
      ...says(all, at),
      before: all.length > 0 && neighbour(all, plane, index, -1) !== null,
      after: all.length > 0 && neighbour(all, plane, index, 1) !== null,
    });
  }
}

function says(all, at) {
  if (all.length === 0) return { text: "no slice", title: "The model input shows no slice of this study" };
  const many = all.length === 1 ? "1 slice" : `${all.length} slices`;
  if (at < 0) return { text: many, title: "None of them is on the panes now" };
  const { sequences } = all[at];
  const names = sequences.length > 4 ? `${sequences.length} sequences` : sequences.join(", ");
  return { text: `${at + 1} of ${all.length} · ${names}`, title: `This slice was shown of ${sequences.join(", ")}` };
}

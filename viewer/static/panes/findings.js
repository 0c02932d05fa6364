// The row below the slice bar: steps through what there is to look at, and where one is in it.

import { el, setText } from "./dom.js";

export class Steps {
  // name: what is stepped through; keys: [before, after] as the sheet of keys shows them
  constructor(name, keys, go) {
    const button = (textContent, way, by) =>
      el("button", {
        type: "button", textContent, title: `${way} (${keys[by < 0 ? 0 : 1]})`, "aria-label": `${way}: ${name}`,
        onclick: (event) => go(event, by),
      });
    this.name = el("span", { className: "steps-name", textContent: name });
    this.before = button("‹", "Previous", -1);
    this.after = button("›", "Next", 1);
    this.text = el("output", { className: "steps-text" });
    this.root = el(
      "div", { className: "steps", role: "group", "aria-label": name },
      this.name, this.before, this.after, this.text,
    );
  }

  // `before` and `after` say whether there is one that way.
  show({ text, title = "", before, after }) {
    setText(this.text, text);
    if (this.text.title !== title) this.text.title = title;
    if (this.before.disabled !== !before) this.before.disabled = !before;
    if (this.after.disabled !== !after) this.after.disabled = !after;
  }
}

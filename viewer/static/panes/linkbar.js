// "Copy link", and notices: what a link got wrong, and the like.

import { el, setText } from "./dom.js";

const SAID_MS = 2500;
const LABEL = "Copy link";

// write(): brings the address up to date and returns it
export function copyButton(write) {
  const button = el("button", {
    type: "button", className: "copy-link", textContent: LABEL,
    title: "The address of this very view: study, question, input and model by their names, slice, layout, windows, zoom, masks, links between panes and measurements",
    onclick: async () => {
      setText(button, (await copied(write())) ? "Copied" : "Copy it from the address bar");
      setTimeout(() => setText(button, LABEL), SAID_MS);
    },
  });
  button.setAttribute("aria-live", "polite");
  return button;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text); // absent where the page is not served securely
    return true;
  } catch {
    return false;
  }
}

export class Notice {
  constructor() {
    this.sentences = [];
    this.text = el("span");
    const close = el("button", {
      type: "button", textContent: "×", "aria-label": "Close this notice", onclick: () => this.say([]),
    });
    this.root = el("p", { className: "notice", role: "status", hidden: true }, this.text, close);
  }

  say(sentences) {
    this.sentences = sentences;
    setText(this.text, sentences.join(" "));
    this.root.hidden = sentences.length === 0;
  }

  add(sentence) {
    this.say([...this.sentences, sentence]);
  }

  drop(sentence) {
    if (this.sentences.includes(sentence)) this.say(this.sentences.filter((one) => one !== sentence));
  }
}

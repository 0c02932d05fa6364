// The list marks a study at once; the panes have it when the server has answered. Until then they
// stand back, so that nobody takes the study before for the one that is marked.

import { setFlag } from "./dom.js";

const LATE_MS = 60_000;
const LATE = "The study that is marked in the list has not come from the server; the panes do not show it.";

export class Opening {
  // root: of the panes; notice: where it is told that a study does not come
  constructor(root, notice) {
    this.root = root;
    this.notice = notice;
    this.marked = null; // ids
    this.shown = null;
    this.late = null;
    document.addEventListener("study-marked", ({ detail }) => this.#follow({ marked: detail }));
  }

  show(shown) {
    this.#follow({ shown });
  }

  #follow(change) {
    Object.assign(this, change);
    const awaited = this.marked !== null && this.marked !== this.shown;
    clearTimeout(this.late);
    this.notice.drop(LATE);
    setFlag(this.root, "aria-busy", awaited);
    if (awaited) this.late = setTimeout(() => this.#giveUp(), LATE_MS);
  }

  #giveUp() {
    setFlag(this.root, "aria-busy", false);
    this.notice.add(LATE);
  }
}

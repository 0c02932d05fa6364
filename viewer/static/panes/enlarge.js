// A picture of a strip, large: its own pixels, whole times as large, with its caption.
// Any <button class="enlarge"><img></button> inside a .strip opens it, wherever on the page.

import { el, setText } from "./dom.js";
import { finder } from "./keynames.js";

const ROOM = [0.92, 0.74]; // share of the window that the picture may fill at first
const MOST = 16; // times as large

export const PICTURE_KEYS = [
  { keys: ["ArrowLeft", "ArrowUp"], shown: "← →", says: "On an enlarged picture: the one before or after", does: (box) => box.go(-1) },
  { keys: ["ArrowRight", "ArrowDown"], does: (box) => box.go(1) },
  { keys: ["Home"], shown: "Home, End", says: "On an enlarged picture: the first or last", does: (box) => box.go(-Infinity) },
  { keys: ["End"], does: (box) => box.go(Infinity) },
  { keys: ["+", "="], shown: "+ −", says: "On an enlarged picture: larger or smaller", does: (box) => box.resize(1) },
  { keys: ["-"], does: (box) => box.resize(-1) },
];
const pictureKey = finder(PICTURE_KEYS);

// However often it is called, a click is heard once.
export const listenForPictures = () => document.addEventListener("click", enlarge);

let box = null; // one dialog a page, made when it is first wanted

function enlarge(event) {
  const button = event.target.closest?.(".strip .enlarge");
  if (!button) return;
  box ??= new Enlarged();
  box.open([...button.closest(".strip").querySelectorAll(".enlarge")], button);
}

class Enlarged {
  constructor() {
    const button = (textContent, label, onclick) =>
      el("button", { type: "button", textContent, title: label, "aria-label": label, onclick });
    this.picture = el("img", { className: "exact" });
    this.caption = el("h2");
    this.facts = el("p", { role: "status" });
    this.before = button("‹", "Previous picture (←)", () => this.go(-1));
    this.after = button("›", "Next picture (→)", () => this.go(1));
    this.root = el(
      "dialog", { className: "enlarged", "aria-label": "Picture as sent", onkeydown: (event) => this.#key(event) },
      el("header", {}, this.caption, this.before, this.after,
        button("−", "Smaller (−)", () => this.resize(-1)), button("+", "Larger (+)", () => this.resize(1)),
        button("Close", "Close (Esc)", () => this.root.close())),
      (this.frame = el("div", { className: "frame", tabIndex: 0 }, this.picture)),
      this.facts,
    );
    this.root.addEventListener("close", () => this.opener?.focus());
    document.body.append(this.root);
  }

  open(buttons, opener) {
    this.opener = opener;
    this.pictures = buttons.map(pictureOf);
    this.at = buttons.indexOf(opener);
    this.#show();
    this.root.showModal();
    this.frame.focus(); // a button may be switched off, and keys would be lost with its focus
  }

  #show() {
    const { src, size, caption } = this.pictures[this.at];
    const [width, height] = size;
    const [across, down] = [innerWidth * ROOM[0], innerHeight * ROOM[1]];
    this.times = Math.max(1, Math.min(Math.floor(Math.min(across / width, down / height)), MOST));
    this.size = size;
    this.picture.src = src;
    this.picture.alt = caption;
    setText(this.caption, caption);
    this.before.disabled = this.at === 0;
    this.after.disabled = this.at === this.pictures.length - 1;
    this.#measure();
  }

  #measure() {
    const [width, height] = this.size;
    this.picture.style.width = `${width * this.times}px`;
    this.picture.style.height = `${height * this.times}px`;
    const which = this.pictures.length > 1 ? `Picture ${this.at + 1} of ${this.pictures.length} · ` : "";
    const times = this.times === 1 ? "one screen pixel each" : `each drawn ${this.times} × ${this.times}`;
    setText(this.facts, `${which}${width} × ${height} pixels as sent, ${times}`);
  }

  go(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.pictures.length - 1);
    this.#show();
    if (document.activeElement?.disabled) this.frame.focus();
  }

  resize(by) {
    this.times = Math.min(Math.max(this.times + by, 1), MOST);
    this.#measure();
  }

  #key(event) {
    event.stopPropagation(); // the page below has keys of its own
    const row = pictureKey(event);
    row?.does(this);
    if (row) event.preventDefault();
  }
}

// As it is now: the page puts the next pictures into the same elements.
function pictureOf(button) {
  const image = button.querySelector("img");
  const caption = button.closest("figure")?.querySelector("figcaption")?.textContent.trim() ?? "";
  return { src: image.src, size: [image.naturalWidth, image.naturalHeight], caption };
}

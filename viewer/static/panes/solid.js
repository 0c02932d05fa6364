// The 3-D pane: head or brain as of glass, the labels in it, letters that turn along.

import { el, setText } from "./dom.js";
import { whenContextIsLost } from "./graphics.js";
import { arrowRows, finder } from "./keynames.js";
import { Scene, reachOf } from "./scene.js";
import { rgb } from "./shader.js";
import { headShape, labelShape } from "./shapes.js";
import { VIEWS, lettersOf, turned } from "./turntable.js";

const SENTENCES = {
  webgl: "3-D needs WebGL 2, which this browser does not have. The planes beside it work without.",
  lost: "The graphics card gave up on the 3-D view; it is drawn again when the card is back.",
  empty: (name) => `Nothing stands out from the background of ${name}; choose another sequence.`,
};
const LETTER_RADIUS = 0.46; // share of the pane's shorter side
const MARGIN = 1.18; // the head's reach fits this many times into the shorter side
const DEGREES = 0.5; // a pixel of drag
const KEY_DEGREES = 10;
const QUIET_MS = 90; // slices that are scrolled come first: the crosshair follows when they rest
const ZOOM = [0.5, 8];

export const TURN_KEYS = arrowRows("", "Arrows", "On the 3-D view: turn it by ten degrees", ([right, down], solid) =>
  solid.turn(right * KEY_DEGREES, -down * KEY_DEGREES));
const turnKey = finder(TURN_KEYS);

export class Solid {
  // hooks: expand(), which shows this pane alone, and back
  constructor(hooks) {
    this.view = { ...VIEWS[0], zoom: 1 };
    this.scene = null;
    this.lost = false; // whether the graphics card took the canvas's context away
    this.seen = null; // what is asked for: { volume, name, labels, entries, hidden, mm }
    this.heads = new WeakMap(); // volume -> shape
    this.shapes = new WeakMap(); // label map -> Map(value -> shape)
    this.canvas = el("canvas", { className: "solid-canvas", tabIndex: 0, role: "img",
      "aria-label": "Brain and tumor in 3-D; drag or the arrow keys turn it" });
    this.letters = new Map(lettersOf(this.view).map(({ letter }) =>
      [letter, el("span", { className: "solid-letter", textContent: letter })]));
    this.message = el("p", { className: "solid-message", role: "status" });
    const from = VIEWS.map(({ name, turn, tilt }) => el("button", {
      type: "button", textContent: name, title: `Seen from the patient’s ${name.toLowerCase()}`,
      onclick: () => this.#look({ turn, tilt }),
    }));
    this.root = el("section", { className: "solid", hidden: true, "aria-label": "3-D" },
      this.canvas, ...this.letters.values(), this.message,
      el("div", { className: "solid-views", role: "group", "aria-label": "Seen from" }, ...from));
    this.#listen(hooks);
  }

  // null: the pane is not on the screen
  show(seen) {
    this.root.hidden = !seen;
    if (!seen) return;
    const same = this.seen && ["volume", "labels", "hidden"].every((name) => seen[name] === this.seen[name]);
    this.seen = seen;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#make(), same ? QUIET_MS : 0);
  }

  // Nothing of a study is kept beyond it.
  forget() {
    this.seen = null;
    clearTimeout(this.waiting);
    this.scene?.keepOnly([]);
    setText(this.message, "");
    this.root.dataset.drawn = false; // until the next study's shape is there
  }

  turn(by, up) {
    this.#look(turned(this.view, by, up));
  }

  // The pane as a PNG data URL, drawn now: a canvas keeps its pixels only until they are shown.
  picture() {
    this.#draw();
    return this.canvas.toDataURL("image/png");
  }

  #look(change) {
    Object.assign(this.view, change);
    this.#draw();
  }

  #make() {
    if (this.lost) return this.#say(SENTENCES.lost);
    if (!this.scene && !this.#start()) return this.#say(SENTENCES.webgl);
    const { volume, name } = this.seen;
    if (!volume) return this.#say("");
    if (!this.heads.has(volume)) this.heads.set(volume, headShape(volume));
    this.#say(this.heads.get(volume) ? "" : SENTENCES.empty(name));
    this.#draw();
  }

  #start() {
    try {
      this.scene = Scene.on(this.canvas);
    } catch {
      this.scene = null; // a driver that refuses the shaders
    }
    return this.scene !== null;
  }

  #lose() {
    this.lost = true;
    this.scene = null;
    this.#say(SENTENCES.lost);
  }

  #restore() {
    this.lost = false;
    if (this.seen) this.#make();
  }

  #say(sentence) {
    setText(this.message, sentence);
    this.root.dataset.drawn = sentence === "";
  }

  #draw() {
    const { seen, scene, canvas } = this;
    const head = seen?.volume && this.heads.get(seen.volume);
    if (!scene || !head || this.root.hidden) return;
    this.#fit();
    const short = Math.min(canvas.width, canvas.height);
    const reach = (this.reach = head === this.reachOf ? this.reach : reachOf(head));
    this.reachOf = head;
    const labels = this.#labels();
    scene.keepOnly([head, ...labels.map(({ shape }) => shape)]);
    const pixels = (short / (reach.mm / MARGIN)) * this.view.zoom;
    scene.draw({ view: { ...this.view, middle: reach.middle, pixels }, head, labels, mm: seen.mm });
    this.#place();
  }

  #labels() {
    const { labels, entries, hidden } = this.seen;
    if (!labels) return [];
    if (!this.shapes.has(labels)) this.shapes.set(labels, new Map());
    const made = this.shapes.get(labels);
    const shown = entries.filter(({ name }) => !hidden.has(name));
    return shown.flatMap(({ value, color }) => {
      if (!made.has(value)) made.set(value, labelShape(labels, value));
      const shape = made.get(value);
      return shape ? [{ shape, paint: [...rgb(color), 1] }] : [];
    });
  }

  #fit() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [clientWidth, clientHeight].map((length) => Math.max(1, Math.round(length * ratio)));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
  }

  #place() {
    const radius = Math.min(this.canvas.clientWidth, this.canvas.clientHeight) * LETTER_RADIUS;
    for (const { letter, x, y, behind, shown } of lettersOf(this.view)) {
      const node = this.letters.get(letter);
      node.hidden = !shown;
      node.classList.toggle("behind", behind);
      node.style.translate = `calc(-50% + ${(x * radius).toFixed(1)}px) calc(-50% - ${(y * radius).toFixed(1)}px)`;
    }
  }

  #listen(hooks) {
    const { canvas } = this;
    whenContextIsLost(canvas, () => this.#lose(), () => this.#restore());
    let last = null;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      last = [event.clientX, event.clientY];
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const to = [event.clientX, event.clientY];
      this.turn((last[0] - to[0]) * -DEGREES, (to[1] - last[1]) * DEGREES);
      last = to;
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (last = null));
    canvas.addEventListener("dblclick", () => hooks.expand());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const zoom = this.view.zoom * Math.exp(-event.deltaY / 500);
      this.#look({ zoom: Math.min(Math.max(zoom, ZOOM[0]), ZOOM[1]) });
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const row = turnKey(event);
      if (!row) return;
      event.preventDefault();
      event.stopPropagation(); // where the focus is here, the arrows turn instead of scrolling
      row.does(this);
    });
    new ResizeObserver(() => this.#draw()).observe(canvas);
  }
}

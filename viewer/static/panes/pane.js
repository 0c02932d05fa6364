// One cell of the grid: a canvas, the letters at its edges, its name, its slice and its value.

import { el, setText } from "./dom.js";
import { whenContextIsLost } from "./graphics.js";
import { CONVENTIONS } from "./state.js";
import { Marks } from "./marks.js";
import { nearestIndex, toMm, toVoxel, voxelOffset } from "./grid.js";

const WORLD = ["x", "y", "z"];
const VOXEL = ["i", "j", "k"];
const SIDES = ["left", "right", "top", "bottom"];

export class Pane {
  constructor(cell, hooks) {
    this.cell = cell;
    this.hooks = hooks; // choose(cell, sequence), start(canvas), again(), tools
    this.drawing = null; // a Surface; null while there is none
    this.missing = ["loading"]; // what to say then
    this.canvas = el("canvas", { className: "pane-canvas", tabIndex: -1 });
    this.letters = Object.fromEntries(
      SIDES.map((side) => [side, el("span", { className: `pane-letter ${side}` })]),
    );
    this.name = el("select", {
      className: "pane-name",
      "aria-label": `Sequence of pane ${cell + 1}`,
      onchange: () => hooks.choose(cell, this.name.value),
    });
    this.value = el("span");
    this.label = el("span");
    this.reading = el("span", { className: "pane-reading" }, this.value, this.label);
    this.slice = el("span");
    this.depth = el("span");
    this.sides = el("span"); // the convention, where left and right are on the picture
    this.mine = el("span", { className: "pane-shown", textContent: "model input", hidden: true });
    this.where = el("span", { className: "pane-where" }, this.slice, this.depth, this.sides, this.mine);
    this.message = el("p", { className: "pane-message", role: "status" });
    this.marks = new Marks(hooks.tools);
    this.root = el(
      "section",
      { className: "pane" },
      this.canvas,
      this.marks.root,
      ...Object.values(this.letters),
      this.name,
      this.reading,
      this.where,
      this.message,
    );
    whenContextIsLost(this.canvas, () => this.#lost(), () => this.start());
  }

  async start() {
    try {
      this.drawing = await this.hooks.start(this.canvas);
    } catch (error) {
      this.missing = ["error", `This pane could not start: ${error.message}`];
    }
    this.hooks.again();
  }

  #lost() {
    this.drawing = null;
    this.missing = ["error", "The graphics card gave up on this pane; it is drawn again as soon as the card is back."];
    this.say(...this.missing);
  }

  // The canvas has one pixel a device pixel; returns whether that changed.
  resize() {
    const { clientWidth, clientHeight, width, height } = this.canvas;
    const ratio = window.devicePixelRatio || 1;
    const size = [clientWidth, clientHeight].map((length) => Math.round(length * ratio));
    if (!size[0] || !size[1] || (size[0] === width && size[1] === height)) return false;
    [this.canvas.width, this.canvas.height] = size;
    return true;
  }

  // status: "empty", "loading", "ready" or "error", with its sentence
  say(status, sentence = "") {
    this.root.dataset.status = status;
    setText(this.message, sentence);
  }

  list(names, chosen) {
    if (this.name.options.length !== names.length || [...this.name.options].some((o, i) => o.value !== names[i])) {
      this.name.replaceChildren(...names.map((name) => el("option", { value: name, textContent: name })));
    }
    this.name.value = chosen;
  }

  describe(sequence, plane, edges, convention) {
    for (const side of SIDES) setText(this.letters[side], edges[side]);
    const sided = edges.left === "R" || edges.left === "L";
    setText(this.sides, sided ? convention : "");
    const said = sided ? `, ${CONVENTIONS[convention]}` : "";
    this.root.setAttribute("aria-label", `${sequence}, ${plane}${said}`);
  }

  locate(grid, plane, axis, mm) {
    const index = nearestIndex(grid, axis, mm);
    const voxel = toVoxel(grid, mm);
    voxel[axis] = index;
    const at = toMm(grid, voxel)[axis].toFixed(1);
    const last = grid.dims[axis] - 1;
    setText(this.slice, `${plane} ${VOXEL[axis]} ${index} / ${last}`);
    setText(this.depth, `${WORLD[axis]} ${at} mm`);
  }

  // Whether the model was shown this very slice.
  mark(shown) {
    if (this.mine.hidden === shown) this.mine.hidden = !shown;
  }

  // The value at a point and the label there; labels: { bytes, entries } or null.
  readOut(volume, labels, mm) {
    const offset = mm ? voxelOffset(volume.grid, mm) : -1;
    const label = labels?.entries.find(({ value }) => value === labels.bytes?.[offset]);
    setText(this.value, offset < 0 ? "" : valueAt(volume, offset));
    setText(this.label, label?.name ?? "");
  }
}

// The ends of the copy's range stand for everything beyond them.
function valueAt({ bytes, range }, offset) {
  const share = bytes[offset] / 255;
  const step = (range[1] - range[0]) / 255;
  const digits = Math.max(0, Math.min(5, Math.ceil(-Math.log10(step || 1))));
  const sign = share === 1 ? "≥ " : share === 0 ? "≤ " : "";
  return sign + (range[0] + share * (range[1] - range[0])).toFixed(digits);
}

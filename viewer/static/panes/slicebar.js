// The bar below the panes: which slice, and where the tumor is.

import { el, setText } from "./dom.js";
import { nearestIndex, toMm } from "./grid.js";
import { Ticks } from "./ticks.js";

export class SliceBar {
  constructor(act) {
    this.range = el("input", {
      type: "range", min: 0, max: 0, step: 1, value: 0, disabled: true, "aria-label": "Slice",
      oninput: (event) => act(event).slice(Number(this.range.value)),
    });
    this.picture = el("canvas", { className: "areas", height: 18 });
    this.ticks = new Ticks(act);
    this.text = el("output", { className: "slice-text" });
    const button = (textContent, title, onclick) => el("button", { type: "button", textContent, title, onclick });
    this.root = el(
      "div", { className: "slicebar" },
      el("div", { className: "track" }, this.picture, this.ticks.root, this.range),
      this.text,
      button("Jump to tumor", "The slice with the largest tumor area (J)", (event) => act(event).jump()),
      button("Use this slice", "Make this slice the model's single-slice input", (event) => act(event).use()),
    );
    this.drawn = "";
    this.painted = null; // what is on it, for when its width changes
    this.width = 0; // kept, since to ask for it in every frame would lay the page out each time
    new ResizeObserver(() => this.#resize()).observe(this.picture);
  }

  clear() {
    this.show({ key: "", plane: "", index: 0, count: 0, bars: () => [], places: [] });
  }

  // `key` changes when the bars do. bars() gives [{ color, counts }] per shown label along
  // this axis; places are those that the model was shown (shown.js).
  show({ plane, index, count, bars, places, key }) {
    this.ticks.show(places, count);
    this.range.disabled = count === 0;
    this.range.max = Math.max(count - 1, 0);
    this.range.value = index;
    const spoken = count ? `${plane} slice ${index} of 0 to ${count - 1}` : "";
    this.range.setAttribute("aria-valuetext", spoken);
    setText(this.text, count ? `${index} / ${count - 1}` : "");
    if (this.drawn === `${key} ${count}`) return;
    this.drawn = `${key} ${count}`;
    this.painted = { count, bars: bars() };
    this.#paint(this.painted);
  }

  #resize() {
    this.width = this.picture.clientWidth;
    if (this.painted) this.#paint(this.painted);
  }

  #paint({ count, bars }) {
    const { picture, width } = this;
    picture.width = Math.max(width, 1);
    const context = picture.getContext("2d");
    if (!count) return;
    const total = (slice) => bars.reduce((sum, bar) => sum + (bar.counts[slice] ?? 0), 0);
    const most = Math.max(1, ...Array.from({ length: count }, (_, slice) => total(slice)));
    const step = width / count;
    for (let slice = 0; slice < count; slice++) {
      let base = picture.height;
      for (const { color, counts } of bars) {
        const tall = ((counts[slice] ?? 0) / most) * picture.height;
        context.fillStyle = color;
        context.fillRect(slice * step, base - tall, step + 0.5, tall);
        base -= tall;
      }
    }
  }
}

// The area of each shown label on each slice of a grid: that of the mask's slice at its place.
export function bars(mask, { labels, areas }, grid, axis, hidden) {
  const shown = mask.entries.filter(({ value, name }) => areas.has(value) && !hidden.has(name));
  const from = Array.from({ length: grid.dims[axis] }, (_, index) => sliceOf(labels.grid, grid, axis, index));
  return shown.map(({ value, color }) => {
    const counts = areas.get(value)[axis];
    return { color, counts: from.map((index) => counts[index] ?? 0) };
  });
}

function sliceOf(maskGrid, grid, axis, index) {
  const voxel = grid.dims.map((count) => (count - 1) / 2);
  voxel[axis] = index;
  return nearestIndex(maskGrid, axis, toMm(grid, voxel));
}

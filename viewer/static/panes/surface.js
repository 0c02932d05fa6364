// What every way of drawing a pane shares: its canvas, what is on it, and where points lie.
//
// A way of drawing is a module with `startDrawing(canvas)`, which gives a Surface that has
// setVolume(volume, prepared), setLabels(bytes) and draw(view), and `prepare(volume)`, what it
// needs of a volume beforehand. drawing.js draws with WebGL 2, plain.js without.
//
// view: { plane, row, axis, convention, mm, shown, colors, opacity, outline, crosshair, scale, centre }

import { makeCamera } from "./camera.js";
import { spacing, toTexture } from "./grid.js";

export const CROSSHAIR = { color: [0.36, 0.72, 0.93, 0.75], gap: 9 }; // gap: pixels free in the middle

export class Surface {
  constructor(canvas) {
    this.canvas = canvas;
    this.volume = null;
    this.labels = null; // bytes on the volume's grid
    this.camera = null; // of the last view
    this.drawn = "";
    this.colors = null; // the table of label colours of the last view
  }

  // Aim at a view; whether a picture of it would differ from the one that is on the screen.
  aim(view) {
    const size = [this.canvas.width, this.canvas.height];
    const at = toTexture(this.volume.grid, view.axis, view.mm);
    const { plane, convention, shown, opacity, outline, crosshair, scale, centre, colors } = view;
    const seen = crosshair ? at : at[view.axis];
    const key = String([plane, convention, shown, opacity, outline, crosshair, scale, centre, size, seen]);
    if (key === this.drawn && colors === this.colors) return false;
    this.drawn = key;
    this.colors = colors;
    this.camera = makeCamera(this.volume.grid, view, size);
    return true;
  }

  // World mm under a point of the canvas (CSS pixels), or null outside the volume.
  mmAt(x, y) {
    return this.volume && this.camera ? this.camera.point(x * this.#ratio(), y * this.#ratio()) : null;
  }

  // CSS pixels of a point in world mm.
  placeOf(mm) {
    return this.camera.place(mm).map((pixel) => pixel / this.#ratio());
  }

  // Canvas pixels a millimetre at which the slice just fits the canvas.
  fit(across, down) {
    const { grid } = this.volume;
    const size = spacing(grid).map((mm, axis) => mm * grid.dims[axis]);
    return Math.min(this.canvas.width / size[across], this.canvas.height / size[down]);
  }

  // The four lines of the crosshair, [x, y, x, y] in canvas pixels, free in the middle.
  crosshairLines(mm) {
    const [x, y] = this.camera.place(mm).map((pixel) => Math.floor(pixel) + 0.5);
    const { width, height } = this.canvas;
    const { gap } = CROSSHAIR;
    return [[0, y, x - gap, y], [x + gap, y, width, y], [x, 0, x, y - gap], [x, y + gap, x, height]];
  }

  #ratio() {
    return this.canvas.width / this.canvas.clientWidth;
  }
}

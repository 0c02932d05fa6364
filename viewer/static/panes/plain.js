// A pane without WebGL: the processor colours one slice and the 2-D canvas enlarges it. Where
// there is no graphics card this is several times faster than WebGL in software.

import { clamp } from "./grid.js";
import { LABELS } from "./shader.js";
import { CROSSHAIR, Surface } from "./surface.js";

const OUTLINE = 0.6; // the least opacity of an outline, as in shader.js
const SOFTWARE = { alpha: false, willReadFrequently: true };
const [RED, GREEN, BLUE, ALPHA] = CROSSHAIR.color;
const LINE = `rgb(${RED * 255} ${GREEN * 255} ${BLUE * 255} / ${ALPHA})`;

export const prepare = async () => null;

export const startDrawing = async (canvas) => new PlainSurface(canvas);

class PlainSurface extends Surface {
  constructor(canvas) {
    super(canvas);
    this.context = canvas.getContext("2d", SOFTWARE);
    this.slice = document.createElement("canvas");
    this.sliceContext = this.slice.getContext("2d", SOFTWARE);
    this.table = new Uint32Array(256 * LABELS); // colour of a byte under a label
    this.tableKey = "";
    this.textureBytes = 0;
  }

  setVolume(volume) {
    if (this.volume === volume) return;
    this.drawn = "";
    this.volume = volume;
    this.labels = null;
    if (!volume) this.#clear();
  }

  setLabels(bytes) {
    if (this.labels === bytes) return;
    this.drawn = "";
    this.labels = bytes;
  }

  draw(view) {
    if (!this.volume || !this.aim(view)) return;
    const { context, camera } = this;
    this.#colour(view);
    this.#fill(view);
    this.#clear();
    const [x, y] = camera.step;
    context.setTransform(x, 0, 0, y, camera.origin[0] - x / 2, camera.origin[1] - y / 2);
    context.drawImage(this.slice, 0, 0);
    if (view.crosshair) this.#drawCrosshair(view.mm);
  }

  #clear() {
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.fillStyle = "#000";
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  // The colour of each byte under each label, as the canvas holds it: 0xAABBGGRR.
  #colour({ shown, colors, opacity, outline }) {
    const key = String([shown, opacity, outline, this.volume.range]);
    if (key === this.tableKey && colors === this.tableColors) return;
    this.tableKey = key;
    this.tableColors = colors;
    const [low, high] = this.volume.range;
    const grey = (byte) => clamp((low + (byte / 255) * (high - low) - shown[0]) / (shown[1] - shown[0]), 0, 1);
    const greys = Array.from({ length: 256 }, (_, byte) => 255 * grey(byte));
    for (let label = 0; label < LABELS; label++) {
      const [red, green, blue, alpha] = colors.subarray(4 * label, 4 * label + 4);
      const share = label === 0 ? 0 : alpha * (outline ? Math.max(opacity, OUTLINE) : opacity);
      if (label > 0 && share === 0) this.table.copyWithin(256 * label, 0, 256);
      else greys.forEach((value, byte) => {
        const mix = (paint) => Math.round(value + (255 * paint - value) * share);
        this.table[256 * label + byte] = 0xff000000 | (mix(blue) << 16) | (mix(green) << 8) | mix(red);
      });
    }
  }

  // The slice, one pixel a voxel, both axes growing.
  #fill({ row: { across, down, through }, outline }) {
    const { dims } = this.volume.grid;
    const [columns, rows] = [dims[across], dims[down]];
    if (this.slice.width !== columns || this.slice.height !== rows || !this.image) {
      [this.slice.width, this.slice.height] = [columns, rows];
      this.image = this.sliceContext.createImageData(columns, rows);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const strides = [1, dims[0], dims[0] * dims[1]];
    const walk = { first: this.camera.index * strides[through], columns, rows, right: strides[across], up: strides[down] };
    if (!this.labels) paintGrey(this.pixels, this.volume.bytes, this.table, walk);
    else PAINT[outline ? "outlined" : "filled"](this.pixels, this.volume.bytes, this.labels, this.table, walk);
    this.sliceContext.putImageData(this.image, 0, 0);
  }

  #drawCrosshair(mm) {
    const { context } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.strokeStyle = LINE;
    context.lineWidth = 1;
    context.beginPath();
    for (const [x0, y0, x1, y1] of this.crosshairLines(mm)) {
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
    }
    context.stroke();
  }
}

function paintGrey(pixels, bytes, table, { first, columns, rows, right, up }) {
  for (let v = 0, at = 0; v < rows; v++) {
    for (let u = 0, from = first + v * up; u < columns; u++, at++, from += right) pixels[at] = table[bytes[from]];
  }
}

const PAINT = {
  filled(pixels, bytes, labels, table, { first, columns, rows, right, up }) {
    for (let v = 0, at = 0; v < rows; v++) {
      for (let u = 0, from = first + v * up; u < columns; u++, at++, from += right) {
        pixels[at] = table[(Math.min(labels[from], LABELS - 1) << 8) + bytes[from]];
      }
    }
  },
  // A label's voxels that touch another label or none, across or down.
  outlined(pixels, bytes, labels, table, { first, columns, rows, right, up }) {
    const differs = (label, from, inside) => !inside || labels[from] !== label;
    for (let v = 0, at = 0; v < rows; v++) {
      for (let u = 0, from = first + v * up; u < columns; u++, at++, from += right) {
        const label = labels[from];
        const border =
          label !== 0 &&
          (differs(label, from - right, u > 0) || differs(label, from + right, u < columns - 1) ||
            differs(label, from - up, v > 0) || differs(label, from + up, v < rows - 1));
        pixels[at] = table[(border ? Math.min(label, LABELS - 1) << 8 : 0) + bytes[from]];
      }
    }
  },
};

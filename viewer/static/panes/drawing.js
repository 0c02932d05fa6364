// One NiiVue on one canvas. NiiVue holds the textures and the camera; the colours are ours
// (shader.js), and so are mouse and keys.

import { Niivue } from "../niivue/index.js";
import { spacing, toTexture, fromTexture } from "./grid.js";
import { FILLED, OUTLINED } from "./shader.js";

const SLICE_TYPE = { axial: 0, coronal: 1, sagittal: 2 };
const NIIVUE_TEXTURE = { volume: 0, labels: 7 }; // texture units that its shaders read
const CROSSHAIR = { color: [0.36, 0.72, 0.93, 0.75], gap: 9 }; // gap: pixels free in the middle

// `sagittalNoseLeft`: the patient faces the image's left, as in viewer/planes.py.
const OPTIONS = {
  logLevel: "error",
  loadingText: "",
  interactive: false,
  dragAndDropEnabled: false,
  isResizeCanvas: false,
  isOrientationTextVisible: false,
  sagittalNoseLeft: true,
  crosshairWidth: 0,
  backColor: [0, 0, 0, 1],
};

// Slices need neither depth nor a see-through canvas, and both cost time in every frame.
const CONTEXT = { alpha: false, depth: false, stencil: false, antialias: false };

export function hasWebGl() {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

export class Drawing {
  static async on(canvas) {
    canvas.getContext("webgl2", CONTEXT); // the first request decides; NiiVue's gets the same one
    const drawing = new Drawing(canvas);
    await drawing.nv.attachToCanvas(canvas, false);
    drawing.#shade(false);
    return drawing;
  }

  constructor(canvas) {
    this.canvas = canvas;
    this.nv = new Niivue(OPTIONS);
    this.volume = null;
    this.labels = null;
    this.drawn = "";
  }

  // `image` is standInImage(volume.grid); null clears the pane.
  setVolume(volume, image) {
    if (this.volume === volume) return;
    this.drawn = "";
    this.setLabels(null);
    this.nv.volumes = [];
    this.volume = volume;
    if (!volume) return this.nv.drawScene();
    this.nv.addVolume(image);
    this.nv.volumeTexture = this.#upload("volume", this.nv.volumeTexture, volume.grid.dims, volume.bytes);
    const { gl } = this.nv;
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_3D, filter, gl.LINEAR);
    }
  }

  // Label bytes on this volume's own grid, or null.
  setLabels(bytes) {
    if (this.labels === bytes) return;
    this.drawn = "";
    this.labels = bytes;
    const dims = bytes ? this.volume.grid.dims : [1, 1, 1];
    this.nv.drawTexture = this.#upload("labels", this.nv.drawTexture, dims, bytes ?? new Uint8Array(1));
  }

  // view: { plane, axis, convention, mm, shown, colors, opacity, outline, crosshair, zoom, centre }
  draw(view) {
    const { nv, volume } = this;
    if (!volume) return;
    const { grid, range } = volume;
    const width = range[1] - range[0] || 1;
    const at = toTexture(grid, view.axis, view.mm);
    if (!this.#changed(view, at)) return;
    if (view.outline !== this.outlined) this.#shade(view.outline);
    this.#choose("sliceType", SLICE_TYPE[view.plane]);
    this.#choose("isRadiologicalConvention", view.convention === "radiological");
    nv.scene.crosshairPos = at;
    nv.scene.pan2Dxyzmm = this.#camera(view);
    const { gl } = nv;
    nv.customSliceShader.use(gl);
    const contrast = width / (view.shown[1] - view.shown[0]);
    gl.uniform2f(this.uniforms.greyScale, contrast, ((range[0] - view.shown[0]) / width) * contrast);
    gl.uniform1f(this.uniforms.labelOpacity, view.opacity);
    gl.uniform4fv(this.uniforms.labelColors, view.colors);
    nv.drawScene();
    if (view.crosshair) this.#drawCrosshair(at);
  }

  // Whether a picture of this view would differ from the one that is on the screen.
  #changed(view, at) {
    const { plane, convention, shown, opacity, outline, crosshair, zoom, centre } = view;
    const size = [this.canvas.width, this.canvas.height];
    const seen = view.crosshair ? at : at[view.axis];
    const key = String([plane, convention, shown, opacity, outline, crosshair, zoom, centre, size, seen, view.colors]);
    const same = key === this.drawn;
    this.drawn = key;
    return !same;
  }

  // World mm under a point of the canvas (CSS pixels), or null outside the volume.
  mmAt(x, y) {
    if (!this.volume) return null;
    const scale = this.canvas.width / this.canvas.clientWidth;
    const fraction = [...this.nv.canvasPos2frac([x * scale, y * scale])];
    return fraction[0] < 0 ? null : fromTexture(this.volume.grid, fraction);
  }

  // Pixels a millimetre at zoom 1: the slice just fits the canvas.
  fit(across, down) {
    const { grid } = this.volume;
    const size = spacing(grid).map((mm, axis) => mm * grid.dims[axis]);
    return Math.min(this.canvas.width / size[across], this.canvas.height / size[down]);
  }

  // NiiVue shows (x * zoom + pan); this puts `centre` in the middle of the canvas.
  #camera({ zoom, centre, axis }) {
    const { nv } = this;
    const middle = nv.frac2mm([0.5, 0.5, 0.5]);
    const wanted = nv.frac2mm(toTexture(this.volume.grid, axis, centre));
    return [0, 1, 2].map((a) => middle[a] - wanted[a] * zoom).concat(zoom);
  }

  #upload(unit, before, dims, bytes) {
    const { gl } = this.nv;
    const texture = this.nv.r8Tex(before, gl.TEXTURE0 + NIIVUE_TEXTURE[unit], [3, ...dims]);
    gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, ...dims, gl.RED, gl.UNSIGNED_BYTE, bytes);
    return texture;
  }

  #drawCrosshair(at) {
    const { nv } = this;
    const place = nv.frac2canvasPosWithTile(at)?.pos;
    if (!place) return;
    const [x, y] = place.map((pixel) => Math.floor(pixel) + 0.5);
    const { width, height } = this.canvas;
    const { color, gap } = CROSSHAIR;
    nv.gl.viewport(0, 0, width, height);
    for (const line of [[0, y, x - gap, y], [x + gap, y, width, y], [x, 0, x, y - gap], [x, y + gap, x, height]]) {
      nv.drawLine(line, 1, color);
    }
  }

  #choose(option, value) {
    if (this.nv.opts[option] !== value) this.nv.opts[option] = value;
  }

  #shade(outlined) {
    const { nv } = this;
    const images = nv.volumes;
    nv.volumes = []; // so that NiiVue makes no texture anew
    nv.setCustomSliceShader(outlined ? OUTLINED : FILLED);
    nv.volumes = images;
    this.outlined = outlined;
    const { program } = nv.customSliceShader;
    const names = ["greyScale", "labelOpacity", "labelColors"];
    this.uniforms = Object.fromEntries(names.map((name) => [name, nv.gl.getUniformLocation(program, name)]));
  }
}

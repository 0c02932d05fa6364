// One NiiVue on one canvas: a pane drawn with WebGL 2. NiiVue holds the textures and the matrices;
// the colours are ours (shader.js), and so are mouse and keys.

import { Niivue } from "../niivue/index.js";
import { toTexture } from "./grid.js";
import { FILLED, OUTLINED } from "./shader.js";
import { standInImage } from "./standin.js";
import { CROSSHAIR, Surface } from "./surface.js";

const SLICE_TYPE = { axial: 0, coronal: 1, sagittal: 2 };
const NIIVUE_TEXTURE = { volume: 0, labels: 7 }; // texture units that its shaders read

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

export const prepare = (volume) => standInImage(volume.grid);

export async function startDrawing(canvas) {
  canvas.getContext("webgl2", CONTEXT); // the first request decides; NiiVue's gets the same one
  const drawing = new Drawing(canvas);
  await drawing.nv.attachToCanvas(canvas, false);
  drawing.shade(false);
  return drawing;
}

class Drawing extends Surface {
  constructor(canvas) {
    super(canvas);
    this.nv = new Niivue(OPTIONS);
    this.textureBytes = 0; // on the graphics card: what #upload put there
    this.uploaded = { volume: 0, labels: 0 };
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

  draw(view) {
    const { nv, volume } = this;
    if (!volume || !this.aim(view)) return;
    const { grid, range } = volume;
    const width = range[1] - range[0] || 1;
    const at = toTexture(grid, view.axis, view.mm);
    if (view.outline !== this.outlined) this.shade(view.outline);
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
    if (view.crosshair) this.#drawCrosshair(view.mm);
  }

  // NiiVue shows (x * zoom + pan); this puts `centre` in the middle of the canvas.
  #camera({ scale, centre, axis, row }) {
    const { nv } = this;
    const zoom = scale / this.fit(row.across, row.down);
    const middle = nv.frac2mm([0.5, 0.5, 0.5]);
    const wanted = nv.frac2mm(toTexture(this.volume.grid, axis, centre));
    return [0, 1, 2].map((a) => middle[a] - wanted[a] * zoom).concat(zoom);
  }

  #upload(unit, before, dims, bytes) {
    const { gl } = this.nv;
    const texture = this.nv.r8Tex(before, gl.TEXTURE0 + NIIVUE_TEXTURE[unit], [3, ...dims]);
    gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, ...dims, gl.RED, gl.UNSIGNED_BYTE, bytes);
    this.uploaded[unit] = bytes.length;
    this.textureBytes = this.uploaded.volume + this.uploaded.labels;
    return texture;
  }

  #drawCrosshair(mm) {
    const { nv } = this;
    nv.gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    for (const line of this.crosshairLines(mm)) nv.drawLine(line, 1, CROSSHAIR.color);
  }

  #choose(option, value) {
    if (this.nv.opts[option] !== value) this.nv.opts[option] = value;
  }

  shade(outlined) {
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

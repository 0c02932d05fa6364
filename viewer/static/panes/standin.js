// NiiVue as the camera only. It is given an image of 2×2×2 voxels that fills the same box in
// space as the real one, so that it knows where everything is; the real voxels go to the
// graphics card as they came, one byte each. NiiVue's own way makes four bytes of each voxel,
// slice by slice, which takes seconds a volume without a graphics card.

import { NVImage } from "../niivue/index.js";
import { apply } from "./grid.js";

const SIDE = 2;
const OFFSET = 352;

export function standInImage(grid) {
  return NVImage.loadFromUrl({
    url: nifti(grid),
    name: "box.nii",
    cal_min: 0,
    cal_max: 255,
    trustCalMinMax: true,
  });
}

// A NIfTI-1 file of SIDE³ bytes that covers what `grid` covers.
function nifti(grid) {
  const buffer = new ArrayBuffer(OFFSET + SIDE ** 3);
  const view = new DataView(buffer);
  const steps = grid.dims.map((count) => count / SIDE);
  const origin = apply(grid.affine, steps.map((step) => (step - 1) / 2));
  view.setInt32(0, 348, true);
  [3, SIDE, SIDE, SIDE, 1, 1, 1, 1].forEach((n, at) => view.setInt16(40 + 2 * at, n, true));
  view.setInt16(70, 2, true); // uint8
  view.setInt16(72, 8, true);
  view.setFloat32(76, 1, true);
  steps.forEach((step, axis) => {
    const length = Math.hypot(...grid.affine.map((row) => row[axis]));
    view.setFloat32(80 + 4 * axis, step * length, true);
  });
  view.setFloat32(108, OFFSET, true);
  view.setFloat32(112, 1, true);
  view.setUint8(123, 2); // mm
  view.setInt16(254, 1, true); // sform_code
  grid.affine.forEach((row, r) => {
    const line = [...steps.map((step, axis) => row[axis] * step), origin[r]];
    line.forEach((value, c) => view.setFloat32(280 + 16 * r + 4 * c, value, true));
  });
  [0x6e, 0x2b, 0x31].forEach((byte, at) => view.setUint8(344 + at, byte)); // "n+1"
  new Uint8Array(buffer, OFFSET).fill(255);
  return buffer;
}

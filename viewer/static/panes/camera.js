// Where a point of the patient lies on a pane's canvas, and which point lies under a pixel.
// The slice is drawn on its own voxel grid, each axis as long as it is in millimetres, so that
// a tilted grid is shown untilted and its letters name its own axes.

import { nearestIndex, spacing, toMm, toVoxel } from "./grid.js";

const GROWING = ["R", "A", "S"]; // the letter where i, j, k grow; as in viewer/planes.py

// view: { row: a row of viewer/planes.py, convention, mm: on the slice, centre: world mm in the
// middle of the canvas, scale: canvas pixels a mm }; size: [width, height] in canvas pixels
export function makeCamera(grid, view, [width, height]) {
  const { across, down, through, edges } = view.row;
  const { right, bottom } = edges[view.convention];
  const steps = spacing(grid).map((mm) => mm * view.scale);
  const x = (GROWING[across] === right ? 1 : -1) * steps[across];
  const y = (GROWING[down] === bottom ? 1 : -1) * steps[down];
  const middle = toVoxel(grid, view.centre);
  const index = nearestIndex(grid, through, view.mm);
  const origin = [width / 2 - x * middle[across], height / 2 - y * middle[down]];

  return {
    index,
    // Pixels of voxel 0 and of one voxel's step, across and down.
    origin,
    step: [x, y],
    // World mm -> canvas pixels.
    place(mm) {
      const voxel = toVoxel(grid, mm);
      return [origin[0] + x * voxel[across], origin[1] + y * voxel[down]];
    },
    // Canvas pixels -> world mm on the slice that is shown, or null outside the grid.
    point(px, py) {
      const voxel = [0, 0, 0];
      voxel[across] = (px - origin[0]) / x;
      voxel[down] = (py - origin[1]) / y;
      voxel[through] = index;
      const inside = voxel.every((value, axis) => value >= -0.5 && value <= grid.dims[axis] - 0.5);
      return inside ? toMm(grid, voxel) : null;
    },
    // Whether a point lies on the slice that is shown.
    shows: (mm) => Math.abs(toVoxel(grid, mm)[through] - index) <= 0.5,
  };
}

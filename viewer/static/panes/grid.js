// Where voxels lie: a grid is { dims: [ni, nj, nk], affine, inverse } in RAS+ voxels.
// Affines are three rows of four numbers; mm are world millimetres.

export function makeGrid(dims, affine) {
  return { dims, affine, inverse: invert(affine) };
}

export function apply(affine, point) {
  return affine.map((row) => row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3]);
}

export const toMm = (grid, voxel) => apply(grid.affine, voxel);
export const toVoxel = (grid, mm) => apply(grid.inverse, mm);

export function spacing(grid) {
  return [0, 1, 2].map((axis) => Math.hypot(...grid.affine.map((row) => row[axis])));
}

export function centre(grid) {
  return toMm(grid, grid.dims.map((count) => Math.floor(count / 2)));
}

const EDGE = 0.6; // voxels from a voxel's middle to its side, and what a link's decimals lose

// Whether a point lies within the grid.
export function holds(grid, mm) {
  return toVoxel(grid, mm).every((value, axis) => value >= -EDGE && value <= grid.dims[axis] - 1 + EDGE);
}

// The slice of this grid nearest to a point, as an index along one axis.
export function nearestIndex(grid, axis, mm) {
  return clamp(Math.round(toVoxel(grid, mm)[axis]), 0, grid.dims[axis] - 1);
}

// The same point moved along one axis of the grid, so that it lies on slice `index`.
export function onSlice(grid, axis, index, mm) {
  const voxel = toVoxel(grid, mm);
  voxel[axis] = clamp(index, 0, grid.dims[axis] - 1);
  return toMm(grid, voxel);
}

// Texture coordinates (0..1) of a point, its slice axis snapped to the slice's middle.
export function toTexture(grid, axis, mm) {
  const voxel = toVoxel(grid, mm);
  voxel[axis] = nearestIndex(grid, axis, mm);
  return voxel.map((value, a) => (value + 0.5) / grid.dims[a]);
}

export function voxelOffset(grid, mm) {
  const voxel = toVoxel(grid, mm).map(Math.round);
  const inside = voxel.every((value, axis) => value >= 0 && value < grid.dims[axis]);
  return inside ? voxel[0] + grid.dims[0] * (voxel[1] + grid.dims[1] * voxel[2]) : -1;
}

export function sameGrid(a, b) {
  return (
    a.dims.every((count, axis) => count === b.dims[axis]) &&
    a.affine.every((row, r) => row.every((value, c) => Math.abs(value - b.affine[r][c]) < 1e-3))
  );
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

function invert(affine) {
  const [[a, b, c, x], [d, e, f, y], [g, h, i, z]] = affine;
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const linear = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ].map((row) => row.map((value) => value / det));
  return linear.map((row) => [...row, -(row[0] * x + row[1] * y + row[2] * z)]);
}

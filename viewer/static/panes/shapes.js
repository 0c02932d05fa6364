// The shapes that are drawn in 3-D, from what the browser holds already: the head or brain of a
// volume, and each label of a mask. A shape is { points, normals, faces } in world mm.

import { spacing, toMm } from "./grid.js";
import { isosurface } from "./isosurface.js";

const HEAD_MM = 3; // coarse enough for a processor that draws every triangle itself
const LABEL_MM = { large: 2, small: 1 };
const SMALL_VOXELS = 20000; // labels up to this many voxels keep their detail
const TINY_VOXELS = 200; // smoothing would make these vanish
const LEVEL = 0.5;
const MOST_FOREGROUND = 0.6; // share of the volume beyond which it shows air and skull too

// What stands out from the background; null where nothing does.
export function headShape({ bytes, grid }) {
  const coarse = pooled(grid, HEAD_MM, [0, 0, 0], grid.dims, foreground(bytes, grid.dims));
  const solid = filled(coarse);
  return solid ? surface(grid, { ...coarse, field: smooth(smooth(solid, coarse.dims), coarse.dims) }) : null;
}

// One label of a mask; null where no voxel has it.
export function labelShape({ bytes, grid }, value) {
  const box = boxOf(bytes, grid.dims, value);
  if (!box) return null;
  const size = box.count > SMALL_VOXELS ? LABEL_MM.large : LABEL_MM.small;
  const part = pooled(grid, size, box.low, box.high, (at) => (bytes[at] === value ? 1 : 0));
  return surface(grid, { ...part, field: box.count > TINY_VOXELS ? smooth(part.field, part.dims) : part.field });
}

// Per voxel 1 or 0: what differs from the corners, or, in a head with air around it, is brighter.
function foreground(bytes, [ni, nj, nk]) {
  const background = bytes[0];
  let count = 0;
  for (let at = 0; at < bytes.length; at++) count += bytes[at] !== background;
  if (count < MOST_FOREGROUND * ni * nj * nk) return (at) => (bytes[at] === background ? 0 : 1);
  const level = otsu(bytes);
  return (at) => (bytes[at] > level ? 1 : 0);
}

// Otsu's threshold: the level that parts the values into the two most different classes.
function otsu(bytes) {
  const counts = new Float64Array(256);
  for (let at = 0; at < bytes.length; at++) counts[bytes[at]]++;
  const sum = counts.reduce((total, n, value) => total + n * value, 0);
  let [best, level, below, belowSum] = [-1, 0, 0, 0];
  for (let value = 0; value < 255; value++) {
    below += counts[value];
    belowSum += counts[value] * value;
    const above = bytes.length - below;
    if (!below || !above) continue;
    const spread = below * above * (belowSum / below - (sum - belowSum) / above) ** 2;
    if (spread > best) [best, level] = [spread, value];
  }
  return level;
}

// The part from `low` to `high` (exclusive) in blocks of about `size` mm, one empty block around
// it. Block (a, b, c) has its middle at voxel start + (a, b, c) * factor.
function pooled(grid, size, low, high, valueAt) {
  const factor = spacing(grid).map((mm) => Math.max(1, Math.round(size / mm)));
  const dims = [0, 1, 2].map((a) => Math.ceil((high[a] - low[a]) / factor[a]) + 2);
  const field = new Float32Array(dims[0] * dims[1] * dims[2]);
  const share = 1 / (factor[0] * factor[1] * factor[2]);
  const [ni, nj] = grid.dims;
  const blocks = [0, 1, 2].map((a) =>
    Int32Array.from({ length: high[a] - low[a] }, (_, n) => Math.floor(n / factor[a]) + 1));
  for (let k = low[2]; k < high[2]; k++) {
    for (let j = low[1]; j < high[1]; j++) {
      const row = dims[0] * (blocks[1][j - low[1]] + dims[1] * blocks[2][k - low[2]]);
      const from = ni * (j + nj * k);
      for (let i = low[0]; i < high[0]; i++) field[row + blocks[0][i - low[0]]] += valueAt(from + i) * share;
    }
  }
  const start = low.map((value, a) => value + (factor[a] - 1) / 2 - factor[a]);
  return { field, dims, factor, start };
}

// The largest connected part with its holes filled, as 1 and 0; null where there is none.
function filled({ field, dims }) {
  const inside = Uint8Array.from(field, (value) => (value > LEVEL ? 1 : 0));
  const parts = new Int32Array(inside.length); // number of the part that a block is in
  let [largest, most] = [0, 0];
  for (let at = 0, part = 1; at < inside.length; at++) {
    if (!inside[at] || parts[at]) continue;
    const size = spread(inside, 1, parts, part, dims, at);
    if (size > most) [largest, most] = [part, size];
    part++;
  }
  if (most === 0) return null;
  const kept = Uint8Array.from(parts, (part) => (part === largest ? 1 : 0));
  const around = new Int32Array(inside.length);
  spread(kept, 0, around, 1, dims, 0); // the border is empty
  return Float32Array.from(around, (outside) => 1 - outside);
}

// Numbers what hangs together by faces with block `at`, where `values` is `value`; its size.
function spread(values, value, parts, part, [ni, nj, nk], at) {
  const waiting = [at];
  parts[at] = part;
  let size = 0;
  const visit = (next) => {
    if (parts[next] || values[next] !== value) return;
    parts[next] = part;
    waiting.push(next);
  };
  while (waiting.length) {
    const here = waiting.pop();
    size++;
    const [i, j, k] = [here % ni, Math.floor(here / ni) % nj, Math.floor(here / (ni * nj))];
    if (i > 0) visit(here - 1);
    if (i < ni - 1) visit(here + 1);
    if (j > 0) visit(here - ni);
    if (j < nj - 1) visit(here + ni);
    if (k > 0) visit(here - ni * nj);
    if (k < nk - 1) visit(here + ni * nj);
  }
  return size;
}

// Each value with half of its neighbours' along every axis.
function smooth(field, dims) {
  const step = [1, dims[0], dims[0] * dims[1]];
  return step.reduce((before, by) => {
    const after = new Float32Array(before.length);
    for (let at = by; at < before.length - by; at++) {
      after[at] = (before[at - by] + 2 * before[at] + before[at + by]) / 4;
    }
    return after;
  }, field);
}

function boxOf(bytes, [ni, nj, nk], value) {
  const [low, high] = [[ni, nj, nk], [0, 0, 0]];
  let count = 0;
  for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + 1)) {
    count++;
    const voxel = [at % ni, Math.floor(at / ni) % nj, Math.floor(at / (ni * nj))];
    voxel.forEach((n, a) => {
      low[a] = Math.min(low[a], n);
      high[a] = Math.max(high[a], n + 1);
    });
  }
  return count ? { low, high, count } : null;
}

function surface(grid, { field, dims, factor, start }) {
  const { points, faces } = isosurface(field, dims, LEVEL);
  if (faces.length === 0) return null;
  const world = new Float32Array(points.length);
  for (let at = 0; at < points.length; at += 3) {
    world.set(toMm(grid, [0, 1, 2].map((a) => start[a] + points[at + a] * factor[a])), at);
  }
  return { points: world, faces: Uint32Array.from(faces), normals: normalsOf(world, faces) };
}

// Per vertex the sum of its faces' normals, as long as they are large; the shader normalises.
function normalsOf(points, faces) {
  const normals = new Float32Array(points.length);
  for (let at = 0; at < faces.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => 3 * faces[at + n]);
    const u = [0, 1, 2].map((n) => points[b + n] - points[a + n]);
    const v = [0, 1, 2].map((n) => points[c + n] - points[a + n]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const vertex of [a, b, c]) normal.forEach((value, n) => (normals[vertex + n] += value));
  }
  return normals;
}

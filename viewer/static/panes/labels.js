// What a label map says: where each label is, how much of it, and the same labels on another grid.

import { sameGrid, toMm, toVoxel } from "./grid.js";

// Label bytes on `grid`, nearest neighbour; the very same array where the grids agree.
export function onGrid(labels, grid) {
  if (sameGrid(labels.grid, grid)) return labels.bytes;
  const [ni, nj, nk] = grid.dims;
  const [mi, mj, mk] = labels.grid.dims;
  const origin = toVoxel(labels.grid, toMm(grid, [0, 0, 0]));
  const along = [0, 1, 2].map((axis) => {
    const unit = [0, 0, 0];
    unit[axis] = 1;
    return toVoxel(labels.grid, toMm(grid, unit)).map((value, a) => value - origin[a]);
  });
  const result = new Uint8Array(ni * nj * nk);
  let at = 0;
  for (let k = 0; k < nk; k++) {
    for (let j = 0; j < nj; j++) {
      let [x, y, z] = origin.map((value, a) => value + j * along[1][a] + k * along[2][a] + 0.5);
      for (let i = 0; i < ni; i++, at++) {
        const [u, v, w] = [Math.floor(x), Math.floor(y), Math.floor(z)];
        if (u >= 0 && u < mi && v >= 0 && v < mj && w >= 0 && w < mk) {
          result[at] = labels.bytes[u + mi * (v + mj * w)];
        }
        x += along[0][0];
        y += along[0][1];
        z += along[0][2];
      }
    }
  }
  return result;
}

// Per label value, voxels per slice along each axis: Map(value -> [Int32Array i, j, k]).
export function areas(labels) {
  const [ni, nj, nk] = labels.grid.dims;
  const found = new Map();
  let at = 0;
  for (let k = 0; k < nk; k++) {
    for (let j = 0; j < nj; j++) {
      for (let i = 0; i < ni; i++, at++) {
        const value = labels.bytes[at];
        if (value === 0) continue;
        if (!found.has(value)) found.set(value, labels.grid.dims.map((n) => new Int32Array(n)));
        const counts = found.get(value);
        counts[0][i]++;
        counts[1][j]++;
        counts[2][k]++;
      }
    }
  }
  return found;
}

export function millilitres(labels, counts) {
  const [[a, b, c], [d, e, f], [g, h, i]] = labels.grid.affine;
  const voxel = Math.abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g));
  return (counts[0].reduce((sum, n) => sum + n, 0) * voxel) / 1000;
}

// The slice with the most labelled voxels along one axis; the lowest of equals; -1 for none.
export function largestSlice(found, axis) {
  const totals = [...found.values()].map((counts) => counts[axis]);
  if (totals.length === 0) return -1;
  const sum = totals[0].map((_, index) => totals.reduce((all, one) => all + one[index], 0));
  return sum.indexOf(Math.max(...sum));
}

// World mm in the middle of what is labelled on a slice; the slice's middle if nothing is.
export function middleOnSlice(labels, axis, index) {
  const { dims } = labels.grid;
  const strides = [1, dims[0], dims[0] * dims[1]];
  const [a, b] = [0, 1, 2].filter((other) => other !== axis);
  let [count, sumA, sumB] = [0, 0, 0];
  for (let v = 0; v < dims[b]; v++) {
    for (let u = 0; u < dims[a]; u++) {
      if (labels.bytes[index * strides[axis] + u * strides[a] + v * strides[b]] === 0) continue;
      count++;
      sumA += u;
      sumB += v;
    }
  }
  const voxel = [0, 0, 0];
  voxel[axis] = index;
  voxel[a] = count ? Math.round(sumA / count) : Math.floor(dims[a] / 2);
  voxel[b] = count ? Math.round(sumB / count) : Math.floor(dims[b] / 2);
  return toMm(labels.grid, voxel);
}

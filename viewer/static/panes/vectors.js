// Vectors of three numbers, in world millimetres.

export const minus = (a, b) => a.map((value, axis) => value - b[axis]);
export const plus = (a, b, times = 1) => a.map((value, axis) => value + b[axis] * times);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a) => Math.hypot(...a);
export const unit = (a) => a.map((value) => value / (length(a) || 1));
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

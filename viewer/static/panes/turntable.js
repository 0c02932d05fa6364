// From where the patient is seen in 3-D. `turn` is degrees around the patient's long axis (0: the
// face, 90: the patient's right side), `tilt` degrees towards the top. Nothing is ever mirrored.

import { clamp } from "./grid.js";

export const VIEWS = [
  { name: "Front", turn: 0, tilt: 0 },
  { name: "Back", turn: 180, tilt: 0 },
  { name: "Right", turn: 90, tilt: 0 },
  { name: "Left", turn: -90, tilt: 0 },
  { name: "Top", turn: 180, tilt: 90 },
  { name: "Bottom", turn: 0, tilt: -90 },
];

const SIDES = { R: [1, 0, 0], L: [-1, 0, 0], A: [0, 1, 0], P: [0, -1, 0], S: [0, 0, 1], I: [0, 0, -1] };
const SHORTEST = 0.3; // a side that points at the viewer or away has no place for its letter

// The screen's axes in the world: to the right, up, and towards the viewer.
export function axesOf({ turn, tilt }) {
  const [t, p] = [turn, tilt].map((degrees) => (degrees * Math.PI) / 180);
  const right = [-Math.cos(t), Math.sin(t), 0];
  const viewer = [Math.sin(t) * Math.cos(p), Math.cos(t) * Math.cos(p), Math.sin(p)];
  return { right, up: cross(viewer, right), viewer };
}

export function turned({ turn, tilt }, by, up) {
  const around = ((((turn + by + 180) % 360) + 360) % 360) - 180;
  return { turn: around, tilt: clamp(tilt + up, -90, 90) };
}

// Where each letter stands: { letter, x, y } from the middle, -1..1, y upwards, or null; `behind`
// where that side faces away.
export function lettersOf(view) {
  const { right, up, viewer } = axesOf(view);
  return Object.entries(SIDES).map(([letter, side]) => {
    const [x, y] = [dot(right, side), dot(up, side)];
    return { letter, x, y, behind: dot(viewer, side) < -0.2, shown: Math.hypot(x, y) > SHORTEST };
  });
}

export function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

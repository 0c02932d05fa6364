// What a measurement says: pure geometry on world millimetres, true for any voxel size and tilt.
//
// frame: { normal, right }: the unit normal of the slice's plane and the direction in which the
// letter R grows on it. A reading is { value, lines: [[a, b], …], at: where the value stands,
// null for the right end of the first line }.

import { cross, dot, length, minus, plus, unit } from "./vectors.js";

const NO_SHIFT = 0.05; // mm; less than what is shown
const SIDEWAYS = 0.5; // a shift that runs less than this much along left and right has no side

export const TOOLS = [
  { name: "distance", label: "Distance", points: 2, asks: ["one end", "the other end"], reads: distance },
  { name: "angle", label: "Angle", points: 3, asks: ["one end", "the corner", "the other end"], reads: angle },
  {
    name: "diameters",
    label: "Two diameters",
    points: 4,
    asks: ["one end of the longest diameter", "its other end", "one end across it", "the other end across it"],
    reads: diameters,
  },
  {
    name: "midline",
    label: "Midline shift",
    points: 3,
    asks: ["the front end of the falx", "the back end of the falx", "what should lie on the midline"],
    reads: midline,
  },
];

export const toolNamed = (name) => TOOLS.find((tool) => tool.name === name);

// The frame of a plane on a grid; row: a row of viewer/planes.py.
export function frameOf({ affine }, { across, down }) {
  const column = (axis) => affine.map((line) => line[axis]);
  return { normal: unit(cross(column(across), column(down))), right: unit(column(0)) };
}

// What a finished or unfinished measurement shows; value is "" until there are enough points.
export function read({ tool, points, frame }) {
  const { reads, points: wanted } = toolNamed(tool);
  if (points.length >= wanted) return reads(points, frame);
  return { value: "", lines: points.slice(1).map((point, n) => [points[n], point]).slice(0, tool === "diameters" ? 1 : 2), at: points[0] };
}

// What a held tool asks for next, after what was just measured.
export function hint({ tool, pending }, plane, last) {
  if (!tool) return "";
  const { label, asks } = toolNamed(tool);
  if (tool === "midline" && plane === "sagittal") return "Midline shift: choose axial or coronal, a sagittal slice has no left and right";
  const count = pending?.points.length ?? 0;
  const before = count === 0 && last?.tool === tool ? `${read(last).value}. ` : "";
  return `${before}${label}: ${asks[count]} (Esc to leave)`;
}

// The points after one of them was put at `mm`: what is across stays square to the longest.
export function withPoint({ tool, points, frame }, at, mm) {
  const moved = points.map((point, n) => (n === at ? mm : point));
  if (tool !== "diameters" || points.length < 4) return moved;
  if (at < 2) return [moved[0], moved[1], ...across(moved, frame, inside(points, frame))];
  const { share, ends } = inside(moved, frame, at);
  return [moved[0], moved[1], ...across(moved, frame, { share, ends })];
}

function distance([a, b]) {
  return { value: `${length(minus(b, a)).toFixed(1)} mm`, lines: [[a, b]], at: null };
}

function angle([a, corner, b]) {
  const between = Math.acos(Math.min(1, Math.max(-1, dot(unit(minus(a, corner)), unit(minus(b, corner))))));
  return { value: `${((between * 180) / Math.PI).toFixed(1)}°`, lines: [[corner, a], [corner, b]], at: corner };
}

function diameters([a, b, c, d]) {
  const [long, short] = [length(minus(b, a)), length(minus(d, c))].sort((one, other) => other - one);
  const value = `${(long / 10).toFixed(1)} × ${(short / 10).toFixed(1)} cm`;
  return { value, lines: [[a, b], [c, d]], at: null };
}

// Right and left are the patient's: where the letters R and L stand, not where the image's sides are.
function midline([front, back, shifted], { right }) {
  const along = unit(minus(back, front));
  const foot = plus(front, along, dot(minus(shifted, front), along));
  const shift = minus(shifted, foot);
  const mm = length(shift);
  const share = mm < NO_SHIFT ? 0 : dot(shift, right) / mm;
  const side = share > SIDEWAYS ? " to the patient's right" : share < -SIDEWAYS ? " to the patient's left" : "";
  return { value: `${mm.toFixed(1)} mm${side}`, lines: [[front, back], [foot, shifted]], at: shifted };
}

// Where the second diameter crosses the first, as a share of it, and its ends, mm to either side;
// `by` is the point whose crossing counts.
function inside([a, b, ...ends], { normal }, by = 2) {
  const along = unit(minus(b, a));
  const sideways = cross(normal, along);
  const whole = length(minus(b, a)) || 1;
  const point = by === 3 ? ends[1] : ends[0];
  return { share: dot(minus(point, a), along) / whole, ends: ends.map((end) => dot(minus(end, a), sideways)) };
}

function across([a, b], { normal }, { share, ends }) {
  const foot = plus(a, minus(b, a), share);
  const sideways = cross(normal, unit(minus(b, a)));
  return ends.map((mm) => plus(foot, sideways, mm));
}

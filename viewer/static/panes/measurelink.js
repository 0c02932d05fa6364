// A link's measurements: TOOL:PLANE:SEQUENCE:x,y,z,… in world mm, with spaces between. What its
// sides and right angles are is not in the link: the grid of the sequence tells it.

import { holds, toVoxel } from "./grid.js";
import { TOOLS, frameOf, read, toolNamed, withPoint } from "./measure.js";
import { numbers } from "./placelink.js";
import { PLANES, measuredOf } from "./state.js";
import { length, minus } from "./vectors.js";

const MOST = 20; // keeps an address to what browsers and mail programs take
const ON_SLICE = 0.51; // voxels from a slice's middle; half of one, and what the decimals lose
const DECIMALS = [1, 2, 3, 4]; // of a millimetre
const ASKEW = 0.2; // mm; more than the decimals lose

const BETWEEN = new RegExp(` (?=(?:${TOOLS.map(({ name }) => name).join("|")}):)`); // a sequence's name may have spaces

export function readMeasured(text) {
  const items = text.split(BETWEEN);
  const brought = items.length <= MOST ? items.map(readOne) : [null];
  return brought.every(Boolean) ? { brought } : null;
}

function readOne(item) {
  const [name, plane, ...rest] = item.split(":");
  const flat = numbers(rest.pop() ?? "");
  const tool = toolNamed(name);
  const sided = name !== "midline" || plane !== "sagittal";
  if (!tool || !sided || !PLANES.includes(plane) || flat.length !== 3 * tool.points || !flat.every(Number.isFinite)) return null;
  const points = Array.from({ length: tool.points }, (_, n) => flat.slice(3 * n, 3 * n + 3));
  return { tool: name, plane, sequence: rest.join(":"), points };
}

const all = (state) => [...state.brought, ...measuredOf(state)];

export function writeMeasured(state) {
  const text = (one) => `${one.tool}:${one.plane}:${one.sequence}:${short(one).flat().join(",")}`;
  return all(state).slice(-MOST).map(text).join(" ");
}

// Its points with as few decimals as leave its value what it is; without a frame it has none yet.
function short(one) {
  const rounded = DECIMALS.map((places) => one.points.map((mm) => mm.map((value) => Number(value.toFixed(places)))));
  const same = (points) => read({ ...one, points: squared({ ...one, points }) }).value === read(one).value;
  return (one.frame && rounded.find(same)) ?? rounded.at(-1);
}

// What to say where there are more than a link carries.
export function leftOut(state) {
  const count = all(state).length;
  return count > MOST ? [`The link carries the last ${MOST} of ${count} measurements.`] : [];
}

// A link's measurement on the grid that it was made on; null where it lies on no slice of it.
// row: of viewer/planes.py
export function measuredOn(grid, row, { points, ...one }) {
  const depths = points.map((mm) => toVoxel(grid, mm)[row.through]);
  const slice = Math.round(depths.reduce((sum, depth) => sum + depth, 0) / depths.length);
  const onOne = depths.every((depth) => Math.abs(depth - slice) <= ON_SLICE);
  if (!onOne || !points.every((mm) => holds(grid, mm))) return null;
  const placed = { ...one, points, frame: frameOf(grid, row) };
  return { ...placed, points: squared(placed) };
}

// A second diameter is square to the first, whatever a link says.
function squared(one) {
  const square = withPoint(one, 2, one.points[2]);
  return square.some((mm, n) => length(minus(mm, one.points[n])) > ASKEW) ? square : one.points;
}

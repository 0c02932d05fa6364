// Measurements over one pane: an SVG that follows zoom, pan and slice.

import { arrowRows, finder } from "./keynames.js";
import { read, toolNamed } from "./measure.js";

const SVG = "http://www.w3.org/2000/svg";
const LETTER = 7.4; // px: about the width of a letter of a value

// On a handle: does(marks, { id, at }, event).
export const HANDLE_KEYS = [
  ...arrowRows("", "Arrows", "On a point of a measurement: move it by a pixel", (way, marks, handle, event) => marks.nudge(handle, way, 1, event)),
  ...arrowRows("Shift+", "Shift arrows", "On a point of a measurement: by ten pixels", (way, marks, handle, event) => marks.nudge(handle, way, 10, event)),
  { keys: ["Delete", "Backspace"], shown: "Delete", says: "On a point of a measurement: delete it", does: (marks, { id }, event) => marks.tools.remove(id, event) },
];
const handleKey = finder(HANDLE_KEYS);

function svg(tag, attributes = {}, text = "") {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

export class Marks {
  // tools: tools.js
  constructor(tools) {
    this.tools = tools;
    this.shown = []; // the finished ones on the slice that is shown
    this.drawn = "";
    this.root = svg("svg", { class: "pane-marks" });
    this.root.addEventListener("keydown", (event) => this.#key(event));
  }

  // Of `measured` and `pending`, what lies on the slice that `drawing` shows.
  show({ plane, sequence, drawing, measured, pending, active }) {
    const { camera } = drawing;
    const here = (one) => one.plane === plane && one.points.every((point) => camera.shows(point));
    this.shown = measured.filter(here);
    const begun = pending && here(pending) ? [withRubber(pending)] : [];
    const pictures = [...this.shown, ...begun].map((one) => picture(one, drawing, one.sequence === sequence));
    const key = JSON.stringify([pictures, active]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.drawing = drawing;
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.handle : null;
    this.root.replaceChildren(...pictures.map((one) => group(one, active)));
    if (focused) this.root.querySelector(`[data-handle="${focused}"]`)?.focus();
  }

  // One point of a measurement, by pixels of the screen.
  nudge({ id, at }, [right, down], far, event) {
    this.tools.panes.frames.settle(); // from where the nudge before it brought the point
    const one = this.shown.find((made) => made.id === id);
    if (!one) return;
    const [x, y] = this.drawing.placeOf(one.points[at]);
    const mm = this.drawing.mmAt(x + right * far, y + down * far);
    if (mm) this.tools.put({ id, at }, mm, event);
  }

  #key(event) {
    const [id, at] = (event.target.dataset?.handle ?? "").split(":").map(Number);
    const row = id && handleKey(event);
    if (!row) return;
    row.does(this, { id, at }, event);
    event.preventDefault();
    event.stopPropagation();
  }
}

function withRubber({ rubber, ...pending }) {
  return { ...pending, id: 0, points: rubber ? [...pending.points, rubber] : pending.points };
}

// A measurement in CSS pixels of the pane.
export function picture(one, drawing, named) {
  const { value, lines, at } = read(one);
  const { clientWidth } = drawing.canvas;
  const place = (mm) => drawing.placeOf(mm).map((pixel) => Math.round(pixel * 10) / 10);
  return {
    id: one.id,
    label: toolNamed(one.tool).label,
    value: named ? value : "",
    lines: lines.map((line) => line.map(place)),
    points: one.points.map(place),
    text: beside(at === null ? rightmost(lines[0].map(place)) : place(at), value, clientWidth),
  };
}

// Right of a point and above it, but never cut off by the pane's edge.
function beside([x, y], value, width) {
  return [Math.max(4, Math.min(x + 9, width - value.length * LETTER - 4)), Math.max(16, y - 7)];
}

const rightmost = (line) => line.reduce((most, point) => (point[0] > most[0] ? point : most));

function group({ id, label, value, lines, points, text }, active) {
  const root = svg("g", { class: id ? "mark" : "mark pending" });
  for (const kind of ["halo", "line"]) {
    for (const [[x1, y1], [x2, y2]] of lines) root.append(svg("line", { class: kind, x1, y1, x2, y2 }));
  }
  points.forEach(([cx, cy], n) => {
    const handle = { class: "handle", cx, cy, r: 4, "data-handle": `${id}:${n}` };
    const reach = { tabindex: 0, role: "button", "aria-label": `${label} ${value}, point ${n + 1} of ${points.length}; arrows move it, Delete removes it` };
    root.append(svg("circle", { ...handle, ...(active && id ? reach : {}) }));
  });
  if (value) root.append(svg("text", { x: text[0], y: text[1] }, value));
  return root;
}

// Measurements over one pane: an SVG that follows zoom, pan and slice.

import { read, toolNamed } from "./measure.js";

const SVG = "http://www.w3.org/2000/svg";
const LETTER = 7.4; // px: about the width of a letter of a value
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

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

  // Arrows move a handle by a pixel of the screen, with Shift by ten.
  #key(event) {
    const [id, at] = (event.target.dataset?.handle ?? "").split(":").map(Number);
    if (!id) return;
    if (event.key === "Delete" || event.key === "Backspace") this.tools.remove(id, event);
    else if (event.key in ARROWS) {
      const [x, y] = this.drawing.placeOf(this.shown.find((one) => one.id === id).points[at]);
      const far = event.shiftKey ? 10 : 1;
      const mm = this.drawing.mmAt(x + ARROWS[event.key][0] * far, y + ARROWS[event.key][1] * far);
      if (mm) this.tools.put({ id, at }, mm, event);
    } else return;
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

// The panes as one PNG, composed in the browser: pixels, letters, slices, measurements, legend.

import { picture } from "./marks.js";
import { CONVENTIONS, measuredOf, overlayShown } from "./state.js";

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const GAP = 4; // CSS px around a pane
const FOOT = 46; // CSS px for legend, convention and warning
const INK = "#e6ebf2";
const FAINT = "#aab4c2";
const MARK = "#9df5b5";
const WORLD = ["x", "y", "z"];
export const WARNING = "Research use only, not for diagnosis";

// Saves what is on the screen as `<study>_<plane>_<position>.png`.
export function savePanes(panes) {
  if (!panes.lead() || !panes.state.mm) return;
  save(composePanes(panes), fileName(panes));
}

// A canvas of what is on the screen.
export function composePanes(panes) {
  const seen = panes.panes.filter(({ root, drawing }) => !root.hidden && drawing?.volume && drawing.camera);
  const box = panes.grid.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((box.width + 2 * GAP) * ratio);
  canvas.height = Math.round((box.height + 2 * GAP + FOOT) * ratio);
  const context = canvas.getContext("2d", { alpha: false });
  context.scale(ratio, ratio);
  context.fillStyle = "#000";
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const pane of seen) {
    const place = pane.canvas.getBoundingClientRect();
    context.save();
    context.translate(place.left - box.left + GAP, place.top - box.top + GAP);
    context.beginPath();
    context.rect(0, 0, place.width, place.height);
    context.clip();
    panes.redraw(pane.cell);
    context.drawImage(pane.canvas, 0, 0, place.width, place.height);
    drawMarks(context, pane, panes.state);
    drawWords(context, pane, place);
    context.restore();
  }
  context.translate(GAP, GAP + box.height);
  drawFoot(context, panes, box.width);
  return canvas;
}

// Light on a dark halo: a plain letter is lost on some grey or other.
export function write(context, text, x, y, { size = 12, weight = 400, color = INK, align = "left" } = {}) {
  context.font = `${weight} ${size}px ${FONT}`;
  context.textAlign = align;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = "rgb(0 0 0 / 85%)";
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

function drawWords(context, pane, { width, height }) {
  const letter = (side, x, y) => write(context, pane.letters[side].textContent, x, y, { size: 14, weight: 600, align: "center" });
  letter("left", 14, height / 2);
  letter("right", width - 14, height / 2);
  letter("top", width / 2, 13);
  letter("bottom", width / 2, height - 12);
  write(context, pane.name.value, 8, 14, { size: 13, weight: 600 });
  const lines = [pane.slice, pane.depth, pane.sides].map((line) => line.textContent).filter(Boolean);
  lines.reverse().forEach((line, n) => write(context, line, 8, height - 12 - 15 * n));
}

function drawMarks(context, pane, state) {
  for (const one of measuredOf(state).filter(({ id }) => pane.marks.shown.some((shown) => shown.id === id))) {
    const { lines, text, value } = picture(one, pane.drawing, one.sequence === pane.name.value);
    for (const [width, color] of [[4, "rgb(0 0 0 / 75%)"], [1.5, MARK]]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.beginPath();
      for (const [from, to] of lines) {
        context.moveTo(...from);
        context.lineTo(...to);
      }
      context.stroke();
    }
    if (value) write(context, value, text[0], text[1] - 4, { weight: 600, color: "#d8ffe2" });
  }
}

function drawFoot(context, panes, width) {
  const { state, study } = panes;
  const mask = overlayShown(state);
  let x = 6;
  if (mask) {
    const says = `Mask: ${mask.source || mask.kind}`;
    write(context, says, x, 14, { color: FAINT });
    x += context.measureText(says).width + 10;
    const { ml } = study.mask(mask);
    for (const { name, color, value } of mask.entries.filter((entry) => !state.hidden.has(entry.name))) {
      const amount = ml ? `${name} ${(ml.get(value) ?? 0).toFixed(1)} mL` : name;
      context.fillStyle = color;
      context.fillRect(x, 9, 10, 10);
      write(context, amount, x + 15, 14);
      x += context.measureText(amount).width + 29;
    }
  }
  write(context, [state.spec.study, state.spec.note, CONVENTIONS[state.convention]].filter(Boolean).join(" · "), 6, 34, { color: FAINT });
  write(context, WARNING, width - 6, 34, { align: "right", color: "#f3c969" });
}

// Nothing but the study, the plane and the position.
function fileName(panes) {
  const { plane } = panes.lead();
  const axis = panes.axis(plane);
  return `${panes.state.spec.study}_${plane}_${WORLD[axis]}${panes.state.mm[axis].toFixed(1)}mm.png`;
}

// Hands a canvas over as a file.
export function save(canvas, name) {
  canvas.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name.replace(/[^\w.-]+/g, "_");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}

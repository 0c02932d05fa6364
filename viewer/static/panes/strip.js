// The model's input as one PNG: the pictures as they are sent, their captions below and the
// patient's sides beside them, never inside. Any `.card` with a `data-save-strip` button and
// `.strip figure` elements has it.

import { WARNING, save, write } from "./export.js";

const GAP = 34; // px beside a picture, for its letter
const LINE = 17;
const WIDEST = 2400;

// However often it is called, a click is heard once.
export const listenForStrips = () => document.addEventListener("click", saveStrip);

async function saveStrip(event) {
  const card = event.target.closest?.("[data-save-strip]")?.closest(".card");
  if (!card) return;
  const shown = () => [...card.querySelectorAll(".strip figure")];
  await Promise.all(shown().map((figure) => figure.querySelector("img").decode().catch(() => {})));
  const figures = shown();
  const places = new Set(figures.map((figure) => figure.dataset.place));
  const place = places.size === 1 ? [...places][0] : `${places.size}-slices`;
  // The panes may show another study by now; pictures without anatomy say nothing of theirs.
  const study = card.querySelector("[data-study]")?.dataset.study ?? window.mriPanes?.study ?? "study";
  save(composeStrip(figures), `${study}_model-input_${place}.png`);
}

function composeStrip(figures) {
  const cells = figures.map(cellOf);
  const rows = inRows(cells);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(360, ...rows.map((row) => row.reduce((sum, { width }) => sum + width, 0)));
  canvas.height = rows.reduce((sum, row) => sum + tallest(row), 0) + LINE + 12;
  const context = canvas.getContext("2d", { alpha: false });
  let y = 0;
  for (const row of rows) {
    let x = 0;
    for (const cell of row) {
      draw(context, cell, x, y);
      x += cell.width;
    }
    y += tallest(row);
  }
  write(context, WARNING, canvas.width - 8, y + LINE / 2 + 4, { align: "right", color: "#f3c969" });
  return canvas;
}

function cellOf(figure) {
  const image = figure.querySelector("img");
  const { left = "", right = "", convention = "" } = figure.dataset;
  const caption = figure.querySelector("figcaption").textContent.trim();
  const width = image.naturalWidth + 2 * GAP;
  const lines = wrap([caption, convention].filter(Boolean).join(" · "), Math.floor((width - 8) / 7));
  return { image, left, right, lines, width, height: image.naturalHeight + 8 + LINE * lines.length + 8 };
}

function draw(context, { image, left, right, lines, width }, x, y) {
  const { naturalHeight } = image;
  context.drawImage(image, x + GAP, y + 8);
  for (const [letter, at] of [[left, x + GAP / 2], [right, x + width - GAP / 2]]) {
    write(context, letter, at, y + 8 + naturalHeight / 2, { size: 16, weight: 600, align: "center" });
  }
  lines.forEach((line, n) => write(context, line, x + 8, y + 8 + naturalHeight + LINE * (n + 0.6)));
}

const tallest = (row) => Math.max(...row.map(({ height }) => height));

function inRows(cells) {
  const rows = [];
  let used = Infinity;
  for (const cell of cells) {
    if (used + cell.width > WIDEST) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1).push(cell);
    used += cell.width;
  }
  return rows;
}

function wrap(text, most) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    if ((lines.at(-1) + " " + word).trim().length > most && lines.at(-1)) lines.push("");
    lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim();
  }
  return lines;
}

// The page's address says what is on it: study, question, slice, layout, order of the sequences,
// representation and model, by their names and ids. It is read once and then follows the view.

import { toVoxel } from "./grid.js";
import { LAYOUTS, PLANES, inOrder } from "./state.js";

const EVERY_MS = 500; // browsers refuse an address that changes more than a few times a second
const PLACES = 2; // decimals of a millimetre

// What a link asks of the panes: { study, view, problems }; what it gets wrong is left out of the
// view and said in `problems`.
export function readLink(search) {
  const asked = new URLSearchParams(search);
  const view = {};
  const problems = [];
  for (const { name, read, wanted } of PARTS) {
    const text = asked.get(name);
    if (text === null) continue;
    const found = read(text);
    if (found) Object.assign(view, found);
    else problems.push(`The link’s ${name} is “${text.slice(0, 40)}”; expected ${wanted}.`);
  }
  return { study: asked.get("study"), view, problems };
}

const among = (rows, text, key) => (rows.includes(text) ? { [key]: text } : null);
const layouts = LAYOUTS.map(({ name }) => name);

const PARTS = [
  { name: "plane", wanted: PLANES.join(", "), read: (text) => among(PLANES, text, "plane") },
  { name: "layout", wanted: layouts.join(", "), read: (text) => among(layouts, text, "layout") },
  { name: "at", wanted: "three numbers in mm, x,y,z", read: readPoint },
  { name: "sequences", wanted: "names with commas between", read: (text) => text && { chosen: text.split(",") } },
];

function readPoint(text) {
  const mm = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  return mm.length === 3 && mm.every(Number.isFinite) ? { mm, moved: true } : null;
}

// The part of a link that fits the study which is open; a point belongs to its own study.
export function fitting({ study, view, problems }, spec) {
  const fit = { ...view };
  const said = [...problems];
  if (study && study !== spec.study) delete fit.mm, delete fit.moved;
  const names = spec.sequences.map((sequence) => sequence.name);
  const unknown = (fit.chosen ?? []).filter((name) => !names.includes(name));
  if (fit.chosen) fit.chosen = fit.chosen.filter((name) => names.includes(name));
  if (unknown.length) {
    said.push(`The link names ${unknown.join(", ").slice(0, 60)}, which this study does not have.`);
  }
  return { view: fit, problems: said };
}

// The sentence for a point beyond the volume, or null.
export function outside(grid, mm) {
  const voxel = toVoxel(grid, mm);
  const inside = voxel.every((value, axis) => value >= -0.5 && value <= grid.dims[axis] - 0.5);
  return inside ? null : "The link’s point lies outside this study; the nearest slice is shown.";
}

// The same view as a query; `page` holds what the rest of the page adds: question and so on.
export function linkOf({ spec, plane, layout, mm, chosen }, page) {
  const at = mm?.map((value) => Number(value.toFixed(PLACES))).join(",");
  const names = spec.sequences.map((sequence) => sequence.name);
  const order = inOrder(names, chosen).join(",");
  const sequences = order === names.join(",") ? "" : order;
  const parts = { study: spec.study, ...page, plane, layout, at, sequences };
  const known = Object.entries(parts).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return new URLSearchParams(known).toString();
}

// Writes the address, at most every EVERY_MS; `view()` gives the state.
export class Address {
  constructor(view) {
    this.view = view;
    this.page = window.pageLink ?? {};
    this.waiting = null;
    document.addEventListener("page-link", ({ detail }) => {
      this.page = detail;
      this.follow();
    });
  }

  follow() {
    this.waiting ??= setTimeout(() => this.write(), EVERY_MS);
  }

  // At once; returns the whole address.
  write() {
    clearTimeout(this.waiting);
    this.waiting = null;
    const state = this.view();
    if (state.spec) {
      const query = `?${linkOf(state, this.page)}`;
      if (query !== location.search) history.replaceState(history.state, "", query + location.hash);
    }
    return location.href;
  }
}

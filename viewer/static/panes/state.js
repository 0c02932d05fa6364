// What the user sees, as one plain value; the browser alone keeps it.

import { agreementOverlay } from "./agreement.js";

export const LAYOUTS = [
  { name: "1", label: "1", says: "One sequence" },
  { name: "2", label: "2", says: "Two sequences" },
  { name: "4", label: "4", says: "Four sequences" },
  { name: "6", label: "6", says: "Six sequences" },
  { name: "all", label: "All", says: "All sequences" },
  { name: "planes", label: "3 planes", short: "3 pl", says: "Three planes of one sequence" },
  { name: "3d", label: "3-D", says: "Three planes of one sequence, and brain and tumor in 3-D" },
];
export const PRESETS = [
  { name: "auto", label: "Auto window", says: "0.5 to 99.5 % of the head" },
  { name: "full", label: "Full window", says: "Every value that the copy tells apart" },
  { name: "lesion", label: "Lesion window", says: "The values inside the mask" },
];
export const PLANES = ["axial", "coronal", "sagittal"];
export const MASKS = ["expert", "predicted", "agreement"]; // whose mask is looked at
export const REGIONS = ["WT", "TC", "ET"];
export const ZOOM = [0.5, 16];
export const CONVENTIONS = {
  radiological: "Radiological: patient right on image left",
  neurological: "Neurological: patient right on image right",
};
export const MOST_CELLS = 12; // a browser keeps 16 WebGL contexts alive

export const START = {
  spec: null,
  rows: null, // the rows of viewer/planes.py
  layout: "4",
  plane: "axial",
  convention: "radiological",
  mm: null, // the crosshair, world mm; null until something is loaded
  moved: false, // whether the user or the spec chose the crosshair
  masks: true, // whether a mask is shown at all
  kind: "expert", // whose mask, where there is a choice: one of MASKS; agreement is of both
  region: "WT", // whose agreement and lesions are looked at: one of REGIONS
  findings: null, // agreement and lesions: an entry of study.js
  lesion: null, // the lesion that was gone to
  hidden: new Set(), // names of hidden labels
  opacity: 0.45,
  outline: false,
  crosshair: true,
  chosen: [], // the sequences in the user's order; empty for the reading order
  active: 0, // cell that keys act on
  expanded: null, // cell shown alone, or "solid" for the 3-D pane
  linked: { slice: true, zoom: true, window: false }, // what the panes share (links.js)
  apart: [], // what is a pane's own, where something is not linked
  look: { preset: "auto", hand: null }, // the window of every sequence that has none of its own
  looks: {}, // sequence -> its own
  zoom: 1,
  centre: null, // world mm in the middle of the panes
  input: null, // { study, slices } of the model input on the page (shown.js)
  answer: null, // the same of an answer that the user went to
  tool: null, // the measuring tool that is held (measure.js)
  pending: null, // the measurement that is being made
  measured: {}, // study -> [{ id, tool, plane, sequence, frame, points: world mm }]
  brought: [], // the same without id and frame: a link's, until the grids of their sequences are there
};

export const measuredOf = (state) => state.measured[state.spec?.study] ?? [];

export function withMeasured(state, list) {
  return { measured: { ...state.measured, [state.spec.study]: list } };
}

// A new spec. What the user chose stays, unless the spec itself says something new.
export function withSpec(state, spec, rows) {
  const before = state.spec;
  const next = { ...state, spec, rows };
  if (!spec) return { ...next, mm: null, moved: false };
  for (const name of ["plane", "convention"]) {
    if ((before ?? START)[name] !== spec[name]) next[name] = spec[name];
  }
  if ((before?.layout ?? "grid") !== spec.layout) next.layout = spec.layout === "planes" ? "planes" : "4";
  if (before?.study !== spec.study) {
    Object.assign(next, { mm: null, moved: false, zoom: 1, centre: null, expanded: null, pending: null, ...rulesAlone(state) });
    Object.assign(next, { answer: null, lesion: null, findings: null, brought: [] });
  } else {
    const known = before.overlays.map((overlay) => overlay.url);
    const made = spec.overlays.find((overlay) => !known.includes(overlay.url));
    // The mask that was just made is the one to look at; what is known of its lesions is yet to come.
    if (made) Object.assign(next, { kind: made.kind, lesion: null, findings: null });
  }
  if (spec.slice_mm && String(before?.slice_mm) !== String(spec.slice_mm)) {
    Object.assign(next, { mm: spec.slice_mm, moved: true });
  }
  return next;
}

// Another study has other values: windows set by hand go, their rules stay.
function rulesAlone({ look, looks }) {
  const bare = ({ preset }) => ({ preset, hand: null });
  return { look: bare(look), looks: Object.fromEntries(Object.entries(looks).map(([name, own]) => [name, bare(own)])) };
}

// Whether the cells are the three planes of one sequence.
export function threePlanes({ layout }) {
  return layout === "planes" || layout === "3d";
}

// What each cell shows: [{ sequence, plane }], in reading order.
export function cells(state) {
  if (!state.spec) return [];
  const names = state.spec.sequences.map((sequence) => sequence.name);
  const order = inOrder(names, state.chosen);
  const pick = (cell) => order[cell];
  if (threePlanes(state)) return PLANES.map((plane) => ({ sequence: pick(0), plane }));
  const wanted = state.layout === "all" ? names.length : Number(state.layout);
  const count = Math.min(wanted, names.length, MOST_CELLS);
  return Array.from({ length: count }, (_, cell) => ({ sequence: pick(cell), plane: state.plane }));
}

// A study's sequences as the user ordered them, those of other studies left out; the rest in
// reading order after them.
export function inOrder(names, chosen) {
  const placed = chosen.filter((name) => names.includes(name));
  return [...placed, ...names.filter((name) => !placed.includes(name))];
}

// The user puts a sequence into a cell: it changes places with the one there.
export function chosenWith(state, cell, name) {
  const order = inOrder(state.spec.sequences.map((sequence) => sequence.name), state.chosen);
  const from = order.indexOf(name);
  [order[cell], order[from]] = [order[from], order[cell]];
  return order;
}

// The overlay on the panes: of the chosen kind, or the only one there is.
export function overlayShown(state) {
  const overlays = state.spec?.overlays ?? [];
  if (!state.masks) return null;
  if (state.kind === "agreement" && overlays.length) return agreementOverlay(state);
  return overlays.find((overlay) => overlay.kind === state.kind) ?? overlays[0] ?? null;
}

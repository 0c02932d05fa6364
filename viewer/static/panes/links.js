// Which of slice, zoom and window the panes share. Where a link is off, only the active pane
// moves: the state's own fields are the active pane's, `apart` keeps those of the others.

import { MOST_CELLS, cells } from "./state.js";

export const LINKS = [
  { name: "slice", label: "Slice", says: "Same position in mm in every pane", fields: ["mm"] },
  { name: "zoom", label: "Zoom", says: "Same zoom and middle in every pane", fields: ["zoom", "centre"] },
  { name: "window", label: "Window", says: "Same window, as a share of its range, in every sequence", fields: [] },
];

const pick = (state, fields) => Object.fromEntries(fields.map((name) => [name, state[name]]));
const held = (state) => pick(state, LINKS.filter(({ name }) => !state.linked[name]).flatMap(({ fields }) => fields));

// Every pane where the active one is, in whatever is not linked, but for what `own` says of some.
export function together(state, own = []) {
  const here = held(state);
  const of = (cell) => Object.entries(own[cell] ?? {}).filter(([field]) => field in here);
  return { ...state, apart: Array.from({ length: MOST_CELLS }, (_, cell) => ({ ...here, ...Object.fromEntries(of(cell)) })) };
}

// The pane that is active when a view opens.
export const firstActive = ({ expanded }) => (typeof expanded === "number" ? expanded : 0);

// What a pane shows: the state, with what is its own.
export function stateOf(state, cell) {
  return cell === state.active ? state : { ...state, ...state.apart[cell] };
}

// Another pane becomes the active one; none of them moves.
export function activate(state, cell) {
  if (cell === state.active) return state;
  const apart = [...state.apart];
  apart[state.active] = held(state);
  return { ...state, ...state.apart[cell], apart, active: cell };
}

// Off: every pane stays where it is. On: the others come to where the active one is.
export function toggleLink(state, name) {
  const on = !state.linked[name];
  const next = { ...state, linked: { ...state.linked, [name]: on } };
  if (name === "window") return on ? { ...next, look: activeLook(state), looks: {} } : next;
  const { fields } = LINKS.find((link) => link.name === name);
  const now = state.apart.map((own) => {
    const kept = Object.entries(own).filter(([field]) => !fields.includes(field));
    return { ...Object.fromEntries(kept), ...(on ? {} : pick(state, fields)) };
  });
  return { ...next, apart: now };
}

// How a sequence is windowed: { preset, hand }, see windows.js.
export function lookOf(state, sequence) {
  return state.looks[sequence] ?? state.look;
}

export function activeLook(state) {
  return lookOf(state, cells(state)[state.active]?.sequence);
}

// A look for one sequence, or for all where windows are linked.
export function withLook(state, sequence, look) {
  if (state.linked.window) return { look, looks: {} };
  return { looks: { ...state.looks, [sequence]: look } };
}

// The slices that a model was shown: where they lie on the grid that counts the slices.
// A slice is { sequence, plane, mm }, mm its middle in the world.

import { nearestIndex, onSlice } from "./grid.js";
import { PLANES, cells, chosenWith, threePlanes } from "./state.js";

const NONE = [];

// Whose slices are marked: those of the answer the user went to, else those of the model input.
export function shownSlices({ spec, answer, input }) {
  const found = [answer, input].find((one) => one && one.study === spec?.study);
  return found?.slices ?? NONE;
}

// The model input as it changed; an answer that was shown the same needs no marks of its own.
export function withInput({ answer }, input) {
  const same = answer?.study === input?.study && JSON.stringify(answer?.slices) === JSON.stringify(input?.slices);
  return { input, answer: same ? null : answer };
}

// Places in reading order: [{ plane, index, mm, sequences }], one a slice of `grid`.
export function places(slices, grid, rows) {
  const found = new Map();
  for (const { sequence, plane, mm } of slices) {
    if (!rows[plane]) continue;
    const index = nearestIndex(grid, rows[plane].through, mm);
    const key = `${plane} ${index}`;
    if (!found.has(key)) found.set(key, { plane, index, mm, sequences: [] });
    const { sequences } = found.get(key);
    if (!sequences.includes(sequence)) sequences.push(sequence);
  }
  const rank = ({ plane, index }) => PLANES.indexOf(plane) * 1e6 + index;
  return [...found.values()].sort((a, b) => rank(a) - rank(b));
}

// Whether the slice of `volume` through `mm` is one that the model was shown of this sequence.
export function wasShown(slices, sequence, plane, grid, axis, mm) {
  const index = nearestIndex(grid, axis, mm);
  return slices.some(
    (one) => one.sequence === sequence && one.plane === plane && nearestIndex(grid, axis, one.mm) === index,
  );
}

// The place to go to: the nearest in the plane, else the first there is.
export function nearestPlace(all, plane, index) {
  const here = all.filter((place) => place.plane === plane);
  const away = (place) => Math.abs(place.index - index);
  return here.sort((a, b) => away(a) - away(b))[0] ?? all[0] ?? null;
}

// The next place (by = 1) or the one before (-1), counted from where the user is; null at the end.
export function neighbour(all, plane, index, by) {
  const at = all.findIndex((place) => place.plane === plane && place.index === index);
  if (at >= 0) return all[at + by] ?? null;
  const here = all.filter((place) => place.plane === plane);
  const beyond = here.filter((place) => (place.index - index) * by > 0);
  return (by > 0 ? beyond[0] : beyond.at(-1)) ?? (here.length ? null : nearestPlace(all, plane, index));
}

// What changes on the panes so that a place is seen: its plane, its point, one of its sequences.
export function viewOf(place, state, grid) {
  const mm = onSlice(grid, state.rows[place.plane].through, place.index, state.mm ?? place.mm);
  const next = { plane: place.plane, mm, moved: true };
  if (threePlanes(state)) Object.assign(next, { active: PLANES.indexOf(place.plane), plane: state.plane });
  const seen = ({ sequence }) => place.sequences.includes(sequence);
  const all = cells(state);
  if (state.expanded !== null && !(all[state.expanded] && seen(all[state.expanded]))) next.expanded = null;
  if (!all.some(seen)) next.chosen = chosenWith(state, 0, place.sequences[0]);
  return next;
}

// The same for a study that is about to open, before any of it is loaded: the middle one.
export function firstView(slices, plane) {
  const here = slices.filter((one) => one.plane === plane);
  const among = here.length ? here : slices;
  const { plane: found, mm } = among[Math.floor(among.length / 2)];
  return { plane: found, mm, moved: true };
}

// Hears the page: buttons that carry slices (`go`), and the model input as it changes (`input`).
// Both are handed { study, question, slices }.
export function listenForSlices({ go, input }) {
  const read = ({ study, question, slices }) => ({ study, question, slices: JSON.parse(slices) });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-slices]");
    if (button) go(read(button.dataset));
  });
  const heard = ({ detail }) => input(detail ? read(detail) : null);
  document.addEventListener("model-input", heard);
  if (window.modelInput) heard({ detail: window.modelInput });
}

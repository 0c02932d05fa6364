// Numbers, places and panes as a link writes them.

import { MOST_CELLS, ZOOM } from "./state.js";

const PLACES = 2; // decimals of a millimetre and of a zoom

export const short = (value, places) => String(Number(value.toFixed(places)));
export const listed = (values) => values.map((value) => short(value, PLACES)).join(",");
export const numbers = (text) => text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));

export function readPoint(text) {
  const mm = numbers(text);
  return mm.length === 3 && mm.every(Number.isFinite) ? { mm, moved: true } : null;
}

export function readZoom(text) {
  const [zoom, ...middle] = numbers(text);
  const fits = zoom >= ZOOM[0] && zoom <= ZOOM[1] && [0, 3].includes(middle.length) && middle.every(Number.isFinite);
  return fits ? { zoom, centre: middle.length ? middle : null } : null;
}

export function writeZoom({ zoom, centre }) {
  return zoom === 1 && !centre ? "" : listed([zoom, ...(centre ?? [])]);
}

// The cell of a pane, which a link counts from 1 in reading order; -1 if there can be none.
export function cellNumbered(text) {
  const cell = /^\d{1,2}$/.test(text) ? Number(text) - 1 : -1;
  return cell < MOST_CELLS ? cell : -1;
}

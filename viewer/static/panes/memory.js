// What the browser remembers for the user between visits: layout and order of the sequences.

import { LAYOUTS } from "./state.js";

const KEY = "mri-panes";
const fits = {
  layout: (value) => LAYOUTS.some(({ name }) => name === value),
  chosen: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};
const KEPT = Object.keys(fits);

export function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return Object.fromEntries(KEPT.filter((name) => fits[name](kept[name])).map((name) => [name, kept[name]]));
  } catch {
    return {}; // storage is switched off, or holds something else
  }
}

export function remember(state, before) {
  if (KEPT.every((name) => state[name] === before[name])) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(KEPT.map((name) => [name, state[name]]))));
  } catch {
    // no storage: the choice lasts as long as the page
  }
}

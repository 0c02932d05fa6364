// A link's switches for slice, zoom and window, and the panes that are elsewhere than the first:
// 2:at:x,y,z 2:zoom:1.44,x,y,z with the pane's number in front.

import { LINKS, stateOf } from "./links.js";
import { cellNumbered, listed, readPoint, readZoom, writeZoom } from "./placelink.js";
import { START, cells } from "./state.js";

export function readLinked(text) {
  const on = text === "none" ? [] : text.split(",");
  const known = on.every((name) => LINKS.some((link) => link.name === name));
  return known ? { linked: Object.fromEntries(LINKS.map(({ name }) => [name, on.includes(name)])) } : null;
}

export function writeLinked({ linked }) {
  if (LINKS.every(({ name }) => linked[name] === START.linked[name])) return "";
  return LINKS.filter(({ name }) => linked[name]).map(({ name }) => name).join(",") || "none";
}

const OWN = new Map([["at", readPoint], ["zoom", readZoom]]);

export function readApart(text) {
  const apart = [];
  for (const item of text.split(" ")) {
    const [pane, what, value = "", ...more] = item.split(":");
    const cell = cellNumbered(pane);
    const own = OWN.get(what)?.(value);
    if (cell < 0 || !own || more.length) return null;
    apart[cell] = { ...apart[cell], ...own };
  }
  return { apart };
}

export function writeApart(state) {
  const first = said(state);
  const items = cells(state).flatMap((_, cell) =>
    Object.entries(said(stateOf(state, cell)))
      .filter(([what, value]) => value !== first[what])
      .map(([what, value]) => `${cell + 1}:${what}:${value}`));
  return items.join(" ");
}

const said = (state) => ({ at: state.mm ? listed(state.mm) : "", zoom: writeZoom(state) || "1" });

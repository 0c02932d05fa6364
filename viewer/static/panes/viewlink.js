// The panes' part of a link: one row for each thing that it can say, with how to read and to write
// it. What is as it always is at first is not written, so that links stay short.

import { readApart, readLinked, writeApart, writeLinked } from "./apartlink.js";
import { firstActive } from "./links.js";
import { readMeasured, writeMeasured } from "./measurelink.js";
import { cellNumbered, listed, readPoint, readZoom, short, writeZoom } from "./placelink.js";
import { LAYOUTS, MASKS, PLANES, PRESETS, REGIONS, START, ZOOM, inOrder } from "./state.js";

const SHARE_PLACES = 3;
const LARGEST_SHARE = 100; // of the window that a sequence opens with

// read(text) gives fields of the state, or null; write(state) gives the text, or "".
export const PARTS = [
  { name: "plane", wanted: PLANES.join(", "), read: (text) => among(PLANES, text, "plane"), write: ({ plane }) => plane },
  { name: "layout", wanted: LAYOUTS.map(({ name }) => name).join(", "), read: readLayout, write: ({ layout }) => layout },
  { name: "alone", wanted: "the number of a pane, or 3d", read: readAlone, write: writeAlone },
  { name: "active", wanted: "the number of a pane", read: readActive, write: writeActive },
  { name: "at", wanted: "three numbers in mm, x,y,z", read: readPoint, write: ({ mm }) => (mm ? listed(mm) : "") },
  { name: "zoom", wanted: `a number from ${ZOOM.join(" to ")}, and the middle x,y,z in mm`, read: readZoom, write: writeZoom },
  { name: "linked", wanted: "slice, zoom and window with commas between, or none", read: readLinked, write: writeLinked },
  { name: "apart", wanted: "2:at:x,y,z and 2:zoom:number for pane 2, with spaces between", read: readApart, write: writeApart },
  { name: "window", wanted: `${PRESETS.map(({ name }) => name).join(", ")} or two shares as 0.1..0.8, each as SEQUENCE:window`, read: readWindows, write: writeWindows },
  { name: "mask", wanted: `off, expert, predicted, or agreement-${REGIONS.join(", agreement-")}`, read: readMask, write: writeMask },
  { name: "hide", wanted: "regions of the mask with commas between", read: (text) => text && { hidden: new Set(text.split(",")) }, write: ({ hidden }) => [...hidden].sort().join(",") },
  { name: "sides", wanted: "radiological, neurological", read: (text) => among(["radiological", "neurological"], text, "convention"), write: writeSides },
  { name: "sequences", wanted: "names with commas between", read: (text) => text && { chosen: text.split(",") }, write: writeOrder },
  { name: "measured", wanted: "at most 20 as distance:axial:SEQUENCE:x,y,z,x,y,z in mm, with spaces between", read: readMeasured, write: writeMeasured },
];

const among = (rows, text, key) => (rows.includes(text) ? { [key]: text } : null);

function readLayout(text) {
  return among(LAYOUTS.map(({ name }) => name), text, "layout");
}

// The pane that is shown alone, counted from 1 in reading order.
function readAlone(text) {
  if (text === "3d") return { expanded: "solid" };
  const cell = cellNumbered(text);
  return cell >= 0 ? { expanded: cell } : null;
}

function writeAlone({ expanded }) {
  if (expanded === null) return "";
  return expanded === "solid" ? "3d" : String(expanded + 1);
}

// The pane that keys act on; `went` is its cell, since the view itself is told from the first.
function readActive(text) {
  const cell = cellNumbered(text);
  return cell >= 0 ? { went: cell } : null;
}

function writeActive({ went, ...state }) {
  return went === firstActive(state) ? "" : String(went + 1);
}

// "lesion" for every sequence, "T1:full,FLAIR:0.1..0.8" for some.
function readWindows(text) {
  const looks = new Map();
  for (const item of text.split(",")) {
    const at = item.lastIndexOf(":");
    const look = readLook(item.slice(at + 1));
    if (!look) return null;
    looks.set(item.slice(0, Math.max(at, 0)), look);
  }
  const { "": look = START.look, ...own } = Object.fromEntries(looks);
  return { look, looks: own };
}

function readLook(text) {
  if (PRESETS.some(({ name }) => name === text)) return { preset: text, hand: null };
  const hand = text.split("..").map((part) => (part.trim() === "" ? NaN : Number(part)));
  const fits = hand.length === 2 && hand.every((share) => Math.abs(share) <= LARGEST_SHARE) && hand[0] < hand[1];
  return fits ? { preset: "auto", hand } : null;
}

function writeWindows({ look, looks, spec }) {
  const names = spec.sequences.map((sequence) => sequence.name);
  const said = [["", look], ...Object.entries(looks).filter(([name]) => names.includes(name))]
    .map(([name, own]) => [name, writeLook(own)])
    .filter(([name, text]) => text !== (name ? writeLook(look) : writeLook(START.look)));
  return said.map(([name, text]) => (name ? `${name}:${text}` : text)).join(",");
}

function writeLook({ preset, hand }) {
  return hand ? hand.map((share) => short(share, SHARE_PLACES)).join("..") : preset;
}

function readMask(text) {
  if (text === "off") return { masks: false };
  const [kind, region, ...more] = text.split("-");
  const agreed = kind === "agreement";
  if (!MASKS.includes(kind) || more.length || agreed !== REGIONS.includes(region) || (!agreed && region)) return null;
  return { masks: true, kind, ...(agreed && { region }) };
}

function writeMask({ masks, kind, region }) {
  if (!masks) return "off";
  return kind === "agreement" ? `${kind}-${region}` : kind === START.kind ? "" : kind;
}

function writeSides({ convention }) {
  return convention === START.convention ? "" : convention;
}

function writeOrder({ spec, chosen }) {
  const names = spec.sequences.map((sequence) => sequence.name);
  const order = inOrder(names, chosen).join(",");
  return order === names.join(",") ? "" : order;
}

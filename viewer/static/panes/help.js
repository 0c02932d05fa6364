// The sheet of keys and gestures, from the tables that handle them.

import { LIST_KEYS } from "../browser/keys.js";
import { el } from "./dom.js";
import { PICTURE_KEYS } from "./enlarge.js";
import { GESTURES, KEYS } from "./keys.js";
import { HANDLE_KEYS } from "./marks.js";
import { TURN_KEYS } from "./solid.js";

const SECTIONS = [
  { title: "Mouse", rows: GESTURES },
  { title: "Panes", rows: KEYS },
  { title: "Studies", rows: LIST_KEYS },
  { title: "Where the focus is", rows: [...HANDLE_KEYS, ...TURN_KEYS, ...PICTURE_KEYS] },
];

export function helpSheet() {
  const sheet = el("dialog", { className: "help", "aria-label": "Keys and mouse" });
  const close = el("button", { type: "button", textContent: "Close", onclick: () => sheet.close() });
  sheet.append(
    el("header", {}, el("h2", { textContent: "Keys and mouse" }), close),
    el("div", { className: "columns" }, ...SECTIONS.map(section)),
    el("p", { textContent: "Slice numbers are voxel indexes counted from the patient's left, back and bottom. " +
      "Radiological: the patient's right is on the image's left." }),
  );
  return sheet;
}

function section({ title, rows }) {
  const told = rows.filter(({ says }) => says);
  const lines = told.map(({ shown, says }) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", { textContent: shown })), el("td", { textContent: says })),
  );
  const heading = el("h3", { textContent: title });
  return el("section", {}, heading, el("table", { "aria-label": title }, el("tbody", {}, ...lines)));
}

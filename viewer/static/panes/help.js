// The sheet of keys and gestures.

import { el } from "./dom.js";
import { GESTURES, KEYS } from "./keys.js";

export function helpSheet() {
  const rows = [...GESTURES, ...KEYS.filter(({ says }) => says)];
  const half = Math.ceil(rows.length / 2);
  const sheet = el("dialog", { className: "help", "aria-label": "Keys and mouse" });
  const close = el("button", { type: "button", textContent: "Close", onclick: () => sheet.close() });
  sheet.append(
    el("h2", { textContent: "Keys and mouse" }),
    el("div", { className: "columns" }, table(rows.slice(0, half)), table(rows.slice(half))),
    el("p", { textContent: "Slice numbers are voxel indexes counted from the patient's left, back and bottom. " +
      "Radiological: the patient's right is on the image's left." }),
    close,
  );
  return sheet;
}

function table(rows) {
  const lines = rows.map(({ shown, says }) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", { textContent: shown })), el("td", { textContent: says })),
  );
  return el("table", {}, el("tbody", {}, ...lines));
}

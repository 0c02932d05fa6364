// Which studies are shown: words of the search, and switches of one table.

import { el, setText } from "../panes/dom.js";

const SWITCHES = [
  { name: "mask", says: "expert mask", fits: (row) => row.masks.includes("expert") },
  { name: "questions", says: "questions", fits: (row) => row.questions > 0 },
  { name: "answers", says: "answers", fits: (row) => row.answers > 0 },
  { name: "missing", says: "missing sequences", fits: (row) => row.missing.length > 0 },
  { name: "problems", says: "problems", fits: (row) => row.problems.length > 0 },
];

// The filters as a fold; `changed` is called on every change.
export function buildFilters(changed) {
  const source = el("select", { "aria-label": "Source", onchange: () => update() }, el("option", { value: "", textContent: "all sources" }));
  const boxes = SWITCHES.map(({ name, says }) => {
    const box = el("input", { type: "checkbox", name, onchange: () => update() });
    return { box, label: el("label", {}, box, says) };
  });
  const title = el("summary", { textContent: "Filters" });
  const on = () => boxes.filter(({ box }) => box.checked).length + (source.value ? 1 : 0);
  const update = () => {
    setText(title, on() ? `Filters: ${on()} on` : "Filters");
    changed();
  };
  const fold = el("div", { className: "switches" }, source, ...boxes.map(({ label }) => label));
  const root = el("details", { className: "filters" }, title, fold);
  return {
    root,
    on: () => on() > 0,
    offer: (rows) => offer(source, rows),
    chosen: () => ({
      source: source.value,
      switches: SWITCHES.filter((_, at) => boxes[at].box.checked),
    }),
  };
}

// Whether a row has every word of the search and passes every filter.
export function matcher(text, { source, switches }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ data, words: own }) =>
    words.every((word) => own.includes(word)) &&
    (!source || data.source === source) &&
    switches.every(({ fits }) => fits(data));
}

function offer(select, rows) {
  const names = [...new Set(rows.map((row) => row.source))].sort();
  const options = names.map((name) => el("option", { value: name, textContent: name }));
  const chosen = select.value;
  select.replaceChildren(select.firstElementChild, ...options);
  select.value = names.includes(chosen) ? chosen : "";
}

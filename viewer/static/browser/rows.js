// One study as a row: what its columns show, and by what they are sorted.

import { el } from "../panes/dom.js";

// `value` is sorted by; a column without it is not sorted. In the narrow list only the picture
// and the study show, with the other columns' words in one line.
export const COLUMNS = [
  { name: "picture", title: "Picture", cell: picture },
  { name: "study", title: "Study", value: (row) => row.name, cell: study },
  { name: "source", title: "Source", value: (row) => row.source, cell: (row) => [row.source] },
  { name: "sequences", title: "Sequences", value: (row) => row.sequences.length, cell: sequences },
  { name: "masks", title: "Masks", value: (row) => row.masks.join(" "), cell: (row) => [row.masks.join(", ") || "none"] },
  { name: "questions", title: "Questions", value: (row) => row.questions ?? -1, cell: (row) => [count(row.questions)] },
  { name: "answers", title: "Answers", value: (row) => row.answers ?? -1, cell: (row) => [count(row.answers)] },
  { name: "problems", title: "Problems", value: (row) => row.problems.length, cell: problems },
];

export function rowElement(row) {
  const cells = COLUMNS.map((column) =>
    el("div", { role: "gridcell", className: column.name }, ...column.cell(row)));
  return el("div", { className: "row", role: "row", tabIndex: -1, "data-id": row.id, "aria-selected": "false" }, ...cells);
}

// Rows in the order of one column; numbers inside names count as numbers.
export function sorter({ name, down }) {
  const { value } = COLUMNS.find((column) => column.name === name);
  const turn = down ? -1 : 1;
  return (a, b) => {
    const [first, second] = [value(a.data), value(b.data)];
    if (typeof first === "number") return turn * (first - second);
    return turn * order.compare(first, second);
  };
}

const order = new Intl.Collator("en", { numeric: true });

function picture() {
  return [el("img", { alt: "", width: 48, height: 48, draggable: false })];
}

function study(row) {
  const marks = [row.synthetic ? "synthetic" : null, row.yours ? "this session only" : null];
  const shown = marks.filter(Boolean).map((text) => el("span", { className: "mark", textContent: text }));
  return [
    el("span", { className: "name", title: row.name }, ...broken(row.name)),
    ...shown,
    el("span", { className: "line", textContent: summary(row) }),
    row.problems.length ? el("span", { className: "warn", textContent: many(row.problems.length, "problem") }) : null,
  ];
}

// A long name breaks after an underscore, not inside a word.
function broken(name) {
  return name.split(/(?<=_)/).flatMap((part) => [part, el("wbr")]).slice(0, -1);
}

function summary(row) {
  const parts = [`${row.sequences.length} seq`, row.masks.includes("expert") ? "mask" : "no mask"];
  if (row.questions) parts.push(many(row.questions, "question"));
  return parts.join(" · ");
}

function sequences(row) {
  const missing = row.missing.length ? ` (no ${row.missing.join(", ")})` : "";
  return [row.sequences.join(" "), missing ? el("span", { className: "warn", textContent: missing }) : null];
}

function problems(row) {
  if (!row.problems.length) return ["none"];
  return [el("span", { className: "warn", textContent: row.problems.join("; "), title: row.problems.join("\n") })];
}

function count(number) {
  return number === null ? "?" : String(number);
}

function many(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

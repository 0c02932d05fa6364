// The keys: one table, read by the listener and by the help sheet.

import { arrowRows, finder } from "./keynames.js";

// `once`: a key that is held does it once, whatever the keyboard repeats.
export const KEYS = [
  { keys: ["ArrowUp", "ArrowRight"], shown: "↑ →", says: "Next slice (up, front, right)", does: (act) => act.step(1) },
  { keys: ["ArrowDown", "ArrowLeft"], shown: "↓ ←", says: "Previous slice", does: (act) => act.step(-1) },
  { keys: ["PageUp"], shown: "Page Up", says: "Ten slices on", does: (act) => act.step(10) },
  { keys: ["PageDown"], shown: "Page Down", says: "Ten slices back", does: (act) => act.step(-10) },
  { keys: ["Home"], shown: "Home", says: "First slice", does: (act) => act.step(-Infinity) },
  { keys: ["End"], shown: "End", says: "Last slice", does: (act) => act.step(Infinity) },
  { keys: ["a"], shown: "A", says: "Axial", does: (act) => act.plane("axial") },
  { keys: ["c"], shown: "C", says: "Coronal", does: (act) => act.plane("coronal") },
  { keys: ["s"], shown: "S", says: "Sagittal", does: (act) => act.plane("sagittal") },
  { keys: ["1"], shown: "1", says: "One sequence", does: (act) => act.layout("1") },
  { keys: ["2"], shown: "2", says: "Two sequences", does: (act) => act.layout("2") },
  { keys: ["4"], shown: "4", says: "Four sequences", does: (act) => act.layout("4") },
  { keys: ["6"], shown: "6", says: "Six sequences", does: (act) => act.layout("6") },
  { keys: ["0"], shown: "0", says: "All sequences", does: (act) => act.layout("all") },
  { keys: ["3"], shown: "3", says: "Three planes of one sequence", does: (act) => act.layout("planes") },
  { keys: ["j"], shown: "J", says: "Jump to the largest tumor slice", does: (act) => act.jump() },
  { keys: ["n"], shown: "N", says: "Next lesion, the largest first", does: (act) => act.lesion(1) },
  { keys: ["p"], shown: "P", says: "Previous lesion", does: (act) => act.lesion(-1) },
  { keys: ["f"], shown: "F", says: "Next slice that the model was shown", does: (act) => act.shown(1) },
  { keys: ["b"], shown: "B", says: "The one before (back)", does: (act) => act.shown(-1) },
  { keys: ["v"], shown: "V", says: "Three planes and 3-D; in 3-D drag or the arrows turn", does: (act) => act.layout("3d") },
  { keys: ["m"], shown: "M", says: "Mask on or off", does: (act) => act.toggle("masks") },
  { keys: ["o"], shown: "O", says: "Mask filled or outlined", does: (act) => act.toggle("outline") },
  { keys: ["x"], shown: "X", says: "Crosshair on or off", does: (act) => act.toggle("crosshair") },
  { keys: ["l"], shown: "L", says: "Radiological or neurological", does: (act) => act.flip() },
  { keys: ["w"], shown: "W", says: "Next window: auto, full, lesion", does: (act) => act.nextPreset() },
  { keys: ["7"], shown: "7", says: "Slices linked in mm, or only the active pane", does: (act) => act.link("slice") },
  { keys: ["8"], shown: "8", says: "Zoom linked, or only the active pane", does: (act) => act.link("zoom") },
  { keys: ["9"], shown: "9", says: "Windows linked, or each sequence its own", does: (act) => act.link("window") },
  ...arrowRows("Shift+", "Shift arrows", "Move the crosshair on the slice", ([right, down], act) => act.nudge(right, down)),
  { keys: ["d"], shown: "D", says: "Measure a distance", does: (act) => act.tool("distance") },
  { keys: ["g"], shown: "G", says: "Measure an angle", does: (act) => act.tool("angle") },
  { keys: ["t"], shown: "T", says: "Measure two diameters, in cm", does: (act) => act.tool("diameters") },
  { keys: ["i"], shown: "I", says: "Measure a midline shift", does: (act) => act.tool("midline") },
  { keys: ["."], shown: ".", says: "With a tool: a point at the crosshair", once: true, does: (act) => act.point() },
  { keys: ["Delete", "Backspace"], shown: "Delete", says: "Delete the last measurement", once: true, does: (act) => act.removeLast() },
  { keys: ["e"], shown: "E", says: "Save the panes as a PNG", once: true, does: (act) => act.save() },
  { keys: ["+", "="], shown: "+", says: "Zoom in", does: (act) => act.zoom(1.2) },
  { keys: ["-"], shown: "−", says: "Zoom out", does: (act) => act.zoom(1 / 1.2) },
  { keys: ["r"], shown: "R", says: "Reset window, zoom and position of the picture; ask again for what did not come", does: (act) => act.reset() },
  { keys: ["?"], shown: "?", says: "This sheet", does: (act) => act.help() },
  { keys: ["Escape"], shown: "Esc", says: "Leave the tool, close the sheet, or show all panes again", does: (act) => act.escape() },
];

export const GESTURES = [
  { shown: "Wheel", says: "Scroll slices" },
  { shown: "Drag", says: "Move the crosshair in every pane" },
  { shown: "Right drag, Shift drag", says: "Window: across for width, up and down for level" },
  { shown: "Middle drag, Alt drag", says: "Move the picture" },
  { shown: "Ctrl wheel", says: "Zoom at the pointer" },
  { shown: "Double click", says: "Show one pane alone, and back" },
];

// Text always keeps its keys, and a slider those that move it. Lists and tabs keep them when Tab
// brought the focus there; after a click the keys belong to the panes again. Only text keeps "?".
// A dialog that was just closed still has the focus until the next frame.
const WRITING = [
  "input:not([type=checkbox], [type=radio], [type=button], [type=range])",
  "textarea, dialog[open], [contenteditable]:not([contenteditable=false])",
  "[role=textbox], [role=spinbutton], [role=combobox]",
].join(", ");
const CHOOSING = "select, [role=listbox], [role=grid], [role=menu]";
const SLIDER = "input[type=range], [role=slider]";
const SLIDING = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"];
const STEERING = "input, table, [role=slider], [role=radiogroup], [role=tablist], [role=tree]";

// Hears keys on the whole page while `root` is visible; `act` holds what they do.
export function listenForKeys(root, act) {
  const find = finder(KEYS);
  // Tab may have been pressed before this script was there: the browser knows.
  let tabbed = document.activeElement?.matches(":focus-visible") ?? false;
  const slides = ({ target, key }) =>
    SLIDING.includes(key) && target.closest?.(SLIDER) && !target.closest(".slicebar");
  const inside = ({ target }, kind) => target.closest?.(kind);
  const keeps = (event) => inside(event, CHOOSING) || slides(event) || (tabbed && inside(event, STEERING));
  const taken = (event) => inside(event, WRITING) || (event.key !== "?" && keeps(event));
  const heard = (event) => {
    if (event.key === "Tab") tabbed = true;
    if (event.defaultPrevented || root.offsetParent === null || taken(event)) return;
    const row = find(event);
    if (!row) return;
    event.preventDefault();
    if (!(event.repeat && row.once)) row.does(act(event));
  };
  document.addEventListener("keydown", heard);
  document.addEventListener("pointerdown", () => (tabbed = false), true);
  // A list that was opened with the mouse has done its work: the next arrow key scrolls slices.
  root.addEventListener("change", ({ target }) => !tabbed && target.matches("select") && target.blur());
}

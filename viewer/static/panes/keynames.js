// How the tables of keys name a key press, and how a table is asked.

// "Alt+ArrowDown", "Shift+Home", "a"; "Shift+" only where the key itself does not say it. With
// Ctrl or Meta a key is the browser's own: it has no name here.
export function nameOf({ key, altKey, ctrlKey, metaKey, shiftKey }) {
  if (ctrlKey || metaKey) return null;
  const letter = key.length === 1;
  return (altKey ? "Alt+" : "") + (shiftKey && !letter ? "Shift+" : "") + (letter ? key.toLowerCase() : key);
}

// The row of a table that a key press is meant for. Rows: { keys, shown, says, does }, where
// `shown` and `says` are what the sheet of keys tells.
export function finder(rows) {
  const table = new Map(rows.flatMap((row) => row.keys.map((key) => [key, row])));
  return (event) => table.get(nameOf(event));
}

// Rows for the four arrows as directions: does(right, down, ...).
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function arrowRows(before, shown, says, does) {
  return Object.entries(ARROWS).map(([arrow, direction], at) => ({
    keys: [before + arrow],
    ...(at === 0 && { shown, says }),
    does: (...on) => does(direction, ...on),
  }));
}

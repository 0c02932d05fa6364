// The list by keys: a table for each place of the focus, read by the listeners and by the sheet
// of keys. does(browser, row of the list) may return false: the key was not meant for it.

import { finder } from "../panes/keynames.js";

const PAGE = 8;
const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, dialog[open], [contenteditable]";

const ANYWHERE = [
  { keys: ["/"], shown: "/", says: "Find a study by id, source or sequence", does: find },
  { keys: ["Alt+ArrowDown"], shown: "Alt ↓", says: "Next study", does: (browser) => browser.step(1) },
  { keys: ["Alt+ArrowUp"], shown: "Alt ↑", says: "Previous study", does: (browser) => browser.step(-1) },
];
const SEARCHING = [
  { keys: ["Enter"], shown: "Enter", says: "In the search box: open the first study found", does: openFirst },
  { keys: ["ArrowDown"], shown: "↓", says: "In the search box: to the studies found", does: toFirst },
  { keys: ["Escape"], shown: "Esc", says: "In the search box: empty it", does: empty },
];
const LISTED = [
  { keys: ["ArrowUp"], shown: "↑ ↓", says: "In the list: up or down", does: up },
  { keys: ["ArrowDown"], does: (browser, row) => move(browser, row, 1) },
  { keys: ["PageUp"], shown: "Page Up/Down", says: "In the list: eight studies up or down", does: (browser, row) => move(browser, row, -PAGE) },
  { keys: ["PageDown"], does: (browser, row) => move(browser, row, PAGE) },
  { keys: ["Home"], shown: "Home, End", says: "In the list: first or last study", does: (browser, row) => move(browser, row, -Infinity) },
  { keys: ["End"], does: (browser, row) => move(browser, row, Infinity) },
  { keys: ["Enter", " "], shown: "Enter, Space", says: "In the list: open the study", does: (browser, row) => browser.open(row.dataset.id) },
  { keys: ["Escape"], shown: "Esc", says: "In the list: back to the panes", does: (browser, row) => (browser.wide ? false : row.blur()) },
];
const TABLE = [
  { keys: ["Escape"], shown: "Esc", says: "In the table of studies: close it", does: closeTable },
];
export const LIST_KEYS = [...ANYWHERE, ...SEARCHING, ...LISTED, ...TABLE];

export function listenForKeys(browser) {
  const [anywhere, searching, listed, table] = [ANYWHERE, SEARCHING, LISTED, TABLE].map(finder);
  const perform = (event, row, ...on) => {
    if (!event.defaultPrevented && row && row.does(browser, ...on) !== false) event.preventDefault();
  };
  browser.search.addEventListener("keydown", (event) => perform(event, searching(event)));
  browser.body.addEventListener("keydown", (event) => {
    const node = event.target.closest("[data-id]");
    const row = node && listed(event);
    if (row) perform(event, row, node);
    else if (node && isLetter(event) && !anywhere(event)) browser.search.focus(); // it is typed there
  });
  browser.root.addEventListener("keydown", (event) => perform(event, table(event)));
  document.addEventListener("keydown", (event) => {
    const keeps = event.target.closest?.(event.altKey ? "select, dialog[open]" : TYPING); // Alt ↓ opens a select
    if (!keeps && browser.root.checkVisibility()) perform(event, anywhere(event));
  });
}

const isLetter = ({ key, altKey, ctrlKey, metaKey }) => key.length === 1 && key !== "?" && !altKey && !ctrlKey && !metaKey;

function find({ search }) {
  search.focus();
  search.select();
}

function openFirst(browser) {
  if (!browser.shown.length) return false;
  browser.open(browser.shown[0].data.id);
}

function toFirst(browser) {
  if (!browser.shown.length) return false;
  browser.focusRow(browser.shown[0].node);
}

function empty(browser) {
  if (!browser.search.value) return false;
  browser.search.value = "";
  browser.narrow();
}

const indexOf = ({ shown }, row) => shown.findIndex(({ node }) => node === row);

function move(browser, row, by) {
  const to = Math.min(Math.max(indexOf(browser, row) + by, 0), browser.shown.length - 1);
  browser.focusRow(browser.shown[to].node);
}

function up(browser, row) {
  if (indexOf(browser, row) === 0) browser.search.focus();
  else move(browser, row, -1);
}

function closeTable(browser) {
  if (!browser.wide) return false;
  browser.setWide(false);
  browser.widen.focus();
}

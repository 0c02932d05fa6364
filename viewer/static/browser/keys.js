// The list by keys: "/" to search, arrows and Enter in the list, Alt with an arrow from anywhere.

const PAGE = 8;
const MOVES = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + PAGE,
  PageUp: (at) => at - PAGE,
  Home: () => 0,
  End: () => Infinity,
};
const TYPING = "input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, dialog, [contenteditable]";

export function listenForKeys(browser) {
  browser.search.addEventListener("keydown", (event) => inSearch(browser, event));
  browser.body.addEventListener("keydown", (event) => inList(browser, event));
  browser.root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !browser.wide) return;
    browser.setWide(false);
    browser.widen.focus();
    event.stopPropagation();
  });
  document.addEventListener("keydown", (event) => anywhere(browser, event));
}

function inSearch(browser, event) {
  const first = browser.shown[0];
  if (event.key === "ArrowDown" && !event.altKey && first) browser.focusRow(first.node);
  else if (event.key === "Enter" && first) browser.open(first.data.id);
  else if (event.key === "Escape" && browser.search.value) {
    browser.search.value = "";
    browser.narrow();
    event.stopPropagation();
  } else return;
  event.preventDefault();
}

function inList(browser, event) {
  const row = event.target.closest("[data-id]");
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = browser.shown.findIndex(({ node }) => node === row);
  const move = MOVES[event.key];
  if (event.key === "ArrowUp" && at === 0) browser.search.focus();
  else if (move) {
    const to = Math.min(Math.max(move(at), 0), browser.shown.length - 1);
    browser.focusRow(browser.shown[to].node);
  } else if (event.key === "Enter" || event.key === " ") browser.open(row.dataset.id);
  else if (event.key === "Escape" && !browser.wide) row.blur(); // the keys go back to the panes
  else if (event.key.length === 1 && event.key !== "/" && event.key !== "?") {
    browser.search.focus(); // the letter itself is typed there
    return;
  } else return;
  event.preventDefault();
}

function anywhere(browser, event) {
  if (event.defaultPrevented || browser.root.offsetParent === null) return;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.altKey && !event.ctrlKey && !event.metaKey && steps[event.key]) {
    if (event.target.closest?.("select")) return; // opens a select
    browser.step(steps[event.key]);
  } else if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest?.(TYPING)) {
    browser.search.focus();
    browser.search.select();
  } else return;
  event.preventDefault();
}

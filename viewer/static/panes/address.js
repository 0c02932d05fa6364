// The page's address says what is on it: study, question, representation and model, by their names
// and ids, and the panes' view (viewlink.js). It is read once and then follows the view.

import { holds } from "./grid.js";
import { activate, firstActive } from "./links.js";
import { cells, START } from "./state.js";
import { PARTS } from "./viewlink.js";

const EVERY_MS = 500; // browsers refuse an address that changes more than a few times a second

// What a link asks of the panes: { study, view, problems }; what it gets wrong is left out of the
// view and said in `problems`.
export function readLink(search) {
  const asked = new URLSearchParams(search);
  const view = {};
  const problems = [];
  for (const { name, read, wanted } of PARTS) {
    const text = asked.get(name);
    if (text === null) continue;
    const found = read(text);
    if (found) Object.assign(view, found);
    else problems.push(`The link’s ${name} is “${text.slice(0, 40)}”; expected ${wanted}.`);
  }
  return { study: asked.get("study"), view, problems };
}

// The part of a link that fits the study which is open; places belong to their own study.
export function fitting({ study, view, problems }, spec) {
  const fit = { ...view };
  const said = [...problems];
  if (study && study !== spec.study) for (const place of ["mm", "moved", "centre", "apart", "brought"]) delete fit[place];
  const names = spec.sequences.map((sequence) => sequence.name);
  const measured = (fit.brought ?? []).map(({ sequence }) => sequence);
  const asked = new Set([...(fit.chosen ?? []), ...Object.keys(fit.looks ?? {}), ...measured]);
  const unknown = [...asked].filter((name) => !names.includes(name));
  if (fit.chosen) fit.chosen = fit.chosen.filter((name) => names.includes(name));
  if (fit.brought) fit.brought = fit.brought.filter(({ sequence }) => names.includes(sequence));
  if (fit.linked?.window) fit.looks = {}; // one window for all leaves none of a sequence's own
  if (unknown.length) {
    said.push(`The link names ${unknown.join(", ").slice(0, 60)}, which this study does not have.`);
  }
  if (!paneThere({ ...START, ...fit, spec })) {
    said.push("The link shows a pane alone that its layout does not have here; all are shown.");
    delete fit.expanded;
  }
  if (!activeThere({ ...START, ...fit, spec })) {
    said.push("The link’s active pane is not there in its layout here; the first one is active.");
    delete fit.went;
  }
  const regions = spec.overlays.flatMap((overlay) => overlay.entries.map((entry) => entry.name));
  const unseen = [...(fit.hidden ?? [])].filter((name) => !regions.includes(name));
  if (unseen.length && fit.kind !== "agreement") { // its entries are not known yet
    said.push(`The link hides ${unseen.join(", ").slice(0, 60)}, which no mask of this study has now.`);
  }
  const kinds = spec.overlays.map((overlay) => overlay.kind);
  if (fit.kind && !(fit.kind === "agreement" ? kinds.length : kinds.includes(fit.kind))) {
    said.push(`The link shows the ${fit.kind} mask, which this study does not have now.`);
  }
  return { view: fit, problems: said };
}

function paneThere(state) {
  const { expanded, layout } = state;
  return expanded === null || (expanded === "solid" ? layout === "3d" : expanded < cells(state).length);
}

function activeThere(state) {
  const { went = 0, expanded } = state;
  return typeof expanded === "number" ? [0, expanded].includes(went) : went < cells(state).length;
}

// The sentence for points of which one is beyond the volume, or null.
export function outside(grid, points) {
  return points.every((mm) => holds(grid, mm)) ? null : "The link’s point lies outside this study; the nearest slice is shown.";
}

// The same view as a query; `page` holds what the rest of the page adds: question and so on.
// The view is told from the pane that is active when it opens; where the user went is told beside it.
export function linkOf(state, page) {
  const opened = { ...activate(state, firstActive(state)), went: state.active };
  const view = PARTS.map(({ name, write }) => [name, write(opened)]);
  const parts = [["study", state.spec.study], ...Object.entries(page), ...view];
  const said = new URLSearchParams(parts.filter(([, value]) => value !== undefined && value !== null && value !== ""));
  return said.toString().replace(/%2C/g, ",").replace(/%3A/g, ":"); // both may stand in a query, and are easier to read
}

// Writes the address, at most every EVERY_MS, unless it is not `linked` to these panes;
// `view()` gives the state.
export class Address {
  constructor(view, linked) {
    this.view = view;
    this.linked = linked;
    this.page = window.pageLink ?? {};
    this.waiting = null;
    document.addEventListener("page-link", ({ detail }) => {
      this.page = detail;
      this.follow();
    });
  }

  follow() {
    this.waiting ??= setTimeout(() => this.write(), EVERY_MS);
  }

  // At once; returns the whole address.
  write() {
    clearTimeout(this.waiting);
    this.waiting = null;
    const state = this.view();
    if (this.linked && state.spec) {
      const query = `?${linkOf(state, this.page)}`;
      if (query !== location.search) history.replaceState(history.state, "", query + location.hash);
    }
    return location.href;
  }
}

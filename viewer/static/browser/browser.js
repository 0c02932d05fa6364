// The list of studies. Python hands rows in; the id of the study that is opened goes out.

import { el, setText, styled } from "../panes/dom.js";
import { buildFilters, matcher } from "./filters.js";
import { listenForKeys } from "./keys.js";
import { COLUMNS, rowElement, sorter } from "./rows.js";
import { Thumbnails } from "./thumbnails.js";
import { buildUpload } from "./upload.js";

// `open(id)` is called when the user opens a study.
export async function mountBrowser(element, open) {
  await styled(new URL("browser.css", import.meta.url).href);
  return new StudyBrowser(element.querySelector(".studies"), open);
}

class StudyBrowser {
  constructor(root, open) {
    this.root = root;
    this.openStudy = open;
    this.rows = []; // { data, node, words }
    this.shown = [];
    this.current = null;
    this.sort = null;
    this.tabStop = null; // the row that Tab reaches
    this.pictures = new Thumbnails();
    this.build();
    listenForKeys(this);
  }

  build() {
    this.search = el("input", {
      type: "search", className: "search", placeholder: "Find a study ( / )", spellcheck: false,
      oninput: () => this.narrow(), "aria-label": "Find a study by id, source or sequence",
    });
    this.widen = el("button", {
      type: "button", className: "widen", textContent: "Table", "aria-expanded": "false",
      title: "All columns, sorting and filters", onclick: () => this.setWide(!this.wide),
    });
    this.filters = buildFilters(() => this.narrow());
    this.count = el("p", { className: "count", role: "status", textContent: "Looking for studies" });
    this.head = el("div", { className: "head", role: "row" }, ...COLUMNS.map((c) => this.header(c)));
    this.body = el("div", { className: "body", role: "rowgroup" }, ...skeletons());
    const grid = el("div", { className: "rows", role: "grid", "aria-label": "Studies" },
      el("div", { role: "rowgroup" }, this.head), this.body);
    this.nothing = el("p", { className: "nothing", textContent: "No study fits.", hidden: true });
    this.upload = buildUpload((list, first) => this.receive(list, first));
    const hint = el("p", { className: "hint", textContent: "Alt ↓ next study · Alt ↑ previous" });
    this.root.replaceChildren(
      el("div", { className: "bar" }, this.search, this.widen),
      this.filters.root, this.count, grid, this.nothing,
      el("div", { className: "foot" }, this.upload.root, hint));
    this.scroller = grid;
    grid.addEventListener("mousedown", (event) => {
      if (event.target.closest("[data-id]")) event.preventDefault(); // the keys stay with the panes
    });
    grid.addEventListener("click", (event) => {
      const row = event.target.closest("[data-id]");
      if (!row) return;
      document.activeElement?.blur(); // a box that was being typed in lets go of the keys
      this.open(row.dataset.id);
    });
    document.addEventListener("pointerdown", (event) => {
      if (this.wide && !this.root.contains(event.target)) this.setWide(false);
    });
  }

  header(column) {
    const sort = () => this.sortBy(column.name);
    const inside = column.value
      ? el("button", { type: "button", textContent: column.title, onclick: sort })
      : el("span", { className: "unseen", textContent: column.title });
    return el("div", { role: "columnheader", className: column.name }, inside);
  }

  // What Python hands in: rows, where to send files, and the study that is open.
  show({ rows, upload }, current) {
    const start = performance.now();
    this.upload.receiveAt(upload);
    this.setRows(rows);
    this.mark(current);
    drawn().then(() => performance.measure("studies-shown", { start }));
  }

  // Rows of files that this session opened come in front; `first` is opened.
  receive(rows, first) {
    const others = this.rows.map((row) => row.data).filter((data) => !data.yours);
    this.setRows([...rows, ...others]);
    if (first) this.open(first);
    else this.mark(this.current);
  }

  setRows(list) {
    this.pictures.forget();
    this.rows = list.map((data) => {
      const node = rowElement(data);
      this.pictures.watch(node.querySelector("img"), data.picture);
      return { data, node, words: `${data.name} ${data.source} ${data.sequences.join(" ")}`.toLowerCase() };
    });
    this.filters.offer(list);
    this.narrow();
  }

  narrow() {
    const start = performance.now();
    const fits = matcher(this.search.value, this.filters.chosen());
    const before = this.shown;
    this.shown = this.rows.filter(fits);
    if (this.sort) this.shown.sort(sorter(this.sort));
    const same = this.shown.length === before.length && this.shown.every((row, at) => row === before[at]);
    if (!same || !this.shown.length) this.body.replaceChildren(...this.shown.map((row) => row.node));
    setText(this.count, `${this.shown.length} of ${this.rows.length} studies`);
    this.nothing.hidden = this.shown.length > 0 || this.rows.length === 0;
    this.takeTabStop(this.rowOf(this.current)?.node);
    drawn().then(() => performance.measure("studies-narrowed", { start }));
  }

  sortBy(name) {
    const down = this.sort?.name === name && !this.sort.down;
    this.sort = this.sort?.name === name && this.sort.down ? null : { name, down };
    for (const [at, column] of COLUMNS.entries()) {
      const order = this.sort?.name === column.name ? (this.sort.down ? "descending" : "ascending") : "none";
      if (column.value) this.head.children[at].setAttribute("aria-sort", order);
    }
    this.narrow();
  }

  setWide(wide) {
    this.wide = wide;
    this.root.classList.toggle("wide", wide);
    this.widen.setAttribute("aria-expanded", String(wide));
    setText(this.widen, wide ? "Close" : "Table");
    this.filters.root.open = wide || this.filters.on();
    this.rowOf(this.current)?.node.scrollIntoView({ block: "nearest" });
  }

  open(id) {
    this.setWide(false);
    if (id !== this.current) this.openStudy(id);
    this.mark(id);
  }

  mark(id) {
    this.current = id || null;
    document.dispatchEvent(new CustomEvent("study-marked", { detail: this.current }));
    for (const { data, node } of this.rows) {
      const open = data.id === this.current;
      node.setAttribute("aria-selected", String(open));
      if (open) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
    }
    const row = this.rowOf(this.current)?.node;
    this.takeTabStop(row);
    row?.scrollIntoView({ block: "nearest" });
  }

  // One row at a time is reached by Tab; arrows go on from there.
  takeTabStop(node) {
    const shown = node?.isConnected ? node : this.shown[0]?.node;
    if (shown !== this.tabStop) {
      if (this.tabStop) this.tabStop.tabIndex = -1;
      if (shown) shown.tabIndex = 0;
      this.tabStop = shown;
    }
    return shown;
  }

  focusRow(node) {
    this.takeTabStop(node)?.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
  }

  // The study `by` places on in the list as it is shown; the first one where none is open.
  step(by) {
    const at = this.shown.findIndex((row) => row.data.id === this.current);
    const next = this.shown[at < 0 ? 0 : at + by];
    if (next) this.open(next.data.id);
  }

  rowOf(id) {
    return this.rows.find((row) => row.data.id === id);
  }
}

// Resolves once what was just changed has been painted.
function drawn() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

function skeletons() {
  return Array.from({ length: 6 }, () => el("div", { className: "row skeleton", role: "presentation" }));
}

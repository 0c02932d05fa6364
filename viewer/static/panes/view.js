// The panes on the page: controls, a grid of cells, and the order in which they are drawn.

import { makeActions } from "./actions.js";
import { el, setText } from "./dom.js";
import { frameLoop } from "./frames.js";
import { centre, nearestIndex } from "./grid.js";
import { helpSheet } from "./help.js";
import { listenForKeys } from "./keys.js";
import { Pane } from "./pane.js";
import { listenToPointer } from "./pointer.js";
import { Reading } from "./reading.js";
import { SliceBar, bars } from "./slicebar.js";
import { activate, stateOf, together } from "./links.js";
import { hint } from "./measure.js";
import { MeasuredList } from "./measured.js";
import { Rail } from "./rail.js";
import { Tools } from "./tools.js";
import { cells, measuredOf, overlayShown, withSpec } from "./state.js";
import { LoadedStudy } from "./study.js";
import { Toolbar } from "./toolbar.js";

const WARM = 4; // panes made ready beforehand

export class Panes extends Reading {
  // `draws` is a way of drawing (surface.js).
  constructor(root, onUse, draws) {
    super();
    this.root = root;
    this.draws = draws;
    this.onUse = onUse;
    this.panes = [];
    this.hovered = null; // { mm, cell }: world mm under the pointer
    this.frames = frameLoop(() => this.#draw());
    const act = makeActions(this);
    this.act = act;
    this.toolbar = new Toolbar(act);
    this.bar = new SliceBar(act);
    this.tools = new Tools(this);
    this.list = new MeasuredList(this.tools);
    this.rail = new Rail(act);
    this.hint = el("p", { className: "hint", role: "status" });
    this.help = helpSheet();
    this.grid = el("div", { className: "grid" });
    this.empty = el("p", { className: "empty", textContent: "Choose a study to see its sequences here." });
    const stage = el("div", { className: "stage" }, this.rail.root, this.grid, this.hint, this.list.root);
    root.replaceChildren(this.toolbar.root, stage, this.bar.root, this.help);
    this.grid.append(this.empty);
    listenForKeys(root, act);
    this.sizes = new ResizeObserver(() => this.#resize());
    this.sizes.observe(root.parentElement);
    addEventListener("resize", () => this.#fitHeight());
    this.#fitHeight();
    this.update({});
    this.#warmUp();
  }

  // From Python: { spec, planes }.
  show({ spec, planes }) {
    const other = this.state.spec?.study !== spec?.study;
    if (other) {
      this.study?.close();
      this.study = spec ? new LoadedStudy(() => this.#arrived(), this.draws.prepare) : null;
    }
    const next = withSpec(this.state, spec, planes);
    this.update(other ? together({ ...next, active: 0 }) : next);
  }

  update(change, event) {
    const { active = this.state.active, ...rest } = change;
    this.state = { ...activate(this.state, active), ...rest };
    this.#arrange();
    this.frames.request(event);
  }

  // Only what moves with every event: no cell, volume or mask changes.
  move(change, event) {
    this.state = { ...this.state, ...change };
    this.frames.request(event);
  }

  hover(mm, event, cell) {
    this.hovered = mm && { mm, cell };
    this.frames.request(event);
  }

  listMeasured() {
    this.list.toggle();
    this.update({});
  }

  // Draw a cell although nothing changed: a canvas keeps its pixels only until they are shown.
  redraw(cell) {
    this.panes[cell].drawing.drawn = "";
    this.#draw();
  }

  // "Use this slice": the one thing that Python hears.
  use() {
    const lead = this.lead();
    const { mm, spec } = this.state;
    if (!lead || !mm) return;
    const { sequence, plane, volume } = lead;
    this.onUse({ study: spec.study, sequence, plane, index: nearestIndex(volume.grid, this.axis(plane), mm), mm });
  }

  #arrived() {
    const { moved, plane } = this.state;
    const lead = this.lead();
    if (!lead) return this.update({});
    const tumor = moved ? null : this.tumorAt(plane);
    const mm = tumor ?? this.state.mm ?? centre(lead.volume.grid);
    if (mm === this.state.mm) return this.update({});
    this.update(together({ ...this.state, mm, moved: moved || tumor !== null }));
  }

  // Make cells agree with the state: how many, which volume, which mask.
  #arrange() {
    const { state, study } = this;
    const shown = cells(state);
    const names = state.spec?.sequences.map((sequence) => sequence.name) ?? [];
    this.empty.hidden = shown.length > 0;
    this.grid.dataset.cells = state.expanded === null ? shown.length : 1;
    while (this.panes.length < shown.length) this.#addPane();
    this.panes.forEach((pane, cell) => {
      const visible = cell < shown.length && (state.expanded ?? cell) === cell;
      pane.root.hidden = !visible;
      pane.root.dataset.active = cell === state.active;
      if (cell >= shown.length) return pane.drawing?.setVolume(null);
      if (visible) pane.resize();
      const { sequence, plane } = shown[cell];
      const entry = study.volume(state.spec.sequences[names.indexOf(sequence)]);
      pane.list(names, sequence);
      pane.describe(sequence, plane, state.rows[plane].edges[state.convention], state.convention);
      this.#fill(pane, entry);
    });
    const mask = overlayShown(state);
    this.toolbar.show(state, mask && study.mask(mask));
    this.rail.show(state, measuredOf(state).length, this.list.open);
    setText(this.hint, hint(state, this.lead()?.plane, measuredOf(state).at(-1)));
  }

  #fill(pane, entry) {
    if (!pane.drawing) return pane.say(...pane.missing);
    pane.say(entry.status, entry.sentence);
    pane.drawing.setVolume(entry.volume ?? null, entry.prepared);
    if (entry.status !== "ready") return;
    const overlay = overlayShown(this.state);
    pane.drawing.setLabels(overlay ? this.study.labelsFor(overlay, entry.volume) : null);
  }

  // The first panes' shaders are compiled while the user still chooses a study.
  async #warmUp() {
    while (this.panes.length < WARM) {
      this.#addPane();
      this.panes.at(-1).root.hidden = true;
      await this.panes.at(-1).started;
    }
  }

  #addPane() {
    const cell = this.panes.length;
    const choose = (at, name) => {
      const chosen = [...this.state.chosen];
      chosen[at] = name;
      this.update({ chosen });
    };
    const pane = new Pane(cell, { choose, tools: this.tools, start: this.draws.startDrawing, again: () => this.update({}) });
    this.panes.push(pane);
    this.grid.append(pane.root);
    listenToPointer(pane, this.act);
    this.sizes.observe(pane.canvas);
    pane.started = pane.start().then(
      () => this.update({}),
      (error) => pane.say("error", `This pane could not start: ${error.message}`),
    );
  }

  #draw() {
    const { state } = this;
    const lead = this.lead();
    const mask = overlayShown(state);
    const maskEntry = mask && this.study.mask(mask);
    if (lead && state.mm) {
      const colors = this.colors();
      const pixels = this.#pixelsPerMm(lead);
      cells(state).forEach((shown, cell) => this.#drawCell(cell, shown, lead, pixels, colors));
    }
    this.#showBar(lead, mask, maskEntry);
    this.list.show(state, measuredOf(state));
  }

  #drawCell(cell, { sequence, plane }, lead, pixels, colors) {
    const { panes } = this;
    const state = stateOf(this.state, cell);
    const { drawing, root } = panes[cell];
    const entry = this.entry(cell);
    if (root.hidden || !drawing?.volume || drawing.volume !== entry?.volume) return;
    const { volume } = entry;
    const axis = this.axis(plane);
    drawing.draw({
      ...state,
      plane,
      axis,
      colors,
      shown: this.shownWindow(sequence, volume),
      row: state.rows[plane],
      scale: state.zoom * pixels(plane),
      centre: state.centre ?? centre(lead.volume.grid),
    });
    panes[cell].locate(volume.grid, plane, axis, state.mm);
    const mask = overlayShown(state);
    const labels = mask && { bytes: this.study.labelsFor(mask, volume), entries: mask.entries };
    const { pending, active } = this.state;
    panes[cell].marks.show({ plane, sequence, drawing, measured: measuredOf(state), pending, active: cell === active });
    const pointed = this.hovered && (state.linked.slice || this.hovered.cell === cell);
    panes[cell].readOut(volume, labels, pointed ? this.hovered.mm : state.mm);
  }

  // Every pane of a plane has the scale at which the lead's volume just fits it.
  #pixelsPerMm(lead) {
    const drawing = this.panes[lead.cell].drawing;
    return (plane) => (drawing?.volume ? drawing.fit(...this.#sides(plane)) : 1);
  }

  #sides(plane) {
    const { across, down } = this.state.rows[plane];
    return [across, down];
  }

  #showBar(lead, mask, maskEntry) {
    const { state } = this;
    if (!lead || !state.mm) return this.bar.clear();
    const { grid } = lead.volume;
    const axis = this.axis(lead.plane);
    this.bar.show({
      key: [state.spec.study, lead.plane, mask?.url, maskEntry?.status, ...state.hidden].join(),
      plane: lead.plane,
      index: nearestIndex(grid, axis, state.mm),
      count: grid.dims[axis],
      bars: () => (maskEntry?.status === "ready" ? bars(mask, maskEntry, grid, axis, state.hidden) : []),
      marks: state.spec.marks[lead.plane] ?? [],
    });
  }

  #resize() {
    this.#fitHeight();
    const changed = this.panes.map((pane) => pane.resize());
    if (changed.includes(true)) this.frames.request();
  }

  #fitHeight() {
    const top = this.root.getBoundingClientRect().top + window.scrollY;
    this.root.style.setProperty("--panes-top", `${Math.round(Math.max(top, 0))}px`);
  }
}

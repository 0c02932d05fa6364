// The panes on the page: controls, a grid of cells, and the order in which they are drawn.

import { makeActions } from "./actions.js";
import { Address, fitting, outside, readLink } from "./address.js";
import { el, setText } from "./dom.js";
import { frameLoop } from "./frames.js";
import { centre, nearestIndex } from "./grid.js";
import { helpSheet } from "./help.js";
import { listenForKeys } from "./keys.js";
import { LesionBar } from "./lesionbar.js";
import { Notice, copyButton } from "./linkbar.js";
import { remember, remembered } from "./memory.js";
import { Opening } from "./opening.js";
import { Pane } from "./pane.js";
import { listenToPointer } from "./pointer.js";
import { Reading } from "./reading.js";
import { ShownBar } from "./shownbar.js";
import { firstView, listenForSlices, nearestPlace, viewOf, wasShown, withInput } from "./shown.js";
import { SliceBar, bars } from "./slicebar.js";
import { Solid } from "./solid.js";
import { activate, firstActive, stateOf, together } from "./links.js";
import { hint } from "./measure.js";
import { MeasuredList } from "./measured.js";
import { leftOut } from "./measurelink.js";
import { Rail } from "./rail.js";
import { Tools } from "./tools.js";
import { cells, chosenWith, measuredOf, overlayShown, withSpec } from "./state.js";
import { LoadedStudy } from "./study.js";
import { Toolbar } from "./toolbar.js";

const WARM = 4; // panes made ready beforehand

export class Panes extends Reading {
  // `draws` is a way of drawing (surface.js); hooks: use(slice) and open({ study, question }),
  // which Python hears, and whether the panes are `linked`: read the page's address and write it,
  // and hear which slices the model was shown. A blinded reader's are not.
  constructor(root, hooks, draws) {
    super();
    this.root = root;
    this.draws = draws;
    this.hooks = hooks;
    this.wanted = null; // slices to go to once their study is open
    const { linked = true } = hooks;
    this.link = linked ? readLink(location.search) : null; // until the first study is open
    this.checked = []; // the link's points that are still to be held against a volume
    this.state = { ...this.state, ...remembered() };
    this.address = new Address(() => this.state, linked);
    this.notice = new Notice();
    this.opening = linked ? new Opening(root, this.notice) : null; // the list is about the page's own panes
    this.panes = [];
    this.hovered = null; // { cell, at }: where the pointer is, CSS pixels of a pane
    this.frames = frameLoop(() => this.#draw());
    const act = makeActions(this);
    this.act = act;
    this.toolbar = new Toolbar(act);
    this.bar = new SliceBar(act);
    this.shownBar = new ShownBar(act);
    this.lesionBar = new LesionBar(act);
    this.solid = new Solid({ expand: () => act().expand("solid") });
    this.tools = new Tools(this);
    this.list = new MeasuredList(this.tools);
    this.rail = new Rail(act);
    this.hint = el("p", { className: "hint", role: "status" });
    this.help = helpSheet();
    this.grid = el("div", { className: "grid" });
    this.empty = el("p", { className: "empty", textContent: "Choose a study to see its sequences here." });
    const stage = el("div", { className: "stage" }, this.rail.root, this.grid, this.hint, this.list.root);
    const copy = copyButton(() => {
      if (leftOut(this.state).length) this.notice.say(leftOut(this.state));
      return this.address.write();
    });
    copy.hidden = !linked;
    const row = el("div", { className: "findings" }, this.shownBar.root, this.lesionBar.root, copy);
    root.replaceChildren(this.notice.root, this.toolbar.root, stage, this.bar.root, row, this.help);
    this.grid.append(this.empty, this.solid.root);
    listenForKeys(root, act);
    if (linked) {
      listenForSlices({ go: (shown) => this.goToSlices(shown), input: (input) => this.update(withInput(this.state, input)) });
    }
    this.sizes = new ResizeObserver(() => this.#resize());
    this.sizes.observe(root.parentElement);
    addEventListener("resize", () => this.#fitHeight());
    addEventListener("online", () => this.study?.again());
    this.#fitHeight();
    this.update({});
    this.#warmUp();
  }

  // From Python: { spec, planes }.
  show({ spec, planes }) {
    const other = this.state.spec?.study !== spec?.study;
    if (other) {
      this.study?.close();
      this.solid.forget();
      this.study = spec ? new LoadedStudy(() => this.#arrived(), this.draws.prepare) : null;
    }
    this.opening?.show(spec?.study ?? null);
    const next = withSpec(this.state, spec, planes);
    const { apart, went, ...asked } = spec ? this.#awaited(next) : {};
    Object.assign(next, asked);
    this.update(other || apart ? together({ ...next, active: firstActive(next) }, apart) : next);
    if (went) this.update({ active: went });
    if (this.study?.settled) this.#arrived(); // no mask is on its way where masks are off
  }

  // What a link, or an answer about this study, asks the panes to show; once.
  #awaited({ spec, plane }) {
    const { wanted, link } = this;
    if (wanted?.study === spec.study) {
      this.wanted = null;
      return { answer: wanted, ...firstView(wanted.slices, plane) };
    }
    if (!link) return {};
    this.link = null;
    const { view, problems } = fitting(link, spec);
    this.notice.say(problems);
    this.checked = [view.mm, ...(view.apart ?? []).map((own) => own.mm)].filter(Boolean); // once the volume is there
    return view;
  }

  // To the slices of an answer: at once, or when Python has opened their study.
  goToSlices(shown) {
    const { spec, input, plane } = this.state;
    const here = spec?.study === shown.study;
    if (here) this.update(withInput({ answer: shown }, input));
    else this.wanted = shown;
    if (!here || this.root.offsetParent === null) this.hooks.open({ study: shown.study, question: shown.question });
    const lead = here && this.lead();
    if (lead) this.goToPlace(nearestPlace(this.places(lead), plane, this.index(lead)));
  }

  goToPlace(place, event) {
    const lead = this.lead();
    if (place && lead) this.update(viewOf(place, this.state, lead.volume.grid), event);
  }

  update(change, event) {
    const before = this.state;
    const { active = before.active, ...rest } = change;
    this.state = { ...activate(before, active), ...rest };
    remember(this.state, before);
    this.#arrange();
    this.address.follow();
    this.frames.request(event);
  }

  // Only what moves with every event: no cell, volume or mask changes.
  move(change, event) {
    this.state = { ...this.state, ...change };
    this.address.follow();
    this.frames.request(event);
  }

  hover(hovered, event) {
    this.hovered = hovered;
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
    this.hooks.use({ study: spec.study, sequence, plane, index: nearestIndex(volume.grid, this.axis(plane), mm), mm });
  }

  #arrived() {
    for (const sentence of this.tools.bring()) this.notice.add(sentence);
    const { moved, plane } = this.state;
    const lead = this.lead();
    if (!lead) return this.update({});
    const astray = outside(lead.volume.grid, this.checked);
    this.checked = [];
    if (astray) this.notice.add(astray);
    // Agreement and lesions come last: nothing that is drawn waits for them.
    const findings = this.study.settled ? this.study.about(this.state.spec) : null;
    const tumor = moved ? null : this.tumorAt(plane);
    const mm = tumor ?? this.state.mm ?? centre(lead.volume.grid);
    if (mm === this.state.mm) return this.update({ findings });
    this.update(together({ ...this.state, mm, moved: moved || tumor !== null, findings }));
  }

  // Make cells agree with the state: how many, which volume, which mask.
  #arrange() {
    const { state, study } = this;
    const shown = cells(state);
    const names = state.spec?.sequences.map((sequence) => sequence.name) ?? [];
    this.empty.hidden = shown.length > 0;
    const solid = shown.length > 0 && this.#solidSeen();
    this.grid.dataset.cells = state.expanded === null ? shown.length + solid : 1;
    if (!solid) this.solid.show(null);
    while (this.panes.length < shown.length) this.#addPane();
    this.panes.forEach((pane, cell) => {
      const visible = cell < shown.length && (state.expanded ?? cell) === cell;
      pane.root.hidden = !visible;
      pane.root.dataset.active = cell === state.active;
      if (cell >= shown.length) return this.#empty(pane);
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

  // A pane that nothing is shown in waits for nothing either: the list's pictures wait for those that do.
  #empty(pane) {
    pane.say("empty");
    pane.drawing?.setVolume(null);
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
    const choose = (at, name) => this.update({ chosen: chosenWith(this.state, at, name) });
    const pane = new Pane(cell, { choose, tools: this.tools, start: this.draws.startDrawing, again: () => this.update({}) });
    this.panes.push(pane);
    this.grid.append(pane.root);
    listenToPointer(pane, this.act);
    this.sizes.observe(pane.canvas);
    pane.started = pane.start();
  }

  #draw() {
    const { state } = this;
    const lead = this.lead();
    const mask = overlayShown(state);
    const maskEntry = mask && this.study.mask(mask);
    if (lead && state.mm) {
      const colors = this.colors();
      const pixels = this.#pixelsPerMm(lead);
      const seen = this.#seen();
      for (const one of seen) this.#drawCell(one, lead, pixels, colors);
      const pointed = this.#pointed();
      for (const one of seen) this.#tellCell(one, mask, pointed);
    }
    if (lead && this.#solidSeen()) this.#showSolid(lead, mask, maskEntry);
    this.#showBar(lead, mask, maskEntry);
    this.list.show(state, measuredOf(state));
  }

  #solidSeen() {
    const { layout, expanded } = this.state;
    return layout === "3d" && (expanded ?? "solid") === "solid";
  }

  #showSolid({ volume, sequence: name }, mask, maskEntry) {
    const { hidden, mm } = this.state;
    const labels = maskEntry?.status === "ready" ? maskEntry.labels : null;
    this.solid.show({ volume, name, labels, entries: mask?.entries ?? [], hidden, mm });
  }

  // The cells on the screen whose volume is there.
  #seen() {
    return cells(this.state).flatMap((shown, cell) => {
      const { root, drawing } = this.panes[cell];
      const { volume } = this.entry(cell) ?? {};
      return !root.hidden && volume && drawing?.volume === volume ? [{ ...shown, cell, drawing, volume }] : [];
    });
  }

  #drawCell({ cell, sequence, plane, drawing, volume }, lead, pixels, colors) {
    const state = stateOf(this.state, cell);
    drawing.draw({
      ...state,
      plane,
      axis: this.axis(plane),
      colors,
      shown: this.shownWindow(sequence, volume),
      row: state.rows[plane],
      scale: state.zoom * pixels(plane),
      centre: state.centre ?? centre(lead.volume.grid),
    });
  }

  // World mm where the pointer rests, on the slice that is there by now. Asked once all panes are
  // drawn and before anything is written beside them, which spares a layout.
  #pointed() {
    const { cell, at } = this.hovered ?? {};
    return at && !this.panes[cell].root.hidden ? (this.panes[cell].drawing?.mmAt(...at) ?? null) : null;
  }

  // What stands over a drawn pane: its slice, marks, value and compartment.
  #tellCell({ cell, sequence, plane, drawing, volume }, mask, pointed) {
    const pane = this.panes[cell];
    const { mm, linked } = stateOf(this.state, cell);
    const axis = this.axis(plane);
    pane.locate(volume.grid, plane, axis, mm);
    pane.mark(wasShown(this.slices(), sequence, plane, volume.grid, axis, mm));
    const { pending, active } = this.state;
    pane.marks.show({ plane, sequence, drawing, measured: measuredOf(this.state), pending, active: cell === active });
    const labels = mask && { bytes: this.study.labelsFor(mask, volume), entries: mask.entries };
    const here = pointed && (linked.slice || this.hovered.cell === cell);
    pane.readOut(volume, labels, here ? pointed : mm);
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
    if (!lead || !state.mm) {
      this.shownBar.show([], "", 0);
      this.lesionBar.show(state);
      return this.bar.clear();
    }
    const { grid } = lead.volume;
    const axis = this.axis(lead.plane);
    const index = nearestIndex(grid, axis, state.mm);
    const places = this.places(lead);
    this.lesionBar.show(state, lead.plane, axis);
    this.shownBar.show(places, lead.plane, index, state.answer ? "answer" : "input");
    this.bar.show({
      key: [state.spec.study, lead.plane, mask?.url, maskEntry?.status, ...state.hidden].join(),
      plane: lead.plane,
      index,
      count: grid.dims[axis],
      bars: () => (maskEntry?.status === "ready" ? bars(mask, maskEntry, grid, axis, state.hidden) : []),
      places: places.filter((place) => place.plane === lead.plane),
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

// Measuring with mouse and keys: which tool is held, the points so far, and the handles.

import { measuredOn } from "./measurelink.js";
import { frameOf, toolNamed, withPoint } from "./measure.js";
import { cells, withMeasured, measuredOf } from "./state.js";

const NEAR = 9; // px around a handle that take hold of it
const DRAGGED = 5; // px: further than a shaky click

export class Tools {
  constructor(panes) {
    this.panes = panes;
    this.held = null; // what the pointer has hold of: { id, at } or { fresh: true, from: [x, y] }
    this.counted = 0;
  }

  choose(name, event) {
    const same = this.panes.state.tool === name;
    this.panes.update({ tool: same ? null : name, pending: null }, event);
  }

  leave(event) {
    this.panes.update({ tool: null, pending: null }, event);
  }

  // A press of the plain button: whether it is ours.
  seize(cell, x, y, event) {
    const mm = this.#under(cell, x, y);
    if (this.panes.state.tool) {
      this.held = { fresh: true, from: [x, y] };
      if (mm) this.place(mm, event);
      return true;
    }
    this.held = this.#handleAt(cell, x, y);
    return this.held !== null;
  }

  drag(cell, x, y, event) {
    const mm = this.#under(cell, x, y);
    if (!mm || !this.held) return;
    if (this.held.fresh) this.aim(cell, x, y, event);
    else this.put(this.held, mm, event);
  }

  // A press that was dragged places the next point where it is let go.
  release(cell, x, y, event) {
    const { held } = this;
    this.held = null;
    if (!held?.fresh || !this.panes.state.pending) return;
    if (Math.hypot(x - held.from[0], y - held.from[1]) > DRAGGED) this.place(this.#under(cell, x, y), event);
  }

  // The line that follows the pointer.
  aim(cell, x, y, event) {
    const { pending } = this.panes.state;
    if (pending) this.panes.move({ pending: { ...pending, rubber: this.#under(cell, x, y) } }, event);
  }

  // The next point of the measurement that is being made, at the crosshair if none is given.
  place(mm, event) {
    const { panes } = this;
    const { state } = panes;
    const lead = panes.lead();
    if (!lead || !mm || !state.tool) return;
    if (state.tool === "midline" && lead.plane === "sagittal") return; // it has no left and right
    const camera = panes.panes[lead.cell].drawing?.camera;
    if (!camera) return; // nothing is drawn: the card gave up, or the pane still starts
    const goesOn = state.pending?.plane === lead.plane && state.pending.points.every((point) => camera.shows(point));
    const made = goesOn ? { ...state.pending, rubber: null } : this.#start(lead);
    const points = [...made.points, mm];
    if (points.length < toolNamed(made.tool).points) return panes.update({ pending: { ...made, points } }, event);
    const { rubber, ...done } = made;
    const settled = withPoint({ ...done, points }, points.length - 1, mm);
    panes.update({ pending: null, ...withMeasured(state, [...measuredOf(state), { ...done, points: settled }]) }, event);
  }

  // One point of a measurement somewhere else.
  put({ id, at }, mm, event) {
    const { state } = this.panes;
    const changed = measuredOf(state).map((one) => (one.id === id ? { ...one, points: withPoint(one, at, mm) } : one));
    this.panes.move(withMeasured(state, changed), event);
  }

  // All of them without an id.
  remove(id, event) {
    const { state } = this.panes;
    const left = id === undefined ? [] : measuredOf(state).filter((one) => one.id !== id);
    this.panes.update(withMeasured(state, left), event);
  }

  removeLast(event) {
    const last = measuredOf(this.panes.state).at(-1);
    if (last) this.remove(last.id, event);
  }

  show(id, event) {
    const one = measuredOf(this.panes.state).find((made) => made.id === id);
    const { plane, layout } = this.panes.state;
    const seen = layout === "planes" || plane === one.plane ? {} : { plane: one.plane };
    this.panes.update({ ...seen, mm: one.points[0], moved: true }, event);
  }

  // A link's measurements, once the sequences that they were made on are there, shown or not.
  // Gives what to say of those that do not fit.
  bring() {
    const { state, study } = this.panes;
    const sequences = state.brought.map(({ sequence }) => state.spec.sequences.find(({ name }) => name === sequence));
    const entries = sequences.map((sequence) => study.volume(sequence));
    if (!entries.length || entries.some(({ status }) => status === "loading")) return [];
    const made = state.brought.flatMap((one, n) => {
      const { volume } = entries[n];
      const placed = volume && measuredOn(volume.grid, state.rows[one.plane], one);
      return placed ? [{ ...placed, id: ++this.counted }] : [];
    });
    this.panes.update({ brought: [], ...withMeasured(state, [...made, ...measuredOf(state)]) });
    return made.length < entries.length ? ["The link’s measurements that lie on no slice of this study are left out."] : [];
  }

  #start({ cell, plane, sequence, volume }) {
    const { state } = this.panes;
    this.counted++;
    const frame = frameOf(volume.grid, state.rows[cells(state)[cell].plane]);
    return { id: this.counted, tool: state.tool, plane, sequence, frame, points: [], rubber: null };
  }

  #under(cell, x, y) {
    return this.panes.panes[cell].drawing?.mmAt(x, y) ?? null;
  }

  #handleAt(cell, x, y) {
    const { drawing, marks } = this.panes.panes[cell];
    if (!drawing) return null;
    for (const { id, points } of marks.shown) {
      const at = points.findIndex((mm) => {
        const [px, py] = drawing.placeOf(mm);
        return Math.hypot(px - x, py - y) <= NEAR;
      });
      if (at >= 0) return { id, at };
    }
    return null;
  }
}

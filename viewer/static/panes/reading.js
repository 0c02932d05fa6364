// What is open: the state, the loaded study, and what can be asked of the two together.

import { nearestIndex } from "./grid.js";
import { largestSlice, middleOnSlice } from "./labels.js";
import { lookOf } from "./links.js";
import { colorTable } from "./shader.js";
import { places, shownSlices } from "./shown.js";
import { START, cells, overlayShown } from "./state.js";
import { windowOf } from "./windows.js";

const NOTHING = []; // the entries of no mask

export class Reading {
  constructor() {
    this.state = START;
    this.study = null; // LoadedStudy of study.js
    this.placed = {}; // the places of shown.js and what they were told from
  }

  entry(cell) {
    const shown = cells(this.state)[cell];
    return shown ? this.study?.volumes.get(shown.sequence) : undefined;
  }

  // The cell whose grid counts the slices: the active one, else the first that is ready.
  lead() {
    const all = cells(this.state).map((_, cell) => cell);
    const ready = (cell) => this.entry(cell)?.status === "ready";
    const first = [this.state.active, ...all].find((cell) => cell < all.length && ready(cell));
    return first === undefined ? null : { cell: first, ...cells(this.state)[first], ...this.entry(first) };
  }

  axis(plane) {
    return this.state.rows[plane].through;
  }

  index(lead) {
    return this.state.mm ? nearestIndex(lead.volume.grid, this.axis(lead.plane), this.state.mm) : 0;
  }

  // The slices that the model was shown, and their places on the lead's grid.
  slices() {
    return shownSlices(this.state);
  }

  places({ volume }) {
    const slices = this.slices();
    if (this.placed.slices !== slices || this.placed.grid !== volume.grid) {
      this.placed = { slices, grid: volume.grid, all: places(slices, volume.grid, this.state.rows) };
    }
    return this.placed.all;
  }

  shownWindow(sequence, volume) {
    return windowOf(volume, this.labelsOn(volume), lookOf(this.state, sequence));
  }

  // The colours of the shown mask; the very same table until they change.
  colors() {
    const { hidden } = this.state;
    const entries = overlayShown(this.state)?.entries ?? NOTHING;
    if (this.table?.entries !== entries || this.table.hidden !== hidden) {
      this.table = { entries, hidden, colors: colorTable(entries, hidden) };
    }
    return this.table.colors;
  }

  // The shown mask, or else any there is, on a volume's grid; null without one.
  labelsOn(volume) {
    const overlay = overlayShown(this.state) ?? this.state.spec?.overlays[0];
    return overlay ? this.study.labelsFor(overlay, volume) : null;
  }

  // Where the mask is largest in a plane: world mm, or null without a mask.
  tumorAt(plane) {
    const overlay = overlayShown(this.state) ?? this.state.spec?.overlays[0];
    const entry = overlay && this.study.mask(overlay);
    if (entry?.status !== "ready") return null;
    const axis = this.axis(plane);
    const index = this.state.spec.jump[plane] ?? largestSlice(entry.areas, axis);
    return index < 0 ? null : middleOnSlice(entry.labels, axis, index);
  }
}

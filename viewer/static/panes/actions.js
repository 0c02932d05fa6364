// What keys, buttons and the pointer can do to the panes; the same verbs for all three.
// makeActions(panes)(event) gives the verbs, so that a frame's time counts from its event.

import { clamp, nearestIndex, onSlice, centre } from "./grid.js";
import { PRESETS, cells } from "./state.js";

const WINDOW_DRAG = 300; // px of drag across the whole range of values
const ZOOM = [0.5, 16];

export function makeActions(panes) {
  const leadAt = (cell) => {
    const entry = cell === undefined ? null : panes.entry(cell);
    if (entry?.status !== "ready") return panes.lead();
    return { cell, ...cells(panes.state)[cell], ...entry };
  };
  const goTo = (index, event, cell) => {
    const lead = leadAt(cell);
    if (!lead || !panes.state.mm) return;
    const axis = panes.axis(lead.plane);
    const mm = onSlice(lead.volume.grid, axis, index(nearestIndex(lead.volume.grid, axis, panes.state.mm)), panes.state.mm);
    panes.move({ mm, moved: true }, event);
  };
  const under = (cell, x, y) => panes.panes[cell].drawing?.mmAt(x, y) ?? null;
  const middle = () => panes.state.centre ?? centre(panes.lead().volume.grid);

  return (event) => ({
    set: (change) => panes.update(change, event),
    toggle: (name) => panes.update({ [name]: !panes.state[name] }, event),
    layout: (layout) => panes.update({ layout, expanded: null, active: 0 }, event),
    kind: (kind) => panes.update({ kind, masks: true }, event),
    flip: () => panes.update({ convention: OTHER[panes.state.convention] }, event),
    preset: (preset) => panes.update({ preset, windows: {} }, event),
    nextPreset() {
      const at = PRESETS.findIndex(({ name }) => name === panes.state.preset);
      panes.update({ preset: PRESETS[(at + 1) % PRESETS.length].name, windows: {} }, event);
    },
    focus: (cell) => panes.state.active === cell || panes.update({ active: cell }, event),
    expand: (cell) => panes.update({ expanded: panes.state.expanded === null ? cell : null, active: cell }, event),
    help: () => (panes.help.open ? panes.help.close() : panes.help.showModal()),
    escape: () => panes.update({ expanded: null }, event),
    use: () => panes.use(),

    plane(plane) {
      const layout = panes.state.layout === "planes" ? "4" : panes.state.layout;
      panes.update({ plane, layout }, event);
    },
    label(name, shown) {
      const hidden = new Set(panes.state.hidden);
      if (shown) hidden.delete(name);
      else hidden.add(name);
      panes.update({ hidden }, event);
    },
    step: (by, cell) => goTo((index) => index + by, event, cell),
    slice: (index) => goTo(() => index, event),
    jump() {
      const lead = panes.lead();
      const mm = lead && panes.tumorAt(lead.plane);
      if (mm) panes.move({ mm, moved: true }, event);
    },

    crosshair(cell, x, y) {
      const mm = under(cell, x, y);
      if (mm) panes.move({ mm, moved: true }, event);
    },
    hover: (cell, x, y) => panes.hover(under(cell, x, y), event),
    leave: () => panes.hover(null, event),
    window(cell, dx, dy) {
      const { sequence } = cells(panes.state)[cell];
      const entry = panes.entry(cell);
      if (entry?.status !== "ready") return;
      const [low, high] = panes.shownWindow(sequence, entry.volume);
      const step = (entry.volume.range[1] - entry.volume.range[0]) / WINDOW_DRAG;
      const width = Math.max(high - low + dx * step, step);
      const level = (low + high) / 2 - dy * -step;
      const windows = { ...panes.state.windows, [sequence]: [level - width / 2, level + width / 2] };
      panes.move({ windows }, event);
    },

    pan(cell, from, to) {
      const [a, b] = [under(cell, ...from), under(cell, ...to)];
      if (a && b) panes.move({ centre: middle().map((value, axis) => value + a[axis] - b[axis]) }, event);
    },
    zoom: (factor) => zoomAbout(panes.state.mm, factor),
    zoomAt: (cell, factor, x, y) => zoomAbout(under(cell, x, y), factor),
    reset: () => panes.update({ preset: "auto", windows: {}, zoom: 1, centre: null }, event),
  });

  function zoomAbout(mm, factor) {
    if (!panes.lead()) return;
    const before = panes.state.zoom;
    const zoom = clamp(before * factor, ...ZOOM);
    const still = mm ?? middle();
    const moved = middle().map((value, axis) => still[axis] + ((value - still[axis]) * before) / zoom);
    panes.move({ zoom, centre: zoom === 1 ? null : moved });
  }
}

const OTHER = { radiological: "neurological", neurological: "radiological" };

// What keys, buttons and the pointer can do to the panes; the same verbs for all three.
// makeActions(panes)(event) gives the verbs, so that a frame's time counts from its event.

import { lesionPoint, lesionsOf } from "./agreement.js";
import { savePanes } from "./export.js";
import { clamp, nearestIndex, onSlice, centre, toMm, toVoxel } from "./grid.js";
import { currentLesion } from "./lesionbar.js";
import { activeLook, toggleLink, withLook } from "./links.js";
import { neighbour } from "./shown.js";
import { PRESETS, ZOOM, cells, overlayShown, threePlanes } from "./state.js";
import { asShares } from "./windows.js";

const WINDOW_DRAG = 300; // px of drag across the whole range of values

export function makeActions(panes) {
  const leadAt = (cell) => {
    const entry = cell === undefined ? null : panes.entry(cell);
    if (entry?.status !== "ready") return panes.lead();
    return { cell, ...cells(panes.state)[cell], ...entry };
  };
  // Where something is not linked, what is done to a pane is done to the active one.
  const alone = (link, cell, event) => {
    if (cell !== undefined && !panes.state.linked[link]) panes.update({ active: cell }, event);
  };
  const goTo = (index, event, cell) => {
    alone("slice", cell, event);
    const lead = leadAt(cell);
    if (!lead || !panes.state.mm) return;
    const axis = panes.axis(lead.plane);
    const mm = onSlice(lead.volume.grid, axis, index(nearestIndex(lead.volume.grid, axis, panes.state.mm)), panes.state.mm);
    panes.move({ mm, moved: true }, event);
  };
  const look = (change, event) => {
    const { sequence } = cells(panes.state)[panes.state.active] ?? {};
    if (sequence) panes.update(withLook(panes.state, sequence, { ...activeLook(panes.state), hand: null, ...change }), event);
  };
  const under = (cell, x, y) => panes.panes[cell].drawing?.mmAt(x, y) ?? null;
  const middle = () => panes.state.centre ?? centre(panes.lead().volume.grid);

  return (event) => ({
    set: (change) => panes.update(change, event),
    toggle: (name) => panes.update({ [name]: !panes.state[name] }, event),
    layout: (layout) => panes.update({ layout, expanded: null, active: 0 }, event),
    kind: (kind) => panes.update({ kind, masks: true, lesion: null }, event),
    region: (region) => panes.update({ region, lesion: null }, event),
    flip: () => panes.update({ convention: OTHER[panes.state.convention] }, event),
    link: (name) => panes.update(toggleLink(panes.state, name), event),
    preset: (preset) => look({ preset }, event),
    nextPreset() {
      const at = PRESETS.findIndex(({ name }) => name === activeLook(panes.state).preset);
      look({ preset: PRESETS[(at + 1) % PRESETS.length].name }, event);
    },
    focus: (cell) => panes.state.active === cell || panes.update({ active: cell }, event),
    expand(cell) {
      const { tool, expanded, active } = panes.state;
      const next = cell === "solid" ? active : cell;
      if (!tool) panes.update({ expanded: expanded === null ? cell : null, active: next }, event);
    },
    tool: (name) => panes.tools.choose(name, event),
    listMeasured: () => panes.listMeasured(),
    removeLast: () => panes.tools.removeLast(event),
    save: () => savePanes(panes),
    // A place means what it means after the keys before it: a plane or slice still to be drawn is.
    point() {
      panes.frames.settle();
      panes.tools.place(panes.state.mm, event);
    },
    seize(cell, x, y) {
      panes.frames.settle();
      return panes.tools.seize(cell, x, y, event);
    },
    drag: (cell, x, y) => panes.tools.drag(cell, x, y, event),
    release(cell, x, y) {
      panes.frames.settle();
      panes.tools.release(cell, x, y, event);
    },
    help: () => (panes.help.open ? panes.help.close() : panes.help.showModal()),
    escape: () => (panes.state.tool ? panes.tools.leave(event) : panes.update({ expanded: null }, event)),
    use: () => panes.use(),

    plane(plane) {
      const layout = threePlanes(panes.state) ? "4" : panes.state.layout;
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

    lesion(by) {
      const lead = panes.lead();
      const kind = (overlayShown(panes.state) ?? panes.state.spec?.overlays[0])?.kind;
      const all = lesionsOf(panes.state, kind);
      if (!lead || !all?.length) return;
      const axis = panes.axis(lead.plane);
      const at = currentLesion(panes.state, all, lead.plane, axis);
      const lesion = at < 0 ? (by > 0 ? 0 : all.length - 1) : clamp(at + by, 0, all.length - 1);
      const mm = lesionPoint(panes.state.findings.found, all[lesion], lead.plane, axis);
      panes.move({ mm, lesion, moved: true }, event);
    },
    place: (place) => panes.goToPlace(place, event),
    shown(by) {
      const lead = panes.lead();
      if (lead) panes.goToPlace(neighbour(panes.places(lead), lead.plane, panes.index(lead), by), event);
    },

    crosshair(cell, x, y) {
      const mm = under(cell, x, y);
      if (mm) panes.move({ mm, moved: true }, event);
    },
    // The crosshair by voxels of the active pane, as the screen has them.
    nudge(right, down) {
      panes.frames.settle();
      const lead = panes.lead();
      const camera = lead && panes.panes[lead.cell].drawing?.camera;
      if (!camera) return;
      const { across, down: downward } = panes.state.rows[lead.plane];
      const voxel = toVoxel(lead.volume.grid, panes.state.mm);
      voxel[across] = clamp(voxel[across] + right * Math.sign(camera.step[0]), 0, lead.volume.grid.dims[across] - 1);
      voxel[downward] = clamp(voxel[downward] + down * Math.sign(camera.step[1]), 0, lead.volume.grid.dims[downward] - 1);
      panes.move({ mm: toMm(lead.volume.grid, voxel), moved: true }, event);
    },
    hover(cell, x, y) {
      panes.tools.aim(cell, x, y, event);
      panes.hover({ cell, at: [x, y] }, event);
    },
    leave: () => panes.hover(null, event),
    window(cell, dx, dy) {
      const entry = panes.entry(cell);
      if (entry?.status !== "ready") return; // a pane that went while it was dragged on has none
      const { sequence } = cells(panes.state)[cell];
      const [low, high] = panes.shownWindow(sequence, entry.volume);
      const step = (entry.volume.range[1] - entry.volume.range[0]) / WINDOW_DRAG;
      const width = Math.max(high - low + dx * step, step);
      const level = (low + high) / 2 - dy * -step;
      const hand = asShares(entry.volume, [level - width / 2, level + width / 2]);
      panes.move(withLook(panes.state, sequence, { ...activeLook(panes.state), hand }), event);
    },

    pan(cell, from, to) {
      const [a, b] = [under(cell, ...from), under(cell, ...to)];
      if (a && b) panes.move({ centre: middle().map((value, axis) => value + a[axis] - b[axis]) }, event);
    },
    zoom: (factor) => zoomAbout(panes.state.mm, factor),
    zoomAt(cell, factor, x, y) {
      alone("zoom", cell, event);
      zoomAbout(under(cell, x, y), factor);
    },
    reset() {
      look({ preset: "auto" }, event);
      panes.update({ zoom: 1, centre: null }, event);
      panes.study?.again();
    },
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

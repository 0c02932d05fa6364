// What tests and measurements may read of the panes: window.mriPanes, read-only.
// Functions take a cell: picture(cell) is its canvas as a PNG data URL, without the letters over
// it; mmAt(cell, x, y) the world mm under CSS pixels; scaleOf(cell) canvas pixels a voxel.

import { nearestIndex } from "./grid.js";
import { cells, overlayShown } from "./state.js";

export function report(panes) {
  const index = () => {
    const lead = panes.lead();
    if (!lead || !panes.state.mm) return null;
    return nearestIndex(lead.volume.grid, panes.axis(lead.plane), panes.state.mm);
  };
  const loaded = () => {
    const entries = [...(panes.study?.volumes ?? [])];
    return entries.filter(([, entry]) => entry.status === "ready").map(([name]) => name);
  };
  const maskLoaded = () => {
    const overlay = overlayShown(panes.state);
    return overlay !== null && panes.study.mask(overlay).status === "ready";
  };
  const facts = {
    study: () => panes.state.spec?.study ?? null,
    plane: () => panes.lead()?.plane ?? panes.state.plane,
    convention: () => panes.state.convention,
    index,
    mm: () => panes.state.mm,
    loaded,
    maskLoaded,
    lesions: () => panes.state.findings?.found?.regions ?? null,
    address: () => panes.address.write(),
    solid: () => panes.solid.root.dataset.drawn === "true" && { ...panes.solid.view },
    places: () => (panes.lead() ? panes.places(panes.lead()) : []),
    textureBytes: () => panes.panes.reduce((sum, { drawing }) => sum + (drawing?.textureBytes ?? 0), 0),
    frameTimes: () => [...panes.frames.times],
  };
  const picture = (cell) => {
    if (cell === "solid") return panes.solid.picture();
    panes.redraw(cell);
    return panes.panes[cell].canvas.toDataURL("image/png");
  };
  const drawing = (cell) => panes.panes[cell].drawing;
  const ofCell = {
    picture,
    mmAt: (cell, x, y) => drawing(cell).mmAt(x, y),
    windowOf: (cell) => panes.shownWindow(cells(panes.state)[cell].sequence, panes.entry(cell).volume),
    scaleOf: (cell) => Math.abs(drawing(cell).camera.step[0]),
  };
  const getters = Object.entries(facts).map(([name, get]) => [name, { get, enumerable: true }]);
  return Object.defineProperties(ofCell, Object.fromEntries(getters));
}

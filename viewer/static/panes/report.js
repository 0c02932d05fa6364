// What tests and measurements may read of the panes: window.mriPanes, read-only.
// `picture(cell)` is the cell's canvas as a PNG data URL, without the letters over it.

import { nearestIndex } from "./grid.js";
import { overlayShown } from "./state.js";

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
    frameTimes: () => [...panes.frames.times],
  };
  const picture = (cell) => {
    panes.redraw(cell);
    return panes.panes[cell].canvas.toDataURL("image/png");
  };
  const getters = Object.entries(facts).map(([name, get]) => [name, { get, enumerable: true }]);
  return Object.defineProperties({ picture }, Object.fromEntries(getters));
}

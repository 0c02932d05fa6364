// "Lesion ‹ › 2 of 3 · 4.1 mL": steps through the separate lesions of the mask, largest first.

import { lesionsOf } from "./agreement.js";
import { Steps } from "./findings.js";
import { nearestIndex } from "./grid.js";
import { overlayShown } from "./state.js";

const KEYS = ["P", "N"];

export class LesionBar {
  constructor(act) {
    this.steps = new Steps("Lesion", KEYS, (event, by) => act(event).lesion(by));
    this.root = this.steps.root;
    this.root.classList.add("lesions");
  }

  // `axis` is that of the plane in which the slices are counted; both are missing while no volume is there
  show(state, plane, axis) {
    const overlay = overlayShown(state) ?? state.spec?.overlays[0];
    const all = lesionsOf(state, overlay?.kind) ?? [];
    const at = plane && all.length && state.mm ? currentLesion(state, all, plane, axis) : -1;
    this.steps.show({
      ...says(state, overlay, all, at, plane),
      before: all.length > 1 && at !== 0,
      after: at < all.length - 1,
    });
  }
}

// The lesion that was gone to, as long as the slice passes through it; -1 else.
export function currentLesion({ lesion, mm, findings }, all, plane, axis) {
  if (lesion === null || lesion >= all.length) return -1;
  const { first, last } = all[lesion].reach[plane];
  const index = nearestIndex(findings.found.grid, axis, mm);
  return index >= first && index <= last ? lesion : -1;
}

function says({ spec, findings, region }, overlay, all, at, plane) {
  if (!spec || !overlay) return { text: "no mask" };
  if (findings?.status === "error") return { text: "unknown", title: findings.sentence };
  if (!findings?.found) return { text: "counting" };
  const rule = `${region}, ${overlay.kind === "predicted" ? "predicted" : "expert"} mask. ${findings.found.rule}`;
  if (all.length === 0) return { text: "none", title: rule };
  if (at < 0) return { text: all.length === 1 ? "1 lesion" : `${all.length} lesions`, title: rule };
  const { ml, common_ml: common, reach } = all[at];
  const { first, last, extent_mm: extent } = reach[plane];
  const shared = common === null ? "" : ` The other mask marks ${common.toFixed(1)} mL of it.`;
  return {
    text: `${at + 1} of ${all.length} · ${ml.toFixed(1)} mL`,
    title: `${plane} ${first} to ${last}, ${extent.toFixed(0)} mm.${shared} ${rule}`,
  };
}

// What is known of a study's masks together: agreement maps, numbers and lesions of each region,
// as the address `spec.findings` tells them (segmentation/routes.py). Unknown stays unknown.

import { makeGrid, onSlice } from "./grid.js";

// The document as the panes use it: its grid, and one overlay a region where there is a map.
export function readFindings(document) {
  const { grid, entries, regions, sources } = document;
  const source = `${sources.expert} and ${sources.predicted}`;
  const overlays = Object.entries(regions).map(([name, { url }]) => [
    name, url && { kind: "agreement", url, entries, source },
  ]);
  return {
    ...document,
    grid: makeGrid(grid.shape, grid.affine.slice(0, 3)),
    overlays: Object.fromEntries(overlays),
  };
}

// findings: { status, sentence, found } of study.js, or null before it is asked for
export function agreementOverlay({ findings, region }) {
  return findings?.found?.overlays[region] ?? null;
}

// Why there is no agreement to show, in words.
export function whyNone({ spec, findings }) {
  const kinds = (spec?.overlays ?? []).map((overlay) => overlay.kind);
  if (kinds.length === 0) return "Agreement unknown: no mask";
  if (!kinds.includes("expert")) return "Agreement unknown: no expert mask";
  if (!kinds.includes("predicted")) return "Agreement unknown: no predicted mask yet, press Segment";
  if (findings?.status === "error") return `Agreement unknown: ${findings.sentence}`;
  return "Comparing the masks";
}

// "Dice 0.91 · HD95 5.2 mm", each unknown with its reason.
export function numbersOf({ findings, region }) {
  const row = findings?.found?.regions[region];
  if (!row) return "";
  const lacking = ["expert", "predicted"].filter((kind) => !row.ml[kind]);
  const why = { 1: `no ${region} in the ${lacking[0]} mask`, 2: `no ${region} in either mask` }[lacking.length];
  const dice = row.dice === null ? `Dice unknown (${why})` : `Dice ${row.dice.toFixed(2)}`;
  const known = row.hausdorff95_mm !== null;
  return known ? `${dice} · HD95 ${row.hausdorff95_mm.toFixed(1)} mm` : `${dice} · HD95 unknown (${why})`;
}

// The lesions of the mask on the panes (of the expert's in the agreement), largest first.
export function lesionsOf({ findings, region }, kind) {
  return findings?.found?.regions[region]?.lesions[kind === "predicted" ? "predicted" : "expert"] ?? null;
}

// The point at which a lesion is largest in a plane.
export function lesionPoint({ grid }, lesion, plane, axis) {
  return onSlice(grid, axis, lesion.reach[plane].largest, lesion.centre_mm);
}

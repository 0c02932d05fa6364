// Fetching: a sequence's or mask's NIfTI-1 file, uint8 in RAS+, as viewer/copies.py writes it.

import { makeGrid } from "./grid.js";

const HEADER = 352;

export async function fetchVolume(url, signal) {
  return readVolume(await (await fetched(url, signal)).arrayBuffer());
}

export async function fetchJson(url, signal) {
  return (await fetched(url, signal)).json();
}

async function fetched(url, signal) {
  let response;
  try {
    response = await fetch(new URL(url, document.baseURI), { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer; see whether it still runs. Reset (R) tries again.");
  }
  if (!response.ok) throw new Error(await reason(response));
  return response;
}

// { grid, bytes, range: values of byte 0 and 255, shown: the window to open with }
export function readVolume(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER || view.getInt32(0, true) !== 348 || view.getInt16(70, true) !== 2) {
    throw new Error("The server sent something that is not an 8-bit NIfTI-1 image.");
  }
  const dims = [42, 44, 46].map((at) => view.getInt16(at, true));
  const affine = [280, 296, 312].map((at) =>
    [0, 4, 8, 12].map((more) => view.getFloat32(at + more, true)),
  );
  const slope = view.getFloat32(112, true);
  const low = view.getFloat32(116, true);
  return {
    grid: makeGrid(dims, affine),
    bytes: new Uint8Array(buffer, HEADER, dims[0] * dims[1] * dims[2]),
    range: [low, low + 255 * slope],
    shown: [view.getFloat32(128, true), view.getFloat32(124, true)],
  };
}

async function reason(response) {
  try {
    return (await response.json()).detail;
  } catch {
    return `The server answered ${response.status}; its console says why. Reset (R) tries again.`;
  }
}

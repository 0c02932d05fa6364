// The window of a sequence: by hand, or by a preset's rule. A look is { preset, hand }; `hand` is a
// window as shares of the one that the sequence opens with, so that it means something to others.

const LESION_SHARES = [0.02, 0.98]; // of the voxels inside the mask
const LESION_MARGIN = 0.25; // of their spread, on either side, so that the edge stays visible

// labels: the mask's bytes on the volume's grid, or null; [low, high] in source units
export function windowOf(volume, labels, { preset, hand }) {
  const [low, high] = volume.shown;
  return hand ? hand.map((share) => low + share * (high - low)) : RULES[preset](volume, labels);
}

export function asShares({ shown: [low, high] }, wanted) {
  return wanted.map((value) => (value - low) / (high - low || 1));
}

const RULES = {
  auto: (volume) => volume.shown,
  full: (volume) => volume.range,
  lesion: (volume, labels) => (labels && insideMask(volume, labels)) ?? volume.shown,
};

function insideMask(volume, labels) {
  volume.lesion ??= new WeakMap(); // counted once a mask, not once a frame
  if (!volume.lesion.has(labels)) volume.lesion.set(labels, countInside(volume, labels));
  return volume.lesion.get(labels);
}

function countInside({ bytes, range }, labels) {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (labels[at] === 0) continue;
    counts[bytes[at]]++;
    total++;
  }
  if (total === 0) return null;
  const [low, high] = LESION_SHARES.map((share) => byteAt(counts, share * total));
  const margin = Math.max((high - low) * LESION_MARGIN, 2);
  return [Math.max(low - margin, 0), high + margin].map((byte) => range[0] + (byte / 255) * (range[1] - range[0]));
}

function byteAt(counts, wanted) {
  let seen = 0;
  return counts.findIndex((count) => (seen += count) >= wanted);
}

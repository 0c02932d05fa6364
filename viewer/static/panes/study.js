// What is loaded of one study: volumes and label maps, each fetched once, all freed together.
// An entry is { status: "loading" | "ready" | "error", sentence, … }.

import { readFindings } from "./agreement.js";
import { areas, millilitres, onGrid } from "./labels.js";
import { fetchJson, fetchVolume } from "./volumes.js";

export class LoadedStudy {
  // `prepare` gives what the way of drawing needs of a volume beforehand (surface.js).
  constructor(arrived, prepare) {
    this.arrived = arrived; // called whenever an entry changed
    this.prepare = prepare;
    this.stop = new AbortController();
    this.volumes = new Map(); // by sequence name
    this.labels = new Map(); // by address
    this.findings = new Map(); // by the masks that they are about
  }

  volume({ name, url }) {
    return this.#entry(this.volumes, name, async () => {
      const volume = await fetchVolume(url, this.stop.signal);
      return { volume, prepared: await this.prepare(volume) };
    });
  }

  mask(overlay) {
    return this.#entry(this.labels, overlay.url, async () => {
      const labels = await fetchVolume(overlay.url, this.stop.signal);
      const found = areas(labels);
      const ml = new Map([...found].map(([value, counts]) => [value, millilitres(labels, counts)]));
      return { labels, areas: found, ml, fitted: new Map() };
    });
  }

  // Agreement and lesions of the masks that there are now; null where nobody tells them.
  about({ findings, overlays }) {
    if (!findings || overlays.length === 0) return null;
    const key = overlays.map((overlay) => overlay.url).join();
    return this.#entry(this.findings, key, async () => ({
      found: readFindings(await fetchJson(findings, this.stop.signal)),
    }));
  }

  // Whether nothing is on its way.
  get settled() {
    return [...this.volumes.values(), ...this.labels.values()].every((entry) => entry.status !== "loading");
  }

  // The mask's bytes on the grid of a volume; made once a volume.
  labelsFor(overlay, volume) {
    const entry = this.mask(overlay);
    if (entry.status !== "ready") return null;
    if (!entry.fitted.has(volume)) entry.fitted.set(volume, onGrid(entry.labels, volume.grid));
    return entry.fitted.get(volume);
  }

  // What did not come is asked for once more, as soon as it is wanted.
  again() {
    const kept = [this.volumes, this.labels, this.findings];
    const failed = ({ status }) => status === "error";
    if (!kept.some((entries) => [...entries.values()].some(failed))) return;
    for (const entries of kept) for (const [key, entry] of entries) if (failed(entry)) entries.delete(key);
    this.arrived();
  }

  close() {
    this.stop.abort();
    this.volumes.clear();
    this.labels.clear();
    this.findings.clear();
  }

  #entry(entries, key, load) {
    if (!entries.has(key)) {
      entries.set(key, { status: "loading", sentence: "" });
      this.#fill(entries, key, load);
    }
    return entries.get(key);
  }

  async #fill(entries, key, load) {
    let entry;
    try {
      entry = { status: "ready", sentence: "", ...(await load()) };
    } catch (error) {
      entry = { status: "error", sentence: error.message };
    }
    if (this.stop.signal.aborted) return; // another study is on the panes by now
    entries.set(key, entry);
    this.arrived();
  }
}

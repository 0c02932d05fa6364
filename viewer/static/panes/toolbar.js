// The controls above the panes. Where there is little room a button shows its short name alone.

import { numbersOf, whyNone } from "./agreement.js";
import { el, setFlag, setText } from "./dom.js";
import { activeLook } from "./links.js";
import { CONVENTIONS, LAYOUTS, PLANES, PRESETS, REGIONS, overlayShown, threePlanes } from "./state.js";

const KINDS = [
  { name: "expert", label: "Expert", short: "Exp" },
  { name: "predicted", label: "Predicted", short: "Pred" },
  { name: "agreement", label: "Agreement", short: "Agr", says: "Where both masks agree, and what only one of them marks" },
];
const SHORT = { axial: "Ax", coronal: "Cor", sagittal: "Sag", radiological: "Rad", neurological: "Neuro" };
const REGION_ROWS = REGIONS.map((name) => ({ name, label: name }));

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function choices(label, rows, pick) {
  const buttons = rows.map((row) =>
    el("button", {
      type: "button",
      textContent: row.label,
      "data-short": row.short ?? row.label,
      title: row.says ?? row.label,
      "aria-label": row.says ? `${row.label}: ${row.says}` : row.label,
      onclick: (event) => pick(event, row.name),
    }),
  );
  const root = el("div", { className: "choices", role: "group", "aria-label": label }, ...buttons);
  const show = (name) => buttons.forEach((b, i) => setFlag(b, "aria-pressed", rows[i].name === name));
  return { root, show, buttons };
}

export class Toolbar {
  constructor(act) {
    const button = (label, title, onclick, short = label) =>
      el("button", { type: "button", className: "plain", textContent: label, "aria-label": label, "data-short": short, title, onclick });
    const planes = PLANES.map((name) => ({ name, label: capital(name), short: SHORT[name] }));
    this.layout = choices("Layout", LAYOUTS, (event, name) => act(event).layout(name));
    this.plane = choices("Plane", planes, (event, name) => act(event).plane(name));
    this.convention = button("", "Which way left and right are drawn (L)", (event) => act(event).flip());
    this.preset = el(
      "select",
      { className: "preset", "aria-label": "Window preset", title: "Window of the active sequence, or of all where windows are linked (W)",
        onchange: (event) => act(event).preset(this.preset.value) },
      ...PRESETS.map(({ name, label, says }) => el("option", { value: name, textContent: label, title: says })),
    );
    this.kind = choices("Whose mask", KINDS, (event, name) => act(event).kind(name));
    this.region = choices("Region", REGION_ROWS, (event, name) => act(event).region(name));
    this.region.root.title = "WT whole tumor, TC tumor core, ET enhancing tumor";
    this.numbers = el("output", { className: "numbers" });
    this.labels = el("div", { className: "labels", role: "group", "aria-label": "Tumor compartments" });
    this.opacity = el("input", {
      type: "range", min: 0, max: 100, "aria-label": "Mask opacity", title: "Mask opacity",
      oninput: (event) => act(event).set({ opacity: this.opacity.value / 100 }),
    });
    this.outline = button("Outline", "Mask filled or outlined (O)", (event) => act(event).toggle("outline"), "Line");
    this.note = el("span", { className: "note" });
    this.root = el(
      "div", { className: "toolbar", role: "toolbar", "aria-label": "Panes" },
      this.layout.root,
      this.plane.root,
      this.convention,
      this.preset,
      button("Reset", "Window, zoom and position; what did not come is asked for again (R)", (event) => act(event).reset(), "↺"),
      button("?", "Keys and mouse", (event) => act(event).help()),
      this.kind.root,
      this.region.root,
      this.opacity,
      this.outline,
      this.note,
      this.labels,
    );
    this.act = act;
    this.told = "";
    this.listed = null;
  }

  // What is to be known of the drawing itself, always there.
  tell(sentence) {
    this.told = sentence;
  }

  // `mask` is the loaded entry of the overlay that is shown (study.js), if any.
  show(state, mask) {
    this.layout.show(state.layout);
    this.plane.show(threePlanes(state) ? null : state.plane);
    this.convention.title = `${CONVENTIONS[state.convention]}. Change (L)`;
    setText(this.convention, capital(state.convention));
    this.convention.ariaLabel = capital(state.convention);
    this.convention.dataset.short = SHORT[state.convention];
    setFlag(this.outline, "aria-pressed", state.outline);
    this.preset.value = activeLook(state).preset;
    this.opacity.value = Math.round(state.opacity * 100);
    setText(this.note, [state.spec?.note, this.told].filter(Boolean).join(" · "));
    this.#showMasks(state, mask);
  }

  #showMasks(state, mask) {
    const overlays = state.spec?.overlays ?? [];
    const overlay = overlayShown(state);
    const kinds = overlays.map((one) => one.kind);
    const agreement = state.kind === "agreement" && state.masks && overlays.length > 0;
    this.kind.show(agreement ? "agreement" : (overlay?.kind ?? null));
    const there = (name) => (name === "agreement" ? kinds.length > 0 : kinds.includes(name));
    this.kind.buttons.forEach((button, i) => (button.disabled = !there(KINDS[i].name)));
    this.region.show(state.region);
    this.region.root.hidden = !agreement;
    setText(this.numbers, agreement ? numbersOf(state) : "");
    this.opacity.disabled = this.outline.disabled = !overlay;
    if (agreement && !overlay) return this.#listNone(whyNone(state));
    if (!overlay) return this.#listNone(overlays.length ? "Mask is off (M)" : "No mask");
    this.kind.root.title = overlay.source ? `Mask: ${overlay.source}` : "";
    if (this.listed !== overlay.entries) this.#listLabels(overlay.entries);
    for (const { name, value } of overlay.entries) {
      const { tick, amount } = this.ticks.get(name);
      tick.checked = !state.hidden.has(name);
      const text = { ready: () => `${(mask.ml.get(value) ?? 0).toFixed(1)} mL`, error: () => "not readable" };
      setText(amount, text[mask?.status]?.() ?? "");
      tick.parentElement.title = amount.textContent;
    }
  }

  #listNone(sentence) {
    this.listed = null;
    if (this.labels.textContent !== sentence) this.labels.replaceChildren(sentence);
  }

  #listLabels(entries) {
    this.listed = entries;
    this.ticks = new Map();
    const nodes = entries.map(({ name, color }) => {
      const tick = el("input", { type: "checkbox", onchange: (event) => this.act(event).label(name, tick.checked) });
      const swatch = el("span", { className: "swatch" });
      swatch.style.background = color;
      const amount = el("span", { className: "amount" });
      this.ticks.set(name, { tick, amount });
      return el("label", {}, tick, swatch, el("span", { textContent: name }), amount);
    });
    this.labels.replaceChildren(...nodes, this.numbers);
  }
}

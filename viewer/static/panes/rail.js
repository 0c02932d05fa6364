// The narrow column beside the panes: what is linked, the measuring tools, the picture to save.

import { el, setFlag, setText } from "./dom.js";
import { LINKS } from "./links.js";
import { TOOLS } from "./measure.js";

// Strokes on a field of 20 × 20.
const ICONS = {
  slice: "M3 7.5 10 4l7 3.5-7 3.5zM3 12.5l7 3.5 7-3.5",
  zoom: "M13.5 8.5a5 5 0 1 1-10 0a5 5 0 1 1 10 0zM12.3 12.3 17 17",
  window: "M17 10a7 7 0 1 1-14 0a7 7 0 1 1 14 0zM10 3v14M12.5 4v12M15 5.5v9",
  distance: "M4.5 15.5 15.5 4.5M2.8 13.8l3.4 3.4M13.8 2.8l3.4 3.4",
  angle: "M17 16H3L12 3.5M9.5 16a6.5 6.5 0 0 0-2.6-5.2",
  diameters: "M17 10a7 5 0 1 1-14 0a7 5 0 1 1 14 0zM3 10h14M10 5v10",
  midline: "M10 2.5v15M10 10h6M13.5 7.5 16 10l-2.5 2.5",
  list: "M7 5h10M7 10h10M7 15h10M3 5h.5M3 10h.5M3 15h.5",
  save: "M10 3v9M6.5 8.5 10 12l3.5-3.5M3.5 13.5v3h13v-3",
};
const KEY_OF = { slice: "7", zoom: "8", window: "9", distance: "D", angle: "G", diameters: "T", midline: "I" };

export class Rail {
  constructor(act) {
    const linking = LINKS.map(({ name, label, says }) =>
      iconButton(name, `Link ${label.toLowerCase()}`, `${says} (${KEY_OF[name]})`, (event) => act(event).link(name)));
    const measuring = TOOLS.map(({ name, label }) =>
      iconButton(name, label, `${label} (${KEY_OF[name]})`, (event) => act(event).tool(name)));
    this.links = Object.fromEntries(LINKS.map(({ name }, n) => [name, linking[n]]));
    this.tools = Object.fromEntries(TOOLS.map(({ name }, n) => [name, measuring[n]]));
    this.count = el("span", { className: "count" });
    this.list = iconButton("list", "Measurements", "List of measurements", (event) => act(event).listMeasured());
    this.list.append(this.count);
    const save = iconButton("save", "Save picture", "Save the panes as a PNG (E)", (event) => act(event).save());
    this.root = el(
      "div", { className: "rail", role: "toolbar", "aria-label": "Links, measuring, picture", "aria-orientation": "vertical" },
      group("Link", "Link", linking), group("Measure", "Tools", [...measuring, this.list]), group("Save", "Save", [save]),
    );
  }

  show({ linked, tool }, measured, listed) {
    for (const [name, button] of Object.entries(this.links)) setFlag(button, "aria-pressed", linked[name]);
    for (const [name, button] of Object.entries(this.tools)) setFlag(button, "aria-pressed", tool === name);
    setFlag(this.list, "aria-expanded", listed);
    this.list.disabled = measured === 0;
    setText(this.count, measured ? String(measured) : "");
  }
}

function group(label, caption, buttons) {
  return el("div", { role: "group", "aria-label": label }, el("small", { textContent: caption }), ...buttons);
}

function iconButton(icon, label, title, onclick) {
  const button = el("button", { type: "button", title, "aria-label": label, onclick });
  button.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  return button;
}

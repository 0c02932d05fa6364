// The panes' door: Python hands a spec in, hears "use this slice", and nothing else.

import { el } from "./dom.js";
import { SAYS, WAY_OF_DRAWING, graphics } from "./graphics.js";
import { report } from "./report.js";
import { listenForStrips } from "./strip.js";
import { Panes } from "./view.js";

// `onUse` is called with { study, sequence, plane, index, mm } when the user asks for it; `card`
// is one of the answers of graphics(), where it is known better.
export async function mountPanes(element, onUse, card = graphics()) {
  const [draws] = await Promise.all([import(WAY_OF_DRAWING[card]), styles()]);
  const root = element.querySelector(".mri-panes") ?? element;
  root.classList.add("mri-panes");
  const panes = new Panes(root, onUse, draws);
  panes.toolbar.tell(SAYS[card]);
  window.mriPanes = report(panes);
  listenForStrips();
  return panes;
}

async function styles() {
  const href = new URL("panes.css", import.meta.url).href;
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = el("link", { rel: "stylesheet", href });
  const loaded = new Promise((done) => link.addEventListener("load", done, { once: true }));
  document.head.append(link);
  await loaded;
}

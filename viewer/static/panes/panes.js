// The panes' door: Python hands a spec in, hears "use this slice", and nothing else.

import { el } from "./dom.js";
import { hasWebGl } from "./drawing.js";
import { report } from "./report.js";
import { Panes } from "./view.js";

const NO_WEBGL = "This browser has no WebGL 2, which draws the panes; turn on hardware or software " +
  "WebGL in its settings, or open the page in a current Firefox, Chrome, Edge or Safari.";

// `onUse` is called with { study, sequence, plane, index, mm } when the user asks for it.
export async function mountPanes(element, onUse) {
  await styles();
  const root = element.querySelector(".mri-panes") ?? element;
  root.classList.add("mri-panes");
  if (!hasWebGl()) {
    root.replaceChildren(el("p", { className: "no-webgl", textContent: NO_WEBGL }));
    return { show: () => {} };
  }
  const panes = new Panes(root, onUse);
  window.mriPanes = report(panes);
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

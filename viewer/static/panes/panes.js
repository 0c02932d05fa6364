// The panes' door: Python hands a spec in, hears "use this slice" and "open this study".

import { styled } from "./dom.js";
import { listenForPictures } from "./enlarge.js";
import { SAYS, WAY_OF_DRAWING, graphics } from "./graphics.js";
import { report } from "./report.js";
import { listenForStrips } from "./strip.js";
import { Panes } from "./view.js";

const STYLES = ["panes.css", "findings.css", "enlarge.css"];

// hooks: `use` is called with { study, sequence, plane, index, mm } when the user asks for it,
// `open` with { study, question } when slices of another study or page are wanted; panes that are
// not `linked` leave the page's address alone and are told of no slices. `card` is one of the
// answers of graphics(), where it is known better.
export async function mountPanes(element, hooks, card = graphics()) {
  listenForPictures();
  const [draws] = await Promise.all([import(WAY_OF_DRAWING[card]), ...STYLES.map((file) => styled(new URL(file, import.meta.url).href))]);
  const root = element.querySelector(".mri-panes") ?? element;
  root.classList.add("mri-panes");
  const panes = new Panes(root, hooks, draws);
  panes.toolbar.tell(SAYS[card]);
  root.mriPanes = report(panes);
  // A page may hold several panes: the first of them is the one that is called the page's.
  const mounted = [...document.querySelectorAll(".mri-panes")].map((each) => each.mriPanes);
  window.mriPanes = mounted.find(Boolean) ?? root.mriPanes;
  listenForStrips();
  return panes;
}

// One way to make an element: tag, properties, children.

export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && name !== "list") node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

// Of an element that holds nothing but text; the same text node is kept, which spares a layout.
export function setText(node, text) {
  const held = node.firstChild ?? node.appendChild(new Text());
  if (held.data !== text) held.data = text;
}

export function setFlag(node, attribute, on) {
  const value = on ? "true" : "false";
  if (node.getAttribute(attribute) !== value) node.setAttribute(attribute, value);
}

// Once a stylesheet holds. Without it letters would not stand where they belong: better nothing
// than that, and a sentence.
export async function styled(href) {
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = el("link", { rel: "stylesheet", href });
  const loaded = new Promise((done, failed) => {
    link.addEventListener("load", done, { once: true });
    link.addEventListener("error", failed, { once: true });
  });
  document.head.append(link);
  try {
    await loaded;
  } catch {
    link.remove(); // whoever asks next tries again
    throw new Error(`${href.split("/").at(-1)} did not come from the server; load the page again.`);
  }
}

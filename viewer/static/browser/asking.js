// What the names of opened files do not tell is asked, a row a file; nothing is guessed.

import { el } from "../panes/dom.js";

const MASK = "expert mask";

// Resolves to { file: { role, scheme } }, or to null where the user thinks better of it.
export function askWhatTheyAre({ asked, roles, schemes }) {
  const rows = asked.map((one) => row(one, roles, schemes));
  const open = el("button", { type: "submit", className: "primary", textContent: "Open" });
  const cancel = el("button", { type: "button", textContent: "Cancel", onclick: () => dialog.close() });
  const form = el("form", { method: "dialog" },
    el("h2", { id: "asking-title", textContent: "What are these files?" }),
    el("p", { textContent: "Their names do not say. Nothing is guessed." }),
    ...rows.map((each) => each.root),
    el("div", { className: "buttons" }, open, cancel));
  const dialog = el("dialog", { className: "asking", "aria-labelledby": "asking-title" }, form);
  document.body.append(dialog);
  return new Promise((done) => {
    let answer = null;
    form.addEventListener("submit", () => (answer = Object.fromEntries(rows.map((each) => each.answer()))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(answer);
    });
    dialog.showModal();
  });
}

function row({ file, role }, roles, schemes) {
  const which = select(`What ${file} is`, [["", "choose"], ...roles.map((name) => [name, name])]);
  const meaning = select(`What the labels of ${file} mean`, [
    ["", "labels: choose"], ...schemes.map((name) => [name, `labels as ${name}`]), ["unknown", "labels not known"],
  ]);
  const update = () => {
    meaning.hidden = which.value !== MASK;
    meaning.required = !meaning.hidden;
  };
  which.required = true;
  which.addEventListener("change", update);
  if (role) {
    which.value = role;
    which.disabled = true;
  }
  update();
  const root = el("div", { className: "asked" }, el("span", { textContent: file.replace(/^Opened files\//, "") }), which, meaning);
  return { root, answer: () => [file, { role: which.value, scheme: meaning.hidden ? "" : meaning.value }] };
}

function select(label, options) {
  const choices = options.map(([value, text]) => el("option", { value, textContent: text }));
  return el("select", { "aria-label": label }, ...choices);
}

// Files or a folder of the user's own, sent to the server for this page only.

import { el, setText } from "../panes/dom.js";
import { askWhatTheyAre } from "./asking.js";

const IMAGE = /\.(nii|nii\.gz|hdr|img|img\.gz)$/i;
const BESIDE = /(^|\/)dataset\.json$/;
const DICM_AT = 128;
const MOST_NAMED = 4;

// `opened(rows, first)` is called with the studies of this session, and the one to open.
export function buildUpload(opened) {
  let address = null;
  const chooser = (properties) => el("input", {
    type: "file", multiple: true, hidden: true, tabIndex: -1, "aria-hidden": "true", ...properties,
    onchange: (event) => send([...event.target.files]).finally(() => (event.target.value = "")),
  });
  const files = chooser({});
  const folder = chooser({ webkitdirectory: true });
  const status = el("p", { className: "upload-status", role: "status" });
  const button = (text, title, input) =>
    el("button", { type: "button", textContent: text, title, disabled: true, onclick: () => input.click() });
  const buttons = [
    button("Open files", "NIfTI files of your own, for this page only", files),
    button("Open folder", "A folder of NIfTI files, for this page only", folder),
  ];
  const say = (text, bad = false) => {
    setText(status, text);
    status.classList.toggle("bad", bad);
  };

  async function send(chosen) {
    if (!chosen.length) return;
    for (const each of buttons) each.disabled = true;
    try {
      await sendAll(address, chosen, say, opened);
    } catch (error) {
      say(error.message, true);
    } finally {
      for (const each of buttons) each.disabled = false;
    }
  }

  return {
    root: el("div", { className: "upload" }, ...buttons, files, folder, status),
    receiveAt(token) {
      address = token ? `opened/${token}` : null;
      for (const each of buttons) each.disabled = !address;
    },
    send,
  };
}

async function sendAll(address, chosen, say, opened) {
  const named = chosen.map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  const visible = named.filter(({ path }) => !path.split("/").some((part) => part.startsWith(".")));
  const fit = visible.filter(({ path }) => IMAGE.test(path) || BESIDE.test(path));
  const left = visible.filter((each) => !fit.includes(each));
  if (!fit.some(({ path }) => IMAGE.test(path))) throw new Error(await whyNone(left));
  const { batch } = await post(address);
  for (const [at, { file, path }] of fit.entries()) {
    say(`Reading file ${at + 1} of ${fit.length}: ${file.name}`);
    await post(`${address}/${batch}/file?path=${encodeURIComponent(path)}`, file);
  }
  let found = await read(address, batch, {});
  if (found.asked.length) {
    say("");
    const choices = await askWhatTheyAre(found);
    if (!choices) return say("Nothing was opened.");
    found = await read(address, batch, choices);
  }
  if (!found.first) throw new Error(listed("No study could be read", found.problems));
  opened(found.rows, found.first);
  const skipped = left.length ? [`${left.length} other files were left out`] : [];
  const notes = [...found.problems, ...skipped];
  say(notes.length ? listed("Opened", notes) : "Opened for this page only.");
}

function read(address, batch, choices) {
  return post(`${address}/${batch}/read`, JSON.stringify(choices), "application/json");
}

async function post(address, body = null, type = "application/octet-stream") {
  const answer = await fetch(new URL(address, document.baseURI), {
    method: "POST", body, headers: { "Content-Type": type },
  });
  const told = await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  const detail = typeof told.detail === "string" ? told.detail : null;
  throw new Error(detail ?? `The server answered ${answer.status}; load the page anew.`);
}

async function whyNone(left) {
  const kinds = await Promise.all(left.slice(0, MOST_NAMED).map(({ file }) => isDicom(file)));
  const which = left.slice(0, MOST_NAMED).map(({ file }) => file.name).join(", ");
  if (kinds.some(Boolean)) {
    return `Expected NIfTI files, got DICOM (${which}); convert the series with ` +
      "'dcm2niix -z y FOLDER' and open what it writes.";
  }
  return `Expected NIfTI files (.nii, .nii.gz, or .hdr with .img), got ${which || "none"}; choose others.`;
}

async function isDicom(file) {
  const bytes = await file.slice(DICM_AT, DICM_AT + 4).text().catch(() => "");
  return bytes === "DICM" || /\.(dcm|ima)$/i.test(file.name);
}

function listed(first, sentences) {
  const shown = sentences.slice(0, MOST_NAMED).join("; ");
  const more = sentences.length - MOST_NAMED;
  return `${first}. ${shown}${more > 0 ? `; and ${more} more` : ""}`;
}

// The windows over the editor: the name of the file, and the list of keys.

import { h, iconButton } from "./dom.js";
import { KEYS } from "../keys.js";

/** Where to save: stays open, with what was typed, until the file is written. */
export function savingWindow(frame, { suggestion, folder, ending }) {
  const input = h("input", { value: suggestion, "aria-label": "File name", spellcheck: false, autocomplete: "off", oninput: () => lands() });
  const note = h("p.wgs-hint", { id: `${frame.id}-lands` }), fault = h("p.wgs-fault", { role: "alert", hidden: true }), button = h("button.wgs-primary", { type: "submit" }, "Save");
  const lands = () => { note.textContent = input.value.trim() ? `Becomes ${withEnding(input.value.trim(), ending)}${/^([/\\~]|[a-z]:)/i.test(input.value.trim()) ? "" : ` in ${folder}`}` : `A name without a folder lands in ${folder}`; };
  const form = h("form.wgs-dialog", {
    role: "dialog", "aria-modal": "true", "aria-label": "Save the map",
    onsubmit: (ev) => {
      ev.preventDefault();
      if (!input.value.trim() || button.disabled) return;
      fault.hidden = true;
      button.disabled = true;
      button.textContent = "Saving…";
      input.focus();
      frame.view.save(withEnding(input.value.trim(), ending));
    },
  }, h("b", {}, "Save the map as"), input, note, fault, h("div.wgs-row", {}, button, h("button.wgs-plain", { type: "button", onclick: () => frame.closePopups() }, "Cancel")));
  input.setAttribute("aria-describedby", note.id);
  lands();
  frame.open(form);
  input.focus();
  input.setSelectionRange(0, suggestion.length - (suggestion.endsWith(ending) ? ending.length : 0));
  frame.saving = (text) => {
    fault.textContent = `⚠ ${text}`;
    fault.hidden = false;
    button.disabled = false;
    button.textContent = "Save";
    input.focus();
  };
}

/** The list of keys. */
export function helpWindow(frame) {
  const rows = (list) => list.map(([key, text]) => h("div.wgs-key", {}, h("kbd", {}, key), h("span", {}, text)));
  const tools = frame.view.tools.all.map((tool) => [tool.letter.toUpperCase(), tool.title]), close = iconButton("close", "Close (Esc)", () => frame.closePopups());
  frame.open(h("div.wgs-dialog.wgs-help", { role: "dialog", "aria-modal": "true", "aria-label": "Keys" },
    h("div.wgs-line", {}, h("b", {}, "Keys"), h("span"), close),
    h("div.wgs-columns", { tabIndex: 0, "aria-label": "List of keys" }, h("div", {}, h("h4", {}, "Tools"), ...rows(tools), h("h4", {}, "Line of sight"), ...rows([["X", "swap the ends"], ["V", "field of view from A"]])), h("div", {}, h("h4", {}, "Map"), ...rows(KEYS)))));
  close.focus({ preventScroll: true });
}

/** A file name with the ending of its kind. */
function withEnding(name, ending) {
  return name.toLowerCase().endsWith(ending) ? name : name.replace(/\.(map\.?|json)$/i, "") + ending;
}

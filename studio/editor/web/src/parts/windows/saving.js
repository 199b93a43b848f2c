// The window over the editor that asks for the name of the file.

import { h } from "../../ui/dom.js";

/** Where to save: stays open, with what was typed, until the file is written. */
export function savingWindow(frame, { suggestion, folder, ending }) {
  const kind = frame.view.store.catalogue.scenario ? "scenario" : "map";
  const input = h("input", { value: suggestion, "aria-label": "File name", spellcheck: false, autocomplete: "off", oninput: () => lands() });
  const note = h("p.wgs-hint", { id: `${frame.id}-lands` }), fault = h("p.wgs-fault", { role: "alert", hidden: true }), button = h("button.wgs-primary", { type: "submit" }, "Save");
  const lands = () => { note.textContent = input.value.trim() ? `Becomes ${withEnding(input.value.trim(), ending)}${/^([/\\~]|[a-z]:)/i.test(input.value.trim()) ? "" : ` in ${folder}`}` : `A name without a folder lands in ${folder}`; };
  const form = h("form.wgs-dialog", {
    role: "dialog", "aria-modal": "true", "aria-label": `Save the ${kind}`,
    onsubmit: (ev) => {
      ev.preventDefault();
      if (!input.value.trim() || button.disabled) return;
      fault.hidden = true;
      button.disabled = true;
      button.textContent = "Saving…";
      input.focus();
      frame.view.save(withEnding(input.value.trim(), ending));
    },
  }, h("b", {}, `Save the ${kind} as`), input, note, fault, h("div.wgs-row", {}, button, h("button.wgs-plain", { type: "button", onclick: () => frame.closePopups() }, "Cancel")));
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

/** A file name with the ending of its kind. */
function withEnding(name, ending) {
  return name.toLowerCase().endsWith(ending) ? name : name.replace(/\.((map|scenario)\.?|json)$/i, "") + ending;
}

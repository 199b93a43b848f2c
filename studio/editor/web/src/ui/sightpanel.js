// What the sight tool found, in words: the verdict by colour, shape and text, and the reasons numbered as on the map.

import { h, iconButton } from "./dom.js";
import { drawProfile } from "./profile.js";

const WORDS = { clear: ["✓", "Clear"], hindered: ["≈", "Hindered"], blocked: ["✕", "Blocked"] };

export function sightPanel(view, tool) {
  const verdict = h("div.wgs-verdict", { role: "status", "aria-live": "polite" }), facts = h("div.wgs-facts"), profile = h("canvas.wgs-profile", { "aria-hidden": "true" }), reasons = h("ol.wgs-reasons"), field = h("p.wgs-hint");
  const follows = h("p.wgs-hint", { hidden: true }, "B follows; Enter fixes it, and so does a drag from A that is let go at B.");
  const toggle = h("input", { type: "checkbox", "data-action": "field", onchange: () => { tool.toggleField(toggle.checked); view.frame.area.focus({ preventScroll: true }); } });
  const swap = iconButton("swap", "Swap the ends (X)", () => tool.swap(), { "data-action": "swap" });
  const el = h("div.wgs-sight", {}, h("div.wgs-ends", {}, facts, swap), verdict, follows, profile, reasons, h("label.wgs-check", {}, toggle, h("span", {}, "Field of view from A (V)")), field);

  profile.hidden = true;
  const rest = h("details.wgs-passed");
  reasons.after(rest);

  function row(reason) {
    const at = Array.isArray(reason.at) ? reason.at.join(" / ") : reason.at, where = [at, reason.rule].filter(Boolean).join(" · ");
    return h("li", { class: reason.blocks ? "wgs-blocks" : "" }, h("span", {}, reason.text || reason.effect), h("small", {}, where));
  }

  function show({ a, b, held, distance, result, field: on, counts }) {
    toggle.checked = on;
    swap.disabled = !b;
    facts.replaceChildren(...(a ? [h("b", {}, a), h("span", {}, " → "), h("b", {}, b || "…"), ...(b ? [h("span.wgs-faint", {}, `  ${distance} hex${distance === 1 ? "" : "es"}`)] : [])] : [h("span.wgs-hint", {}, "Press on a hex for end A and drag to end B: letting go fixes it. Or click A and move: B follows the pointer. Keys: Enter sets A, arrows move B, Enter fixes it.")]));
    verdict.dataset.status = b ? (result ? result.status : "waiting") : "none";
    verdict.replaceChildren();
    reasons.replaceChildren();
    rest.hidden = true;
    if (b && result) {
      const [sign, word] = WORDS[result.status] || ["?", result.status];
      verdict.append(h("span.wgs-sign", {}, sign), h("b", {}, word));
      if (result.hindrances) verdict.append(h("span", {}, `${result.hindrances} hindrance${result.hindrances === 1 ? "" : "s"}`));
      for (const [name, value] of Object.entries(result.modifiers || {})) verdict.append(h("span.wgs-mod", {}, `${name.replace(/_/g, " ")} ${value > 0 ? "+" : ""}${value}`));
      const telling = result.reasons.filter((reason) => reason.effect !== "passes"), passed = result.reasons.filter((reason) => reason.effect === "passes");
      reasons.append(...telling.map(row));
      if (!telling.length) reasons.append(h("li.wgs-none", {}, "Nothing stands in the way."));
      if (passed.length) rest.replaceChildren(h("summary", {}, `${passed.length} passed over`), h("ul", {}, ...passed.map(row)));
      rest.hidden = !passed.length;
    } else if (b) verdict.append(h("span", {}, "…"));
    follows.hidden = !b || held;
    drawProfile(profile, view, b ? result : null);
    field.textContent = counts ? `Seen ${counts[1]}, hindered ${counts[2]}, blind ${counts[3]} hexes` : on && !a ? "Press on a hex to see its field of view." : "";
  }
  return { el, show };
}

// What the sight tool found, in words: the verdict by colour, shape and text, and the reasons numbered as on the map.

import { h, iconButton } from "../../ui/dom.js";
import { drawProfile } from "./profile.js";
import css from "./sight.css";

const WORDS = { clear: ["✓", "Clear"], hindered: ["≈", "Hindered"], blocked: ["✕", "Blocked"] };
const HINT = "Press on A and drag to B: letting go fixes it. Or click A and move: B follows. Enter sets A, then B; arrows and . walk the locations; Alt or a second press takes what is stacked, such as a roof. Shift+click (Q): one more that looks. A fixed line stays while other tools draw; Esc takes it away.";

export function sightPanel(view, tool) {
  const verdict = h("div.wgs-verdict", { role: "status", "aria-live": "polite" }), facts = h("div.wgs-facts"), profile = h("canvas.wgs-profile", { "aria-hidden": "true" }), reasons = h("ol.wgs-reasons"), field = h("p.wgs-hint");
  const follows = h("p.wgs-hint", {}, "B follows; Enter fixes it, and so does a drag from A that is let go at B."), rest = h("details.wgs-passed"), other = h("p.wgs-other"), again = h("details.wgs-passed");
  const toggle = h("input", { type: "checkbox", "data-action": "field", onchange: () => { tool.toggleField(toggle.checked); view.frame.area.focus({ preventScroll: true }); } });
  const swap = iconButton("swap", "Swap the ends (X)", () => tool.swap(), { "data-action": "swap" }), names = h("datalist", { id: `${view.frame.id}-places` }, ...view.store.places.list.slice(0, 800).map(({ label }) => h("option", { value: label })));
  const [a, b] = ["a", "b"].map((end) => h("input.wgs-end", {
    type: "text", "aria-label": `End ${end.toUpperCase()}`, placeholder: end.toUpperCase(), "data-end": end, spellcheck: false, list: names.id,
    onchange: (ev) => ev.target.setAttribute("aria-invalid", String(!!ev.target.value.trim() && !tool.type(end, ev.target.value))),
  }));
  const el = h("div.wgs-sight", {}, h("style", { textContent: css }), h("div.wgs-ends", {}, facts, swap), h("div.wgs-row", {}, a, b, names), verdict, follows, other, profile, reasons, rest, h("label.wgs-check", {}, toggle, h("span", {}, "Field of view from A (V)")), field, again);

  function row(reason) {
    const at = Array.isArray(reason.at) ? reason.at.join(" / ") : reason.at, go = () => tool.goTo(reason), mark = () => tool.mark(reason), off = () => tool.mark(null);
    return h("li", { class: reason.blocks ? "wgs-blocks" : "", tabIndex: 0, role: "button", onclick: go, onkeydown: (ev) => ev.key === "Enter" && go(), onmouseenter: mark, onfocus: mark, onmouseleave: off, onblur: off },
      h("span", {}, reason.text || reason.effect), h("small", {}, [at, reason.rule].filter(Boolean).join(" · ")));
  }
  const copy = (text) => h("div.wgs-line", {}, h("code", {}, text), h("button.wgs-plain", { type: "button", onclick: (ev) => {
    getSelection().selectAllChildren(ev.target.previousSibling);
    document.execCommand("copy"); // works where the clipboard is closed to pages without https
    view.frame.say("Copied");
  } }, "Copy"));

  function show() {
    const { result, held, counts } = tool, to = tool.b, from = tool.a;
    toggle.checked = tool.field;
    swap.disabled = !to;
    for (const [input, end] of [[a, from], [b, to]]) if (document.activeElement !== input) input.value = end?.label || "";
    facts.replaceChildren(...(from ? [h("b", {}, from.label), h("span", {}, " → "), h("b", {}, to?.label || "…"), h("span.wgs-faint", {}, !to ? "" : tool.distance ? `  ${tool.distance} hex${tool.distance === 1 ? "" : "es"}` : [from, to].map((end) => `\n${end.label}: ${end.text || "hex"}`).join(""))] : [h("span.wgs-hint", {}, HINT)]));
    verdict.dataset.status = to ? (result ? result.status : "waiting") : "none";
    const telling = tool.telling, passed = result ? result.reasons.filter((reason) => reason.effect === "passes") : [], [sign, word] = WORDS[result?.status] || ["", ""];
    verdict.replaceChildren(...(result ? [h("span.wgs-sign", {}, sign), h("b", {}, word), result.hindrances ? h("span", {}, `${result.hindrances} hindrance${result.hindrances === 1 ? "" : "s"}`) : "",
      ...Object.entries(result.modifiers || {}).map(([name, value]) => h("span.wgs-mod", {}, `${name.replace(/_/g, " ")} ${value > 0 ? "+" : ""}${value}`))] : []), tool.busy ? h("span", {}, "◌ kernel busy: the answer comes when it is free") : result ? "" : h("span", {}, "…"));
    reasons.replaceChildren(...telling.map(row), ...(result && !telling.length ? [h("li.wgs-none", {}, "Nothing stands in the way.")] : []));
    rest.replaceChildren(h("summary", {}, `${passed.length} passed over`), h("ul", {}, ...passed.map(row)));
    rest.hidden = !passed.length;
    const rival = result?.other, [mark, said] = WORDS[rival?.status] || ["?", ""];
    other.hidden = !rival;
    if (rival) other.replaceChildren(h("b", {}, `${mark} ${said} `), `in ${rival.name}: ${rival.text}`);
    other.classList.toggle("wgs-differs", !!rival && rival.status !== result.status);
    again.hidden = !result;
    if (result && again.dataset.text !== result.python) again.replaceChildren(h("summary", {}, "Ask the same again"), ...[result.command, result.python].filter(Boolean).map(copy));
    again.dataset.text = result?.python || "";
    follows.hidden = !to || held;
    drawProfile(profile, view, to ? result : null);
    field.textContent = tool.shaded ? `Seen ${counts[1]}, hindered ${counts[2]}, blind ${counts[3]} ${view.store.places.count ? "locations" : "hexes"}` : tool.field && !from ? "Press on a location to see its field of view." : "";
  }
  return { el, show };
}

// The panel of layers: each is shown or hidden, more or less opaque, locked; some lie under or over others.

import { h } from "../../ui/dom.js";

const LAYERS = [
  ["name", "Names"], ["unit", "Units"], ["answer", "Answers"], ["marker", "Markers"], ["sign", "Signs"], ["road", "Roads and sides"], ["border", "Borders and walls"], ["area", "Areas"],
  ["contour", "Relief and contours"], ["number", "Numbers"], ["grid", "Hex grid"], ["terrain", "Terrain"], ["backdrop", "Backdrop"], ["play", "Out of play"],
];
const ORDER = { answer: "signs", backdrop: "terrain" }; // what they lie over or under
const SEEN_ONLY = new Set(["grid", "number", "contour", "answer", "play"]); // nothing on them is edited: no lock
const NOTE = { sign: "Openings, places, links, dots", area: "Floors, zones" };

export const css = `
.wgs-layers { display: grid; grid-template-columns: auto minmax(0, 1fr) 40px 22px 22px; gap: 3px 5px; align-items: center; }
.wgs-layers input[type="range"] { width: 40px; margin: 0; }
.wgs-layers input[type="checkbox"] { margin: 0; }
.wgs-layers button { display: grid; place-items: center; width: 22px; height: 22px; padding: 0; border: 1px solid transparent; border-radius: 3px; background: none; color: inherit; cursor: pointer; }
.wgs-layers button:hover, .wgs-layers button:focus-visible, .wgs-layers [aria-pressed="true"] { border-color: currentColor; }
.wgs-layers [aria-pressed="false"] { opacity: 0.55; }
`;

/** A padlock, closed or open. */
function padlock(closed) {
  const make = (name, props) => { const el = document.createElementNS("http://www.w3.org/2000/svg", name); Object.entries(props).forEach((pair) => el.setAttribute(...pair)); return el; };
  const svg = make("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": 1.6 });
  svg.append(make("rect", { x: 3, y: 7.5, width: 10, height: 6.5, rx: 1, fill: closed ? "currentColor" : "none" }), make("path", { d: closed ? "M5 7.5V5a3 3 0 0 1 6 0v2.5" : "M5 7.5V4.5a3 3 0 0 1 5.8-1" }));
  return svg;
}

export function showLayers(view) {
  const { stage, frame } = view, { layers } = stage, scenario = view.store.catalogue.units !== undefined || !!view.store.scenario;
  if (!document.getElementById("wgs-layers-css")) document.head.append(Object.assign(document.createElement("style"), { id: "wgs-layers-css", textContent: css }));
  frame.panel.layers.replaceChildren(...LAYERS.filter(([id]) => id !== "unit" || scenario).flatMap(([id, title]) => {
    const now = layers.at(id), set = (change) => { stage.setLayer(id, change); if (!("alpha" in change)) refresh(); };
    const refresh = () => { const focus = document.activeElement?.dataset?.layer; showLayers(view); frame.panel.layers.querySelector(`[data-layer="${focus}"]`)?.focus(); };
    return [
      h("input", { type: "checkbox", checked: now.shown, "data-layer": id, "aria-label": `Show ${title}`, onchange: (ev) => set({ shown: ev.target.checked }) }),
      h("span", { title: NOTE[id] || "" }, title),
      h("input", { type: "range", min: 0.1, max: 1, step: 0.05, value: String(now.alpha), "data-layer": `${id}-alpha`, "aria-label": `Opacity of ${title}`, oninput: (ev) => set({ alpha: Number(ev.target.value) }) }),
      ORDER[id] ? h("button", { type: "button", "data-layer": `${id}-below`, title: `Under or over ${ORDER[id]}`, "aria-label": `${title} ${now.below ? "under" : "over"} ${ORDER[id]}`, onclick: () => set({ below: !now.below }) }, now.below ? "↓" : "↑") : h("span"),
      SEEN_ONLY.has(id) ? h("span") : h("button", { type: "button", "data-layer": `${id}-lock`, title: now.locked ? "Locked: cannot be picked or changed" : "Lock", "aria-label": `Lock ${title}`, "aria-pressed": String(now.locked), onclick: () => set({ locked: !now.locked }) }, padlock(now.locked)),
    ];
  }));
}

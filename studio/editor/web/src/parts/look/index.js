// Looking at a map more closely: the legend, what somebody looks for, print scale, and how others see its colours.

import { Finder, matches } from "./find.js";
import { entries, showLegend } from "./legend.js";

export { Finder, entries, matches, showLegend };

// G. M. Machado, M. M. Oliveira, L. A. F. Fernandes (2009), severity 1, for linear light, as studio/draw/colour.py has them.
const VISIONS = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
  grey: [0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722],
};
const SVG = "http://www.w3.org/2000/svg";

/** What Python tells a view that is about how it looks. */
export function told(view, message) {
  if (message.what === "vision") see(view, message.id);
  else if (message.what === "print") atPrintSize(view, message);
  else if (message.what === "palette") {
    view.store.style = message.look;
    view.store.emit("reset", false);
  }
}

/** The map as somebody with another colour vision sees it. */
function see(view, id) {
  const { area, host } = view.frame, name = `${view.frame.id}-${id}`;
  host.dataset.vision = VISIONS[id] ? id : "normal";
  area.style.filter = VISIONS[id] ? `url(#${name})` : "";
  if (!VISIONS[id] || host.querySelector(`#${name}`)) return;
  const make = (tag, attributes, ...children) => {
    const el = document.createElementNS(SVG, tag);
    Object.entries(attributes).forEach(([key, value]) => el.setAttribute(key, value));
    el.append(...children);
    return el;
  };
  const rows = [0, 3, 6].map((i) => `${VISIONS[id].slice(i, i + 3).join(" ")} 0 0`).join(" ");
  host.append(make("svg", { width: 0, height: 0, "aria-hidden": "true", style: "position:absolute" },
    make("filter", { id: name, "color-interpolation-filters": "linearRGB" }, make("feColorMatrix", { type: "matrix", values: `${rows} 0 0 0 1 0` }))));
}

/** As large as on paper: mm is the width of a hex there, dpi that of the screen. */
function atPrintSize(view, { mm, dpi }) {
  const { camera, grid, dpr } = view, scale = ((mm / 25.4) * dpi * dpr) / grid.w;
  view.zoom(scale / camera.scale);
  view.frame.say(Math.abs(camera.scale / scale - 1) < 0.01 ? `Print size: hex ${mm} mm` : "The screen cannot show the map that large");
}

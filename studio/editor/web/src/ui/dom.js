// Elements without markup: whatever text a map holds is text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

/** h("button.wgs-x", {title: "…", onclick}, "text", child) */
export function h(name, props = {}, ...children) {
  const [tag, ...classes] = name.split("."), el = document.createElement(tag);
  if (classes.length) el.className = classes.join(" ");
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(el.style, value);
    else if (key in el && !/^(aria|data|role|list|form)/.test(key)) el[key] = value;
    else el.setAttribute(key, value === true ? "" : value);
  }
  el.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return el;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true", class: "wgs-icon" })) svg.setAttribute(key, value);
  for (const part of (ICONS[name] || ICONS.marker).split("|")) {
    const path = document.createElementNS(SVG, "path"), solid = part.startsWith("!");
    path.setAttribute("d", solid ? part.slice(1) : part);
    if (solid) path.setAttribute("class", "wgs-solid");
    svg.append(path);
  }
  return svg;
}

// Strokes on a 20 x 20 field; a leading ! is a filled shape.
const ICONS = {
  hand: "M7 10.5V5a1.2 1.2 0 0 1 2.4 0v4.2V3.7a1.2 1.2 0 0 1 2.4 0v5.5V4.9a1.2 1.2 0 0 1 2.4 0v6.6c0 3.6-1.7 5.6-4.6 5.6-2.2 0-3.4-.9-4.6-3L3.3 11a1.2 1.2 0 0 1 2-1.3L7 12",
  eye: "M2 10s3-5.2 8-5.2S18 10 18 10s-3 5.2-8 5.2S2 10 2 10z|!M10 7.4a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2z",
  ways: "M4 16c5 0 2-6 6-6s2-6 6-6|!M4 14a2 2 0 1 1 0 4 2 2 0 0 1 0-4z|M13 2.5L16.5 4 14.5 7.2",
  supply: "M3 6h14v9H3zM3 6l7 4.5L17 6|!M8.5 12.5h3v2.5h-3z",
  brush: "M16.8 3.2c-2.8 1.2-6.4 4.4-8.2 7l1.4 1.4c2.6-1.8 5.7-5.5 6.8-8.4z|!M7.7 11.1l1.5 1.5c.3 2.5-1.9 4.3-5.8 4.1 1.1-.8 1.2-1.6 1.3-2.7.2-1.8 1.5-2.9 3-2.9z",
  arrow: "!M5 3l10 8h-5l3 5-2 1-3-5-3 3z",
  area: "M4 5l7-2 6 5-3 8-9 1z",
  wall: "M2 6h16v8H2zM2 10h16M8 6v4M5 10v4M12 10v4",
  contour: "M10 3a7 7 0 1 0 .1 0zM10 7a3 3 0 1 0 .1 0z",
  track: "M3 17C3 11 9 12 10 8s4-5 7-5",
  split: "M4 5h12v10H4z|M13 2L7 18",
  merge: "M3 5h6v10H3zM11 5h6v10h-6z",
  fill: "M8.2 4.2l6.6 6.6-5 5a1.4 1.4 0 0 1-2 0L3.2 11.2a1.4 1.4 0 0 1 0-2l5-5zM8.2 4.2L6.6 2.6|!M3 10.5h11.2l-4.6 4.7a1.3 1.3 0 0 1-1.8 0z|!M16.4 12.6c.9 1.3 1.5 2.2 1.5 3a1.5 1.5 0 0 1-3 0c0-.8.6-1.7 1.5-3z",
  rectangle: "M3.5 5h13v10h-13z|!M3.5 5h6.5v10H3.5z",
  lasso: "M10 3.2c4.2 0 7 1.9 7 4.6s-2.8 4.6-7 4.6-7-1.9-7-4.6 2.8-4.6 7-4.6z|M6.4 11.8c-1 .8-1.2 2.2-.2 2.8 1.2.7 2.2.4 2.4 2.6",
  replace: "M3.5 8.5a5 5 0 0 1 8.6-3.4L13.6 6.6M13.8 3v3.8H10|M16.5 11.5a5 5 0 0 1-8.6 3.4l-1.5-1.5M6.2 17v-3.8H10",
  region: "M4 6.5V4h2.5M9 4h2M13.5 4H16v2.5M16 9v2M16 13.5V16h-2.5M11 16H9M6.5 16H4v-2.5M4 11V9|!M8 8h4v4H8z",
  line: "M4.6 15.4L15.4 4.6|!M4 14a2 2 0 1 1 0 4 2 2 0 0 1 0-4z|!M16 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  pick: "M12 5.5l2.5 2.5-7.4 7.4-3.3.8.8-3.3z|!M12.6 3.6a2 2 0 0 1 3.8 0 2 2 0 0 1 0 3.4l-1.3 1.3-3.4-3.4z",
  level: "M2.5 16h15L12.4 6.5l-2.2 3.7-1.6-2z|M10 4.4V1.6M8.6 3L10 1.6 11.4 3",
  side: "M10 2.4l6.6 3.8v7.6L10 17.6l-6.6-3.8V6.2z|!M15.4 5.6h2.4v8.8h-2.4z",
  road: "M6.2 17.5L8.6 2.5M13.8 17.5L11.4 2.5|M10 3.5v2M10 8v2.4M10 13v3",
  crest: "M2 15.5h3.4v-3.2h3.4V9h3.4V5.8h3.4|M4.2 18h3.4v-3.2H11v-3.2h3.4V8.4H18",
  text: "M4 5.6V4h12v1.6M10 4v12M7.8 16h4.4",
  place: "M4 4h12v12H4z|!M10 7.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  opening: "M3 15h4M13 15h4M10 15V4M6.8 7.2L10 4l3.2 3.2",
  link: "M6 14L14 6|!M5 12.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8z|!M15 2.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8z",
  dot: "M10 2.4l6.6 3.8v7.6L10 17.6l-6.6-3.8V6.2z|!M12 10.6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  marker: "M10 17.5s5.6-5 5.6-9a5.6 5.6 0 1 0-11.2 0c0 4 5.6 9 5.6 9z|!M10 6.4a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2z",
  eraser: "M11.4 4.2l5 5-6.6 6.6H6.4l-3-3zM7.2 8.4l5 5|M6.5 15.8h10",
  undo: "M4 8h8.2a4 4 0 0 1 0 8H7|M7 4.6L3.6 8 7 11.4",
  redo: "M16 8H7.8a4 4 0 0 0 0 8H13|M13 4.6L16.4 8 13 11.4",
  save: "M4 3.5h9.5l3 3V16a.8.8 0 0 1-.8.8H4.3a.8.8 0 0 1-.8-.8V4z|M6.5 3.8v4h6v-4M6.5 16.5v-5h7v5",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4|M7 10l3-3 3 3-3 3z",
  screen: "M11.5 3H17v5.5M8.5 17H3v-5.5M17 3l-6 6M3 17l6-6",
  panel: "M3 4h14v12H3zM12.5 4v12|!M12.5 4H17v12h-4.5z",
  help: "M7.4 7.4A2.7 2.7 0 0 1 10 5c1.6 0 2.7 1 2.7 2.4 0 1.9-2.7 2.2-2.7 4.2|!M10 13.8a1 1 0 1 1 0 2 1 1 0 0 1 0-2z",
  swap: "M4 7h11M12 4l3 3-3 3M16 13H5M8 10l-3 3 3 3",
  search: "M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM13 13l4 4",
  scan: "M3 5.5L13.5 3 17 14.5 6.5 17zM7.5 8v4M5.5 10h4M13 7.5v3M11.5 9h3",
  close: "M5 5l10 10M15 5L5 15",
  counter: "M3 3h14v14H3zM6 6.5h8v5H6zM6 6.5l8 5M6 11.5l8-5M7 14.5h6",
  setup: "M10 2.4l6.6 3.8v7.6L10 17.6l-6.6-3.8V6.2zM5 12.5l7-7M7 15l9-9",
  flag: "M5 17.5V3M5 3.5l10 2-3 2.5 3 2.5-10 1",
  note: "M4.5 3h8l3 3v11h-11zM12 3v3.5h3.5M7 9.5h6M7 12.5h6",
  play: "M3 3h14v14H3z|!M3 3h7v14H3z",
};

/** A button with an icon; its title is its name and its tooltip. */
export function iconButton(name, title, onclick, props = {}) {
  return h("button.wgs-button", { type: "button", title, "aria-label": title, onclick, ...props }, icon(name));
}

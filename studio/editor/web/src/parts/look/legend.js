// The legend: what the map holds, how often; a press takes up the tool that draws it, or leads from one to the next.

import { h } from "../../ui/dom.js";
import { hexSwatch, markerSwatch, roadSwatch, sideSwatch } from "../../ui/swatches.js";

const TYPED = { area: ["Areas", "area_types", "area", "areaType"], wall: ["Walls", "wall_types", "wall", "wallType"], place: ["Places", "place_types", "place", "placeType"], aperture: ["Openings", "aperture_types", "opening", "apertureType"], link: ["Links", "link_types", "link", "linkType"] };
const PLAIN = { crest: ["Crest line", "crest"], contour: ["Contour", "contour"], name: ["Name", "name"] };

function tally(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
  return counts;
}

/** Parts of the legend: [title, [{id, name, count, swatch, tool, option, points}]]. */
export function entries(view) {
  const { store } = view, { catalogue, grid } = store, parts = [];
  const cells = new Map();
  for (let cell = 0; cell < grid.size; cell++) if (grid.has(cell)) cells.set(store.planes.terrain[cell], (cells.get(store.planes.terrain[cell]) || 0) + 1);
  parts.push(["Terrain", store.terrainIds.map((id, index) => ({ id, name: store.terrainName(id), count: cells.get(index) || 0, swatch: hexSwatch, tool: "brush", option: "terrain", next: () => nextCell(view, index) })).filter((one) => one.count)]);
  const sides = tally([...store.sides.values()].flatMap((side) => side.kinds));
  parts.push(["Hexsides", catalogue.side_kinds.filter(({ id }) => sides.has(id)).map(({ id, name }) => ({ id, name, count: sides.get(id), swatch: sideSwatch, tool: "side", option: "kind", points: () => [...store.sides.values()].filter((side) => side.kinds.includes(id)).map((side) => side.p) }))]);
  const all = [...store.features.values()], of = (test) => all.filter(({ record }) => test(record)), points = (some) => () => some.map(({ record, points: [p] }) => p || dotOf(store, record)).filter(Boolean);
  parts.push(["Roads", ["paved", "unpaved"].map((id) => ({ id, some: of((r) => r.kind === "road" && r.surface === id) })).filter(({ some }) => some.length).map(({ id, some }) => ({ id, name: `${id === "paved" ? "Paved" : "Unpaved"} road`, count: some.length, swatch: roadSwatch, tool: "road", option: "surface", points: points(some) }))]);
  parts.push(["Markers", catalogue.marker_types.map((type) => ({ ...type, some: of((r) => r.kind === "marker" && r.type === type.id) })).filter(({ some }) => some.length).map(({ id, name, some }) => ({ id, name, count: some.length, swatch: markerSwatch, tool: "marker", option: "marker", points: points(some) }))]);
  for (const [kind, [title, table, tool, option]] of Object.entries(TYPED)) {
    const types = tally(of((r) => r.kind === kind).map(({ record }) => record.type)), names = new Map((catalogue[table] || []).map(({ id, name }) => [id, name]));
    parts.push([title, [...types].map(([id, count]) => ({ id, name: names.get(id) || id.replace(/_/g, " "), count, tool, option: names.has(id) ? option : null, points: points(of((r) => r.kind === kind && r.type === id)) }))]);
  }
  parts.push(["Lines and names", Object.entries(PLAIN).map(([kind, [name, tool]]) => ({ id: kind, name, some: of((r) => r.kind === kind), tool })).filter(({ some }) => some.length).map(({ some, ...one }) => ({ ...one, count: some.length, points: points(some) }))]);
  return parts.filter(([, list]) => list.length);
}
function dotOf({ grid }, record) {
  const [x, y] = record.dot || record.outline?.[0] || record.line?.[0] || [];
  return typeof x === "number" ? [x * grid.kx, y * grid.ky] : null;
}
function nextCell(view, index) {
  const { grid, store } = view, from = view.cursor;
  for (let n = 1; n <= grid.size; n++) {
    const cell = (from + n + grid.size) % grid.size;
    if (grid.has(cell) && store.planes.terrain[cell] === index) return view.goTo(cell);
  }
}

export function showLegend(panel) {
  const { view } = panel, draw = !view.store.readonly && !view.store.dead, seen = new Map();
  const press = ({ id, tool, option, points, next }, go) => {
    if (draw && !go && view.tools.get(tool)) {
      if (option) view.options[option] = id;
      view.select(tool);
      view.frame.showOptions();
      return;
    }
    if (next) return next();
    const all = points(), n = seen.get(id) || 0;
    seen.set(id, n + 1);
    if (all.length) view.goToPoint(...all[n % all.length]);
  };
  panel.legend.replaceChildren(...entries(view).flatMap(([title, list]) => [h("h4", {}, title), ...list.map((one) => h("div.wgs-entry", {},
    h("button.wgs-item", { type: "button", "data-legend": one.id, title: draw && view.tools.get(one.tool) ? `Draw ${one.name.toLowerCase()}` : `Go to the next`, onclick: () => press(one, false) }, one.swatch ? one.swatch(view, one.id) : "", h("span", {}, one.name), h("span.wgs-faint", {}, one.count.toLocaleString("en"))),
    h("button.wgs-button", { type: "button", title: `Go to the next: ${one.name}`, "aria-label": `Go to the next: ${one.name}`, onclick: () => press(one, true) }, "→")))]));
}

// Scenarios: units, set-up areas, entries, objectives, notes; what they look like, and the tools that change them.

import { AreaTool, PlayTool } from "./brush.js";
import { NoteTool, ObjectivesTool } from "./aims.js";
import { UnitsTool } from "./units.js";
import { ForcesLayer } from "./layer.js";
import { forcesOf } from "./state.js";
import { h } from "../../ui/dom.js";
import css from "./forces.css";

export const tools = [UnitsTool, AreaTool, ObjectivesTool, NoteTool, PlayTool];

/** Show the scenario in a view; once a view. */
export function start(view) {
  if (view.forces) return;
  const { store, frame } = view, { area } = frame;
  view.forces = new ForcesLayer(view);
  view.stage.over.push(view.forces);
  view.host.prepend(h("style", { textContent: css }));
  view.unsubscribe.push(
    view.forces.stop,
    store.on("forces_done", ({ message }) => done(view, message)),
    store.on("units", (what) => {
      if (what === "why") view.showUnder(undefined);
      else if (view.tool === view.forces.active) follow(view, what);
    }),
  );
  // Lines of the order of battle are dragged onto the map.
  area.addEventListener("dragover", (ev) => {
    if (!view.dragged || store.readonly) return;
    ev.preventDefault();
    view.tool.hover?.(view.event(ev));
    view.stage.redraw(2);
  });
  area.addEventListener("drop", (ev) => {
    if (!view.dragged) return;
    ev.preventDefault();
    const e = view.event(ev), { panel, drag } = view.dragged;
    frame.desk.act(panel, "drop_on_map", { what: drag, x: Math.round(e.x / view.grid.kx), y: Math.round(e.y / view.grid.ky), cell: e.cell, label: e.label });
  });
  view.stage.redraw(2);
}

/** The options of the tool follow the scenario; those of units are rebuilt only when sides and formations are others. */
function follow(view, what) {
  const { forces } = view.forces, stamp = JSON.stringify([forces.ready, forces.sides.map(({ id, name, color, formations }) => [id, name, color, formations.map((part) => [part.id, part.name, part.turn])])]);
  if (what === "palette") {
    for (const chip of view.frame.panel.tool.querySelectorAll("[data-type]")) chip.show(forces.face(chip.dataset.type, view.tool.formation?.side.id));
    return;
  }
  if (view.tool.repaint && view.forcesShown === stamp) view.tool.repaint();
  else view.frame.showOptions();
  view.forcesShown = stamp;
}

function done(view, { client, action, chosen, warning }) {
  if (client !== view.store.client) return;
  if (["place", "copy", "move"].includes(action) && chosen.length && view.tool.id === "units") view.choose(chosen);
  if (action === "objective" && view.tool.id === "objectives") view.tool.done(chosen);
  if (warning) view.frame.say(`⚠ ${warning}`);
}
export { forcesOf };

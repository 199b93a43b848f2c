// The tools. A tool is an object with an id, a title, a key, an icon, a group, and the hooks it needs:
//   enter(), leave(), cancel()             when it is taken up, put away, or Esc is pressed
//   down(e), move(e), up(e), hover(e|null) pointer, or the keyboard's hex cursor; e: {x, y, cell, side, shift, ctrl, keyboard}
//   finish(e), remove(e), key(ev)          double click or Enter; Delete; any other key (true when used)
//   draw(ctx, camera)                      on the topmost canvas, in device pixels
//   panel(build)                           its options in the side panel
//   refresh()                              the map or an option changed
//   fits(catalogue)                        whether the game has what the tool draws
// drags: Space begins a drag and the next one ends it; turns: Shift+arrows choose a hexside; pans: dragging moves the map.

import { Brush } from "./terrain.js";
import { CrestTool, RoadTool } from "./paths.js";
import { SightTool } from "./sight.js";
import { PARTS, loadPart } from "../parts.js";

class Pan {
  constructor() { Object.assign(this, { id: "pan", title: "Move the map", letter: "h", icon: "hand", group: "look", pans: true, cursor: "grab" }); }
  panel(build) { build.hint("Drag to move the map. With any tool, the right or middle button moves it too; the wheel zooms."); }
}

const TOOLS = [Pan, SightTool, Brush, RoadTool, CrestTool];

/** The tools of a view in the order of the bar; those of a part are stubs until one of them is taken up. */
export function makeTools(view) {
  const { catalogue } = view.store, fits = (tool) => (tool.fits?.(catalogue, view.store) ?? true) && (!view.store.readonly || tool.group === "look") && (tool.group === "look" || (tool.group === "forces") === !!catalogue.scenario);
  const all = [...TOOLS.map((Kind) => new Kind(view)), ...PARTS.map((stub) => ({ ...stub, stub: true }))].filter(fits);
  return {
    all,
    get: (id) => all.find((tool) => tool.id === id),
    byKey: (key) => all.find((tool) => tool.letter === key),
    /** Put the tools of a part in the place of their stubs. */
    async load(part) {
      const module = await loadPart(view.store, part);
      if (view.closed || !all.some((tool) => tool.stub && tool.part === part)) return;
      module.start?.(view);
      for (const tool of module.tools.map((Kind) => new Kind(view))) {
        const at = all.findIndex((stub) => stub.stub && stub.id === tool.id);
        if (at >= 0) all[at] = Object.assign(tool, { group: all[at].group, letter: all[at].letter, icon: all[at].icon, title: all[at].title });
      }
    },
  };
}

// The tools. A tool is an object with an id, a title, a key, an icon, a group, and the hooks it needs:
//   enter(), leave(), cancel()             when it is taken up, put away, or Esc is pressed
//   down(e), move(e), up(e), hover(e|null) pointer, or the keyboard's hex cursor; e: {x, y, cell, side, shift, ctrl, keyboard}
//   finish(e), remove(e), key(ev)          double click or Enter; Delete; any other key (true when used)
//   draw(ctx, camera)                      on the topmost canvas, in device pixels
//   panel(build)                           its options in the side panel
//   refresh()                              the map or an option changed
//   fits(catalogue)                        whether the game has what the tool draws
// drags: Space begins a drag and the next one ends it; turns: Shift+arrows choose a hexside; pans: dragging moves the map.

import { Brush, Fill, Level, Line, Pick, Rectangle } from "./terrain.js";
import { SideTool } from "./sides.js";
import { CrestTool, RoadTool } from "./paths.js";
import { Eraser, MarkerTool, NameTool } from "./things.js";
import { SightTool } from "./sight.js";

class Pan {
  constructor() { Object.assign(this, { id: "pan", title: "Move the map", letter: "h", icon: "hand", group: "look", pans: true, cursor: "grab" }); }
  panel(build) { build.hint("Drag to move the map. With any tool, the right or middle button moves it too; the wheel zooms."); }
}

const TOOLS = [Pan, SightTool, Brush, Fill, Rectangle, Line, Pick, Level, SideTool, RoadTool, CrestTool, NameTool, MarkerTool, Eraser];

export function makeTools(view) {
  const { catalogue } = view.store, all = TOOLS.map((Kind) => new Kind(view)).filter((tool) => tool.fits?.(catalogue) ?? true), byId = new Map(all.map((tool) => [tool.id, tool]));
  return { all, get: (id) => byId.get(id), byKey: (key) => all.find((tool) => tool.letter === key) };
}

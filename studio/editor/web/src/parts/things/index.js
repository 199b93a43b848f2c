// Tools for things that are set on a map: names, markers, places, openings, links, dots; and the eraser of all kinds.

import { DotTool } from "./dots.js";
import { Eraser } from "./eraser.js";
import { LinkTool } from "./links.js";
import { MarkerTool } from "./markers.js";
import { NameTool } from "./names.js";
import { OpeningTool } from "./openings.js";
import { PlaceTool } from "./places.js";

export const tools = [NameTool, MarkerTool, PlaceTool, OpeningTool, LinkTool, DotTool, Eraser];

/** Ask Python what things the game has; again when the map was replaced. */
export function start(view) {
  const { store } = view, ask = () => store.ask("things", {});
  view.unsubscribe.push(store.on("things", ({ message }) => {
    store.things = message;
    view.frame.showOptions();
  }), store.on("reset", ask));
  ask();
}

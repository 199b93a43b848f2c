// The scan under the map: its layer, and the tool that sets its control points.

import { ScanLayer } from "./layer.js";
import { BackdropTool } from "./tool.js";

export const tools = [BackdropTool];

/** Show the scan in a view; called once it has one, and when the tool is taken up. */
export function start(view) {
  view.stage.scan ||= new ScanLayer(view);
}

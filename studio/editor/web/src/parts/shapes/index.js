// Lines and areas: choose and change, draw, split, merge.

import { listen } from "./asking.js";
import { AreaTool, ContourTool, DrawnRoadTool, SplitTool, WallTool } from "./draw.js";
import { MergeTool } from "./merge.js";
import { SelectTool } from "./select.js";

export const tools = [SelectTool, AreaTool, WallTool, ContourTool, DrawnRoadTool, SplitTool, MergeTool];

export function start(view) { listen(view); }

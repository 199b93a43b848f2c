// Drawing on the ground: what a mere viewer never needs. Loaded when one of these tools is first taken up.

import { Fill, Lasso, Level, Line, Pick, Rectangle, Replace } from "./paint.js";
import { Region, clipboard } from "./region.js";
import { SideTool } from "./sides.js";

export const tools = [Fill, Rectangle, Line, Lasso, Pick, Level, Replace, Region, SideTool];

export function start(view) { clipboard(view); }

// Movement, supply and command: what Python answers is drawn by the ink of answers, and told in the panel beside.

import { SupplyTool } from "./supply.js";
import { WaysTool } from "./ways.js";

export const tools = [WaysTool, SupplyTool];

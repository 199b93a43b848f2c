// What the sight tool says in the side panel. The tool itself is part of the core: its line follows the pointer at once.

export { sightPanel } from "./panel.js";

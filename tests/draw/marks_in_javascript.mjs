// Reads {"style": ..., "cases": [[terrain, col, row, neighbours, roads, ends], ...]} and writes the list of marks of each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { marks } = await import(pathToFileURL(process.argv[2]).href);
const { style, cases } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map((c) => marks(style, ...c))));

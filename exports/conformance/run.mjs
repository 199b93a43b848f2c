// Hold the reader of bundles in JavaScript to the conformance corpus: node run.mjs [READER.mjs]
//
// The reader is a module that exports readBundle(bytes), which throws an error with a `code` when it refuses. It is
// looked for beside this file, and where the studio keeps it.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const places = [process.argv[2], join(here, "reader.mjs"), join(here, "../../studio/files/reader.mjs")];
const reader = places.filter(Boolean).map((place) => resolve(place)).find(existsSync);
if (!reader) throw new Error(`no reader.mjs in ${places.filter(Boolean).join(", ")}`);
const { readBundle } = await import(pathToFileURL(reader).href);

function factsOf(bundle) {
  const labels = bundle.locations.map((location) => location.label);
  const some = [labels[0], labels[Math.floor(labels.length / 3)], labels[labels.length - 1]];
  const pairs = some.flatMap((a) => some.map((b) => [a, b]));
  return {
    title: bundle.title,
    ruleset: bundle.manifest.ruleset,
    locations: labels.length,
    first: labels[0],
    last: labels[labels.length - 1],
    neighbours: bundle.locations.reduce((sum, location) => sum + location.neighbours.length, 0),
    sides: bundle.sides.length,
    kinds: Object.keys(bundle.roster).length,
    units: (bundle.setup?.units ?? []).reduce((sum, unit) => sum + unit.count, 0),
    steps: !bundle.hasSteps ? 0 : labels.reduce((sum, label) => sum
      + Object.keys(bundle.ruleset.movers).reduce((all, mover) => all + bundle.steps(label, mover).length, 0), 0),
    sight: bundle.hasSight ? pairs.map(([a, b]) => [a, b, bundle.sight(a, b)]) : [],
  };
}

const { bundles } = JSON.parse(readFileSync(join(here, "manifest.json"), "utf8"));
let wrong = 0;
for (const one of bundles) {
  const faults = [];
  let verdict = "valid", code, facts;
  try {
    facts = factsOf(readBundle(readFileSync(join(here, one.file))));
  } catch (error) {
    if (!error.code) throw error;
    verdict = "broken";
    code = error.code;
  }
  if (verdict !== one.verdict) faults.push(`found ${verdict}, is ${one.verdict}`);
  else if (code !== one.code) faults.push(`named ${code}, is ${one.code}`);
  for (const [key, value] of Object.entries(one.facts ?? {})) {
    if (facts && JSON.stringify(facts[key]) !== JSON.stringify(value)) faults.push(`${key} is ${JSON.stringify(value)}`);
  }
  if (faults.length) {
    wrong++;
    console.log(`${one.file}: ${faults.join("; ")}`);
  }
}
console.log(`${bundles.length - wrong} of ${bundles.length} bundles judged rightly`);
process.exitCode = wrong ? 1 : 0;

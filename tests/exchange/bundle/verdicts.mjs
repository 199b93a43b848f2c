// Answers verdicts on bundles: a line of base64 in, a line of JSON out. "whole " before it asks for all content.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { BundleError, readBundle } = await import(pathToFileURL(process.argv[2]).href);

// What Node.js counts begins with what its parent had; Linux itself tells of this process alone.
function peak() {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "latin1"))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "memory") {
    console.log(JSON.stringify({ peak: peak() }));
    continue;
  }
  const whole = line.startsWith("whole ");
  const bytes = Buffer.from(whole ? line.slice(6) : line, "base64");
  const begun = process.cpuUsage();
  const answer = { code: "", message: "" };
  try {
    const bundle = readBundle(bytes);
    if (whole) {
      const { manifest, map, scenario, setup, roster, ruleset, locations, sides } = bundle;
      answer.content = { manifest, map, scenario, setup, roster, ruleset, locations, sides };
      answer.preview = bundle.preview === null ? null : Buffer.from(bundle.preview).toString("base64");
      const labels = locations.map((location) => location.label).slice(0, 40);
      answer.sight = bundle.hasSight ? labels.map((a) => labels.map((b) => bundle.sight(a, b))) : null;
    }
  } catch (error) {
    answer.code = error instanceof BundleError ? error.code : "crash";
    answer.message = error instanceof BundleError ? error.message : error.stack;
  }
  const used = process.cpuUsage(begun);
  answer.seconds = (used.user + used.system) / 1e6;
  console.log(JSON.stringify(answer));
}

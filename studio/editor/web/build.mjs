// Bundles src/index.js into ../static/editor.js. With --check: compares instead of writing, for CI.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "static", "editor.js");
const LIMIT = 150_000; // bytes: the module travels with every widget

const result = await build({
  absWorkingDir: here,
  entryPoints: ["src/index.js"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2021",
  charset: "utf8",
  legalComments: "none",
  loader: { ".css": "text" },
  write: false,
});
const text = Buffer.from(result.outputFiles[0].contents);
if (text.length > LIMIT) {
  console.error(`editor.js has ${text.length} bytes; the limit is ${LIMIT}`);
  process.exit(1);
}
if (process.argv.includes("--check")) {
  if (!text.equals(readFileSync(out))) {
    console.error("studio/editor/static/editor.js is not what its sources build: run npm run build and commit it");
    process.exit(1);
  }
  console.log(`editor.js is up to date, ${text.length} bytes`);
} else {
  writeFileSync(out, text);
  console.log(`editor.js written, ${text.length} bytes`);
}

// Bundles the editor: src/index.js into ../static/editor.js, and each src/parts/NAME/index.js into ../static/NAME.js, which the
// editor loads when one of its tools is first used. With --check: compares instead of writing, for CI.
//
// A part imports modules of the core as if they were its own; in the bundle those imports read what the running core holds,
// so that nothing is there twice and both share one state.
import { build, transform } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url)), src = join(here, "src"), parts = join(src, "parts"), out = join(here, "..", "static");
const LIMIT = 150_000; // bytes of the core: it travels with every widget
const files = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((name) => /\.(js|css)$/.test(name)).sort();
const names = existsSync(parts) ? readdirSync(parts, { withFileTypes: true }).filter((entry) => entry.isDirectory() && existsSync(join(parts, entry.name, "index.js"))).map((entry) => entry.name).sort() : [];

// A core and its parts know each other by this: two editors of different versions can be in one page.
const stamp = files(src).reduce((hash, name) => hash.update(relative(src, name).replaceAll("\\", "/")).update(readFileSync(name)), createHash("sha256")).digest("hex").slice(0, 12);
const core = (file) => !file.startsWith(parts + "/") && file.startsWith(src + "/");

/** What the parts import of the core: {file: Set of names}. */
function wanted() {
  const found = new Map();
  for (const name of names) {
    for (const file of files(join(parts, name)).filter((f) => f.endsWith(".js"))) {
      for (const [, list, from] of readFileSync(file, "utf8").matchAll(/^import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)"/gm)) {
        const target = resolve(dirname(file), from);
        if (!core(target)) continue;
        if (!found.has(target)) found.set(target, new Set());
        list.split(",").map((one) => one.trim().split(/\s+as\s+/)[0]).filter(Boolean).forEach((one) => found.get(target).add(one));
      }
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, set]) => [file, [...set].sort()]);
}

const css = {
  name: "css",
  setup(bundle) {
    bundle.onLoad({ filter: /\.css$/ }, async ({ path }) => ({ contents: (await transform(readFileSync(path, "utf8"), { loader: "css", minify: true, charset: "utf8" })).code.trim(), loader: "text" }));
  },
};
const exposed = {
  name: "exposed",
  setup(bundle) {
    bundle.onResolve({ filter: /^virtual:exposed$/ }, () => ({ path: "exposed", namespace: "exposed" }));
    bundle.onLoad({ filter: /.*/, namespace: "exposed" }, () => {
      const list = wanted();
      const lines = list.map(([file, set], i) => `import { ${set.map((one) => `${one} as m${i}_${one}`).join(", ")} } from ${JSON.stringify(file)};`);
      const entries = list.map(([file, set], i) => `${JSON.stringify(relative(src, file))}: { ${set.map((one) => `${one}: m${i}_${one}`).join(", ")} }`);
      return { contents: `${lines.join("\n")}\nexport const exposed = { ${entries.join(", ")} };`, resolveDir: src };
    });
  },
};
const borrowed = {
  name: "borrowed",
  setup(bundle) {
    bundle.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const target = resolve(resolveDir, path);
      return core(target) && target.endsWith(".js") ? { path: target, namespace: "core" } : undefined;
    });
    bundle.onLoad({ filter: /.*/, namespace: "core" }, ({ path }) => {
      const set = new Map(wanted()).get(path) || [];
      return { contents: `const core = globalThis[Symbol.for("wargame-studio ${stamp}")][${JSON.stringify(relative(src, path))}];\n${set.map((one) => `export const ${one} = core.${one};`).join("\n")}` };
    });
  },
};

async function bundle(entry, plugins) {
  const result = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, format: "esm", target: "es2021", charset: "utf8",
    legalComments: "none", define: { BUILD: JSON.stringify(stamp) }, plugins: [css, ...plugins], write: false,
  });
  return Buffer.from(result.outputFiles[0].contents);
}

const texts = new Map([["editor", await bundle("src/index.js", [exposed])]]);
for (const name of names) texts.set(name, await bundle(`src/parts/${name}/index.js`, [borrowed]));
const size = texts.get("editor").length;
if (size > LIMIT) {
  console.error(`editor.js has ${size} bytes; the limit is ${LIMIT}`);
  process.exitCode = 1;
}
for (const [name, text] of texts) {
  const file = join(out, `${name}.js`);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
    console.log(`${name}.js written, ${text.length} bytes`);
  } else if (!existsSync(file) || !text.equals(readFileSync(file))) {
    console.error(`studio/editor/static/${name}.js is not what its sources build: run npm run build and commit it`);
    process.exitCode = 1;
  } else console.log(`${name}.js is up to date, ${text.length} bytes`);
}
const spare = readdirSync(out).filter((name) => name.endsWith(".js") && !texts.has(name.slice(0, -3)));
if (spare.length) {
  console.error(`studio/editor/static has bundles without sources: ${spare.join(", ")}`);
  process.exitCode = 1;
}

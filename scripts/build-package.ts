import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { esmExternalRequirePlugin } from "rolldown/plugins";
import { minifySync } from "rolldown/utils";
import { findBundledPackages, findUnnoticed, toBillOfMaterials, toLicenseTexts } from "./bundled-packages.ts";
import { toCommonJsTypes } from "./commonjs-types.ts";
import { toLlmsText } from "./llms-text.ts";

// Builds the published files in dist/, as docs/decisions/0025-light-install.md explains:
//   dist/*.js         ECMAScript modules, with everything a storefront needs in them
//   dist/main.js      the command line, which checks Node's version and loads dist/program.js
//   dist/cjs/*.js     the library again as CommonJS, for Jest and TypeScript's node16
//   dist/types        declarations that need no other package, except the host's named in the path
//   dist/cjs/types    the same for CommonJS, which point to the others
//   dist/llms.txt       a list of the docs for programs that read them
//   dist/sbom.cdx.json, dist/third-party-licenses.txt  which packages are in it, and their license texts

const ROOT = resolve(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const require = createRequire(import.meta.url);

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, object>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
const OLDEST_NODE = manifest.engines.node.replace(">=", "");

/** Source file of each subpath, by the name of its built file. */
const library = Object.fromEntries(
  Object.keys(manifest.exports)
    .filter((path) => path !== "./package.json")
    .map((path) => {
      const name = path === "." ? "index" : path.slice(2);
      // The source of `testing/shopify` is `tools/shopify-testing`.
      const tool = `tools/${name.split("/").toReversed().join("-")}/index.ts`;
      const sources = [`src/${name}.ts`, `adapters/${name}/index.ts`, tool];
      return [name, sources.find((source) => existsSync(join(ROOT, source))) ?? tool];
    }),
);
const program = {
  program: "src/main.ts",
  "sqlite-checkpoint-thread": "src/store/engines/sqlite/sqlite-checkpoint-thread.ts",
};

/** The shop's own packages. Every other import becomes part of the build. */
const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const isInstalled = (id: string): boolean =>
  installed.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * A storefront sends only with `Pool`, a quarter of undici. The rest of it (fetch, WebSocket, caches, mocks) would take
 * most of the library's import time.
 */
const onlyPool: Plugin = {
  name: "only-pool",
  resolveId(id, importer = "") {
    return id === "undici" && importer.startsWith(join(ROOT, "src/service")) ? "\0undici-pool" : null;
  },
  load(id) {
    if (id !== "\0undici-pool") return null;
    const lib = join(dirname(require.resolve("undici")), "lib");
    return [
      `import Pool from ${JSON.stringify(join(lib, "dispatcher/pool.js"))};`,
      `import request from ${JSON.stringify(join(lib, "api/api-request.js"))};`,
      // As undici's own index does.
      "Pool.prototype.request = request;",
      "export { Pool };",
    ].join("\n");
  },
};

/**
 * Node knows SQLite only by its full name, and some bundlers, such as tsup, take `node:` out of imports. Loaded when it's
 * used: undici names it, too, but a storefront without a database doesn't need it.
 */
const fullNameOfSqlite: Plugin = {
  name: "full-name-of-sqlite",
  resolveId: (id) => (id === "node:sqlite" ? "\0sqlite" : null),
  load(id) {
    if (id !== "\0sqlite") return null;
    return `const sqlite = process.getBuiltinModule("node:sqlite");
      if (sqlite === undefined) throw new Error("This runtime doesn't have node:sqlite: use Node ${OLDEST_NODE} or newer");
      // Turbopack doesn't see assignments to several variables at once, and exports them as undefined.
      export const DatabaseSync = sqlite.DatabaseSync;
      export const backup = sqlite.backup;`;
  },
};

/**
 * `import "node:http"` reads every name that it exports, and some of them load the undici that is inside Node: 80 to 110 ms. What
 * undici needs of it is there without that.
 */
const httpWithoutItsUndici: Plugin = {
  name: "http-without-its-undici",
  resolveId: (id, importer = "") =>
    id === "node:http" && importer.includes("/node_modules/undici/") ? "\0http" : null,
  load: (id) =>
    id === "\0http"
      ? { code: `module.exports = process.getBuiltinModule("node:http")`, moduleType: "js" }
      : null,
};

/** Switches of undici. Deno asks for permission to read each variable, and without it no order could be checked. */
const noSwitches = Object.fromEntries(
  ["UNDICI_NO_WASM_SIMD", "UNDICI_USE_MILO", "JEST_WORKER_ID"].map((name) => [
    `process.env.${name}`,
    "undefined",
  ]),
);

/** The program needs its version, and none of the rest. */
const onlyVersion: Plugin = {
  name: "only-version",
  load: (id) =>
    id === join(ROOT, "package.json")
      ? { code: `export default ${JSON.stringify({ version: manifest.version })}`, moduleType: "js" }
      : null,
};

/** The list of disposable domains as one text: as a list, it takes 40 kB more in each build. */
const denseDomains: Plugin = {
  name: "dense-domains",
  load(id) {
    if (!id.endsWith("/disposable_email_blocklist.json")) return null;
    const domains = JSON.parse(readFileSync(id, "utf8")) as readonly string[];
    return { code: `module.exports = ${JSON.stringify(domains.join(" "))}.split(" ")`, moduleType: "js" };
  },
};

/** Bundles, and returns the ids of the modules that are in the bundle. */
async function bundle(
  input: Record<string, string>,
  format: "es" | "cjs",
  folder: string,
): Promise<string[]> {
  const build = await rolldown({
    input,
    cwd: ROOT,
    platform: "node",
    external: (id) => isInstalled(id),
    transform: { define: noSwitches },
    // Other bundlers include these files, and their own `require` would not survive that.
    plugins: [
      onlyPool,
      httpWithoutItsUndici,
      fullNameOfSqlite,
      onlyVersion,
      denseDomains,
      esmExternalRequirePlugin({ external: [/^node:(?!sqlite$)/] }),
    ],
    logLevel: "warn",
  });
  const { output } = await build.write({
    dir: join(DIST, folder),
    format,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // The declarations contain the documentation.
    comments: { legal: true, annotation: true, jsdoc: false },
    // White space would be a fifth of the package.
    minify: { compress: true, mangle: false, codegen: true },
  });
  await build.close();
  const chunks = output.filter((part) => part.type === "chunk");
  for (const { fileName, code } of chunks)
    writeFileSync(join(DIST, folder, fileName), toLines(shortenNames(fileName, code, format)));
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

const PRIVATE_NAME = /#[A-Za-z_$]/;

/**
 * Shorten local names. Those of functions and classes stay, so that stack traces can be read. ECMAScript with private fields stays as
 * it is: their names would be shortened too, and esbuild, which many shops bundle with, makes of that what no runtime parses.
 */
function shortenNames(fileName: string, code: string, format: "es" | "cjs"): string {
  if (format === "es" && PRIVATE_NAME.test(code)) return code;
  const mangle = { toplevel: false, keepNames: true };
  return minifySync(fileName, code, { compress: false, mangle, codegen: { removeWhitespace: true } }).code;
}

/** A line per statement: Node prints the line of an error that nobody catches, and a whole file would hide the message. */
function toLines(code: string): string {
  const starts = parseAst(code).body.map(({ start }) => start);
  return starts.map((start, index) => code.slice(index === 0 ? 0 : start, starts[index + 1])).join("\n");
}

/** The console's script is built before, by `npm run build:console`; a test compares what is in it. */
const IN_THE_CONSOLE = ["preact", "intl-messageformat"].map((name) => `node_modules/${name}/`);

/** Say which packages are in the build. The notices name each with its version. */
function writeBundledPackages(modules: readonly string[]): void {
  const packages = findBundledPackages([...modules, ...IN_THE_CONSOLE]);
  const missing = findUnnoticed(readFileSync(join(ROOT, "THIRD-PARTY-NOTICES.md"), "utf8"), packages);
  if (missing.length > 0) {
    const list = missing.map(({ name, version }) => `${name} ${version}`).join(", ");
    throw new Error(`part of the build and not in THIRD-PARTY-NOTICES.md: ${list}`);
  }
  writeFileSync(join(DIST, "sbom.cdx.json"), toBillOfMaterials(manifest.version, packages));
  writeFileSync(join(DIST, "third-party-licenses.txt"), toLicenseTexts(packages));
}

const SPECIFIER = /(\bfrom\s+|\bimport\(|\bimport\s+)"([^"]+)"/g;
const specifiersOf = (text: string): string[] =>
  [...text.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(SPECIFIER)].map(([, , id = ""]) => id);

/** Types of packages that nobody installs and no option accepts: inside the stores, and where Shopify is called. */
function toOpaque(text: string): string {
  const named = new Set<string>();
  const opaque = text
    .replaceAll(
      /^import (?:type )?\{([^}]+)\} from "(?:graphql|kysely|undici)";$/gm,
      (_whole, names: string) => {
        for (const name of names.split(",")) named.add(name.replace("type ", "").trim());
        return "";
      },
    )
    .replaceAll(/\bimport\("(?:graphql|kysely|undici)"\)\.(\w+)/g, (_whole, name: string) => {
      named.add(name);
      return name;
    })
    // The default of `Uint8Array`, which had no parameter before TypeScript 5.7.
    .replaceAll("<ArrayBufferLike>", "");
  return [opaque, ...[...named].map((name) => `type ${name}<_A = any, _B = any, _C = any> = any;\n`)].join(
    "",
  );
}

/** Repeated `import("…").Name` makes up half of a large declaration: import each module once. */
function hoistImports(text: string): string {
  const names = new Map<string, string>();
  const hoisted = text.replaceAll(/\bimport\("(\.[^"]+)"\)\./g, (_whole, id: string) => {
    const name = names.get(id) ?? `_${names.size}`;
    names.set(id, name);
    return `${name}.`;
  });
  return [...names].map(([id, name]) => `import type * as ${name} from "${id}";\n`).join("") + hoisted;
}

/** Keep the declarations that the library's own ones need, with zod's beside them: users don't install zod. */
function bundleTypes(types: string): void {
  const zod = join(ROOT, "node_modules/zod");
  const kept = new Map<string, string>();
  const waiting = Object.values(library).map((source) => join(types, source.replace(/\.ts$/, ".d.ts")));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (kept.has(path)) continue;
    const origin = path.startsWith(join(types, "zod")) ? join(zod, relative(join(types, "zod"), path)) : path;
    const text = toOpaque(readFileSync(origin, "utf8")).replaceAll(
      SPECIFIER,
      (whole, before: string, id: string) =>
        /^zod(?:\/|$)/.test(id) ? `${before}"${toRelative(path, join(types, id, "index.js"))}"` : whole,
    );
    kept.set(path, hoistImports(text));
    const folder = dirname(path);
    for (const id of specifiersOf(text)) {
      if (id.startsWith(".")) waiting.push(resolve(folder, id.replace(/\.[jt]s$/, ".d.ts")));
      else assertTyped(id, path);
    }
  }
  rmSync(types, { recursive: true });
  for (const [path, text] of kept) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

async function writeCommonJsTypes(): Promise<void> {
  for (const [name, source] of Object.entries(library)) {
    const file = source.replace(/\.ts$/, ".d.ts");
    const [entry, path] = [join(DIST, "types", file), join(DIST, "cjs/types", file)];
    const built = (await import(join(DIST, `${name}.js`))) as Readonly<Record<string, unknown>>;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, toCommonJsTypes(entry, built, path));
  }
}

function toRelative(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

/** A shop that imports `holdfast/express` has Express and its types; nobody has all hosts. */
function assertTyped(id: string, path: string): void {
  const host = /\/adapters\/([^/]+)\//.exec(path)?.[1];
  if (id.startsWith("node:") || (host !== undefined && isInstalled(id))) return;
  throw new Error(`${relative(ROOT, path)} needs the types of "${id}", which a shop may not have`);
}

/** An older Node can't even load the program: it would name a missing module instead of the required version. */
function toLauncher(needed: string): string {
  const [major, minor] = needed.split(".");
  return `#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  await import("./program.js");
} else {
  console.error("CONFIG_INVALID: Holdfast needs Node ${needed} or newer. This is Node " + process.versions.node);
  process.exitCode = 1;
}
`;
}

rmSync(DIST, { recursive: true, force: true });
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: ROOT, stdio: "inherit" });
bundleTypes(join(DIST, "types"));
const modules = await bundle({ ...library, ...program }, "es", "");
/** Parts that load the app. As CommonJS they have types, and the ECMAScript build as Node's `require` reads it. */
const APP_PARTS = ["medusa", "shopify", "testing/shopify", "vendure"];
const asCommonJs = Object.entries(library).filter(([name]) => !APP_PARTS.includes(name));
modules.push(...(await bundle(Object.fromEntries(asCommonJs), "cjs", "cjs")));
await writeCommonJsTypes();
writeFileSync(join(DIST, "cjs/package.json"), '{ "type": "commonjs" }\n');
for (const name of APP_PARTS) {
  const file = join(DIST, `cjs/${name}.js`);
  mkdirSync(dirname(file), { recursive: true });
  const built = toRelative(file, join(DIST, `${name}.js`));
  writeFileSync(file, `module.exports = require("${built}");\n`);
}
writeFileSync(join(DIST, "main.js"), toLauncher(OLDEST_NODE));
writeFileSync(join(DIST, "llms.txt"), toLlmsText(ROOT, "../"));
writeBundledPackages(modules);

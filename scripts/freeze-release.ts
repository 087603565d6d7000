import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";

// Saves the current app as one file, for the rolling upgrade test: node scripts/freeze-release.ts 0.1.0-schema-7
// Run it on a release, before the next one changes the database. Packages stay outside: the installed ones are used.
const [name] = process.argv.slice(2);
if (name === undefined || !/^[\w.-]+$/.test(name)) {
  console.error("name the release: node scripts/freeze-release.ts 0.1.0-schema-7");
  process.exit(2);
}
const built = await build({
  configFile: false,
  envFile: false,
  logLevel: "error",
  mode: "production",
  build: {
    write: false,
    target: "esnext",
    minify: false,
    ssr: fileURLToPath(new URL("../test/support/app.child.ts", import.meta.url)),
    rolldownOptions: {
      // A template with the text of a closing script tag needs a helper of the bundler.
      external: /^(?!@oxc-project\/)[^./\0]/,
      output: {
        format: "esm",
        codeSplitting: false,
        minify: { compress: false, mangle: false, codegen: true },
      },
    },
  },
});
const chunks = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
const code = chunks.map((one) => (one.type === "chunk" ? one.code : "")).join("\n");
const folder = new URL("../test/fixtures/releases/", import.meta.url);
mkdirSync(folder, { recursive: true });
const packed = brotliCompressSync(code);
writeFileSync(new URL(`${name}.mjs.br`, folder), packed);
console.log(
  `${name}: ${(code.length / 1_000).toFixed(0)} kB, ${(packed.length / 1_000).toFixed(0)} kB packed`,
);

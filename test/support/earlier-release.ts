import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** The app of an earlier release, as a script that `launchApp` starts. */
export interface EarlierRelease {
  readonly script: URL;
  /** The schema that it works with. */
  readonly schema: number;
  remove(): void;
}

const RELEASES = new URL("../fixtures/releases/", import.meta.url);

/** Unpack the file that `scripts/freeze-release.ts` saved to a place with this checkout's packages and fixtures. */
export function unpackEarlierRelease(name: `${string}-schema-${number}`): EarlierRelease {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-release-"));
  const support = join(folder, "test/support");
  mkdirSync(support, { recursive: true });
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
  symlinkSync(fileURLToPath(new URL("../fixtures", import.meta.url)), join(folder, "test/fixtures"));
  const script = join(support, "app.child.mjs");
  writeFileSync(script, brotliDecompressSync(readFileSync(new URL(`${name}.mjs.br`, RELEASES))));
  return {
    script: pathToFileURL(script),
    schema: Number(name.split("-schema-")[1]),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

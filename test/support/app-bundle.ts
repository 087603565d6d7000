import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import type { TestProject } from "vitest/node";

/** Where `pg`, which bundlers skip, is found. */
const CACHE = join(import.meta.dirname, "../../node_modules/.cache");

declare module "vitest" {
  interface ProvidedContext {
    /** Where the app of `app.child.ts` is stored in a few files. */
    readonly appBundle: string;
  }
}

/** Modules find their files relative to their sources. */
const IN_PLACE: Plugin = {
  name: "in-place",
  transform(code, id) {
    if (!code.includes("import.meta.")) return null;
    return code
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
  },
};

/** For tests that start the app in new processes dozens of times: from its 800 modules it takes three times as long. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "holdfast-app-"));
  const build = await rolldown({
    input: join(import.meta.dirname, "app.child.ts"),
    platform: "node",
    external: ["pg-native"],
    plugins: [IN_PLACE],
    logLevel: "silent",
  });
  await build.write({
    dir: folder,
    entryFileNames: "app.mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await build.close();
  project.provide("appBundle", folder);
  return () => rm(folder, { recursive: true });
}

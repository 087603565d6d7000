// Loaded before the app in its process: kills the process just before or just after it commits something.
import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";

/** At which commit the process is killed. */
export interface CommitFault {
  /** Among the counted commits that change something, from 1. */
  readonly number: number;
  readonly side: "before" | "after";
  /** Count only commits whose line in the journal contains this text. Default: all. */
  readonly containing?: string;
}

const { COMMIT_JOURNAL: journal = "", COMMIT_FAULT: first } = process.env;
const WRITE = /^\s*(insert into|update|delete from)\s+"?(\w+)/i;

/** Written at any time, not for an order: the access log, presence, a test's requests, rounds for missed orders. */
const BACKGROUND: ReadonlySet<string> = new Set(["access_log", "cursors", "leases", "meta", "people"]);

let fault = first === undefined ? null : (JSON.parse(first) as CommitFault);
let commits = 0;
/** Of the current transaction: what it writes, and the rows that its connection had changed before it. */
let written = new Set<string>();
const changedBefore = new WeakMap<DatabaseSync, number>();

process.on("message", ({ commitFault }: { readonly commitFault?: CommitFault | null }) => {
  if (commitFault === undefined) return;
  fault = commitFault;
  commits = 0;
  process.send?.({ commitFault });
  // Otherwise written at a regular end, which this process won't have; the next one starts faster with it.
  flushCompileCache();
});
// The process that watches over this one is gone.
process.once("disconnect", () => process.exit());

const exec = Reflect.get(DatabaseSync.prototype, "exec");
DatabaseSync.prototype.exec = function (statement: string): void {
  if (statement.startsWith("BEGIN")) {
    changedBefore.set(this, countChanges(this));
    written = new Set();
  }
  if (statement !== "COMMIT" || fault === null || !hasWritten(this)) return exec.call(this, statement);
  const line = [...written].join(", ");
  appendFileSync(journal, `${line}\n`);
  if (!line.includes(fault.containing ?? "")) return exec.call(this, statement);
  commits += 1;
  if (commits === fault.number && fault.side === "before") die();
  exec.call(this, statement);
  if (commits === fault.number) die();
};

for (const name of ["run", "all", "get", "iterate"] as const) {
  const call = StatementSync.prototype[name] as (...parameters: unknown[]) => unknown;
  const noted = function (this: StatementSync, ...parameters: unknown[]): unknown {
    const [, verb, table] = WRITE.exec(this.sourceSQL) ?? [];
    if (verb !== undefined && !BACKGROUND.has(table ?? "")) written.add(`${verb.toLowerCase()} ${table}`);
    return call.apply(this, parameters);
  };
  Object.defineProperty(StatementSync.prototype, name, { value: noted });
}

/** Claims that find nothing commit too: a kill there leaves the same as one at the commit before. */
function hasWritten(connection: DatabaseSync): boolean {
  return written.size > 0 && countChanges(connection) > (changedBefore.get(connection) ?? 0);
}

function countChanges(connection: DatabaseSync): number {
  return Number(connection.prepare("select total_changes() as changes").get()?.["changes"]);
}

/** A signal that a process sends to itself arrives before the call returns. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}

import { readFile } from "node:fs/promises";
import { HoldfastError, isHoldfastError } from "../base/errors.ts";
import { toReplayJson } from "../server/api/replay-routes.ts";
import type { TenantId } from "../platform/platform.ts";
import { runReplay } from "../pipeline/report/replay-run.ts";
import { parsePolicy, type Policy } from "../policy/policy.ts";
import { assertMatchable } from "../policy/unmatchable.ts";
import type { ReplaySummary } from "../policy/replay-tally.ts";
import type { ReceivedWindow } from "../store/figures/replay-source.ts";
import type { Store } from "../store/store.ts";
import { toUsageError } from "./arguments.ts";
import type { WorkContext } from "./command.ts";
import { withProgress } from "./output.ts";
import { tellReplay } from "./policy/report.ts";
import { findTenant, withPreparedStore } from "./installation.ts";

/** What `holdfast policy test` was asked for. */
export interface PolicyTestOptions {
  /** Path of the policy document. */
  readonly file: string;
  /** Orders received since then, milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Default: the one shop that is installed. */
  readonly tenant: TenantId | undefined;
  readonly json: boolean;
}

/**
 * `holdfast policy test FILE`: show what a policy would have decided about the orders in the configured database. Changes
 * nothing and costs nothing, also beside a running app.
 *
 * @throws {HoldfastError} `POLICY_INVALID` with a line for each field at fault, `CONFIG_INVALID` for a file or a shop that
 *   is not there or a database that the app has not prepared, `STORE_UNAVAILABLE`.
 */
export async function testPolicy(options: PolicyTestOptions, context: WorkContext): Promise<void> {
  const { config, terminal, now } = context;
  const policy = await readPolicy(options.file);
  await withPreparedStore(config, async (store) => {
    const tenant = await findTenant(store, options.tenant);
    const window = { sinceMs: options.sinceMs, untilMs: now() };
    const summary = await replay(store, { tenant, policy, window }, context);
    if (options.json) terminal.line(JSON.stringify(toReplayJson(window, summary), undefined, 2));
    else for (const line of tellReplay(tenant, window, summary)) terminal.line(line);
  });
}

async function replay(
  store: Store,
  { tenant, policy, window }: { tenant: TenantId; policy: Policy; window: ReceivedWindow },
  { terminal, now }: WorkContext,
): Promise<ReplaySummary> {
  const { decided } = await store.countReceived(tenant, window);
  return await withProgress({ terminal, now }, "replaying", decided, (onPage) =>
    runReplay(store, { tenant, policy, ...window, onPage }),
  );
}

async function readPolicy(file: string): Promise<Policy> {
  const document = await readDocument(file);
  try {
    const policy = parsePolicy(document);
    assertMatchable(policy);
    return policy;
  } catch (error) {
    if (!isHoldfastError(error, "POLICY_INVALID")) throw error;
    const fields = error.fields ?? [];
    const lines = fields.map(({ path, message }) => `\n  ${path === "" ? "document" : path}: ${message}`);
    throw new HoldfastError("POLICY_INVALID", `${file} is invalid:${lines.join("")}`, {
      retryable: false,
      fields,
    });
  }
}

async function readDocument(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    throw toUsageError(`policy test: can't read ${file}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, in which rules may name customers.
    throw new HoldfastError("POLICY_INVALID", `${file}: expected one JSON document`, { retryable: false });
  }
}

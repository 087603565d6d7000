import { readFile } from "node:fs/promises";
import { explainSystemError, isHoldfastError, toConfigError, toFieldsError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { toReplayJson } from "../server/api/policy/replay-routes.ts";
import { runReplay } from "../pipeline/report/replay-run.ts";
import { parsePolicy, type Policy } from "../policy/policy.ts";
import { assertMatchable } from "../policy/unmatchable.ts";
import type { Values } from "./arguments.ts";
import type { WorkContext } from "./command.ts";
import { toTable, toTerminalText, withProgress } from "./output.ts";
import { findTenant, withPreparedStore } from "./installation.ts";
import type { TenantId } from "../platform/platform.ts";
import { findMinorDigits } from "../mapping/money.ts";
import type { Worth } from "../policy/worth.ts";
import { ACTIONS } from "../order/decision.ts";
import type { ReplayExample, ReplaySummary } from "../policy/replay-tally.ts";
import type { TimeWindow } from "../store/slices.ts";
import { count } from "./doctor/findings.ts";

export interface PolicyTestOptions extends Pick<Values, "tenant" | "json"> {
  readonly file: string;
  /** Orders received since then, milliseconds since the epoch. */
  readonly sinceMs: number;
}

/**
 * `holdfast policy test FILE`: show what a policy would have decided about the orders in the configured database. Changes
 * nothing and costs nothing. Works beside a running app.
 *
 * @throws {HoldfastError} `POLICY_INVALID` with a line for each field at fault, `CONFIG_INVALID` for a missing file, an
 *   unknown shop or a database that the app has not prepared, `STORE_UNAVAILABLE`.
 */
export async function testPolicy(options: PolicyTestOptions, context: WorkContext): Promise<void> {
  const { config, terminal, now } = context;
  const policy = await readPolicy(options.file);
  await withPreparedStore(config, async (store) => {
    const tenant = await findTenant(store, options.tenant);
    const window = { sinceMs: options.sinceMs, untilMs: now() };
    const { decided } = await store.figures.countReceived(tenant, window);
    const summary = await withProgress(context, "replaying", decided, (onPage) =>
      runReplay(store, { tenant, policy, ...window, onPage }),
    );
    if (options.json) terminal.line(JSON.stringify(toReplayJson(window, summary), undefined, 2));
    else for (const line of describeReplay(tenant, window, summary)) terminal.line(line);
  });
}

async function readPolicy(file: string): Promise<Policy> {
  const document = await readDocument(file);
  try {
    const policy = parsePolicy(document);
    assertMatchable(policy);
    return policy;
  } catch (error) {
    if (!isHoldfastError(error, "POLICY_INVALID")) throw error;
    const { fields } = error;
    const lines = fields.map(({ path, message }) => `\n  ${path === "" ? "document" : path}: ${message}`);
    throw toFieldsError("POLICY_INVALID", `${file} is invalid:${lines.join("")}`, fields);
  }
}

async function readDocument(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw toConfigError(`policy test: can't read ${file}: ${explainSystemError(error)}`);
  });
  const document = parseJson(text);
  if (document !== undefined) return document;
  throw toFieldsError("POLICY_INVALID", `${file}: expected one JSON document`, []);
}

/** Examples that a person reads; `--json` has more. */
const EXAMPLES_SHOWN = 10;
const NAME_WIDTH = 24;

function describeReplay(tenant: TenantId, { sinceMs, untilMs }: TimeWindow, summary: ReplaySummary) {
  const { orders, replayed, unknownReason, changes } = summary;
  const changed = changes.reduce((sum, change) => sum + change.orders, 0);
  const head = `${tenant}: ${count(orders, "decided order")} from ${toDay(sinceMs)} to ${toDay(untilMs)}`;
  if (orders === 0) return [head];
  return [
    `${head}; ${replayed} replayed, ${changed} of them with a different decision`,
    ...(unknownReason === null ? [] : [`not replayed: ${unknownReason}`]),
    "",
    ...toTable([
      ["action", "before", "", "after", ""],
      ...ACTIONS.map((action) => [
        action,
        ...toCells(summary.before[action]),
        ...toCells(summary.after[action]),
      ]),
    ]),
    ...describeChanges(summary),
    "",
    "credits spent: 0",
  ];
}

function describeChanges({ changes, examples, outcomes }: ReplaySummary): readonly string[] {
  if (changes.length === 0) return ["", "nothing would have changed"];
  const became = Object.entries(outcomes).map(([outcome, orders]) => `${outcome} ${orders}`);
  return [
    "",
    ...toTable([
      ["change", "orders", ""],
      ...changes.map((change) => [`${change.from} -> ${change.to}`, ...toCells(change)]),
    ]),
    `outcomes: ${became.join(", ")}`,
    "",
    ...toTable([
      ["highest value", "amount", "level", "change", "rule", "outcome"],
      ...examples.slice(0, EXAMPLES_SHOWN).map(toExample),
    ]),
  ];
}

function toExample({ name, amount, currency, riskLevel, from, to, rule, outcome }: ReplayExample) {
  const worth = amount === null ? "" : toAmount(amount, currency ?? "");
  // Names are the shop's own texts.
  const toCell = (text: string) => toTerminalText(text).slice(0, NAME_WIDTH);
  return [toCell(name), worth, riskLevel ?? "none", `${from} -> ${to}`, toCell(rule ?? ""), outcome];
}

function toCells({ orders, amount }: Worth): readonly string[] {
  const sums = Object.entries(amount).map(([currency, sum]) => toAmount(sum, currency));
  return [String(orders), sums.join(" + ")];
}

/** `1234.50 EUR`, `1200 JPY`, `1.234 KWD`. */
function toAmount(amount: number, currency: string): string {
  return `${amount.toFixed(findMinorDigits(currency))} ${currency}`.trim();
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

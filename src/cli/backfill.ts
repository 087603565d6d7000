import { toConfigError } from "../base/errors.ts";
import { createPolicies } from "../settings/current-policy.ts";
import type { Platform } from "../platform/platform.ts";
import type { Store } from "../store/store.ts";
import type { Values } from "./arguments.ts";
import type { CommandContext, WorkContext } from "./command.ts";
import { withProgress } from "./output.ts";
import { summarize, describePlan, toJson, type Plan } from "./backfill/report.ts";
import { surveyTenant, type TenantSurvey } from "./backfill/survey.ts";
import { importOrders } from "./backfill/import-orders.ts";
import { withPlatforms, withPreparedStore } from "./installation.ts";

export interface BackfillOptions extends Pick<Values, "tenant" | "yes" | "enforce" | "json"> {
  /** Orders created since then, milliseconds since the epoch. */
  readonly sinceMs: number;
}

export type BackfillContext = WorkContext & Pick<CommandContext, "platforms">;

/** The merchant has handled older orders already, so their decisions are only recorded. */
const ENFORCED_MS = 24 * 3_600_000;
/** At most this many orders per run: they're kept in memory until the user confirms. */
const MOST_ORDERS = 10_000;

/**
 * `holdfast backfill`: import the orders of the installed shops that have no decision, after saying how many they are
 * and what they may cost. The running app decides them. Resolves to whether every shop's orders could be listed.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` if there are orders and nobody can confirm, for a shop that is not
 * installed, or for a database that the app has not prepared; `STORE_UNAVAILABLE`.
 */
export async function backfill(options: BackfillOptions, context: BackfillContext): Promise<boolean> {
  return withPreparedStore(context.config, (store) =>
    withPlatforms(store, context, (platforms) => backfillFrom(store, platforms, options, context)),
  );
}

async function backfillFrom(
  store: Store,
  platforms: readonly Platform[],
  options: BackfillOptions,
  context: BackfillContext,
): Promise<boolean> {
  const { terminal } = context;
  const plan = await makePlan(store, platforms, options, context);
  const say = (lines: readonly string[]): void => {
    if (!options.json) for (const line of lines) terminal.line(line);
  };
  say(describePlan(plan));
  const isComplete = plan.surveys.every(({ problem }) => problem === null);
  const isWanted = plan.orders > 0 && (options.yes || (await ask(options, context)));
  const { surveys, orders } = plan;
  const taken = isWanted
    ? await withProgress(context, "taking in", orders, (show) =>
        importOrders(store, surveys, context.now, show),
      )
    : 0;
  say(summarize(plan, isWanted, taken));
  if (options.json) terminal.line(toJson(plan, options, taken));
  return isComplete;
}

async function ask({ json }: BackfillOptions, { terminal }: BackfillContext): Promise<boolean> {
  if (!json && terminal.isInteractive) return terminal.confirm("Import these orders?");
  throw toConfigError("backfill: without a terminal, pass --yes");
}

async function makePlan(
  store: Store,
  platforms: readonly Platform[],
  { tenant, sinceMs, enforce }: BackfillOptions,
  { config, terminal, now }: BackfillContext,
): Promise<Plan> {
  const nowMs = now();
  const installed = (await store.tenants.list()).filter(
    (entry) => entry.hasAccess && (tenant === undefined || entry.tenant === tenant),
  );
  if (tenant !== undefined && installed.length === 0) {
    throw toConfigError(
      `--tenant: expected an installed shop such as shopify:demo.myshopify.com, got ${tenant}`,
    );
  }
  const policyOf = createPolicies(store);
  const isPaid = config.service !== undefined;
  const recordBeforeMs = enforce ? sinceMs : nowMs - ENFORCED_MS;
  const surveys: TenantSurvey[] = [];
  const countFound = () => surveys.reduce((sum, { found }) => sum + found.length, 0);
  let listed = 0;
  const onListed = (orders: number): void => {
    listed += orders;
    terminal.progress(`${listed} orders listed`);
  };
  for (const { tenant: shop, platform: name } of installed) {
    const platform = platforms.find((candidate) => candidate.name === name);
    const limit = MOST_ORDERS - countFound();
    if (platform === undefined) {
      throw toConfigError(
        `backfill: expected the variables of the platform "${name}", whose shops are installed`,
      );
    }
    const parts = { store, platform, policyOf, nowMs, sinceMs, recordBeforeMs, isPaid, limit, onListed };
    surveys.push(await surveyTenant(shop, parts));
  }
  terminal.progress("");
  return { surveys, orders: countFound(), isPaid };
}

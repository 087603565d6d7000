import { alertOnce, reportOver } from "../../alerts/alert-once.ts";
import { isHoldfastError } from "../../base/errors.ts";
import {
  CHECKOUT_STATES,
  type CheckoutLists,
  type CheckoutState,
  type Platform,
  type TenantId,
} from "../../platform/platform.ts";
import type { NewestPolicy } from "../../store/tenants/policies.ts";
import type { PipelineParts } from "../tasks.ts";
import {
  APPLIED_CURSOR,
  compareWithCheckout,
  LIST_CURSOR,
  toCheckoutIncident,
  type Compared,
} from "./checkout-list-state.ts";
import { createChore } from "./chore.ts";

/** How long a change of the lists takes to reach the checkout, at most, plus the platform's time. */
const EVERY_MS = 15_000;
/** How long a checkout that can't follow isn't asked again. */
const PAUSE_MS = 2 * 60_000;
const LEASE_MS = 60_000;
/** A list can also change without a new version: entries end. */
const LOOK_EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

/** {@link LIST_CURSOR} while the platform is called: nobody knows what the checkout has if no answer comes. */
const IN_DOUBT = -1;

/**
 * The ways of {@link WAYS} that may have a list at the checkout, as bits, behind the moment of the app's installation: an earlier one's
 * lists are gone.
 */
const WAYS_CURSOR = "checkout-ways";
const WAYS = ["refuse", "hidePayments"] as const satisfies readonly (keyof CheckoutLists)[];
const WAY_COMBINATIONS = 2 ** WAYS.length;

function toWays(lists: CheckoutLists): number {
  return WAYS.reduce((bits, way, index) => bits + (lists[way] == null ? 0 : 2 ** index), 0);
}

/** The ways in a cursor; none if it's of another installation. */
function toKeptWays(cursor: number | null, installedAtMs: number): number {
  const ways = (cursor ?? 0) - installedAtMs * WAY_COMBINATIONS;
  return ways > 0 && ways < WAY_COMBINATIONS ? ways : 0;
}

/** What to ask of the checkout: a way that may have a list and shouldn't is null. */
function toAsked(lists: CheckoutLists, ways: number): CheckoutLists {
  const ask = (index: 0 | 1) =>
    lists[WAYS[index]] ?? (Math.floor(ways / 2 ** index) % 2 === 1 ? null : undefined);
  return { refuse: ask(0), hidePayments: ask(1) };
}

type SyncParts = Pick<PipelineParts, "store" | "platforms" | "policyOf" | "owner" | "now" | "logger">;

/** A version of a policy that needs no look before a moment. */
interface Known {
  readonly version: number;
  readonly installedAtMs: number;
  readonly untilMs: number;
}

/**
 * Create the chore that brings the block lists to the platforms' checkouts. `run` is one round: it reads which policies are new, and
 * calls the platform only for lists that differ from what the checkout has. A process that is killed in between is followed by
 * another round, since a list counts as brought only after the platform took it.
 */
export function createCheckoutListSync(parts: SyncParts) {
  const { store, platforms, logger, now } = parts;
  const known = new Map<string, Known>();

  async function run(signal: AbortSignal): Promise<void> {
    const able = new Map(
      platforms.flatMap((one) => (one.applyAtCheckout === undefined ? [] : [[one.name, one] as const])),
    );
    if (able.size === 0) return;
    const newest = await store.policies.listNewest();
    const tenants = new Set(newest.map(({ tenant }) => tenant));
    for (const tenant of known.keys()) if (!tenants.has(tenant)) known.delete(tenant);
    for (const one of newest) {
      signal.throwIfAborted();
      const platform = able.get(one.platform);
      if (platform === undefined || isKnown(known.get(one.tenant), one, now())) continue;
      const { tenant, version, installedAtMs } = one;
      known.set(tenant, { version, installedAtMs, untilMs: await look(parts, platform, one, signal) });
    }
  }

  const failed = "couldn't compare the block lists with what the checkouts have";
  return { run, ...createChore({ everyMs: EVERY_MS, firstAfterMs: 1_000, round: run, failed, logger }) };
}

function isKnown(known: Known | undefined, { version, installedAtMs }: NewestPolicy, nowMs: number): boolean {
  if (known === undefined || known.version !== version || known.installedAtMs !== installedAtMs) return false;
  // A moment that is too far away: the clock was set back since.
  return nowMs < known.untilMs && known.untilMs <= nowMs + DAY_MS;
}

interface Wanted extends Compared {
  readonly installedAtMs: number;
}

/** Bring one tenant's list to its checkout, if it differs. Resolves to the moment of the next look. */
async function look(
  parts: SyncParts,
  platform: Platform,
  newest: NewestPolicy,
  signal: AbortSignal,
): Promise<number> {
  const { store, owner, now, logger } = parts;
  const { tenant } = newest;
  const nowMs = now();
  const nextMs = nowMs + LOOK_EVERY_MS;
  if ((await findDifference(parts, newest, nowMs)) === null) {
    await endIncidents(parts, tenant);
    return nextMs;
  }
  const lease = `checkout-list:${tenant}`;
  if (!(await store.leases.acquire(lease, owner, nowMs, nowMs + LEASE_MS))) return nowMs;
  try {
    // Another process may have brought a newer list meanwhile.
    const wanted = await findDifference(parts, newest, nowMs);
    return wanted === null || (await bring(parts, platform, tenant, wanted, signal))
      ? nextMs
      : nowMs + PAUSE_MS;
  } catch (error) {
    signal.throwIfAborted();
    // Lost access is reported elsewhere.
    if (!isHoldfastError(error, "PLATFORM_UNAUTHORIZED"))
      logger.warn({ err: error, tenant }, "couldn't bring the block list to a shop's checkout");
    return Math.max(nowMs + PAUSE_MS, isHoldfastError(error) ? (error.retryAtMs ?? 0) : 0);
  } finally {
    await store.leases.release(lease, owner);
  }
}

/** What a tenant's checkout should have; null if it has that. */
async function findDifference(
  parts: SyncParts,
  { tenant, installedAtMs }: NewestPolicy,
  nowMs: number,
): Promise<Wanted | null> {
  const compared = await compareWithCheckout(parts, tenant, { installedAtMs, nowMs });
  return compared.wanted === compared.kept ? null : { ...compared, installedAtMs };
}

/** Whether the checkout now does what it should. */
async function bring(
  parts: SyncParts,
  platform: Platform,
  tenant: TenantId,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<boolean> {
  const { cursors } = parts.store;
  const { lists, wanted: cursor, installedAtMs } = wanted;
  const before = toKeptWays(await cursors.load(tenant, WAYS_CURSOR), installedAtMs);
  const saveWays = (ways: number) =>
    cursors.save(tenant, WAYS_CURSOR, installedAtMs * WAY_COMBINATIONS + ways);
  await saveWays(before | toWays(lists));
  // If the answer is lost, a list that isn't wanted any more differs from this, and is deleted.
  if (cursor !== 0) await cursors.save(tenant, LIST_CURSOR, IN_DOUBT);
  const state = (await platform.applyAtCheckout?.(tenant, toAsked(lists, before), { signal })) ?? "open";
  const { isApplied, ways, next } = toOutcome(state, wanted, before);
  await saveWays(ways);
  if (isApplied) await endIncidents(parts, tenant);
  else await raise(parts, tenant, state);
  if (isApplied) await cursors.save(tenant, APPLIED_CURSOR, parts.now());
  if (isApplied || cursor !== 0) await cursors.save(tenant, LIST_CURSOR, next);
  return isApplied;
}

/** What an answer of the platform leaves behind: the ways that may have a list now, and the cursor. */
function toOutcome(state: CheckoutState, { lists, wanted: cursor, kept }: Wanted, before: number) {
  const wanted = toWays(lists);
  if (state === (cursor === 0 ? "open" : "applied")) return { isApplied: true, ways: wanted, next: cursor };
  // Its list is there, although a person turned it off.
  if (state === "turned-off") return { isApplied: false, ways: before | wanted, next: IN_DOUBT };
  // Any other refusal made nothing.
  return { isApplied: false, ways: before, next: kept === 0 ? 0 : IN_DOUBT };
}

const toIncident = (tenant: TenantId, state: CheckoutState) => ({ tenant, name: toCheckoutIncident(state) });

async function raise(parts: SyncParts, tenant: TenantId, state: CheckoutState): Promise<void> {
  await endIncidents(parts, tenant, state);
  const message = "a shop's checkout doesn't have the current block list";
  await alertOnce(
    parts,
    toIncident(tenant, state),
    "checkout_list_not_applied",
    { tenant, problem: state },
    message,
  );
}

/** End a tenant's incidents, except the one that lasts. */
async function endIncidents(parts: SyncParts, tenant: TenantId, lasting?: CheckoutState): Promise<void> {
  for (const problem of CHECKOUT_STATES) {
    if (problem === lasting) continue;
    const message =
      lasting === undefined
        ? "the checkout has the current block list"
        : "another problem came after this one";
    await reportOver(
      parts,
      toIncident(tenant, problem),
      "checkout_list_not_applied",
      { tenant, problem },
      message,
    );
  }
}

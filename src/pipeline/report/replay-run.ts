import { DEFAULT_POLICY, parsePolicy, type Policy } from "../../policy/policy.ts";
import { toPastDecision } from "../../policy/past-decision.ts";
import { createReplay, type PastOrder } from "../../policy/replay.ts";
import { asksForPerson, toKnownFacts } from "../../policy/replay-rules.ts";
import { createReplayTally, type ReplaySummary, type ReplayedOrder } from "../../policy/replay-tally.ts";
import { toMappedFacts } from "../../policy/order-facts.ts";
import type { SavedPolicy } from "../../store/tenants/policies.ts";
import type { DecidedContent, DecidedOrder } from "../../store/figures/replay-source.ts";
import type { TimeWindow } from "../../store/slices.ts";
import type { Store } from "../../store/store.ts";
import { readDecidedOrders, toOutcome } from "./outcome.ts";
import type { TenantId } from "../../platform/platform.ts";

export interface ReplayRequest extends TimeWindow {
  readonly tenant: TenantId;
  readonly policy: Policy;
  /** Stops the replay between two pages. It then rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each page and at the end with the number of orders done. A rejection ends the replay. */
  readonly onPage?: ((done: number) => void | Promise<void>) | undefined;
}

type ReplayStore = Pick<Store, "figures" | "outcomes" | "policies" | "nextTurn">;

const POLICIES_PER_PAGE = 100;

/**
 * Try a policy on a tenant's past orders. It reads page by page, so that requests are served meanwhile and memory doesn't grow
 * with the number of orders. It makes no calls and costs nothing.
 */
export async function runReplay(store: ReplayStore, request: ReplayRequest): Promise<ReplaySummary> {
  const { tenant, policy, sinceMs, untilMs, signal } = request;
  const replay = createReplay(policy);
  const formerOf = createFormerPolicies(store, tenant);
  const tally = createReplayTally(policy.rules.map(({ name }) => name));
  // Lists ignore test orders too.
  const asksForTests = policy.testOrders !== "service" || policy.lists.length > 0;
  const history = await readHistory(store, tenant, signal);
  const mayBeTests = asksForTests && history.checkedTests;
  const isModeled = policy.localModel !== undefined || history.modeled;
  const content = toContent(policy, mayBeTests, isModeled || history.hasAgents);
  let done = 0;
  await request.onPage?.(done);
  for await (const orders of readDecidedOrders(store, tenant, { sinceMs, untilMs, content, signal })) {
    const changed: { readonly order: DecidedOrder; readonly replayed: ReplayedOrder }[] = [];
    for (const order of orders) {
      const past = toPastOrder(order, mayBeTests);
      const { action: from, policyVersion } = toPastDecision(order.decision);
      const again = replay(past, await formerOf(policyVersion));
      if (again.outcome === "unknown") {
        tally.addUnknown(again.reason);
        continue;
      }
      const replayed = toReplayed(order, from, again);
      if (replayed.from === replayed.to) tally.add(replayed, "unknown");
      else changed.push({ order, replayed });
    }
    const traces = await store.outcomes.loadTraces(
      tenant,
      changed.map(({ order }) => order.orderId),
    );
    for (const { order, replayed } of changed)
      tally.add(replayed, toOutcome(order, traces.get(order.orderId)));
    done += orders.length;
    await request.onPage?.(done);
  }
  return tally.total();
}

function toReplayed(
  { orderId, name, amount, currency, decision }: DecidedOrder,
  from: ReplayedOrder["from"],
  again: { readonly decision: { readonly action: ReplayedOrder["to"] }; readonly rule: string | null },
): ReplayedOrder {
  const { riskLevel } = decision;
  return { orderId, name, amount, currency, riskLevel, from, to: again.decision.action, rule: again.rule };
}

/** Decrypting takes most of the time, so decrypt only what the policy uses. */
function toContent(policy: Policy, mayBeTests: boolean, needsFacts: boolean): DecidedContent {
  // Only the content says whether an order was a test.
  if (mayBeTests || asksForPerson(policy)) return "all";
  const { rules, skipChannels, agentChannels, optOutTags } = policy;
  if (needsFacts) return "facts";
  const lists = [rules, skipChannels, agentChannels, optOutTags];
  return lists.every(({ length }) => length === 0) ? "none" : "facts";
}

/** Whether any policy of the tenant checked test orders like others, had its own model, or named channels of agents. */
async function readHistory(store: ReplayStore, tenant: TenantId, signal: AbortSignal | undefined) {
  const history = { checkedTests: false, modeled: false, hasAgents: false };
  let before: number | null = null;
  do {
    await store.nextTurn(tenant, signal);
    const versions: readonly SavedPolicy[] = await store.policies.list(tenant, {
      before,
      limit: POLICIES_PER_PAGE,
    });
    for (const { version } of versions) {
      const document = (await store.policies.get(tenant, version))?.document;
      if (typeof document === "object" && document !== null) noteHistory(history, document);
    }
    before = versions.length < POLICIES_PER_PAGE ? null : (versions.at(-1)?.version ?? null);
  } while (before !== null);
  return history;
}

function noteHistory(history: Awaited<ReturnType<typeof readHistory>>, document: object): void {
  if ("testOrders" in document && document.testOrders === "service") history.checkedTests = true;
  if ("localModel" in document) history.modeled = true;
  if ("agentChannels" in document && String(document.agentChannels) !== "") history.hasAgents = true;
}

function toPastOrder(
  { effects, decision, facts, mapped, links, receivedAtMs, signals }: DecidedOrder,
  mayBeTest: boolean,
): PastOrder {
  const known = mapped === null ? null : toMappedFacts(mapped);
  const test = mapped?.test ?? (mayBeTest ? null : false);
  const listable = { keys: links, receivedAtMs };
  return { effects, decision, known: toKnownFacts(known, facts), test, listable, signals };
}

/** Policies by version, each read once; null for one that isn't stored any more. */
function createFormerPolicies(store: Pick<Store, "policies">, tenant: TenantId) {
  const known = new Map<number, Policy | null>([[0, DEFAULT_POLICY]]);

  return async (version: number): Promise<Policy | null> => {
    const found = known.get(version);
    if (found !== undefined) return found;
    const saved = await store.policies.get(tenant, version);
    const policy = saved === null ? null : parsePolicy(saved.document);
    known.set(version, policy);
    return policy;
  };
}

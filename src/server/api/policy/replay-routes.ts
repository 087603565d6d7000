import { randomUUID } from "node:crypto";
import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { expected } from "../../../base/field-codes.ts";
import { toIso } from "../../../base/iso-time.ts";
import { ACTIONS } from "../../../order/decision.ts";
import { runReplay } from "../../../pipeline/report/replay-run.ts";
import type { TenantId } from "../../../platform/platform.ts";
import type { Policy } from "../../../policy/policy.ts";
import { OUTCOMES, type ReplaySummary } from "../../../policy/replay-tally.ts";
import type { TimeWindow } from "../../../store/slices.ts";
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import { checkSubmittedPolicy, MAX_POLICY_BYTES, submittedPolicy } from "./policy-routes.ts";
import { listedOrderJson } from "../orders/order-json.ts";
import { moneyJson, worthJson } from "../base/money-json.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { toWindow } from "../reports/window-reports.ts";

type ReplayParts = Pick<ServerParts, "store" | "now">;

/** A replay whose process died blocks the next one for this long. */
const LEASE_MS = 60_000;
const RENEW_MS = LEASE_MS / 4;
const RETRY_AFTER_SECONDS = "5";

const DAYS_EXPECTED = expected("days", { max: 365 });
const days = z.int(DAYS_EXPECTED).min(1, DAYS_EXPECTED).max(365, DAYS_EXPECTED).default(90);
const action = z.enum(ACTIONS);
const tallyJson = z.object({ allow: worthJson, tag: worthJson, hold: worthJson, cancel: worthJson });

export const replayJson = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  orders: z.int().describe("decided orders in the window"),
  replayed: z.int().describe("orders counted in `before` and `after`"),
  unknown: z.int(),
  unknownReason: z.string().nullable(),
  before: tallyJson.describe("what Holdfast decided at the time"),
  after: tallyJson,
  changes: z.array(z.object({ from: action, to: action, orders: z.int(), amount: moneyJson })).readonly(),
  examples: z
    .array(
      listedOrderJson.extend({
        from: action,
        to: action,
        rule: z.string().nullable(),
        outcome: z.enum(OUTCOMES),
      }),
    )
    .readonly()
    .describe("at most 50, highest value first"),
  outcomes: z.partialRecord(z.enum(OUTCOMES), z.int()).describe("changed orders by outcome"),
  idleRules: z.array(z.string()).readonly().describe("rules that match none of the replayed orders"),
  credits: z.literal(0),
});

const REPLAY_ROUTES = {
  "POST /policy/replay": {
    id: "replayPolicy",
    summary: "Replay past orders under a policy. Uses no credits and changes nothing.",
    role: "reviewer",
    isRead: true,
    body: z.strictObject({ policy: submittedPolicy, days }),
    maxBodyBytes: MAX_POLICY_BYTES + 1024,
    answers: { 200: replayJson },
  },
} satisfies RouteDefinitions;

export function createReplayRoutes(parts: ReplayParts) {
  return handleRoutes(REPLAY_ROUTES, {
    async "POST /policy/replay"({ session, body, signal, answer }) {
      const policy = await checkSubmittedPolicy(parts, session.tenant, body.policy);
      const window = toWindow(parts.now(), body.days);
      answer(200, await replayFor(parts, session.tenant, { policy, window, signal }));
    },
  });
}

/** A replay as the API and the command line show it. */
export function toReplayJson(
  { sinceMs, untilMs }: TimeWindow,
  summary: ReplaySummary,
): z.infer<typeof replayJson> {
  return { since: toIso(sinceMs), until: toIso(untilMs), ...summary, credits: 0 };
}

/** @throws {ProblemError} 429 while another replay runs for the tenant. */
export async function replayFor(
  parts: ReplayParts,
  tenant: TenantId,
  replaying: Replaying,
): Promise<z.infer<typeof replayJson>> {
  return toReplayJson(replaying.window, await replayAlone(parts, tenant, replaying));
}

interface Replaying {
  readonly policy: Policy;
  readonly window: TimeWindow;
  readonly signal: AbortSignal;
}

/** One replay per tenant at a time, across processes. */
async function replayAlone(
  { store, now }: ReplayParts,
  tenant: TenantId,
  { policy, window, signal }: Replaying,
): Promise<ReplaySummary> {
  const [lease, owner] = [`replay:${tenant}`, randomUUID()];
  let renewedAtMs = now();
  const hold = () =>
    store.leases.acquire(lease, owner, renewedAtMs, renewedAtMs + LEASE_MS, { endsWithProcess: true });
  if (!(await hold())) {
    throw new ProblemError(refusalOf(429, "replay-running"), { "Retry-After": RETRY_AFTER_SECONDS });
  }

  async function onPage(): Promise<void> {
    if (now() < renewedAtMs + RENEW_MS) return;
    renewedAtMs = now();
    await hold();
  }

  try {
    return await runReplay(store, { tenant, policy, ...window, signal, onPage });
  } finally {
    await store.leases.release(lease, owner);
  }
}

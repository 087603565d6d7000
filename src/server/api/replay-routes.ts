import { randomUUID } from "node:crypto";
import { z } from "zod";
import { runReplay } from "../../pipeline/report/replay-run.ts";
import type { TenantId } from "../../platform/platform.ts";
import { policySchema, type Policy } from "../../policy/policy.ts";
import type { ReplaySummary } from "../../policy/replay-tally.ts";
import type { ReceivedWindow } from "../../store/figures/replay-source.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { sendJson, sendProblem, whileConnected } from "../http/responses.ts";
import { replayJson, toReplayJson } from "./replay-json.ts";
import type { ServerParts } from "../server-parts.ts";
import { checkSubmittedPolicy } from "./submitted-policy.ts";
import { readValidBody } from "../http/valid-body.ts";

type ReplayParts = Pick<ServerParts, "store" | "now" | "bodyTimeoutMs">;

const DAY_MS = 86_400_000;
const MAX_BYTES = 110 * 1024;
/** A replay that stands still, because its process died, keeps the next one waiting for this long. */
const LEASE_MS = 60_000;
const RENEW_MS = LEASE_MS / 4;
const RETRY_AFTER_SECONDS = "5";

const DAYS_EXPECTED = "expected a whole number of days from 1 to 365";
const days = z.int(DAYS_EXPECTED).min(1, DAYS_EXPECTED).max(365, DAYS_EXPECTED).default(90);
// The document is checked on its own: its fields are named as where it is saved.
const replayBody = z.strictObject({ policy: z.unknown(), days });

/** `POST /api/policy/replay`: what a policy would have made of past orders. */
export function createReplayRoutes(parts: ReplayParts): readonly ApiRoute[] {
  return [
    {
      path: "/policy/replay",
      operations: {
        POST: {
          id: "replayPolicy",
          summary: "Replay past orders under a policy. Uses no credits and changes nothing.",
          role: "reviewer",
          body: replayBody.extend({ policy: policySchema }),
          answers: { 200: replayJson },
          problems: [408, 413, 415, 422],
          handle: (call) => replayPolicy(parts, call),
        },
      },
    },
  ];
}

async function replayPolicy(parts: ReplayParts, call: ApiCall): Promise<void> {
  const { session, res } = call;
  const limits = { maxBytes: MAX_BYTES, bodyTimeoutMs: parts.bodyTimeoutMs };
  const body = await readValidBody(call, replayBody, limits);
  if (body === undefined) return;
  const submitted = await checkSubmittedPolicy(parts, session.tenant, body.policy);
  if ("errors" in submitted) {
    const { errors } = submitted;
    const detail = "The policy is invalid. Fix the fields listed in errors.";
    return sendProblem(res, { status: 422, code: "POLICY_INVALID", detail, errors });
  }
  const { policy } = submitted;
  const untilMs = parts.now();
  const window = { sinceMs: untilMs - body.days * DAY_MS, untilMs };
  await whileConnected(res, async (signal) => {
    const summary = await replayAlone(parts, session.tenant, { policy, window, signal });
    if (summary !== null) return sendJson(res, 200, toReplayJson(window, summary));
    const problem = {
      status: 429,
      detail: "Another replay is running for this shop. Wait for it to finish.",
    };
    return sendProblem(res, problem, { "Retry-After": RETRY_AFTER_SECONDS });
  });
}

interface Replaying {
  readonly policy: Policy;
  readonly window: ReceivedWindow;
  readonly signal: AbortSignal;
}

/** One replay per tenant at a time, across processes; null when another is running. */
async function replayAlone(
  { store, now }: ReplayParts,
  tenant: TenantId,
  { policy, window, signal }: Replaying,
): Promise<ReplaySummary | null> {
  const [lease, owner] = [`replay:${tenant}`, randomUUID()];
  let renewedAtMs = now();
  const hold = () =>
    store.acquireLease(lease, owner, renewedAtMs, renewedAtMs + LEASE_MS, { endsWithProcess: true });
  if (!(await hold())) return null;

  async function onPage(): Promise<void> {
    if (now() < renewedAtMs + RENEW_MS) return;
    renewedAtMs = now();
    await hold();
  }

  try {
    return await runReplay(store, { tenant, policy, ...window, signal, onPage });
  } finally {
    await store.releaseLease(lease, owner);
  }
}

import { z } from "zod";
import { makeSandboxOrder } from "../../../sandbox/sandbox-orders.ts";
import type { Entitlement, Finding, TenantId } from "../../../platform/platform.ts";
import { toTimelineEntry } from "../../../pipeline/timeline.ts";
import { withinDeadline } from "../../../base/waiting.ts";
import type { TenantRecord } from "../../../store/store.ts";
import { RISK_LEVELS } from "../../../order/risk-level.ts";
import { handleRoutes, pick, type RouteDefinitions } from "../../http/api-route.ts";
import { oneOf } from "../../../policy/schema-fields.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { createSharedAnswers } from "../../http/shared-answers.ts";

/** The platform is called over the network, and people reload the page. */
const FINDINGS_SHARED_MS = 60_000;
const FINDINGS_WITHIN_MS = 8_000;
const HOUR_MS = 3_600_000;
/** Nobody needs more to see how it works; a script would fill the list of orders. */
const SANDBOX_ORDERS_HOURLY = 30;

const findingJson = z.object({
  id: z.string(),
  status: z.enum(["ok", "warning", "problem", "skipped"]),
  found: z.string(),
  advice: z.string().nullable(),
  requests: z
    .array(z.string())
    .describe("optional permissions that the platform's page can ask the merchant for; mostly empty"),
});
const setupJson = z.object({
  done: z.boolean(),
  steps: z.array(
    z.object({
      id: z.enum(["service", "mode", "platform", "first-order"]),
      done: z.boolean(),
      detail: z.string(),
    }),
  ),
  findings: z.array(findingJson),
  scopes: z.array(z.string()).nullable(),
  personalData: z.enum(["granted", "withheld", "unknown"]),
});
type SetupJson = z.infer<typeof setupJson>;
type SetupStep = SetupJson["steps"][number];

const SETUP_ROUTES = {
  "GET /setup": {
    id: "showSetup",
    summary: "Show setup progress and what the platform allows Holdfast to do.",
    role: "viewer",
    answers: { 200: setupJson },
  },
  "POST /setup/sandbox-order": {
    id: "makeSandboxOrder",
    summary: "Create a sandbox order. Uses no credits and changes nothing on the platform.",
    role: "reviewer",
    body: z.strictObject({ scenario: oneOf(RISK_LEVELS).default("high") }).prefault({}),
    answers: { 202: z.object({ orderId: z.string() }) },
  },
} satisfies RouteDefinitions;

export function createSetupRoutes(parts: ServerParts) {
  const findings = createSharedAnswers<readonly Finding[]>({ forMs: FINDINGS_SHARED_MS, now: parts.now });
  return handleRoutes(SETUP_ROUTES, {
    async "GET /setup"({ session: { tenant }, answer }) {
      const kept = await parts.store.tenants.get(tenant);
      const found = await findings(tenant, () => diagnose(parts, tenant, kept));
      answer(200, await toSetupJson(parts, tenant, kept, found));
    },
    async "POST /setup/sandbox-order"({ session, body: { scenario }, answer }) {
      const { store, now } = parts;
      const { tenant, actor } = session;
      const nowMs = now();
      const order = makeSandboxOrder(scenario);
      const { orderId } = order;
      const quota = { tenant, name: "sandbox-order", key: orderId, sinceMs: nowMs - HOUR_MS, nowMs };
      if (!(await store.ledger.takeQuota({ ...quota, max: SANDBOX_ORDERS_HOURLY }))) {
        const detail = `You can create ${SANDBOX_ORDERS_HOURLY} sandbox orders per hour. Try again later.`;
        throw new ProblemError({ status: 429, detail }, { "Retry-After": "600" });
      }
      await store.orders.receive(
        { ...order, tenant, receivedAtMs: nowMs },
        toTimelineEntry(nowMs, { kind: "received" }, "created in the console", actor),
      );
      parts.wake?.();
      answer(202, { orderId });
    },
  });
}

/** The platform's part. Never rejects, because the other steps are shown anyway. */
async function diagnose(
  { platforms, logger }: ServerParts,
  tenant: TenantId,
  kept: TenantRecord | null,
): Promise<readonly Finding[]> {
  const platform = platforms.find(({ name }) => name === kept?.platform);
  if (platform?.diagnose === undefined || kept?.state !== "installed") return [];
  const signal = AbortSignal.timeout(FINDINGS_WITHIN_MS);
  try {
    const found = await withinDeadline(platform.diagnose(tenant, { signal }), FINDINGS_WITHIN_MS);
    if (found !== undefined) return found;
  } catch (error) {
    logger.warn({ err: error, tenant }, "the platform's permissions couldn't be checked");
  }
  const advice = "Check again in a minute.";
  return [
    { id: `${platform.name}.access`, status: "warning", found: "The platform didn't respond.", advice },
  ];
}

async function toSetupJson(
  { store, settings, accesses }: ServerParts,
  tenant: TenantId,
  kept: TenantRecord | null,
  findings: readonly Finding[],
): Promise<SetupJson> {
  const [access, entitlement, { service: own }, policy, decided] = await Promise.all([
    accesses.of(tenant),
    accesses.entitlement(tenant),
    settings.of(tenant),
    store.policies.load(tenant),
    store.figures.findDecided(tenant),
  ]);
  const states: readonly (readonly [SetupStep["id"], ...StepState])[] = [
    ["service", ...toServiceState(access !== null, own !== null, entitlement)],
    ["mode", ...toModeState(policy?.version ?? 0)],
    ["platform", ...toPlatformState(kept, findings)],
    ["first-order", ...toOrderState(decided)],
  ];
  const steps = states.map(([id, done, detail]) => ({ id, done, detail }));
  return {
    done: steps.every(({ done }) => done),
    steps,
    findings: findings.map((finding) => {
      return pick(findingJson, { ...finding, requests: [...(finding.requests ?? [])] });
    }),
    scopes: findings.find(({ id }) => id.endsWith(".scopes"))?.names?.slice() ?? null,
    personalData: toPersonalData(findings),
  };
}

const UNTIL_THEN = "Until then, the local engine checks every order; it can hold but never cancels.";

type StepState = readonly [done: boolean, detail: string];

function toServiceState(isAsked: boolean, isOwn: boolean, entitlement: Entitlement | null): StepState {
  if (isAsked)
    return [true, `Orders are checked with ${isOwn ? "your own key" : "this installation's key"}.`];
  const isOffered = entitlement?.outcome === "no-plan";
  return [
    false,
    `${isOffered ? "Choose a plan, or add your own key" : "No service key is set"}. ${UNTIL_THEN}`,
  ];
}

function toModeState(version: number): StepState {
  return version > 0
    ? [true, `Version ${version} of your policy is in use.`]
    : [false, "No policy is saved yet. Until you choose, orders are tagged and held, never canceled."];
}

function toPlatformState(kept: TenantRecord | null, findings: readonly Finding[]): StepState {
  if (kept === null) return [true, "No platform connection needed."];
  if (kept.state !== "installed") return [false, "The app is uninstalled. Install it again."];
  const problem = findings.find(({ status }) => status === "problem");
  return [problem === undefined, problem?.found ?? "Connected."];
}

function toOrderState({ real, sandbox }: { readonly real: boolean; readonly sandbox: boolean }): StepState {
  if (real) return [true, "Holdfast is deciding orders."];
  return sandbox
    ? [true, "Holdfast decided a sandbox order."]
    : [false, "No orders yet. Send a sandbox order to see how it works."];
}

function toPersonalData(findings: readonly Finding[]): SetupJson["personalData"] {
  const status = findings.find(({ id }) => id.endsWith(".personal-data"))?.status;
  if (status === "ok") return "granted";
  return status === "problem" ? "withheld" : "unknown";
}

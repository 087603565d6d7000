import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { makeSandboxOrder } from "../../../sandbox/sandbox-orders.ts";
import { describeFinding } from "../../../platform/findings.ts";
import type { Entitlement, Finding, TenantId } from "../../../platform/platform.ts";
import { toTimelineEntry } from "../../../pipeline/timeline.ts";
import { withinDeadline } from "../../../base/waiting.ts";
import type { TenantRecord } from "../../../store/store.ts";
import { RISK_LEVELS } from "../../../order/risk-level.ts";
import { handleRoutes, pick, type RouteDefinitions } from "../../http/api-route.ts";
import { oneOf } from "../../../policy/schema-fields.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { findAtCheckout } from "./checkout-finding.ts";
import { createSharedAnswers } from "../../http/shared-answers.ts";

/** The platform is called over the network, and people reload the page. */
const FINDINGS_SHARED_MS = 60_000;
const FINDINGS_WITHIN_MS = 8_000;
const HOUR_MS = 3_600_000;
/** Nobody needs more to see how it works; a script would fill the list of orders. */
const SANDBOX_ORDERS_HOURLY = 30;

/** What the texts say, for other languages. */
const saidJson = {
  code: z.string().optional().describe("what the texts say, for programs"),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe("what the texts of the code name"),
};
const findingJson = z.object({
  id: z.string(),
  status: z.enum(["ok", "warning", "problem", "skipped"]),
  found: z.string(),
  advice: z.string().nullable(),
  ...saidJson,
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
      ...saidJson,
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
      const atCheckout = await findAtCheckout(parts, kept);
      answer(200, await toSetupJson(parts, tenant, kept, [...found, ...atCheckout]));
    },
    async "POST /setup/sandbox-order"({ session, body: { scenario }, answer }) {
      const { store, now } = parts;
      const { tenant, actor } = session;
      const nowMs = now();
      const order = makeSandboxOrder(scenario);
      const { orderId } = order;
      const quota = { tenant, name: "sandbox-order", key: orderId, sinceMs: nowMs - HOUR_MS, nowMs };
      if (!(await store.ledger.takeQuota({ ...quota, max: SANDBOX_ORDERS_HOURLY }))) {
        throw new ProblemError(refusalOf(429, "sandbox-limit", { max: SANDBOX_ORDERS_HOURLY }), {
          "Retry-After": "600",
        });
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
  return [{ id: `${platform.name}.access`, status: "warning", ...describeFinding("platform-silent") }];
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
  const steps: readonly SetupStep[] = [
    { id: "service", ...toServiceState(access !== null, own !== null, entitlement) },
    { id: "mode", ...toModeState(policy?.version ?? 0) },
    { id: "platform", ...toPlatformState(kept, findings) },
    { id: "first-order", ...toOrderState(decided) },
  ];
  return {
    done: steps.every(({ done }) => done),
    steps: [...steps],
    findings: findings.map((finding) => {
      return pick(findingJson, { ...finding, requests: [...(finding.requests ?? [])] });
    }),
    scopes: findings.find(({ id }) => id.endsWith(".scopes"))?.names?.slice() ?? null,
    personalData: toPersonalData(findings),
  };
}

type StepState = Omit<SetupStep, "id">;

function toState(
  done: boolean,
  { found: detail, code, params }: ReturnType<typeof describeFinding>,
): StepState {
  return { done, detail, code, params };
}

function toServiceState(isAsked: boolean, isOwn: boolean, entitlement: Entitlement | null): StepState {
  if (isAsked) return toState(true, describeFinding(isOwn ? "step-service-own" : "step-service-shared"));
  const isOffered = entitlement?.outcome === "no-plan";
  return toState(false, describeFinding(isOffered ? "step-service-plan" : "step-service-none"));
}

function toModeState(version: number): StepState {
  return version > 0
    ? toState(true, describeFinding("step-mode", { version }))
    : toState(false, describeFinding("step-mode-none"));
}

function toPlatformState(kept: TenantRecord | null, findings: readonly Finding[]): StepState {
  if (kept === null) return toState(true, describeFinding("step-platform-none"));
  if (kept.state !== "installed") return toState(false, describeFinding("step-platform-uninstalled"));
  const problem = findings.find(({ status }) => status === "problem");
  if (problem === undefined) return toState(true, describeFinding("step-platform"));
  const { found: detail, code, params } = problem;
  return { done: false, detail, code, params };
}

function toOrderState({ real, sandbox }: { readonly real: boolean; readonly sandbox: boolean }): StepState {
  if (real) return toState(true, describeFinding("step-order"));
  return toState(sandbox, describeFinding(sandbox ? "step-order-sandbox" : "step-order-none"));
}

function toPersonalData(findings: readonly Finding[]): SetupJson["personalData"] {
  const status = findings.find(({ id }) => id.endsWith(".personal-data"))?.status;
  if (status === "ok") return "granted";
  return status === "problem" ? "withheld" : "unknown";
}

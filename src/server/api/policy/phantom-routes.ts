import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { toIso } from "../../../base/iso-time.ts";
import type { TenantId } from "../../../platform/platform.ts";
import { parsePolicy, policySchema } from "../../../policy/policy.ts";
import { loadSettings } from "../../../settings/current-settings.ts";
import { toSettingsContent, type PhantomPolicy } from "../../../settings/tenant-settings.ts";
import { noteAct } from "../base/note-access.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import { checkSubmittedPolicy, MAX_POLICY_BYTES, submittedPolicy } from "./policy-routes.ts";
import { replayFor, replayJson } from "./replay-routes.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

type PhantomParts = Pick<ServerParts, "store" | "settings" | "now" | "policyOf">;

const phantomJson = z.object({
  savedAt: z.iso.datetime(),
  actor: z.string(),
  policy: policySchema.describe("its lists are empty: the lists of the policy in use apply"),
});

const PHANTOM_ROUTES = {
  "GET /policy/phantom": {
    id: "showPhantomPolicy",
    summary: "Get the phantom policy, which is kept beside the policy in use and never acts.",
    role: "viewer",
    answers: { 200: z.object({ phantom: phantomJson.nullable() }) },
  },
  "PUT /policy/phantom": {
    id: "replacePhantomPolicy",
    summary: "Save a phantom policy. Orders received from now on count toward its differences.",
    role: "owner",
    body: submittedPolicy,
    maxBodyBytes: MAX_POLICY_BYTES,
    answers: { 200: z.object({ phantom: phantomJson }) },
    problems: [409],
  },
  "DELETE /policy/phantom": {
    id: "removePhantomPolicy",
    summary: "Remove the phantom policy.",
    role: "owner",
    answers: { 204: null },
    problems: [409],
  },
  "GET /policy/phantom/differences": {
    id: "comparePhantomPolicy",
    summary:
      "Show where the phantom policy decides differently on the orders received since it was saved. Uses no credits.",
    role: "reviewer",
    answers: { 200: replayJson },
    problems: [404],
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof PHANTOM_ROUTES> = CallOf<typeof PHANTOM_ROUTES, Route>;

export function createPhantomRoutes(parts: PhantomParts) {
  return handleRoutes(PHANTOM_ROUTES, {
    "GET /policy/phantom": async ({ session, answer }) =>
      answer(200, { phantom: await findPhantom(parts, session.tenant) }),
    async "PUT /policy/phantom"(call) {
      const { session, body, answer } = call;
      const submitted = await checkSubmittedPolicy(parts, session.tenant, body);
      // List entries are about people and are erased with their data, so only the current policy has them.
      const policy = { ...submitted, lists: [] };
      const { actor } = session;
      const savedAtMs = parts.now();
      await save(parts, call, { document: policy, savedAtMs, actor });
      answer(200, { phantom: { savedAt: toIso(savedAtMs), actor, policy } });
    },
    "DELETE /policy/phantom": async (call) => {
      await save(parts, call, null);
      call.answer(204, undefined);
    },
    "GET /policy/phantom/differences": async ({ session: { tenant }, signal, answer }) => {
      const phantom = await findPhantom(parts, tenant);
      if (phantom === null) throw new ProblemError(refusalOf(404, "phantom-not-found"));
      const { lists } = (await parts.policyOf(tenant)).policy;
      const window = { sinceMs: Date.parse(phantom.savedAt), untilMs: parts.now() };
      answer(200, await replayFor(parts, tenant, { policy: { ...phantom.policy, lists }, window, signal }));
    },
  });
}

async function save(
  parts: PhantomParts,
  { session }: Pick<Call<"PUT /policy/phantom">, "session">,
  phantom: PhantomPolicy | null,
): Promise<void> {
  const { store, now } = parts;
  const current = await loadSettings(parts.store, session.tenant);
  if (!current.isReadable) {
    // Saving it would delete the shop's service key.
    throw new ProblemError(refusalOf(409, "settings-unreadable"));
  }
  await noteAct(parts, session, "policy", "phantom");
  const content = toSettingsContent({ ...current, phantom });
  const saved = await store.settings.save(session.tenant, content, current.version, now());
  if (saved === null) throw new ProblemError(refusalOf(409, "settings-busy"));
  parts.settings.forget(session.tenant);
}

async function findPhantom({ store }: PhantomParts, tenant: TenantId) {
  const { phantom } = await loadSettings(store, tenant);
  return (
    phantom && {
      savedAt: toIso(phantom.savedAtMs),
      actor: phantom.actor,
      policy: parsePolicy(phantom.document),
    }
  );
}

import type { OutgoingHttpHeaders } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { isHoldfastError } from "../../../base/errors.ts";
import { expected, toFieldProblem, type FieldProblem } from "../../../base/field-codes.ts";
import type { TenantId } from "../../../platform/platform.ts";
import {
  DEFAULT_POLICY,
  parsePolicy,
  policySchema,
  type Policy,
  type PolicyDocument,
} from "../../../policy/policy.ts";
import { loadSettings } from "../../../settings/current-settings.ts";
import { listPolicyChanges, policyChangeJson } from "../../../policy/policy-changes.ts";
import { findPersonalRuleNames, findUnmatchable } from "../../../policy/unmatchable.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { toSchema } from "../base/openapi.ts";
import { ProblemError } from "../../http/responses.ts";
import { pageQuery, readIfMatch, wholeNumber } from "../../http/query.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

type PolicyParts = Pick<ServerParts, "store" | "logger" | "now">;

const MAX_VERSION = 2_147_483_647;

const versionJson = z.object({
  version: z.int().describe("0 is the default policy"),
  savedAt: z.iso.datetime().nullable(),
  actor: z.string().nullable(),
  current: z.boolean(),
  changes: z
    .array(policyChangeJson)
    .readonly()
    .describe("what differs from the version before; empty for version 0, and if either can't be read"),
});
type VersionJson = z.infer<typeof versionJson>;

/**
 * A policy to save or to replay, described by its schema. {@link checkSubmittedPolicy} parses it with the same schema, and
 * its further checks depend on the current policy.
 */
export const submittedPolicy = z
  .unknown()
  .refine((document) => document !== undefined, expected("policy"))
  .meta(toSchema(policySchema, "input")) as z.ZodType<unknown, PolicyDocument>;

/** Full lists of buyers, and rules with thousands of addresses. */
export const MAX_POLICY_BYTES = 1024 * 1024;

const POLICY_ROUTES = {
  "GET /policy": {
    id: "showPolicy",
    summary: "Get the current policy. Its version is the ETag.",
    role: "viewer",
    answers: { 200: policySchema },
  },
  "PUT /policy": {
    id: "replacePolicy",
    summary: "Save a new policy, if If-Match still names the newest version.",
    role: "owner",
    body: submittedPolicy,
    maxBodyBytes: MAX_POLICY_BYTES,
    answers: { 200: policySchema },
    problems: [412],
  },
  "GET /policy/versions": {
    id: "listPolicyVersions",
    summary: "List policy versions, newest first.",
    role: "viewer",
    query: pageQuery.extend({ cursor: wholeNumber(0, MAX_VERSION).optional() }),
    answers: { 200: z.object({ versions: z.array(versionJson), nextCursor: z.string().nullable() }) },
  },
  "GET /policy/versions/:version": {
    id: "showPolicyVersion",
    summary: "Get one policy version as it was saved.",
    role: "viewer",
    params: z.object({ version: wholeNumber(0, MAX_VERSION) }),
    answers: {
      200: versionJson
        .omit({ current: true, changes: true })
        .extend({ document: policySchema.describe("restore it with PUT /api/policy") }),
    },
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof POLICY_ROUTES> = CallOf<typeof POLICY_ROUTES, Route>;

export function createPolicyRoutes(parts: PolicyParts) {
  return handleRoutes(POLICY_ROUTES, {
    async "GET /policy"({ session, answer }) {
      const kept = await parts.store.policies.load(session.tenant);
      if (kept === null) return answer(200, DEFAULT_POLICY, toVersionHeader(0));
      return answer(200, parsePolicy(kept.document), toVersionHeader(kept.version));
    },
    async "PUT /policy"({ session, body, req, answer }) {
      const { tenant, actor } = session;
      const policy = await checkSubmittedPolicy(parts, tenant, body, "policy-not-saved");
      await checkModelRanBeside(parts, tenant, policy);
      const expected = await toExpectedVersion(parts, tenant, readIfMatch(req));
      const saved = await parts.store.policies.save(tenant, policy, expected, parts.now(), actor);
      if (saved === null) throw new ProblemError(CHANGED);
      parts.logger.info({ version: saved.version, actor }, "a policy was saved");
      return answer(200, policy, toVersionHeader(saved.version));
    },
    "GET /policy/versions": (call) => listVersions(parts, call),
    async "GET /policy/versions/:version"({ session, params: { version }, answer }) {
      if (version === 0)
        return answer(200, { version, savedAt: null, actor: null, document: DEFAULT_POLICY });
      const saved = await parts.store.policies.get(session.tenant, version);
      if (saved === null) throw new ProblemError(refusalOf(404, "policy-version-not-found"));
      const savedAt = new Date(saved.savedAtMs).toISOString();
      return answer(200, { version, savedAt, actor: saved.actor, document: parsePolicy(saved.document) });
    },
  });
}

/** How long a model of the shop's own runs as a phantom before it may act: a week has every weekday. */
const BESIDE_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * A model that isn't in force must have run beside the policy in use.
 *
 * @throws {ProblemError} if it hasn't.
 */
async function checkModelRanBeside(
  { store, now }: PolicyParts,
  tenant: TenantId,
  { localModel }: Policy,
): Promise<void> {
  if (localModel === undefined) return;
  const kept = await store.policies.load(tenant);
  const isSame = (document: unknown) =>
    isDeepStrictEqual(policySchema.safeParse(document).data?.localModel, localModel);
  if (isSame(kept?.document)) return;
  const { phantom } = await loadSettings(store, tenant);
  const isOld = phantom !== null && now() - phantom.savedAtMs >= BESIDE_DAYS * DAY_MS;
  if (isOld && isSame(phantom.document)) return;
  const errors = [toFieldProblem("localModel", "model-not-beside", { days: BESIDE_DAYS })];
  throw new ProblemError({ ...refusalOf(422, "policy-not-saved"), code: "POLICY_INVALID", errors });
}

const CHANGED = refusalOf(412, "policy-changed");

/** The version that must still be the newest; `undefined` for any. */
async function toExpectedVersion(parts: PolicyParts, tenant: TenantId, tags: readonly string[] | null) {
  if (tags === null) return undefined;
  // The default policy is always there, as version 0.
  const current = (await parts.store.policies.load(tenant))?.version ?? 0;
  if (!tags.includes(`"${current}"`)) throw new ProblemError(CHANGED);
  return current;
}

function toVersionHeader(version: number): OutgoingHttpHeaders {
  return { ETag: `"${version}"` };
}

async function listVersions(
  { store }: PolicyParts,
  { session, query, answer }: Call<"GET /policy/versions">,
): Promise<void> {
  const { limit: size, cursor = null } = query;
  const [saved, newest] = await Promise.all([
    // One extra row shows whether there is another page.
    cursor === 0 ? [] : store.policies.list(session.tenant, { before: cursor, limit: size + 1 }),
    store.policies.list(session.tenant, { before: null, limit: 1 }),
  ]);
  const current = newest[0]?.version ?? 0;
  const all = [
    ...saved.map(({ version, savedAtMs, actor }) => {
      return { version, savedAt: new Date(savedAtMs).toISOString(), actor, current: version === current };
    }),
    // The default policy comes before the first one that was saved.
    ...(saved.length > size || cursor === 0
      ? []
      : [{ version: 0, savedAt: null, actor: null, current: current === 0 }]),
  ];
  const page = all.slice(0, size);
  const last = page.at(-1);
  const nextCursor = all.length > size && last !== undefined ? String(last.version) : null;
  const read = createPolicyReader(store, session.tenant);
  const versions = await Promise.all(
    page.map(async (one) => ({ ...one, changes: await readChanges(read, one.version) })),
  );
  answer(200, { versions, nextCursor });
}

type PolicyReader = (version: number) => Promise<Policy | null>;

/** Reads each version once; null for one that isn't stored any more, or that this release can't read. */
function createPolicyReader({ policies }: PolicyParts["store"], tenant: TenantId): PolicyReader {
  const known = new Map<number, Promise<Policy | null>>([[0, Promise.resolve(DEFAULT_POLICY)]]);
  const load = async (version: number) => {
    const saved = await policies.get(tenant, version);
    return policySchema.safeParse(saved?.document).data ?? null;
  };
  return (version) => {
    const policy = known.get(version) ?? load(version);
    known.set(version, policy);
    return policy;
  };
}

async function readChanges(read: PolicyReader, version: number): Promise<VersionJson["changes"]> {
  if (version === 0) return [];
  const [before, after] = await Promise.all([read(version - 1), read(version)]);
  return before === null || after === null ? [] : listPolicyChanges(before, after);
}

/**
 * Check a submitted policy: its schema, that no rule names a person, and that each new rule can matter.
 *
 * @param why - What is said of an invalid policy.
 * @throws {ProblemError} with every field at fault.
 */
export async function checkSubmittedPolicy(
  { store }: Pick<ServerParts, "store">,
  tenant: TenantId,
  document: unknown,
  why: "policy-invalid" | "policy-not-saved" = "policy-invalid",
): Promise<Policy> {
  const refuse = (errors: readonly FieldProblem[]) => {
    return new ProblemError({ ...refusalOf(422, why), code: "POLICY_INVALID", errors });
  };
  const kept = await store.policies.load(tenant);
  const former = policySchema.safeParse(kept?.document).data ?? null;
  let policy: Policy;
  try {
    policy = parsePolicy(document);
  } catch (error) {
    throw isHoldfastError(error, "POLICY_INVALID") ? refuse(error.fields) : error;
  }
  const errors = [...findPersonalRuleNames(policy), ...findUnmatchable(policy, former)];
  if (errors.length > 0) throw refuse(errors);
  return policy;
}

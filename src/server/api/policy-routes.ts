import type { OutgoingHttpHeaders } from "node:http";
import { z } from "zod";
import { isHoldfastError } from "../../base/errors.ts";
import type { TenantId } from "../../platform/platform.ts";
import { DEFAULT_POLICY, parsePolicy, policySchema } from "../../policy/policy.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { readJson } from "../http/json-body.ts";
import { sendJson, sendProblem } from "../http/responses.ts";
import { discardRest } from "../http/request-body.ts";
import type { ServerParts } from "../server-parts.ts";
import { checkSubmittedPolicy } from "./submitted-policy.ts";

type PolicyParts = Pick<ServerParts, "store" | "logger" | "now" | "bodyTimeoutMs">;

/** A policy of a few hundred rules; the rules of a person fit many times over. */
const MAX_POLICY_BYTES = 100 * 1024;
const BODY_TIMEOUT_MS = 10_000;

/** `GET /api/policy` and `PUT /api/policy`. */
export function createPolicyRoutes(parts: PolicyParts): readonly ApiRoute[] {
  return [
    {
      path: "/policy",
      operations: {
        GET: {
          id: "showPolicy",
          summary: "Get the current policy. Its version is the ETag.",
          role: "viewer",
          // A policy saved by an older release may no longer be valid.
          answers: { 200: policySchema.or(z.looseObject({})) },
          handle: (call) => showPolicy(parts, call),
        },
        PUT: {
          id: "replacePolicy",
          summary: "Save a new policy, if If-Match still names the newest version.",
          role: "owner",
          body: policySchema,
          answers: { 200: policySchema },
          problems: [408, 412, 413, 415, 422],
          handle: (call) => replacePolicy(parts, call),
        },
      },
    },
  ];
}

async function showPolicy(parts: PolicyParts, { session, res }: ApiCall): Promise<void> {
  const kept = await parts.store.loadPolicy(session.tenant);
  if (kept === null) return sendJson(res, 200, DEFAULT_POLICY, toVersionHeader(0));
  return sendJson(res, 200, withDefaults(parts, kept.document), toVersionHeader(kept.version));
}

/** A document saved by an older release gets the defaults of newer keys. One that no longer parses is returned as saved, so that an owner can fix it. */
function withDefaults(parts: PolicyParts, document: unknown): unknown {
  try {
    return parsePolicy(document);
  } catch (error) {
    if (!isHoldfastError(error, "POLICY_INVALID")) throw error;
    parts.logger.warn({ err: error }, "a saved policy is no longer valid");
    return document;
  }
}

async function replacePolicy(parts: PolicyParts, { session, req, res }: ApiCall): Promise<void> {
  const body = await readJson(req, {
    maxBytes: MAX_POLICY_BYTES,
    timeoutMs: parts.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
  });
  if (body.outcome === "aborted") return;
  if (body.outcome === "refused") {
    sendProblem(res, body.problem);
    return discardRest(req);
  }
  const parsed = await checkSubmittedPolicy(parts, session.tenant, body.document);
  if ("errors" in parsed) {
    const { errors } = parsed;
    return sendProblem(res, {
      status: 422,
      code: "POLICY_INVALID",
      detail: "The policy wasn't saved. Fix the fields listed in errors.",
      errors,
    });
  }
  const expected = await toExpectedVersion(parts, session.tenant, req.headers["if-match"]);
  if (expected === "changed") return sendChanged(res);
  const saved = await parts.store.savePolicy(
    session.tenant,
    parsed.policy,
    expected,
    parts.now(),
    session.actor,
  );
  if (saved === null) return sendChanged(res);
  parts.logger.info({ version: saved.version, actor: session.actor }, "a policy was saved");
  return sendJson(res, 200, saved.document, toVersionHeader(saved.version));
}

function sendChanged(res: ApiCall["res"]): void {
  sendProblem(res, { status: 412, detail: "Someone else changed the policy. Read it again." });
}

/** The version that must still be the newest; `undefined` for any. */
async function toExpectedVersion(
  parts: PolicyParts,
  tenant: TenantId,
  ifMatch: string | undefined,
): Promise<number | undefined | "changed"> {
  // RFC 9110 section 13.1.1: `*` matches whatever there is, and the default policy is always there.
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  const current = (await parts.store.loadPolicy(tenant))?.version ?? 0;
  // Strong comparison: a weak tag, `W/"3"`, matches nothing.
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  return tags.includes(`"${current}"`) ? current : "changed";
}

function toVersionHeader(version: number): OutgoingHttpHeaders {
  return { ETag: `"${version}"` };
}

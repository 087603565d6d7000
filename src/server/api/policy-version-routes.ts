import { z } from "zod";
import { DEFAULT_POLICY, policySchema } from "../../policy/policy.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { sendJson, sendProblem } from "../http/responses.ts";
import { parseNumberQuery, type NumberParameter, toQuery } from "../http/query.ts";
import type { ServerParts } from "../server-parts.ts";

type VersionParts = Pick<ServerParts, "store">;

const versionJson = z.object({
  version: z.int().describe("0 is the default policy"),
  savedAt: z.iso.datetime().nullable(),
  actor: z.string().nullable(),
  current: z.boolean(),
});
const versionPage = z.object({ versions: z.array(versionJson), nextCursor: z.string().nullable() });
const savedPolicyJson = versionJson.omit({ current: true }).extend({
  document: policySchema.describe("restore it with PUT /api/policy"),
});

const MAX_VERSION = 2_147_483_647;
const QUERY: Readonly<Record<"limit" | "cursor", NumberParameter>> = {
  limit: { min: 1, max: 100, fallback: 50 },
  cursor: { min: 0, max: MAX_VERSION, fallback: null },
};

/** `GET /api/policy/versions` and `GET /api/policy/versions/:version`: what the policy was, and who changed it when. */
export function createPolicyVersionRoutes(parts: VersionParts): readonly ApiRoute[] {
  return [
    {
      path: "/policy/versions",
      operations: {
        GET: {
          id: "listPolicyVersions",
          summary: "List policy versions, newest first.",
          role: "viewer",
          query: z.object({ limit: z.string().optional(), cursor: z.string().optional() }),
          answers: { 200: versionPage },
          handle: (call) => listVersions(parts, call),
        },
      },
    },
    {
      path: "/policy/versions/:version",
      operations: {
        GET: {
          id: "showPolicyVersion",
          summary: "Get one policy version as it was saved.",
          role: "viewer",
          answers: { 200: savedPolicyJson },
          problems: [404],
          handle: (call) => showVersion(parts, call),
        },
      },
    },
  ];
}

async function listVersions({ store }: VersionParts, { session, req, res }: ApiCall): Promise<void> {
  const query = parseNumberQuery(toQuery(req), QUERY);
  if (query.outcome === "invalid") {
    return sendProblem(res, {
      status: 400,
      detail: "The query is invalid. Fix the parameters listed in errors.",
      errors: query.errors,
    });
  }
  const { limit, cursor } = query.values;
  const size = limit ?? 50;
  const [saved, newest] = await Promise.all([
    // One extra row shows whether there is another page.
    cursor === 0 ? [] : store.listPolicies(session.tenant, { before: cursor, limit: size + 1 }),
    store.listPolicies(session.tenant, { before: null, limit: 1 }),
  ]);
  const current = newest[0]?.version ?? 0;
  const all: readonly z.infer<typeof versionJson>[] = [
    ...saved.map(({ version, savedAtMs, actor }) => {
      return { version, savedAt: new Date(savedAtMs).toISOString(), actor, current: version === current };
    }),
    // The one below the first is there without having been saved.
    ...(saved.length > size || cursor === 0
      ? []
      : [{ version: 0, savedAt: null, actor: null, current: current === 0 }]),
  ];
  const versions = all.slice(0, size);
  const last = versions.at(-1);
  const nextCursor = all.length > size && last !== undefined ? String(last.version) : null;
  return sendJson(res, 200, { versions, nextCursor } satisfies z.infer<typeof versionPage>);
}

async function showVersion({ store }: VersionParts, { session, req, res }: ApiCall): Promise<void> {
  const text = String(req.params["version"]);
  const version = /^(?:0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (version === 0) {
    return sendJson(res, 200, { version, savedAt: null, actor: null, document: DEFAULT_POLICY });
  }
  const saved = version > MAX_VERSION ? null : await store.getPolicy(session.tenant, version);
  if (saved === null) return sendProblem(res, { status: 404, detail: "Policy version not found." });
  const savedAt = new Date(saved.savedAtMs).toISOString();
  // With the defaults of keys that came later, unless it cannot be used any more.
  const document = policySchema.safeParse(saved.document).data ?? saved.document;
  return sendJson(res, 200, { version, savedAt, actor: saved.actor, document });
}

import { z } from "zod";
import { isHoldfastError, type FieldProblem } from "../../base/errors.ts";
import { ACCESS_KINDS } from "../../store/retention/upkeep.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { sendJson, sendProblem } from "../http/responses.ts";
import { CURSOR_PROBLEM, parseOrderQuery } from "./order-query.ts";
import { toQuery } from "../http/query.ts";
import type { ServerParts } from "../server-parts.ts";

type AccessLogParts = Pick<ServerParts, "store">;

/** `GET /api/access-log`: who saw personal data and who did what, newest first. Nothing in it is about a customer. */
export function createAccessLogRoutes(parts: AccessLogParts): readonly ApiRoute[] {
  return [
    {
      path: "/access-log",
      operations: {
        GET: {
          id: "listAccess",
          summary: "List who viewed personal data and who did what, newest first.",
          role: "owner",
          query: accessQuery,
          answers: { 200: accessPage },
          handle: (call) => listAccess(parts, call),
        },
      },
    },
  ];
}

/** The query, for its description; {@link parseAccessQuery} reads it. */
const accessQuery = z.object({
  actor: z.string().optional().describe("only entries by this person: `person:ID` or `operator`"),
  what: z.enum(ACCESS_KINDS).optional(),
  limit: z.string().optional().describe("1 to 100, default 50"),
  cursor: z.string().optional().describe("`nextCursor` from the previous page"),
});

const accessPage = z.object({
  entries: z.array(
    z.object({
      at: z.iso.datetime(),
      actor: z.string(),
      what: z.enum(ACCESS_KINDS),
      subject: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

/** Who it may be asked about. */
const ACTOR = /^(?:operator|person:[^\p{Cc}\p{Cs}]{1,200})$/u;

interface AccessFilter extends Omit<z.infer<typeof accessQuery>, "limit"> {
  readonly limit: number;
}

/** Anything but the known names is refused, as with orders: a filter with a typing error must not answer with everything. */
function parseAccessQuery(values: URLSearchParams): AccessFilter | readonly FieldProblem[] {
  const names = Object.keys(accessQuery.shape);
  const unknown = [...values.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    return [{ path: unknown.slice(0, 64), message: `expected one of ${names.join(", ")}` }];
  const twice = ["actor", "what"].find((name) => values.getAll(name).length > 1);
  if (twice !== undefined) return [{ path: twice, message: "expected only once" }];
  const actor = values.get("actor") ?? undefined;
  if (actor !== undefined && !ACTOR.test(actor))
    return [{ path: "actor", message: "expected person:ID or operator" }];
  const given = values.get("what");
  const what = ACCESS_KINDS.find((kind) => kind === given);
  if (given !== null && what === undefined)
    return [{ path: "what", message: `expected one of ${ACCESS_KINDS.join(", ")}` }];
  const page = new URLSearchParams([...values].filter(([name]) => name !== "actor" && name !== "what"));
  const query = parseOrderQuery(page);
  if (query.outcome === "invalid") return query.errors;
  const { limit, cursor } = query.filter;
  return { limit, cursor, actor, what };
}

async function listAccess({ store }: AccessLogParts, { session, req, res }: ApiCall): Promise<void> {
  const filter = parseAccessQuery(toQuery(req));
  if (isProblems(filter)) return refuse(res, filter);
  try {
    const { entries, nextCursor } = await store.listAccess(session.tenant, filter);
    return sendJson(res, 200, {
      entries: entries.map(({ atMs, actor, what, subject }) => {
        return { at: new Date(atMs).toISOString(), actor, what, subject: subject === "" ? null : subject };
      }),
      nextCursor,
    });
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    return refuse(res, [CURSOR_PROBLEM]);
  }
}

function isProblems(filter: AccessFilter | readonly FieldProblem[]): filter is readonly FieldProblem[] {
  return Array.isArray(filter);
}

function refuse(res: ApiCall["res"], errors: readonly FieldProblem[]): void {
  sendProblem(res, {
    status: 400,
    detail: "The query is invalid. Fix the parameters listed in errors.",
    errors,
  });
}

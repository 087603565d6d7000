import { z } from "zod";
import { isHoldfastError, type FieldProblem } from "../errors.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { sendJson } from "./json-response.ts";
import { CURSOR_PROBLEM, parseOrderQuery } from "./order-query.ts";
import { sendProblem } from "./problem-response.ts";
import { toQuery } from "./query.ts";
import type { ServerParts } from "./server-parts.ts";

type AccessLogParts = Pick<ServerParts, "store">;

/** `GET /api/access-log`: who saw personal data, newest first. Nothing in it is about a customer. */
export function createAccessLogRoutes(parts: AccessLogParts): readonly ApiRoute[] {
  return [
    {
      path: "/access-log",
      operations: {
        GET: {
          id: "listAccess",
          summary: "Who saw personal data and who did what, newest first.",
          role: "owner",
          query: z.object({ limit: z.string().optional(), cursor: z.string().optional() }),
          answers: { 200: accessPage },
          handle: (call) => listAccess(parts, call),
        },
      },
    },
  ];
}

const accessPage = z.object({
  entries: z.array(
    z.object({
      at: z.iso.datetime(),
      actor: z.string(),
      what: z.string(),
      subject: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

/** What the query may have; anything else is refused by name, as with orders. */
const NAMES: readonly string[] = ["limit", "cursor"];

async function listAccess({ store }: AccessLogParts, { session, req, res }: ApiCall): Promise<void> {
  const values = toQuery(req);
  const query = parseOrderQuery(values);
  const unknown = [...values.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return refuse(res, [toUnknown(unknown)]);
  if (query.outcome === "invalid") return refuse(res, query.errors);
  try {
    const { limit, cursor } = query.filter;
    const { entries, nextCursor } = await store.listAccess(session.tenant, { limit, cursor });
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

function refuse(res: ApiCall["res"], errors: readonly FieldProblem[]): void {
  sendProblem(res, { status: 400, detail: "the query cannot be used", errors });
}

function toUnknown(name: string): FieldProblem {
  return { path: name.slice(0, 64), message: `expected one of ${NAMES.join(", ")}` };
}

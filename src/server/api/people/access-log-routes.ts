import { z } from "zod";
import { expected } from "../../../base/field-codes.ts";
import { toIso } from "../../../base/iso-time.ts";
import { ACCESS_KINDS } from "../../../store/people/access-log.ts";
import { handleRoutes, type RouteDefinitions } from "../../http/api-route.ts";
import { oneOf } from "../../../policy/schema-fields.ts";
import { pageQuery, readPage } from "../../http/query.ts";
import type { ServerParts } from "../../parts/server-parts.ts";

/** The people whose entries can be listed. */
const ACTOR = /^(?:operator|person:[^\p{Cc}\p{Cs}]{1,200})$/u;

const ACCESS_LOG_ROUTES = {
  "GET /access-log": {
    id: "listAccess",
    summary: "List who viewed personal data and who did what, newest first.",
    role: "owner",
    query: pageQuery.extend({
      actor: z
        .string()
        .regex(ACTOR, expected("actor"))
        .optional()
        .describe("only entries by this person: `person:ID` or `operator`"),
      what: oneOf(ACCESS_KINDS).optional(),
    }),
    answers: {
      200: z.object({
        entries: z.array(
          z.object({
            at: z.iso.datetime(),
            actor: z.string(),
            what: z.enum(ACCESS_KINDS),
            subject: z.string().nullable(),
            orderName: z.string().nullable().describe("of the order that it's about, such as #1001"),
          }),
        ),
        nextCursor: z.string().nullable(),
      }),
    },
  },
} satisfies RouteDefinitions;

/** The answers contain nothing about customers. */
export function createAccessLogRoutes(parts: Pick<ServerParts, "store">) {
  return handleRoutes(ACCESS_LOG_ROUTES, {
    async "GET /access-log"({ session, query, answer }) {
      const { entries, nextCursor } = await readPage(parts.store.accessLog.list(session.tenant, query));
      const shown = entries.map(({ atMs, actor, what, subject, orderName }) => {
        return {
          at: toIso(atMs),
          actor,
          what,
          subject: subject === "" ? null : subject,
          orderName: orderName ?? null,
        };
      });
      answer(200, { entries: shown, nextCursor });
    },
  });
}

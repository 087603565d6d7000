import { z } from "zod";
import { isHoldfastError } from "../../base/errors.ts";
import { toIso } from "../../base/iso-time.ts";
import { ACCESS_KINDS } from "../../store/people/access-log.ts";
import { handleRoutes, type RouteDefinitions } from "./api-route.ts";
import { ProblemError } from "../http/responses.ts";
import { CURSOR_PROBLEM, oneOf, pageQuery } from "../http/query.ts";
import type { ServerParts } from "../server-parts.ts";

/** Who it may be asked about. */
const ACTOR = /^(?:operator|person:[^\p{Cc}\p{Cs}]{1,200})$/u;

/** Who saw personal data and who did what. */
const ACCESS_LOG_ROUTES = {
  "GET /access-log": {
    id: "listAccess",
    summary: "List who viewed personal data and who did what, newest first.",
    role: "owner",
    query: pageQuery.extend({
      actor: z
        .string()
        .regex(ACTOR, "expected person:ID or operator")
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
          }),
        ),
        nextCursor: z.string().nullable(),
      }),
    },
  },
} satisfies RouteDefinitions;

/** Answer {@link ACCESS_LOG_ROUTES}. Nothing in them is about a customer. */
export function createAccessLogRoutes(parts: Pick<ServerParts, "store">) {
  return handleRoutes(ACCESS_LOG_ROUTES, {
    async "GET /access-log"({ session, query, answer }) {
      try {
        const { entries, nextCursor } = await parts.store.listAccess(session.tenant, query);
        const shown = entries.map(({ atMs, actor, what, subject }) => {
          return { at: toIso(atMs), actor, what, subject: subject === "" ? null : subject };
        });
        answer(200, { entries: shown, nextCursor });
      } catch (error) {
        if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
        throw new ProblemError(CURSOR_PROBLEM);
      }
    },
  });
}

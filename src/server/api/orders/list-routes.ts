import { z } from "zod";
import { refusalOf } from "../../../base/refusals.ts";
import { toFieldProblem } from "../../../base/field-codes.ts";
import { ENTRY_KINDS, findSnoozeProblems } from "../../../policy/lists.ts";
import { policySchema } from "../../../policy/policy.ts";
import { POLICY_LIMITS } from "../../../policy/schema-fields.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { noteAct } from "../base/note-access.ts";
import { addEntries, entryBody, linkKinds, toEntries } from "./list-entries.ts";
import { UNKNOWN_ORDER } from "./order-details.ts";

const LONGEST_SNOOZE_MS = 366 * 86_400_000;
const LIST_ROUTES = {
  "POST /policy/lists": {
    id: "addToList",
    summary:
      "Trust or block values that identify an order's buyer, or snooze a rule for one. Saves a new policy version.",
    role: "reviewer",
    body: z.strictObject({
      orderId: z.string().min(1).max(100).describe("the buyer's order"),
      list: z.enum(ENTRY_KINDS),
      rule: z
        .string()
        .min(1)
        .max(POLICY_LIMITS.ruleNameLength)
        .optional()
        .describe("with the list `snooze`: the name of the rule that isn't applied"),
      kinds: linkKinds.describe("the values, all of them in one new version"),
      ...entryBody,
    }),
    answers: { 200: policySchema },
    problems: [404, 409],
  },
} satisfies RouteDefinitions;

type AddCall = CallOf<typeof LIST_ROUTES, "POST /policy/lists">;
type ListParts = Pick<ServerParts, "store" | "logger" | "now">;

export function createListRoutes(parts: ListParts) {
  return handleRoutes(LIST_ROUTES, {
    async "POST /policy/lists"(call) {
      const { store, logger, now } = parts;
      const { session, body, answer } = call;
      const snoozeProblems = findSnoozeProblems({ ...body, kind: body.kinds[0] ?? "mailbox" });
      const errors = [...snoozeProblems, ...findEndProblems(body, now())];
      if (errors.length > 0) {
        throw new ProblemError({ ...refusalOf(422, "entry-invalid"), errors });
      }
      const order = await store.orders.get({ tenant: session.tenant, orderId: body.orderId });
      if (order === null) throw new ProblemError(UNKNOWN_ORDER);
      const { list, rule, kinds, reason, until } = body;
      const wanted = { list, ...(rule !== undefined && { rule }), reason, until };
      const entries = toEntries(parts, session, order, kinds, wanted);
      await noteAct(parts, session, "list", body.orderId);
      const { policy, version } = await addEntries(parts, session, entries);
      const added = { version, actor: session.actor, list: body.list };
      logger.info(added, "an entry was added to a list");
      return answer(200, policy, { ETag: `"${version}"` });
    },
  });
}

/** To turn a rule off for somebody permanently, change the rule. */
function findEndProblems({ list, until }: AddCall["body"], nowMs: number) {
  if (list !== "snooze" || until === null) return [];
  const [first, last] = [nowMs, nowMs + LONGEST_SNOOZE_MS].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );
  const isWithin = until >= (first ?? "") && until <= (last ?? "");
  return isWithin ? [] : [toFieldProblem("until", "date-between", { first: first ?? "", last: last ?? "" })];
}

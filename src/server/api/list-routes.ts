import { z } from "zod";
import { isHoldfastError } from "../../base/errors.ts";
import { toLinkKeys } from "../../engine/velocity/keys.ts";
import { LINK_KINDS } from "../../engine/velocity/velocity-counts.ts";
import type { PartialVerificationRequest } from "../../order/request.ts";
import { toKnown } from "../../platform/platform.ts";
import {
  ENTRY_KINDS,
  findSnoozeProblems,
  LIST_TEXT_LENGTH,
  MOST_ENTRIES,
  type ListEntry,
} from "../../policy/lists.ts";
import { parsePolicy, POLICY_LIMITS, policySchema, type Policy } from "../../policy/policy.ts";
import { noteAct } from "./note-access.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "./api-route.ts";
import { toLinkLabel } from "./linked-order-routes.ts";
import { ProblemError } from "../http/responses.ts";
import type { ServerParts } from "../server-parts.ts";
import { UNKNOWN_ORDER } from "./order-details.ts";

const LONGEST_SNOOZE_MS = 366 * 86_400_000;
const REASON_EXPECTED = `expected 1 to ${LIST_TEXT_LENGTH} characters`;

/** Who is trusted or blocked. */
const LIST_ROUTES = {
  "POST /policy/lists": {
    id: "addToList",
    summary:
      "Trust or block what an order's buyer is recognized by, or snooze a rule for it, as a new version of the policy.",
    role: "reviewer",
    body: z.strictObject({
      orderId: z.string().min(1).max(100).describe("the order whose buyer it is"),
      list: z.enum(ENTRY_KINDS),
      rule: z
        .string()
        .min(1)
        .max(POLICY_LIMITS.ruleNameLength)
        .optional()
        .describe("with the list `snooze`: the name of the rule that isn't applied"),
      kind: z.enum(LINK_KINDS),
      reason: z.string().trim().min(1, REASON_EXPECTED).max(LIST_TEXT_LENGTH, REASON_EXPECTED),
      until: z.iso
        .date()
        .nullable()
        .describe(
          "the last day, in UTC, whose orders it counts for; null for no end. A snooze must have one",
        ),
    }),
    answers: { 200: policySchema },
    problems: [404, 409],
  },
} satisfies RouteDefinitions;

type AddCall = CallOf<typeof LIST_ROUTES, "POST /policy/lists">;
type ListParts = Pick<ServerParts, "store" | "logger" | "now">;

/** Answer {@link LIST_ROUTES}. */
export function createListRoutes(parts: ListParts) {
  return handleRoutes(LIST_ROUTES, {
    async "POST /policy/lists"(call) {
      const { store, logger, now } = parts;
      const { session, body, answer } = call;
      const errors = [...findSnoozeProblems(body), ...findEndProblems(body, now())];
      if (errors.length > 0) {
        const detail = "The entry is invalid. Fix the fields listed in errors.";
        throw new ProblemError({ status: 422, detail, errors });
      }
      const order = await store.getOrder({ tenant: session.tenant, orderId: body.orderId });
      if (order === null) throw new ProblemError(UNKNOWN_ORDER);
      const entry = order.mapped === null ? null : toEntry(parts, call, toKnown(order.mapped));
      if (entry === null) throw toConflict("The order doesn't have this, or its personal data was erased.");
      await noteAct(parts, session, "policy", body.orderId);
      const kept = await store.loadPolicy(session.tenant);
      // Saving the first policy turns cancellation on, and nobody should do that by accident.
      if (kept === null)
        throw toConflict("Save the policy once before you use lists: until then, nothing is canceled.");
      const policy = addEntry(kept.document, entry, now());
      if (policy !== null && body.rule !== undefined && policy.rules.every(({ name }) => name !== body.rule))
        throw toConflict("The policy has no rule with this name any more.");
      if (policy === null)
        throw toConflict("The saved policy can't take the entry. Fix it on the policy page.");
      const saved = await store.savePolicy(session.tenant, policy, kept.version, now(), session.actor);
      if (saved === null) throw toConflict("Someone else just changed the policy. Try again.");
      const added = { version: saved.version, actor: session.actor, list: body.list };
      logger.info(added, "an entry was added to a list");
      return answer(200, policy, { ETag: `"${saved.version}"` });
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
  return isWithin ? [] : [{ path: "until", message: `expected a date from ${first} to ${last}` }];
}

function toConflict(detail: string): ProblemError {
  return new ProblemError({ status: 409, detail });
}

function toEntry(
  { store }: ListParts,
  { session, body: { list, rule, kind, reason, until } }: AddCall,
  order: PartialVerificationRequest,
): ListEntry | null {
  const keys = toLinkKeys(order, (purpose, text) => store.keyring.digest(session.tenant, purpose, text));
  const digest = keys[kind];
  if (digest === undefined) return null;
  const [label, owner] = [toLinkLabel(kind, order), session.actor];
  return { list, ...(rule !== undefined && { rule }), kind, digest, label, owner, reason, until };
}

/**
 * The policy with the entry, which replaces an entry with the same value and, for a snooze, the same rule. Null if the result
 * is invalid.
 */
function addEntry(document: unknown, entry: ListEntry, nowMs: number): Policy | null {
  try {
    const policy = parsePolicy(document);
    // A value is trusted or blocked, and several rules can be snoozed for it.
    const isReplaced = ({ kind, digest, rule }: ListEntry) =>
      kind === entry.kind && digest === entry.digest && rule === entry.rule;
    const others = policy.lists.filter((one) => !isReplaced(one));
    const today = new Date(nowMs).toISOString().slice(0, 10);
    // Expired entries make room: snoozes always expire, and nobody removes them.
    const left =
      others.length < MOST_ENTRIES ? others : others.filter(({ until }) => until === null || until >= today);
    return parsePolicy({ ...policy, lists: [...left, entry] });
  } catch (error) {
    if (!isHoldfastError(error, "POLICY_INVALID")) throw error;
    return null;
  }
}

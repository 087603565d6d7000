import { z } from "zod";
import { toKnown } from "../../../platform/platform.ts";
import { toIpFacts } from "../../../engine/facts/ip-facts.ts";
import { maskMailbox, maskPostcode } from "../../../engine/facts/masking.ts";
import { LINK_KINDS, type LinkKind } from "../../../engine/facts/velocity-counts.ts";
import { ACTIONS } from "../../../order/decision.ts";
import type { PartialVerificationRequest } from "../../../order/request.ts";
import { toOutcome } from "../../../pipeline/report/outcome.ts";
import {
  findListed,
  LISTS,
  ENTRY_KINDS,
  findSnoozeProblems,
  LIST_TEXT_LENGTH,
  MOST_ENTRIES,
  type ListEntry,
} from "../../../policy/lists.ts";
import { OUTCOMES } from "../../../policy/replay-tally.ts";
import { MOST_LINKED, type LinkedOrder } from "../../../store/orders/linked-orders.ts";
import type { OrderTrace } from "../../../store/outcomes/outcomes.ts";
import { noteAccess, noteAct } from "../base/note-access.ts";
import { handleRoutes, pick, type RouteDefinitions, type CallOf } from "../../http/api-route.ts";
import { ProblemError } from "../../http/responses.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { UNKNOWN_ORDER } from "./order-details.ts";
import { listedOrderJson } from "./order-json.ts";
import { toLinkKeys } from "../../../engine/velocity/keys.ts";
import { policySchema, type Policy } from "../../../policy/policy.ts";
import { POLICY_LIMITS } from "../../../policy/schema-fields.ts";

const linkKind = z.enum(LINK_KINDS);

const linkedOrderJson = listedOrderJson.extend({
  receivedAt: z.iso.datetime(),
  action: z.enum(ACTIONS).nullable(),
  outcome: z.enum(OUTCOMES),
  links: z.array(linkKind).readonly().describe("what the orders share"),
});

const LINKED_ORDER_ROUTES = {
  "GET /orders/:orderId/linked": {
    id: "listLinkedOrders",
    summary: "List other orders with the same mailbox, network, card, phone, or address, newest first.",
    role: "viewer",
    answers: {
      200: z.object({
        links: z.array(
          z.object({
            kind: linkKind,
            label: z.string().describe("masked: enough to recognize it, too little to use it"),
            listed: z.enum(LISTS).nullable().describe("the policy's list that it's on"),
            orders: z.int().describe(`other orders that share it, at most ${MOST_LINKED}`),
          }),
        ),
        orders: z.array(linkedOrderJson),
      }),
    },
  },
} satisfies RouteDefinitions;

type LinkedParts = Pick<ServerParts, "store" | "now" | "policyOf">;

export function createLinkedOrderRoutes(parts: LinkedParts) {
  return handleRoutes(LINKED_ORDER_ROUTES, {
    async "GET /orders/:orderId/linked"({ session, params, answer }) {
      const { store, policyOf } = parts;
      const key = { tenant: session.tenant, orderId: params.orderId };
      const [order, linked] = await Promise.all([store.orders.get(key), store.orders.listLinked(key)]);
      if (order === null || linked === null) throw new ProblemError(UNKNOWN_ORDER);
      const { orders, keys } = linked;
      // Masked data is still personal.
      if (order.mapped !== null) await noteAccess(parts, session, "order", key.orderId);
      const ids = orders.map(({ orderId }) => orderId);
      const traces = await store.outcomes.loadTraces(key.tenant, ids);
      const { lists } = (await policyOf(key.tenant)).policy;
      const { receivedAtMs } = order;
      answer(200, {
        links: LINK_KINDS.filter((kind) => keys[kind] !== undefined).map((kind) => ({
          kind,
          label: order.mapped === null ? "" : toLinkLabel(kind, toKnown(order.mapped)),
          listed: findListed(lists, { keys: { [kind]: keys[kind] }, receivedAtMs })?.list ?? null,
          orders: orders.filter(({ links }) => links.includes(kind)).length,
        })),
        orders: orders.map((one) => toLinkedJson(one, traces.get(one.orderId))),
      });
    },
  });
}

function toLinkedJson(order: LinkedOrder, trace: OrderTrace | undefined): z.infer<typeof linkedOrderJson> {
  const { receivedAtMs, decision } = order;
  return pick(linkedOrderJson, {
    ...order,
    receivedAt: new Date(receivedAtMs).toISOString(),
    riskLevel: decision?.riskLevel ?? null,
    action: decision?.action ?? null,
    outcome: decision === null ? "open" : toOutcome({ ...order, decision }, trace),
  });
}

/** The shared value, masked, so that a person recognizes it. */
export function toLinkLabel(kind: LinkKind, order: PartialVerificationRequest): string {
  return LABELS[kind](order);
}

const LABELS: Readonly<Record<LinkKind, (order: PartialVerificationRequest) => string>> = {
  mailbox: ({ customerEmail }) => maskMailbox(customerEmail),
  network: ({ ipAddress }) => toIpFacts(ipAddress)?.masked ?? "",
  card: ({ paymentInfo }) =>
    `${paymentInfo?.brand ?? "Card"} ending in ${paymentInfo?.lastFourDigits ?? "?"}`,
  phone: ({ customerPhone = "" }) => `ending in ${customerPhone.replaceAll(/\D/g, "").slice(-2)}`,
  address: ({ shippingAddress = {} }) =>
    [shippingAddress.city, maskPostcode(shippingAddress.postalCode ?? ""), shippingAddress.country]
      .filter((part) => part !== undefined && part !== "")
      .join(", "),
};

const LONGEST_SNOOZE_MS = 366 * 86_400_000;
const REASON_EXPECTED = `expected 1 to ${LIST_TEXT_LENGTH} characters`;

const LIST_ROUTES = {
  "POST /policy/lists": {
    id: "addToList",
    summary:
      "Trust or block a value that identifies an order's buyer, or snooze a rule for it. Saves a new policy version.",
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
      kind: z.enum(LINK_KINDS),
      reason: z.string().trim().min(1, REASON_EXPECTED).max(LIST_TEXT_LENGTH, REASON_EXPECTED),
      until: z.iso
        .date()
        .nullable()
        .describe(
          "the last day, in UTC, whose orders it applies to; null for no end. A snooze must have an end",
        ),
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
      const errors = [...findSnoozeProblems(body), ...findEndProblems(body, now())];
      if (errors.length > 0) {
        const detail = "The entry is invalid. Fix the fields listed in errors.";
        throw new ProblemError({ status: 422, detail, errors });
      }
      const order = await store.orders.get({ tenant: session.tenant, orderId: body.orderId });
      if (order === null) throw new ProblemError(UNKNOWN_ORDER);
      const entry = order.mapped === null ? null : toEntry(parts, call, toKnown(order.mapped));
      if (entry === null) throw toConflict("The order doesn't have this, or its personal data was erased.");
      await noteAct(parts, session, "policy", body.orderId);
      const kept = await store.policies.load(session.tenant);
      // Saving the first policy turns cancellation on, and nobody should do that by accident.
      if (kept === null)
        throw toConflict("Save the policy once before you use lists: until then, nothing is canceled.");
      const policy = addEntry(kept.document, entry, now());
      if (policy !== null && body.rule !== undefined && policy.rules.every(({ name }) => name !== body.rule))
        throw toConflict("The policy has no rule with this name any more.");
      if (policy === null)
        throw toConflict("The saved policy can't take the entry. Fix it on the policy page.");
      const saved = await store.policies.save(session.tenant, policy, kept.version, now(), session.actor);
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
 * The policy with the entry, which replaces an entry with the same value and, for a snooze, the same rule. Null if the
 * result is invalid.
 */
function addEntry(document: unknown, entry: ListEntry, nowMs: number): Policy | null {
  const policy = policySchema.safeParse(document).data;
  if (policy === undefined) return null;
  // A value is trusted or blocked, and several rules can be snoozed for it.
  const isReplaced = ({ kind, digest, rule }: ListEntry) =>
    kind === entry.kind && digest === entry.digest && rule === entry.rule;
  const others = policy.lists.filter((one) => !isReplaced(one));
  const today = new Date(nowMs).toISOString().slice(0, 10);
  // Expired entries make room: snoozes always expire, and nobody removes them.
  const left =
    others.length < MOST_ENTRIES ? others : others.filter(({ until }) => until === null || until >= today);
  return policySchema.safeParse({ ...policy, lists: [...left, entry] }).data ?? null;
}

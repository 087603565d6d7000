import { listOffered } from "../../buyer-check/link-message.ts";
import { createCheckId, toLinkToken, toTokenDigest } from "../../buyer-check/link.ts";
import { toQuestion } from "../../buyer-check/buyer-asking.ts";
import { isOffered } from "../../store/buyer-checks/buyer-check.ts";
import type { OrderRecord } from "../../store/store.ts";
import { toRetryMs } from "./begin-methods.ts";
import type { Handler } from "../tasks.ts";
import { toTimelineEntry } from "../timeline.ts";

/** A link never works longer than this, even if a hold has no deadline so soon. */
const LONGEST_MS = 7 * 86_400_000;

/**
 * Store the question to an order's buyer, once for each decision about the order. Its link is sent afterwards, so a process that dies in
 * between loses nothing.
 */
export const askBuyer: Handler<"ask-buyer"> = async (task, situation, { effect }) => {
  const { store, buyers, platform, signal, now } = task;
  const { order, policy } = situation;
  const nowMs = now();
  const { methods, recipient, isStrong } = await toQuestion(buyers, {
    order,
    policy,
    platform,
    signal,
    nowMs,
  });
  const key = { tenant: order.tenant, orderId: order.orderId, checkId: createCheckId() };
  const isAsked = isOffered(methods);
  const expiresAtMs = toExpiryMs(order, nowMs);
  const check = {
    ...key,
    tokenDigest: toTokenDigest(toLinkToken(store.keyring, key)),
    decidedAtMs: order.decidedAtMs ?? 0,
    effect,
    isStrong,
    methods,
    route: isAsked ? (recipient === null ? "reviewer" : buyers.sender.routeTo(recipient)) : "none",
    recipient: isAsked ? recipient : null,
    askedAtMs: nowMs,
    expiresAtMs,
    retryAtMs: toRetryMs(methods, { retries: 0, expiresAtMs }, nowMs),
  } as const;
  const event = { kind: "buyer-asked", methods: listOffered(check) } as const;
  const entry = toTimelineEntry(nowMs, event, event.methods.join(", "));
  if ((await store.buyerChecks.issue(check, isAsked ? nowMs : null, entry)) && isAsked)
    task.metrics.buyer("asked");
  return task.lookAround(situation);
};

function toExpiryMs({ holdDeadlineMs }: OrderRecord, nowMs: number): number {
  return Math.min(holdDeadlineMs ?? Number.POSITIVE_INFINITY, nowMs + LONGEST_MS);
}

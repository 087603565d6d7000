/**
 * The reasons of a decision: each code, with what its detail means if it has one:
 *
 * - `level:high`: the policy's action for that risk level.
 * - `rule:NAME`: a rule of the policy.
 * - `blocked:phone`, `trusted:mailbox`: an entry of the policy's lists.
 * - `snoozed:NAME`: the rule is snoozed for this customer.
 * - `channel:pos`: orders of this channel aren't checked.
 * - `skipped:NO_EMAIL`: the order was not sent to the service.
 * - `degraded` or `degraded:VERIFICATION_TIMEOUT`: decided without the service, although it was asked or should have
 *   been.
 * - `unavailable:hold`: nobody judged the order, so the policy's `whenUnavailable` decided.
 * - `unchecked`, `too-little-known`: the local engine's "low" is not published, see `Decision.guess`.
 * - `burst`: too many orders from one source.
 * - `held-to-check`: the order doesn't ship until the service has answered, because the policy says so or because the set-up
 *   can't work.
 * - `hold-released`: a person had released our hold before the decision, so a cancel is a hold.
 * - `policy-changed`: the policy changed and no longer cancels an order that waited to be canceled, so it is a hold.
 * - `hold-kept`: a guess on changed content does not release what an answer held.
 * - `local-never-cancels`: without an answer of the service an order is held, never canceled.
 * - `no-policy-saved`: a cancel is a hold until the shop has saved a policy.
 * - `opted-out`: the customer is opted out of automated decisions, so a cancel is a hold.
 * - `shadow`: recorded only.
 * - `record-only`: imported late, so nothing is changed in the shop.
 * - `person:approved`, `person:declined`: a person decided. `person:handled`: it had shipped, and a person took it out of
 *   the queue.
 * - `buyer:confirmed`: the buyer confirmed the order, as the policy's `verify` asked.
 * - `deadline:cancel`: the hold's deadline passed.
 * - `dispute:inquiry`: a bank asks about the payment. Held until a person decides.
 */
export const REASON_CODES = [
  "level",
  "rule",
  "blocked",
  "trusted",
  "snoozed",
  "channel",
  "skipped",
  "degraded",
  "unavailable",
  "unchecked",
  "too-little-known",
  "burst",
  "held-to-check",
  "hold-released",
  "policy-changed",
  "hold-kept",
  "local-never-cancels",
  "no-policy-saved",
  "opted-out",
  "shadow",
  "record-only",
  "person",
  "buyer",
  "deadline",
  "dispute",
] as const;

export type ReasonCode = (typeof REASON_CODES)[number];

export type Reason = ReasonCode | `${ReasonCode}:${string}`;

/** The code is null when it isn't one of ours; the detail is empty where there is none. */
export function splitReason(reason: string): { readonly code: ReasonCode | null; readonly detail: string } {
  const at = reason.indexOf(":");
  const [name, detail] = at === -1 ? [reason, ""] : [reason.slice(0, at), reason.slice(at + 1)];
  return { code: REASON_CODES.find((code) => code === name) ?? null, detail };
}

import { Notice } from "../../components/panel.tsx";
import { Ago, Time, useNow } from "../../components/time.tsx";
import { ACT_WORDS, DECLINE_WORDS } from "../../data/orders/review.ts";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { explainCode, explainProblems, nameActor, nameSkip } from "../../data/api/words.ts";

const RETRIES = "Holdfast retries automatically.";
const RESTING: Readonly<Record<string, string>> = {
  failed: "Holdfast stopped retrying. Review this order.",
  waiting: RETRIES,
};

export function OrderNotices({ order }: { readonly order: OrderDetail }) {
  const { degraded, unchecked, skipReason, enforced } = order;
  const because = unchecked === null ? "" : `: ${explainCode(unchecked)}`;
  return (
    <>
      <PendingNotice order={order} />
      <RecheckNotice order={order} />
      <ProblemNotice order={order} />
      <DisputeNotice order={order} />
      <OverdueNotice order={order} />
      {degraded && <Notice tone="warn">Decided without the verification service{because}.</Notice>}
      {skipReason !== null && <Notice>Not sent to the verification service: {nameSkip(skipReason)}.</Notice>}
      {enforced === false && <Notice>Decision recorded only. Nothing changed on the platform.</Notice>}
      <PersonNotice order={order} />
    </>
  );
}

function PendingNotice({ order: { pending, pendingReview } }: { readonly order: OrderDetail }) {
  // A decision that can be undone is shown beside its Undo button.
  if (pending === null || pendingReview !== null) return null;
  return (
    <Notice>
      {ACT_WORDS[pending.act].verb}: requested by {nameActor(pending.actor)}, <Ago at={pending.at} />. It
      starts when the current work ends.
    </Notice>
  );
}

function RecheckNotice({ order: { pendingRecheck } }: { readonly order: OrderDetail }) {
  if (pendingRecheck === null) return null;
  const { changedAt, held } = pendingRecheck;
  return (
    <Notice tone="warn">
      The order changed <Ago at={changedAt} />, and Holdfast is checking it again.
      {held ? " It's on hold until then." : " The decision below is about its earlier content."}
    </Notice>
  );
}

function ProblemNotice({ order: { state, problems, pendingRecheck } }: { readonly order: OrderDetail }) {
  const isRetried = pendingRecheck !== null && problems.length > 0;
  const resting = isRetried ? RETRIES : RESTING[state];
  if (resting === undefined && problems.length === 0) return null;
  return (
    <Notice tone={resting === RETRIES ? "warn" : "bad"}>
      {resting ?? "Some actions couldn't be completed."}
      {problems.length > 0 && ` Reason: ${explainProblems(problems)}.`}
    </Notice>
  );
}

const INQUIRY_ADVICE = {
  held: "The order doesn't ship until you decide. Decline it to cancel and refund: that usually costs less than a chargeback.",
  other: "Consider refunding it in the shop: that usually costs less than a chargeback.",
} as const;

function DisputeNotice({ order: { disputes, state } }: { readonly order: OrderDetail }) {
  const open = disputes.find(({ status }) => status === "open");
  if (open === undefined) return null;
  const reason = open.reason.replaceAll("_", " ");
  const text =
    open.kind !== "inquiry"
      ? `The bank took this payment back (${reason}). Answer the dispute in the shop.`
      : `The buyer's bank asks about this payment (${reason}). ${INQUIRY_ADVICE[state === "review" ? "held" : "other"]}`;
  return <Notice tone="bad">{text}</Notice>;
}

function OverdueNotice({ order: { state, holdDeadline } }: { readonly order: OrderDetail }) {
  const now = useNow();
  if (state !== "review" || holdDeadline === null || Date.parse(holdDeadline) > now) return null;
  return (
    <Notice tone="bad">
      The hold deadline passed on <Time at={holdDeadline} />. Decide on this order.
    </Notice>
  );
}

function PersonNotice({ order: { decidedBy, decidedAt, declineReason } }: { readonly order: OrderDetail }) {
  if (decidedBy === null) return null;
  return (
    <Notice tone="good">
      {nameActor(decidedBy)} decided
      {decidedAt !== null && " on "}
      {decidedAt !== null && <Time at={decidedAt} />}.
      {declineReason !== null && ` Reason: ${DECLINE_WORDS[declineReason].toLowerCase()}.`}
    </Notice>
  );
}

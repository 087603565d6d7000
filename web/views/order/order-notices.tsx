import { Notice } from "../../components/panel.tsx";
import { Ago, Time, useNow } from "../../components/time.tsx";
import { ACT_WORDS, DECLINE_WORDS } from "../../data/decide.ts";
import type { OrderDetail } from "../../data/api-types.ts";
import { explainCode, explainProblems, nameActor, nameSkip } from "../../data/words.ts";

const RESTING: Readonly<Record<string, string>> = {
  failed: "Holdfast stopped retrying. Review this order.",
  waiting: "Holdfast retries automatically.",
};

/** What to know of an order before all else; nothing for one with which all is well. */
export function OrderNotices({ order }: { readonly order: OrderDetail }) {
  const degraded = toDegraded(order);
  return (
    <>
      <PendingNotice order={order} />
      <ProblemNotice order={order} />
      <DisputeNotice order={order} />
      <OverdueNotice order={order} />
      {degraded !== null && (
        <Notice tone="warn">
          <p>{degraded}</p>
        </Notice>
      )}
      {order.skipReason !== null && (
        <Notice>
          <p>Not sent to the verification service: {nameSkip(order.skipReason)}.</p>
        </Notice>
      )}
      {order.enforced === false && (
        <Notice>
          <p>Decision recorded only. Nothing changed on the platform.</p>
        </Notice>
      )}
      <PersonNotice order={order} />
    </>
  );
}

function PendingNotice({ order: { pending, pendingDecision } }: { readonly order: OrderDetail }) {
  // A decision that can be undone is shown beside its Undo button.
  if (pending === null || pendingDecision !== null) return null;
  return (
    <Notice>
      <p>
        {ACT_WORDS[pending.act].verb}: requested by {nameActor(pending.actor)}, <Ago at={pending.at} />. It
        starts when the current work ends.
      </p>
    </Notice>
  );
}

function ProblemNotice({ order: { state, problems } }: { readonly order: OrderDetail }) {
  const resting = RESTING[state];
  if (resting === undefined && problems.length === 0) return null;
  return (
    <Notice tone={state === "waiting" ? "warn" : "bad"}>
      <p>
        {resting ?? "Some actions couldn't be completed."}
        {problems.length > 0 && ` Reason: ${explainProblems(problems)}.`}
      </p>
    </Notice>
  );
}

function DisputeNotice({ order: { disputes, state } }: { readonly order: OrderDetail }) {
  const open = disputes.find(({ status }) => status === "open");
  if (open === undefined) return null;
  const reason = open.reason.replaceAll("_", " ");
  return (
    <Notice tone="bad">
      <p>
        {open.kind === "inquiry"
          ? `The buyer's bank asks about this payment (${reason}).`
          : `The bank took this payment back (${reason}). Answer the dispute in the shop.`}{" "}
        {open.kind === "inquiry" &&
          (state === "review"
            ? "The order doesn't ship until you decide. Decline it to cancel and refund: that usually costs less than a chargeback."
            : "Consider refunding it in the shop: that usually costs less than a chargeback.")}
      </p>
    </Notice>
  );
}

function OverdueNotice({ order: { state, holdDeadline } }: { readonly order: OrderDetail }) {
  const now = useNow();
  if (state !== "review" || holdDeadline === null || Date.parse(holdDeadline) > now) return null;
  return (
    <Notice tone="bad">
      <p>
        The hold deadline passed on <Time at={holdDeadline} />. Decide on this order.
      </p>
    </Notice>
  );
}

function PersonNotice({ order: { decidedBy, decidedAt, declineReason } }: { readonly order: OrderDetail }) {
  if (decidedBy === null) return null;
  return (
    <Notice tone="good">
      <p>
        {nameActor(decidedBy)} decided
        {decidedAt !== null && " on "}
        {decidedAt !== null && <Time at={decidedAt} />}.
        {declineReason !== null && ` Reason: ${DECLINE_WORDS[declineReason].toLowerCase()}.`}
      </p>
    </Notice>
  );
}

function toDegraded({ degraded, unchecked }: OrderDetail): string | null {
  if (!degraded) return null;
  const because = unchecked === null ? "" : `: ${explainCode(unchecked)}`;
  return `Decided without the verification service${because}.`;
}

import { ActionButton } from "../../components/action-button.tsx";
import { Button, Icon, type ButtonProps } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { undoAndReport } from "../../components/undo-bar.tsx";
import type { Act, OrderDetail, PendingReview } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { ACT_WORDS } from "../../data/orders/review.ts";
import type { Offers } from "../../data/orders/offers.ts";
import { toDoneWord } from "../../data/orders/undo.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { isAllowed, isMe, toRoleReason } from "../../data/api/session.ts";
import { useValue } from "../../data/base/value.ts";
import { nameActor } from "../../data/api/words.ts";
import { NoteField } from "./act-dialog.tsx";
import { findObstacle, type OrderCommands } from "./order-commands.ts";

interface ReviewPanelProps {
  readonly order: OrderDetail;
  readonly commands: OrderCommands;
  readonly offers: Offers;
}

const LOOKS: Readonly<Record<Act, ButtonProps["look"]>> = {
  approve: "primary",
  decline: "danger",
  recheck: undefined,
};

export function ReviewPanel({ order, commands, offers }: ReviewPanelProps) {
  const roleReason = toRoleReason("reviewer");
  return (
    <Panel title="Decide">
      {roleReason !== undefined && <p class="hint lead">You can view orders but not decide. {roleReason}</p>}
      <ClaimLine order={order} commands={commands} />
      {order.pendingReview === null ? (
        <Acts order={order} commands={commands} offers={offers} />
      ) : (
        <Pending order={{ ...order, ended: offers.ended }} pending={order.pendingReview} />
      )}
      <NoteField
        label="Note"
        hint="Saved with the order. The customer doesn't see it."
        note={commands.note}
        onNote={commands.setNote}
        noteRef={commands.noteField}
        shortcut="n"
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) commands.keepNote();
        }}
      />
      <div class="row end below">
        <Button
          label="Save note"
          small
          icon="note"
          busy={commands.busy === "note"}
          disabledReason={roleReason ?? (commands.note.trim() === "" ? "Write a note first." : undefined)}
          onClick={commands.keepNote}
        />
      </div>
    </Panel>
  );
}

function Acts({ order, commands, offers }: ReviewPanelProps) {
  const isPaused = useValue(reviewPause.isActive);
  const { acts, ended, refundUrl } = offers;
  const hasShipped = ended === "shipped";
  // Nothing can be done, so there are no buttons, only the reason.
  if (acts.length === 0 && !hasShipped) return <p class="lead">{toClosed(order, offers)}</p>;
  return (
    <ul class="acts stack gap-3">
      {hasShipped && <Refund platform={order.platform} url={refundUrl} />}
      {acts.map((act) => (
        <li key={act} class="stack gap-3">
          <Button
            label={hasShipped && act === "approve" ? "Mark as handled" : ACT_WORDS[act].verb}
            describedBy={`${act}-consequence`}
            look={order.actions[act].possible && !hasShipped ? LOOKS[act] : undefined}
            shortcut={ACT_WORDS[act].key}
            busy={commands.busy === act}
            paused={isPaused}
            disabledReason={findObstacle(order, act, offers)}
            onClick={() => commands.start(act)}
          />
          <p id={`${act}-consequence`} class="hint">
            {hasShipped && act === "approve" ? HANDLED : order.actions[act].consequence}
          </p>
        </li>
      ))}
    </ul>
  );
}

const HANDLED = "Takes the order out of the queue. Reports count it as approved.";

function toClosed({ actions }: OrderDetail, { ended }: Offers): string {
  return ended === "cancelled"
    ? "The order is canceled, so there's nothing to decide."
    : actions.approve.consequence;
}

/** It's too late to cancel. Only the platform can refund the payment. */
function Refund({ platform, url }: { readonly platform: string; readonly url: string | null }) {
  return (
    <li class="stack gap-3">
      {url !== null && (
        <a class="button primary" href={url} target="_blank" rel="noreferrer">
          <Icon name="external" />
          <span>
            Refund in {platform.charAt(0).toUpperCase() + platform.slice(1)}
            <span class="unseen"> (opens in a new window)</span>
          </span>
        </a>
      )}
      <p class="hint">
        The order has shipped, so Holdfast can't cancel it. You can refund it on the platform.
      </p>
    </li>
  );
}

/** Anyone who can decide can also undo it. */
function Pending({ order, pending }: { readonly order: OrderDetail; readonly pending: PendingReview }) {
  const { act, by, at } = pending;
  const isHandled = act === "approve" && order.ended === "shipped";
  return (
    <div class="pending-decision stack gap-3">
      <p>
        <b>
          {nameActor(by)}{" "}
          {isHandled ? "marked this order as handled" : `${toDoneWord(act, order)} this order`}
        </b>{" "}
        on <Time at={at} />. This takes effect in a few seconds.
      </p>
      <Button
        label="Undo"
        icon="undo"
        disabledReason={toRoleReason("reviewer")}
        onClick={() => void undoAndReport({ id: 0, act, orders: [order] })}
      />
    </div>
  );
}

/** Who is reviewing an order that needs a decision. Others can still decide. */
function ClaimLine({ order, commands }: Omit<ReviewPanelProps, "offers">) {
  const { orderId, claim } = order;
  if ((order.state !== "review" && order.state !== "failed") || order.pendingReview !== null) return null;
  const isMine = claim !== null && isMe(claim.by);

  async function change(): Promise<void> {
    const params = { orderId };
    const { data } = isMine
      ? await call("DELETE /orders/:orderId/claim", { params })
      : await call("POST /orders/:orderId/claim", { params, body: { takeOver: claim !== null } });
    commands.replace(data);
  }

  return (
    <div class="row between lead">
      <p class="hint" role="status">
        {claim === null ? (
          "Nobody is reviewing this order."
        ) : (
          <>
            {isMine ? "You are" : `${nameActor(claim.by)} is`} reviewing this order until{" "}
            <Time at={claim.until} />.
          </>
        )}
      </p>
      {isAllowed("reviewer") && (
        <ActionButton
          label={claim === null ? "Claim" : isMine ? "Release" : "Take over"}
          small
          onAct={change}
        />
      )}
    </div>
  );
}

import { ActionButton } from "../../components/action-button.tsx";
import { Button, Icon, type ButtonProps } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { undoAndReport } from "../../components/undo-bar.tsx";
import type { Act, OrderDetail, PendingReview } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { ACT_WORDS } from "../../data/orders/review.ts";
import type { Offers } from "../../data/orders/offers.ts";
import { toDoneKind } from "../../data/orders/undo.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { isAllowed, isMe, toRoleReason } from "../../data/api/session.ts";
import { joinSentences } from "../../data/base/format.ts";
import { useValue } from "../../data/base/value.ts";
import { nameActor } from "../../data/api/words.ts";
import { NoteThread } from "./note-thread.tsx";
import { findObstacle, type OrderCommands } from "./order-commands.ts";
import { rich, t } from "../../data/base/texts.ts";
import { sayEffect } from "../../data/orders/effect-words.ts";

interface ReviewPanelProps {
  readonly order: OrderDetail;
  readonly commands: OrderCommands;
  readonly offers: Offers;
}

const LOOKS: Readonly<Record<Act, ButtonProps["look"]>> = {
  approve: "primary",
  decline: "danger",
  handle: undefined,
  recheck: undefined,
};

export function ReviewPanel({ order, commands, offers }: ReviewPanelProps) {
  const roleReason = toRoleReason("reviewer");
  return (
    <Panel title={t("order.decide")}>
      {roleReason !== undefined && (
        <p class="hint lead">{joinSentences([t("order.view-only"), roleReason])}</p>
      )}
      <ClaimLine order={order} commands={commands} />
      {order.pendingReview === null ? (
        <Acts order={order} commands={commands} offers={offers} />
      ) : (
        <Pending order={{ ...order, ended: offers.ended }} pending={order.pendingReview} />
      )}
      <NoteThread order={order} commands={commands} />
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
            label={ACT_WORDS[act].verb}
            describedBy={`${act}-consequence`}
            look={order.actions[act].possible && !hasShipped ? LOOKS[act] : undefined}
            shortcut={ACT_WORDS[act].key}
            busy={commands.busy === act}
            paused={isPaused}
            disabledReason={findObstacle(order, act, offers)}
            onClick={() => commands.start(act)}
          />
          <p id={`${act}-consequence`} class="hint">
            {act === "handle" ? HANDLED : sayEffect(order, act)}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The decisions at the bottom of a narrow screen, in reach without scrolling. */
export function DecideBar({ order, commands, offers }: ReviewPanelProps) {
  const isPaused = useValue(reviewPause.isActive);
  const acts = offers.acts.filter((act) => act !== "recheck");
  if (acts.length === 0 || order.pendingReview !== null) return null;
  return (
    <div class="decide-bar row" role="group" aria-label={t("order.decide")}>
      {acts.map((act) => (
        <Button
          key={act}
          label={ACT_WORDS[act].verb}
          look={order.actions[act].possible ? LOOKS[act] : undefined}
          busy={commands.busy === act}
          paused={isPaused}
          disabledReason={findObstacle(order, act, offers)}
          onClick={() => commands.start(act)}
        />
      ))}
    </div>
  );
}

const HANDLED = t("order.takes-the-order-out-of-the");

function toClosed(order: OrderDetail, { ended }: Offers): string {
  return ended === "cancelled" ? t("order.the-order-is-canceled-so-theres") : sayEffect(order, "approve");
}

/** It's too late to cancel. Only the platform can refund the payment. */
function Refund({ platform, url }: { readonly platform: string; readonly url: string | null }) {
  return (
    <li class="stack gap-3">
      {url !== null && (
        <a class="button primary" href={url} target="_blank" rel="noreferrer">
          <Icon name="external" />
          <span>
            {t("order.refund-in", { platform: platform.charAt(0).toUpperCase() + platform.slice(1) })}
            <span class="unseen"> {t("order.opens-in-a-new-window")}</span>
          </span>
        </a>
      )}
      <p class="hint">{t("order.the-order-has-shipped-so-holdfast")}</p>
    </li>
  );
}

/** Anyone who can decide can also undo it. */
function Pending({ order, pending }: { readonly order: OrderDetail; readonly pending: PendingReview }) {
  const { act, by, at } = pending;

  return (
    <div class="pending-decision stack gap-3">
      <p>
        {rich("order.pending-decision", {
          b: (text) => <b>{text}</b>,
          name: nameActor(by),
          kind: toDoneKind(act, order),
          time: <Time at={at} />,
        })}
      </p>
      <Button
        label={t("order.undo")}
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
        {claim === null
          ? t("order.nobody-is-reviewing-this-order")
          : rich("order.claimed", {
              mine: isMine ? "yes" : "no",
              name: nameActor(claim.by),
              time: <Time at={claim.until} />,
            })}
      </p>
      {isAllowed("reviewer") && (
        <ActionButton
          label={claim === null ? t("order.claim") : isMine ? t("order.release") : t("order.take-over")}
          small
          onAct={change}
        />
      )}
    </div>
  );
}

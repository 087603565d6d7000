import type { Ref } from "preact";
import { OrderLevel } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Ago, Deadline } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { formatMoney } from "../../data/base/format.ts";
import { rich, t } from "../../data/base/texts.ts";

interface OrderHeadProps {
  /** Null while it loads. */
  readonly order: OrderDetail | null;
  readonly headingRef: Ref<HTMLHeadingElement>;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

export function OrderHead({ order, headingRef, onStep, onClose }: OrderHeadProps) {
  return (
    <header class="stack gap-2">
      <div class="order-title line">
        <span class="only-narrow">
          <Button label={t("order.back-to-list")} icon="back" iconOnly onClick={onClose} />
        </span>
        <h1 id="order-title" class="anywhere" ref={headingRef} tabIndex={-1}>
          {rich("order.heading", {
            name: order?.name ?? "…",
            unseen: (text) => <span class="unseen">{text}</span>,
          })}
        </h1>
        <span class="order-amount digits soft no-wrap">
          {order === null ? "" : formatMoney(order.amount, order.currency)}
        </span>
        <span class="line gap-0 push">
          <Button
            label={t("order.previous-order")}
            icon="up"
            iconOnly
            onClick={() => onStep(-1)}
            shortcut="k"
          />
          <Button label={t("order.next-order")} icon="down" iconOnly onClick={() => onStep(1)} shortcut="j" />
          <span class="only-wide">
            <Button
              label={t("order.close-order")}
              icon="cross"
              iconOnly
              onClick={onClose}
              shortcut="Escape"
            />
          </span>
        </span>
      </div>
      <div class="order-signs row">
        {order !== null && (
          <>
            <OrderLevel order={order} />
            {order.state === "review" && order.holdDeadline !== null && (
              <span>
                {rich("order.deadline", {
                  deadline: <Deadline at={order.holdDeadline} />,
                  soft: (text) => <span class="soft">{text}</span>,
                })}
              </span>
            )}
            <span class="soft">{rich("order.received", { ago: <Ago at={order.receivedAt} /> })}</span>
          </>
        )}
      </div>
    </header>
  );
}

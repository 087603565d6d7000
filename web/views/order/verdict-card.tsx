import { ReasonChips, SignChips } from "../../components/chips.tsx";
import { Icon, type IconName } from "../../components/button.tsx";
import { Deadline, Time, useNow } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { type Linked, summarizeLinked } from "../../data/orders/linked.ts";
import { toAdvice, toSentence, toTone, type VerdictTone } from "../../data/orders/verdict-words.ts";
import { toBuyerPath } from "../buyer/buyer-path.ts";
import { rich, t } from "../../data/base/texts.ts";

const ICONS: Readonly<Record<VerdictTone, IconName>> = {
  info: "info",
  good: "check",
  warn: "clock",
  bad: "warning",
};

interface VerdictCardProps {
  readonly order: OrderDetail;
  /** Null while they load. */
  readonly linked: Linked | null;
  /** The platform says so, and Holdfast doesn't know yet. */
  readonly hasShipped: boolean;
}

/** What was decided and why, before everything else. */
export function VerdictCard({ order, linked, hasShipped }: VerdictCardProps) {
  const { contents, chips } = order;
  const tone = toTone(order);
  return (
    <section class="verdict card stack gap-2" data-tone={tone} aria-labelledby="verdict">
      <h2 id="verdict" class="line anywhere">
        <Icon name={ICONS[tone]} />
        <span>{toSentence(order)}</span>
      </h2>
      {hasShipped && <p class="hint">{t("order.the-order-has-shipped")}</p>}
      {toAdvice(order).map((line) => (
        <p key={line} class="hint anywhere">
          {line}
        </p>
      ))}
      <Overdue order={order} />
      <BankDeadline order={order} />
      <ReasonChips chips={chips} />
      {contents !== null && <SignChips contents={contents} />}
      <p class="hint">
        <span>{linked === null ? "\u00A0" : summarizeLinked(linked)}</span>{" "}
        {contents !== null && <a href={toBuyerPath(order.orderId)}>{t("buyer.open")}</a>}
      </p>
    </section>
  );
}

function Overdue({ order: { state, holdDeadline } }: { readonly order: OrderDetail }) {
  const now = useNow();
  if (state !== "review" || holdDeadline === null || Date.parse(holdDeadline) > now) return null;
  return <p class="hint">{rich("order.deadline-passed", { time: <Time at={holdDeadline} /> })}</p>;
}

function BankDeadline({ order: { evidenceDueBy: at } }: { readonly order: OrderDetail }) {
  if (at === null) return null;
  return <p>{rich("order.bank-waits", { time: <Time at={at} />, deadline: <Deadline at={at} /> })}</p>;
}

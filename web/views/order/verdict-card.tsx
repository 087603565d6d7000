import { ReasonChips, SignChips } from "../../components/chips.tsx";
import { Icon, type IconName } from "../../components/button.tsx";
import { Time, useNow } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { type Linked, summarizeLinked } from "../../data/orders/linked.ts";
import { toAdvice, toSentence, toTone, type VerdictTone } from "../../data/orders/verdict-words.ts";

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
      {hasShipped && <p class="hint">The order has shipped.</p>}
      {toAdvice(order).map((line) => (
        <p key={line} class="hint anywhere">
          {line}
        </p>
      ))}
      <Overdue order={order} />
      <ReasonChips chips={chips} />
      {contents !== null && <SignChips contents={contents} />}
      <p class="hint">{linked === null ? "\u00A0" : summarizeLinked(linked)}</p>
    </section>
  );
}

function Overdue({ order: { state, holdDeadline } }: { readonly order: OrderDetail }) {
  const now = useNow();
  if (state !== "review" || holdDeadline === null || Date.parse(holdDeadline) > now) return null;
  return (
    <p class="hint">
      The hold deadline passed on <Time at={holdDeadline} />. Decide on this order.
    </p>
  );
}

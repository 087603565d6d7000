import { Check, FieldError, Select } from "../../components/form.tsx";
import { Skeleton } from "../../components/panel.tsx";
import { useLoad } from "../../data/api/use-load.ts";
import { LINK_WORDS, LIST_WORDS } from "../../data/api/words.ts";
import { formatDate } from "../../data/base/format.ts";
import { t } from "../../data/base/texts.ts";
import { type LinkKind, LIST_DAYS, toLastDay } from "../../data/orders/blocking.ts";

interface BlockFieldsProps {
  readonly orderId: string;
  readonly legend: string;
  readonly kinds: readonly LinkKind[];
  readonly onKinds: (kinds: readonly LinkKind[]) => void;
  readonly days: string;
  readonly onDays: (days: string) => void;
  readonly error?: string | undefined;
}

/** What an order's buyer can be recognized by, what each would match, and for how long to block it. */
export function BlockFields({ orderId, legend, kinds, onKinds, days, onDays, error }: BlockFieldsProps) {
  const { data } = useLoad("GET /orders/:orderId/linked", { params: { orderId } });
  if (data === null) return <Skeleton lines={3} label={t("order.loading-linked-orders")} />;
  const known = data.links.filter(({ label }) => label !== "");
  if (known.length === 0) return <p class="hint">{t("order.this-order-has-no-details-to")}</p>;
  const until = toLastDay(days);
  return (
    <>
      <fieldset class="choice stack gap-2">
        <legend>{legend}</legend>
        {known.map(({ kind, label, listed, orders: count }) =>
          listed === null ? (
            <Check
              key={kind}
              label={t("order.block-option", { kind: LINK_WORDS[kind], label, count })}
              value={kinds.includes(kind)}
              onChange={(isOn) => onKinds(isOn ? [...kinds, kind] : kinds.filter((one) => one !== kind))}
            />
          ) : (
            <p key={kind} class="soft anywhere">
              {t("order.block-listed", { kind: LINK_WORDS[kind], label, listed: LIST_WORDS[listed] })}
            </p>
          ),
        )}
        <FieldError error={error} />
      </fieldset>
      {kinds.length > 0 && (
        <Select
          label={t("order.for-how-long")}
          value={days}
          options={LIST_DAYS}
          hint={until === null ? undefined : t("order.last-day", { date: formatDate(until) })}
          onChange={onDays}
        />
      )}
    </>
  );
}

import type { ComponentChildren } from "preact";
import { Figure, Notice, Panel } from "../../components/panel.tsx";
import { Trend } from "../../components/trend.tsx";
import { formatCount, formatDate, formatMoney, formatRatio } from "../../data/base/format.ts";
import { formatTook } from "../../data/reports/overview.ts";
import type { Report } from "../../data/reports/report.ts";
import {
  formatValue,
  toApart,
  toChargebackTrend,
  toFalsePositives,
  toGaugeTone,
  toTrend,
  type Value,
  type ValueReport,
} from "../../data/reports/value.ts";
import { rich, t } from "../../data/base/texts.ts";
import { toPath } from "../../data/shell/route.ts";

/** To where an owner enters currency, rates and the price of a credit. */
const link = (text: ComponentChildren) => <a href={toPath({ view: "settings", id: "money" })}>{text}</a>;

/** What the period was worth in the shop's currency, and how that developed. */
export function ValuePanel({ report: { value, credits } }: { readonly report: Report }) {
  const { currency, rates } = value;
  return (
    <Panel title={t("value.what-it-was-worth")} isStack>
      {currency === null && <Notice>{rich("value.no-currency", { link })}</Notice>}
      <div class="figures stack gap-3">
        <ValueFigure label={t("value.fraud-stopped")} of={value.fraudStopped} currency={currency} />
        <ValueFigure label={t("value.fraud-missed")} of={value.fraudMissed} currency={currency} />
        <ValueFigure label={t("value.good-stopped")} of={value.goodStopped} currency={currency} />
        <ValueFigure label={t("value.not-known-yet")} of={value.unknownStopped} currency={currency} />
        <Figure label={t("value.false-positives")} {...toFalsePositives(value.falsePositives)} />
        <Chargebacks chargebacks={value.chargebacks} />
        <ReviewTime time={value.reviewTime} />
        <Figure
          label={t("value.credits")}
          value={formatCount(credits.spent)}
          hint={
            credits.cost === null
              ? rich("value.cost-unknown", { saved: credits.saved, link })
              : t("value.cost", { cost: formatMoney(credits.cost, currency), saved: credits.saved })
          }
        />
      </div>
      <Trends value={value} />
      {rates.length > 0 && (
        <p class="hint">
          {t("value.rates-used", {
            rates: rates
              .map(({ currency: of, rate, from }) =>
                t("value.rate", { currency: of, value: formatMoney(rate, currency), day: formatDate(from) }),
              )
              .join("; "),
          })}
        </p>
      )}
    </Panel>
  );
}

interface ValueFigureProps {
  readonly label: string;
  readonly of: Value;
  readonly currency: string | null;
}

function ValueFigure({ label, of, currency }: ValueFigureProps) {
  const apart = toApart(of);
  return (
    <Figure
      label={label}
      value={of.orders === 0 ? "–" : formatValue(of, currency)}
      hint={
        <>
          {t("value.orders", { count: of.orders })}
          {apart !== null && (
            <>
              <br />
              {rich("value.without-rate", { sum: apart, link })}
            </>
          )}
        </>
      }
    />
  );
}

function Chargebacks({ chargebacks }: Pick<ValueReport, "chargebacks">) {
  const { orders, of, share, watchAt, limit } = chargebacks;
  const tone = toGaugeTone(chargebacks);
  return (
    <Figure
      label={t("value.chargeback-rate")}
      value={formatRatio(share)}
      tone={tone === "good" ? undefined : tone}
      hint={
        <>
          {t("value.chargebacks-of", { count: orders, sold: of })}
          {share !== null && (
            <meter
              min={0}
              max={limit}
              low={watchAt}
              high={limit}
              optimum={0}
              value={Math.min(share, limit)}
              aria-label={t("value.chargeback-gauge", {
                share: formatRatio(share),
                limit: formatRatio(limit),
                watch: formatRatio(watchAt),
              })}
              title={t("value.chargeback-gauge", {
                share: formatRatio(share),
                limit: formatRatio(limit),
                watch: formatRatio(watchAt),
              })}
            />
          )}
        </>
      }
    />
  );
}

function ReviewTime({ time: { orders, medianMs, p90Ms } }: { readonly time: ValueReport["reviewTime"] }) {
  return (
    <Figure
      label={t("value.review-time")}
      value={formatTook(medianMs)}
      hint={orders === 0 ? undefined : t("value.review-hint", { count: orders, p90: formatTook(p90Ms) })}
    />
  );
}

function Trends({ value }: { readonly value: ValueReport }) {
  // One or two weeks have no trend.
  if (value.weeks.length < 3) return null;
  return (
    <section class="trends stack gap-3" aria-label={t("value.trends")}>
      <Trend title={t("value.fraud-stopped")} points={toTrend(value, "fraudStopped")} tone="good" />
      <Trend title={t("value.fraud-missed")} points={toTrend(value, "fraudMissed")} tone="bad" />
      <Trend title={t("value.good-stopped")} points={toTrend(value, "goodStopped")} tone="bad" />
      <Trend title={t("value.chargeback-rate")} points={toChargebackTrend(value)} tone="plain" />
    </section>
  );
}

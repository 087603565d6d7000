import { ActionButton } from "../../components/action-button.tsx";
import { Figure, Panel } from "../../components/panel.tsx";
import type { DataOf } from "../../data/api/api-types.ts";
import { formatCount, formatDay, formatRatio } from "../../data/base/format.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { saveDisputeMonth } from "../../data/reports/report.ts";
import { t } from "../../data/base/texts.ts";

type Month = DataOf<"GET /report/disputes">;

/** Visa's limits for a merchant, since April 2026. An owner can set others. */
const VISA = { limitShare: 0.015, limitCount: 1_500 };
const TONES = { calm: undefined, watch: "warn", over: "bad" } as const;

/** This month's disputes against a card network's limits. Absent with too few to tell. */
export function DisputeGauge() {
  const { data } = useLoad("GET /report/disputes");
  if (data === null || data.state === "few") return null;
  const { state, share, disputes, orders, limitShare, limitCount, forecast, watchFrom } = data;
  const expected = forecast?.disputes ?? disputes;
  return (
    <Panel title={t("evidence.gauge")} lead={toLead(data)} aside={<Download month={data.month} />} isStack>
      <div class="figures stack gap-3">
        <Figure
          label={t("evidence.share")}
          value={formatRatio(share)}
          tone={TONES[state]}
          hint={
            <>
              {t("evidence.share-of", { count: disputes, orders })}
              <Meter
                label={t("evidence.share-meter", {
                  share: formatRatio(share),
                  limit: formatRatio(limitShare),
                })}
                value={share ?? 0}
                limit={limitShare}
                watchFrom={watchFrom}
              />
            </>
          }
        />
        <Figure
          label={t("evidence.by-month-end")}
          value={forecast === null ? "–" : formatCount(forecast.disputes)}
          tone={TONES[state]}
          hint={
            <>
              {forecast === null
                ? t("evidence.too-early")
                : t("evidence.range", { low: formatCount(forecast.low), high: formatCount(forecast.high) })}
              <Meter
                label={t("evidence.count-meter", {
                  expected: formatCount(expected),
                  limit: formatCount(limitCount),
                })}
                value={expected}
                limit={limitCount}
                watchFrom={watchFrom}
              />
            </>
          }
        />
      </div>
      <p class="hint">{t("evidence.tc40")}</p>
    </Panel>
  );
}

function Download({ month }: Pick<Month, "month">) {
  const onAct = () => saveDisputeMonth(month);
  return <ActionButton label={t("report.download-csv")} icon="download" look="quiet" small onAct={onAct} />;
}

function toLead({ since, limitShare, limitCount }: Month): string {
  const isVisa = limitShare === VISA.limitShare && limitCount === VISA.limitCount;
  return t("evidence.gauge-lead", {
    day: formatDay(since),
    share: formatRatio(limitShare),
    count: limitCount,
    source: isVisa ? "visa" : "own",
  });
}

interface MeterProps extends Pick<Month, "watchFrom"> {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
}

function Meter({ label, value, limit, watchFrom }: MeterProps) {
  return (
    <meter
      min={0}
      max={limit}
      low={watchFrom * limit}
      high={limit}
      optimum={0}
      value={Math.min(value, limit)}
      aria-label={label}
      title={label}
    />
  );
}

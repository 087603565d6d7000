import { useEffect, useRef } from "preact/hooks";
import { Button, Icon } from "../../components/button.tsx";
import { Facts, Notice, Panel, Skeleton } from "../../components/panel.tsx";
import { Ago } from "../../components/time.tsx";
import type { PlatformOrder } from "../../data/api/api-types.ts";
import { explain } from "../../data/api/api.ts";

import { RISK_WORDS } from "../../data/policy/policy-conditions.ts";
import { toWebAddress } from "../../data/orders/offers.ts";
import { type Load, useLoad } from "../../data/api/use-load.ts";
import { rich, t } from "../../data/base/texts.ts";

export type PlatformLoad = Load<PlatformOrder>;

/** An order's state on the platform. It's read again when the order's version changes. */
export function usePlatform(orderId: string, version: string | undefined): PlatformLoad {
  const load = useLoad("GET /orders/:orderId/platform", { params: { orderId } });
  const asked = useRef(version);
  useEffect(() => {
    const isNew = asked.current !== undefined && asked.current !== version;
    asked.current = version;
    if (isNew) load.reload();
  }, [version]);
  return load;
}

export function PlatformPanel({ load }: { readonly load: PlatformLoad }) {
  const { data, error, loading, reload } = load;
  return (
    <Panel
      title={t("order.status-on-the-platform")}
      aside={
        <Button
          label={t("order.refresh-from-the-platform")}
          small
          icon="refresh"
          iconOnly
          busy={loading}
          onClick={reload}
        />
      }
    >
      <div class="platform stack gap-3">
        {error !== null && (
          <Notice tone="warn">
            <p>{explain(error)}</p>
            <Button label={t("order.try-again")} small onClick={reload} />
          </Notice>
        )}
        {data === null && error === null && (
          <Skeleton lines={4} label={t("order.loading-from-the-platform")} />
        )}
        {data !== null && <Observed observed={data} />}
      </div>
    </Panel>
  );
}

function Observed({ observed }: { readonly observed: PlatformOrder }) {
  const { holds, tags, assessment, platformRisk, observedAt } = observed;
  const adminUrl = toWebAddress(observed.adminUrl);
  return (
    <>
      <Facts
        facts={[
          [t("order.order"), toStanding(observed)],
          [t("order.holds"), t("order.holds-count", { count: holds })],
          [t("order.holdfast-risk"), t("order.assessment", { level: assessment?.toLowerCase() ?? "none" })],
          [t("order.platform-risk"), platformRisk === null ? t("order.none") : RISK_WORDS[platformRisk]],
          [t("order.tags"), tags.length === 0 ? t("order.none") : tags.join(", ")],
        ]}
      />
      <p class="hint wrap between platform-foot">
        <span>{rich("order.updated", { ago: <Ago at={observedAt} /> })}</span>
        {adminUrl !== null && (
          <a class="line gap-1" href={adminUrl} target="_blank" rel="noreferrer">
            {t("order.open-in-admin")}
            <Icon name="external" />
            <span class="unseen"> {t("order.opens-in-a-new-window")}</span>
          </a>
        )}
      </p>
    </>
  );
}

function toStanding({ cancelled, fulfilled, partlyFulfilled }: PlatformOrder): string {
  if (cancelled) return t("order.canceled");
  if (fulfilled) return t("order.shipped");
  return partlyFulfilled ? t("order.partially-shipped") : t("order.not-shipped");
}

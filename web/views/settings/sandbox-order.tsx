import { useEffect, useState } from "preact/hooks";
import { ActionLabel, LevelBadge, StateLabel } from "../../components/badge.tsx";
import { ActionButton } from "../../components/action-button.tsx";
import { Icon } from "../../components/button.tsx";
import { Choice } from "../../components/form.tsx";
import { Notice } from "../../components/panel.tsx";
import { Time } from "../../components/time.tsx";
import { announce } from "../../data/api/messages.ts";
import type { RiskLevel } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { toPath } from "../../data/shell/route.ts";
import { isAllowed, toRoleReason } from "../../data/api/session.ts";
import { toStages } from "../../data/settings/settings.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { LEVEL_WORDS, LEVELS, STATE_WORDS } from "../../data/api/words.ts";
import { toMiddle } from "../../data/base/format.ts";
import { t } from "../../data/base/texts.ts";

const POLL_MS = 700;

/** Create a sandbox order and watch it. Uses no credits and changes nothing on the platform. */
export function SandboxOrder({ onChange }: { readonly onChange: () => void }) {
  const [scenario, setScenario] = useState<RiskLevel>("high");
  const [orderId, setOrderId] = useState<string | null>(null);

  async function send(): Promise<void> {
    const { data } = await call("POST /setup/sandbox-order", { body: { scenario } });
    setOrderId(data.orderId);
  }

  return (
    <div class="stack">
      <Choice
        label={t("setup.risk-level-of-the-test-order")}
        inline
        value={scenario}
        onChange={setScenario}
        options={LEVELS.map((level) => [level, LEVEL_WORDS[level]] as const)}
      />
      <div class="row">
        <ActionButton
          label={t("setup.send-sandbox-order")}
          icon="plus"
          disabledReason={toRoleReason("reviewer")}
          onAct={send}
        />
        <span class="hint">{t("setup.uses-no-credits-and-changes-nothing")}</span>
      </div>
      {orderId !== null && <Watch key={orderId} orderId={orderId} onDone={onChange} />}
    </div>
  );
}

function Watch({ orderId, onDone }: { readonly orderId: string; readonly onDone: () => void }) {
  const [isOver, setOver] = useState(false);
  const { data, error } = useLoad("GET /orders/:orderId", {
    params: { orderId },
    pollMs: isOver ? undefined : POLL_MS,
  });
  const stages = toStages(data);
  const hasEnded =
    stages.every(({ at }) => at !== null) || data?.state === "review" || data?.state === "failed";
  useEffect(() => {
    if (!hasEnded || data === null) return;
    setOver(true);
    announce(t("setup.order-is", { state: toMiddle(STATE_WORDS[data.state]) }));
    if (isAllowed("viewer")) onDone();
  }, [hasEnded]);
  return (
    <div class="watch tile stack gap-3" aria-busy={!isOver}>
      {error !== null && data === null && <Notice tone="warn">{error.message}</Notice>}
      <ol class="stages stack gap-3">
        {stages.map(({ id, label, at }) => (
          <li key={id} data-done={at !== null}>
            <Icon name={at === null ? "clock" : "check"} />
            <span>
              {label}
              <span class="hint">{at === null ? t("setup.waiting") : <Time at={at} />}</span>
            </span>
          </li>
        ))}
      </ol>
      <div class="row watch-result">
        {data === null ? (
          <span class="soft">{t("setup.sending")}</span>
        ) : (
          <>
            <StateLabel order={data} />
            {data.action !== null && (
              <>
                <LevelBadge level={data.riskLevel} score={data.riskScore} />
                <ActionLabel action={data.action} />
              </>
            )}
            <a class="push" href={toPath({ view: "orders", id: orderId })}>
              {t("setup.open-order")}
            </a>
          </>
        )}
      </div>
    </div>
  );
}

import { NumberField } from "../../components/form.tsx";
import { Loading, Notice, Panel } from "../../components/panel.tsx";
import { SaveForm } from "../../components/platform-save-bar.tsx";
import { useLoad } from "../../data/api/use-load.ts";
import { t } from "../../data/base/texts.ts";
import { useSettingsForm } from "../../data/settings/settings-form.ts";
import type { SettingsPartProps } from "./service-panel.tsx";

/** What is kept for disputes, and the limits that the report shows. */
export function DisputeSettingsPanel() {
  const load = useLoad("GET /settings");
  if (load.data === null) return <Loading load={load} lines={8} />;
  return <DisputeForm key={load.data.version} load={load} settings={load.data} />;
}

interface Input {
  readonly keepDays: number | null;
  /** In percent. */
  readonly limitShare: number | null;
  readonly limitCount: number | null;
}

function DisputeForm({ load, settings: { disputes } }: SettingsPartProps) {
  const start: Input = { ...disputes, limitShare: Number((disputes.limitShare * 100).toPrecision(6)) };
  const { input, field, save, form } = useSettingsForm(load, "disputes", {
    keepDays: start.keepDays,
    limitShare: start.limitShare,
    limitCount: start.limitCount,
  });
  const share = field("limitShare");
  return (
    <Panel title={t("order.disputes")} isStack>
      <SaveForm
        id="disputes-bar"
        saveLabel={t("evidence.save-settings")}
        onSave={() => save({ disputes: toChange(input) }, t("evidence.settings-saved"))}
        {...form}
      >
        <p class="hint">{t("evidence.keep-lead")}</p>
        <NumberField label={t("evidence.keep-days")} hint={t("evidence.keep-hint")} {...field("keepDays")} />
        {disputes.keepDays !== null && input.keepDays === null && (
          <Notice tone="warn">{t("evidence.off-deletes")}</Notice>
        )}
        <p class="hint">{t("evidence.limits-lead")}</p>
        <NumberField
          label={t("evidence.limit-share")}
          {...share}
          // The server counts in parts of one.
          error={share.error && t("evidence.limit-percent")}
        />
        <NumberField label={t("evidence.limit-count")} {...field("limitCount")} />
      </SaveForm>
    </Panel>
  );
}

/**
 * JSON writes what isn't a number as null, which would delete all that was kept. The server refuses 0, and says what it
 * expects.
 */
function toChange({ keepDays, limitShare, limitCount }: Input) {
  return {
    keepDays: keepDays === null ? null : keepDays || 0,
    limitShare: Number(((limitShare || 0) / 100).toPrecision(6)),
    limitCount: limitCount || 0,
  };
}

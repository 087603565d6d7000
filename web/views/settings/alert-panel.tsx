import { Check, ListField, Select, TextField } from "../../components/form.tsx";
import { Notice, Panel } from "../../components/panel.tsx";
import { SaveForm } from "../../components/platform-save-bar.tsx";
import { useSettingsForm } from "../../data/settings/settings-form.ts";
import { LANGUAGE_OPTIONS } from "../../data/base/language.ts";
import type { SettingsPartProps } from "./service-panel.tsx";
import { t } from "../../data/base/texts.ts";

export function AlertPanel({ load, settings: { alerts } }: SettingsPartProps) {
  const { input, field, save, form } = useSettingsForm(load, "alerts", {
    email: alerts.email,
    webhookUrl: alerts.webhookUrl ?? "",
    // Undefined keeps the existing secret, null removes it.
    webhookSecret: undefined as string | null | undefined,
    language: alerts.language,
  });
  const webhookUrl = input.webhookUrl.trim() || null;
  return (
    <Panel title={t("settings.alerts")}>
      <SaveForm
        id="alerts-bar"
        saveLabel={t("settings.save-alerts")}
        onSave={() => save({ alerts: { ...input, webhookUrl } }, t("settings.alerts-saved"))}
        {...form}
      >
        <p class="hint">{t("settings.get-alerts-when-credits-run-out")}</p>
        {!alerts.canMail && <Notice>{t("settings.this-installation-has-no-mail-server")}</Notice>}
        <ListField
          label={t("settings.email-addresses")}
          placeholder={t("settings.type-an-email-address-and-press")}
          {...field("email")}
        />
        <TextField
          label={t("settings.webhook")}
          placeholder="https://"
          hint={t("settings.holdfast-posts-each-alert-to-this")}
          {...field("webhookUrl")}
        />
        <Select label={t("settings.language-of-alerts")} options={LANGUAGE_OPTIONS} {...field("language")} />
        {webhookUrl !== null && <SecretFields isKept={alerts.hasWebhookSecret} {...field("webhookSecret")} />}
      </SaveForm>
    </Panel>
  );
}

interface SecretFieldsProps {
  readonly isKept: boolean;
  readonly value: string | null | undefined;
  readonly error: string | undefined;
  readonly onChange: (secret: string | null | undefined) => void;
}

function SecretFields({ isKept, value, error, onChange }: SecretFieldsProps) {
  return (
    <>
      <TextField
        label={isKept ? t("settings.new-webhook-secret") : t("settings.webhook-secret")}
        type="password"
        value={value ?? ""}
        hint={
          isKept ? t("settings.a-signing-secret-is-set-leave") : t("settings.signs-each-alert-so-you-can")
        }
        error={error}
        onChange={(next) => onChange(next === "" ? undefined : next)}
      />
      {isKept && (
        <Check
          label={t("settings.remove-the-secret-and-post-without")}
          value={value === null}
          onChange={(isWithout) => onChange(isWithout ? null : undefined)}
        />
      )}
    </>
  );
}

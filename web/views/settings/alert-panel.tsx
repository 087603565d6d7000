import { Check, ListField, TextField } from "../../components/form.tsx";
import { Notice, Panel } from "../../components/panel.tsx";
import { SaveForm } from "../../components/platform-save-bar.tsx";
import { useSettingsForm } from "../../data/settings/settings-form.ts";
import type { SettingsPartProps } from "./service-panel.tsx";

export function AlertPanel({ load, settings: { alerts } }: SettingsPartProps) {
  const { input, field, save, form } = useSettingsForm(load, "alerts", {
    email: alerts.email,
    webhookUrl: alerts.webhookUrl ?? "",
    // Undefined keeps the existing secret, null removes it.
    webhookSecret: undefined as string | null | undefined,
  });
  const webhookUrl = input.webhookUrl.trim() || null;
  return (
    <Panel title="Alerts">
      <SaveForm
        id="alerts-bar"
        saveLabel="Save alerts"
        onSave={() => save({ alerts: { ...input, webhookUrl } }, "Alerts saved.")}
        {...form}
      >
        <p class="hint">
          Get alerts when credits run out, the service is unavailable, orders pile up, or a hold is about to
          expire.
        </p>
        {!alerts.canMail && (
          <Notice>This installation has no mail server. Alerts go to the webhook only.</Notice>
        )}
        <ListField
          label="Email addresses"
          placeholder="Type an email address and press Enter"
          {...field("email")}
        />
        <TextField
          label="Webhook"
          placeholder="https://"
          hint="Holdfast posts each alert to this URL as JSON."
          {...field("webhookUrl")}
        />
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
        label={isKept ? "New webhook secret" : "Webhook secret"}
        type="password"
        value={value ?? ""}
        hint={
          isKept
            ? "A signing secret is set. Leave this empty to keep it."
            : "Signs each alert so you can verify that it comes from Holdfast. whsec_ and base64, or any 16 characters or more."
        }
        error={error}
        onChange={(next) => onChange(next === "" ? undefined : next)}
      />
      {isKept && (
        <Check
          label="Remove the secret and post without a signature"
          value={value === null}
          onChange={(isWithout) => onChange(isWithout ? null : undefined)}
        />
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import { Check, ListField, TextField } from "../../components/form.tsx";
import { Notice, Panel } from "../../components/panel.tsx";
import { Discardable, SaveForm } from "../../components/platform-save-bar.tsx";
import { findProblem } from "../../data/policy-draft.ts";
import { useSave } from "../../data/use-action.ts";
import type { SettingsPartProps } from "./service-panel.tsx";

/** Who Holdfast alerts when something needs a person. */
export function AlertPanel(props: SettingsPartProps) {
  return (
    <Panel title="Alerts">
      <Discardable key={props.settings.version}>
        {(onDiscard) => <AlertForm {...props} onDiscard={onDiscard} />}
      </Discardable>
    </Panel>
  );
}

type AlertFormProps = SettingsPartProps & { readonly onDiscard: () => void };

function AlertForm({ load, settings: { alerts }, onDiscard }: AlertFormProps) {
  const [email, setEmail] = useState(alerts.email);
  const [webhookUrl, setWebhookUrl] = useState(alerts.webhookUrl ?? "");
  // Undefined keeps the existing secret.
  const [webhookSecret, setSecret] = useState<string | null>();
  const { save, busy, problems, failure } = useSave(load);
  const url = webhookUrl.trim();
  const isChanged =
    email.join() !== alerts.email.join() || url !== (alerts.webhookUrl ?? "") || webhookSecret !== undefined;

  return (
    <SaveForm
      id="alerts-bar"
      saveLabel="Save alerts"
      onSave={() => save({ alerts: { email, webhookUrl: url || null, webhookSecret } }, "Alerts saved.")}
      {...{ busy, failure, isChanged, onDiscard }}
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
        value={email}
        placeholder="Type an email address and press Enter"
        error={findProblem(problems, "alerts.email")}
        onChange={setEmail}
      />
      <TextField
        label="Webhook"
        value={webhookUrl}
        placeholder="https://"
        hint="Holdfast posts each alert to this URL as JSON."
        error={findProblem(problems, "alerts.webhookUrl")}
        onChange={setWebhookUrl}
      />
      {url !== "" && (
        <SecretFields
          secret={webhookSecret}
          isKept={alerts.hasWebhookSecret}
          error={findProblem(problems, "alerts.webhookSecret")}
          onChange={setSecret}
        />
      )}
    </SaveForm>
  );
}

interface SecretFieldsProps {
  /** Undefined to keep it, null to remove it. */
  readonly secret: string | null | undefined;
  readonly isKept: boolean;
  readonly error: string | undefined;
  readonly onChange: (secret: string | null | undefined) => void;
}

function SecretFields({ secret, isKept, error, onChange }: SecretFieldsProps) {
  return (
    <>
      <TextField
        label={isKept ? "New webhook secret" : "Webhook secret"}
        type="password"
        value={secret ?? ""}
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
          value={secret === null}
          onChange={(isWithout) => onChange(isWithout ? null : undefined)}
        />
      )}
    </>
  );
}

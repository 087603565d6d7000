import { useState } from "preact/hooks";
import { Check, ListField, TextField } from "../../components/form.tsx";
import { Notice, Panel } from "../../components/panel.tsx";
import { FormSave } from "../../components/platform-save-bar.tsx";
import { findProblem } from "../../data/policy-draft.ts";
import type { Settings } from "../../data/settings.ts";
import type { Load } from "../../data/use-load.ts";
import { useSave } from "../../data/use-save.ts";

interface AlertPanelProps {
  readonly load: Load<Settings>;
  readonly settings: Settings;
}

/** Who Holdfast alerts when something needs a person. */
export function AlertPanel({ load, settings }: AlertPanelProps) {
  const [round, setRound] = useState(0);
  return (
    <Panel title="Alerts">
      <AlertForm
        key={`${settings.version} ${round}`}
        load={load}
        settings={settings}
        onDiscard={() => setRound(round + 1)}
      />
    </Panel>
  );
}

interface AlertFormProps extends AlertPanelProps {
  readonly onDiscard: () => void;
}

function AlertForm({ load, settings: { alerts }, onDiscard }: AlertFormProps) {
  const [email, setEmail] = useState(alerts.email);
  const [webhookUrl, setWebhookUrl] = useState(alerts.webhookUrl ?? "");
  // Undefined keeps the secret that there is.
  const [webhookSecret, setSecret] = useState<string | null>();
  const { save, busy, problems, failure } = useSave(load);
  const url = webhookUrl.trim();
  const isChanged =
    email.join() !== alerts.email.join() || url !== (alerts.webhookUrl ?? "") || webhookSecret !== undefined;

  function submit(): void {
    const change = { email, webhookUrl: url === "" ? null : url, webhookSecret };
    void save({ alerts: change }, "Alerts saved.");
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p class="hint">
        Get alerts when credits run out, the service is unavailable, orders pile up, or a hold is about to
        expire.
      </p>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
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
      <FormSave id="alerts-bar" saveLabel="Save alerts" onSave={submit} {...{ busy, isChanged, onDiscard }} />
    </form>
  );
}

interface SecretFieldsProps {
  /** Undefined: as it is. Null: none any more. */
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
        isSecret
        autocomplete="new-password"
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
          checked={secret === null}
          onChange={(isWithout) => onChange(isWithout ? null : undefined)}
        />
      )}
    </>
  );
}

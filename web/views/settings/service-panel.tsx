import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/entry.tsx";
import { Facts, Notice, Panel } from "../../components/panel.tsx";
import { FormSave } from "../../components/platform-save-bar.tsx";
import { Ago } from "../../components/time.tsx";
import { findProblem } from "../../data/policy-draft.ts";
import type { Settings } from "../../data/settings.ts";
import { useSave } from "../../data/use-save.ts";
import type { Load } from "../../data/use-load.ts";

/** The verification service: which key is used, and another one. The key itself is never shown. */
export function ServicePanel({ load, settings }: ServiceFormProps) {
  return (
    <Panel title="Verification service">
      <div class="stack">
        <ServiceFacts service={settings.service} />
        <ServiceForm load={load} settings={settings} />
      </div>
    </Panel>
  );
}

const FROM_WORDS = {
  own: "Saved here",
  environment: "The installation’s configuration",
  none: "None: the local engine checks orders and never cancels",
} as const;

function ServiceFacts({ service }: Pick<Settings, "service">) {
  const { from, url, organization, keyHint, savedAt, problem } = service;
  return (
    <>
      {problem === "unreadable" && (
        <Notice tone="bad">The saved key can't be decrypted. Check DATA_KEY, or save the key again.</Notice>
      )}
      {problem === "no-address" && (
        <Notice tone="bad">The saved key has no service URL. Save it again with a URL.</Notice>
      )}
      <PlanNotice service={service} />
      <Facts
        facts={[
          ["Key", FROM_WORDS[from]],
          ...(keyHint === null ? [] : [["Ends in", <span class="mono">{keyHint}</span>] as const]),
          ...(organization === null ? [] : [["Organization", organization] as const]),
          ...(url === null ? [] : [["Address", url] as const]),
          ...(savedAt === null ? [] : [["Saved", <Ago at={savedAt} />] as const]),
        ]}
      />
    </>
  );
}

/** What the shop has to do before the paid service checks its orders. */
function PlanNotice({ service: { problem, plansUrl } }: Pick<Settings, "service">) {
  if (problem === "own-key-required") {
    return <Notice tone="info">Add your own key to have orders checked by the verification service.</Notice>;
  }
  if (plansUrl === null) return null;
  return (
    <Notice tone="info">
      <p>Your shop has no plan. Choose one, or add your own key below.</p>
      <a class="button" href={plansUrl} target="_top">
        Choose a plan
      </a>
    </Notice>
  );
}

interface ServiceFormProps {
  readonly load: Pick<Load<Settings>, "etag" | "replace" | "reload">;
  readonly settings: Settings;
  /** In the setup steps, where nothing else says what the shop has to do. */
  readonly isSetup?: boolean;
  /** Called when a key was accepted. */
  readonly onSaved?: (() => void) | undefined;
}

/** A form for another key, which is tried out before it is kept. */
export function ServiceForm(props: ServiceFormProps) {
  const [round, setRound] = useState(0);
  return <ServiceFields key={round} {...props} onDiscard={() => setRound(round + 1)} />;
}

/** Who has to give an address: tenants whose key is for another service than the installation's. */
function asksUrl({ service: { from, url } }: Settings): boolean {
  return from === "own" || (from === "none" && url === null);
}

function ServiceFields({
  load,
  settings,
  isSetup = false,
  onSaved,
  onDiscard,
}: ServiceFormProps & { readonly onDiscard: () => void }) {
  const { from, url: known } = settings.service;
  const [apiKey, setApiKey] = useState("");
  const [organization, setOrganization] = useState("");
  const savedUrl = from === "own" ? (known ?? "") : "";
  const [url, setUrl] = useState(savedUrl);
  const { save, busy, problems, failure } = useSave(load);

  async function submit(): Promise<void> {
    const service = { apiKey: apiKey.trim(), organization: toGiven(organization), url: toGiven(url) };
    if (!(await save({ service }, "Key saved. Holdfast is now using it."))) return;
    setApiKey("");
    onSaved?.();
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      {isSetup && <PlanNotice service={settings.service} />}
      <TextField
        label={from === "none" ? "Key" : "New key"}
        isSecret
        autocomplete="new-password"
        value={apiKey}
        error={findProblem(problems, "service.apiKey")}
        hint="Stored encrypted and never shown again. Holdfast tests the key with a free call."
        onChange={setApiKey}
      />
      <TextField
        label="Organization (if the key has access to several)"
        value={organization}
        error={findProblem(problems, "service.organization")}
        onChange={setOrganization}
      />
      {asksUrl(settings) && (
        <UrlField value={url} error={findProblem(problems, "service.url")} onChange={setUrl} />
      )}
      <FormSave
        id="service-bar"
        isChanged={[apiKey, organization].join("") !== "" || url !== savedUrl}
        saveLabel="Test and save"
        disabledReason={apiKey.trim() === "" ? "Enter a key." : undefined}
        onSave={() => void submit()}
        {...{ busy, onDiscard }}
      >
        {from === "own" && <RemoveKey onRemove={() => void save({ service: null }, "Key removed.")} />}
      </FormSave>
    </form>
  );
}

type UrlFieldProps = Pick<Parameters<typeof TextField>[0], "value" | "error" | "onChange">;

function UrlField(props: UrlFieldProps) {
  return <TextField label="Service URL" placeholder="https://" {...props} />;
}

/** The fields that are not empty. */
function toGiven(text: string): string | null {
  return text.trim() || null;
}

function RemoveKey({ onRemove }: { readonly onRemove: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>Remove key</Button>
      {isAsking && (
        <ConfirmDialog
          title="Remove key?"
          confirm="Remove key"
          danger
          onConfirm={() => {
            setAsking(false);
            onRemove();
          }}
          onClose={() => setAsking(false)}
        >
          Holdfast then uses the installation’s key, if there is one. Otherwise, the local engine checks
          orders and never cancels.
        </ConfirmDialog>
      )}
    </>
  );
}

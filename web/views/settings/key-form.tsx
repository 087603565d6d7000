import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { TextField } from "../../components/entry.tsx";
import { Facts, Notice } from "../../components/panel.tsx";
import { FormSave } from "../../components/platform-save-bar.tsx";
import { Ago } from "../../components/time.tsx";
import { findProblem } from "../../data/policy-draft.ts";
import type { Settings } from "../../data/settings.ts";
import { useSave } from "../../data/use-save.ts";
import type { Load } from "../../data/use-load.ts";

interface KeyFactsProps {
  /** Whose key it is. */
  readonly words: string;
  readonly used: Pick<Settings["service"], "keyHint" | "organization" | "url" | "savedAt">;
}

/** Which key of a service is used. The key itself is never shown. */
export function KeyFacts({ words, used: { keyHint, organization, url, savedAt } }: KeyFactsProps) {
  return (
    <Facts
      facts={[
        ["Key", words],
        ...(keyHint === null ? [] : [["Ends in", <span class="mono">{keyHint}</span>] as const]),
        ...(organization === null ? [] : [["Organization", organization] as const]),
        ...(url === null ? [] : [["Address", url] as const]),
        ...(savedAt === null ? [] : [["Saved", <Ago at={savedAt} />] as const]),
      ]}
    />
  );
}

interface KeyFormProps {
  readonly load: Pick<Load<Settings>, "etag" | "replace" | "reload">;
  /** Which of the settings holds the key. */
  readonly part: "service" | "catalog";
  readonly from: Settings["service"]["from"];
  /** What the field for the service's address holds; null: no field. */
  readonly url?: string | null;
  /** Whether a saved key can be removed. Default: when it is the shop's own. */
  readonly canRemove?: boolean;
  /** What happens when the shop's own key is removed. */
  readonly onRemoval: string;
  /** Called when a key was accepted. */
  readonly onSaved?: (() => void) | undefined;
  /** What to say above the fields. */
  readonly children?: ComponentChildren;
}

/** Labels that are one of a kind on the page. */
const LABELS = {
  service: { key: "Key", newKey: "New key", organization: "Organization (if the key has access to several)" },
  catalog: {
    key: "Catalog key",
    newKey: "New catalog key",
    organization: "Catalog organization (if the key has access to several)",
  },
} as const;

/** A form for another key, which is tried out before it is kept. */
export function KeyForm(props: KeyFormProps) {
  const [round, setRound] = useState(0);
  return <KeyFields key={round} {...props} onDiscard={() => setRound(round + 1)} />;
}

function KeyFields(props: KeyFormProps & { readonly onDiscard: () => void }) {
  const { load, part, from, url: savedUrl = null, onSaved, onDiscard, onRemoval, children } = props;
  const { canRemove = from === "own" } = props;
  const [apiKey, setApiKey] = useState("");
  const [organization, setOrganization] = useState("");
  const [url, setUrl] = useState(savedUrl ?? "");
  const { save, busy, problems, failure } = useSave(load);
  const labels = LABELS[part];

  async function submit(): Promise<void> {
    const key = { apiKey: apiKey.trim(), organization: toGiven(organization) };
    const change = part === "catalog" ? { catalog: key } : { service: { ...key, url: toGiven(url) } };
    if (!(await save(change, "Key saved. Holdfast is now using it."))) return;
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
      {children}
      <TextField
        label={from === "none" ? labels.key : labels.newKey}
        isSecret
        autocomplete="new-password"
        value={apiKey}
        error={findProblem(problems, `${part}.apiKey`)}
        hint="Stored encrypted and never shown again. Holdfast tests the key with a free call."
        onChange={setApiKey}
      />
      <TextField
        label={labels.organization}
        value={organization}
        error={findProblem(problems, `${part}.organization`)}
        onChange={setOrganization}
      />
      {savedUrl !== null && (
        <UrlField value={url} error={findProblem(problems, `${part}.url`)} onChange={setUrl} />
      )}
      <FormSave
        id={`${part}-bar`}
        isChanged={[apiKey, organization].join("") !== "" || url !== (savedUrl ?? "")}
        saveLabel="Test and save"
        disabledReason={apiKey.trim() === "" ? "Enter a key." : undefined}
        onSave={() => void submit()}
        {...{ busy, onDiscard }}
      >
        {canRemove && (
          <RemoveKey onConfirm={() => void save({ [part]: null }, "Key removed.")}>{onRemoval}</RemoveKey>
        )}
      </FormSave>
    </form>
  );
}

type UrlFieldProps = Pick<Parameters<typeof TextField>[0], "value" | "error" | "onChange">;

function UrlField(props: UrlFieldProps) {
  return <TextField label="Service URL" placeholder="https://" {...props} />;
}

/** What is given; null for nothing. */
function toGiven(text: string): string | null {
  return text.trim() || null;
}

function RemoveKey(props: Pick<Parameters<typeof ConfirmButton>[0], "onConfirm" | "children">) {
  return <ConfirmButton label="Remove key" title="Remove key?" {...props} />;
}

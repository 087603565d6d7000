import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ConfirmButton } from "../../components/dialog.tsx";
import { TextField } from "../../components/form.tsx";
import { Facts, Notice, Panel } from "../../components/panel.tsx";
import { Discardable, SaveForm } from "../../components/platform-save-bar.tsx";
import { Ago } from "../../components/time.tsx";
import { findProblem } from "../../data/policy-draft.ts";
import type { Settings } from "../../data/settings.ts";
import type { Load } from "../../data/use-load.ts";
import { useSave } from "../../data/use-save.ts";

/** Properties of {@link ServicePanel}. */
export interface ServicePanelProps {
  readonly load: Pick<Load<Settings>, "etag" | "replace" | "reload">;
  readonly settings: Settings;
}

/** The verification service: which key is used, and another one. The key itself is never shown. */
export function ServicePanel({ load, settings }: ServicePanelProps) {
  const { service } = settings;
  return (
    <Panel title="Verification service">
      <div class="stack">
        {service.problem === "unreadable" && (
          <Notice tone="bad">The saved key can't be decrypted. Check DATA_KEY, or save the key again.</Notice>
        )}
        {service.problem === "no-address" && (
          <Notice tone="bad">The saved key has no service URL. Save it again with a URL.</Notice>
        )}
        <PlanNotice service={service} />
        <KeyFacts used={service} none="None: the local engine checks orders and never cancels" />
        <ServiceForm load={load} settings={settings} />
      </div>
    </Panel>
  );
}

/**
 * The catalog: whose key looks up what an order's products are, and another one. Nothing if no catalog is configured.
 */
export function CatalogPanel({ load, settings: { catalog } }: ServicePanelProps) {
  const { from, url, problem } = catalog;
  if (url === null && problem === null) return null;
  return (
    <Panel title="Catalog">
      <div class="stack">
        <p class="hint">
          Holdfast looks up the category, brand, and manufacturer of each order's products here, for your
          rules and your reviewers. This costs no credits.
        </p>
        {problem === "unreadable" && (
          <Notice tone="bad">
            The saved settings can't be decrypted, so no catalog is used. Check DATA_KEY. To start over, save
            or remove the service key first.
          </Notice>
        )}
        {problem === "no-address" && (
          <Notice tone="bad">
            A key is saved, but no catalog is configured. Set CATALOG_URL, or remove the key.
          </Notice>
        )}
        <KeyFacts used={catalog} none="None: orders are decided without the catalog" />
        <KeyForm
          load={load}
          part="catalog"
          from={from}
          canRemove={from === "own" || problem === "no-address"}
          onRemoval="Holdfast then uses the installation's key, if there is one. Otherwise, orders are decided without the catalog."
        />
      </div>
    </Panel>
  );
}

/** What the shop has to do before the paid service checks its orders. */
function PlanNotice({ service: { problem, plansUrl } }: Pick<Settings, "service">) {
  if (problem === "own-key-required") {
    return <Notice>Add your own key to have orders checked by the verification service.</Notice>;
  }
  if (plansUrl === null) return null;
  return (
    <Notice>
      <p>Your shop has no plan. Choose one, or add your own key below.</p>
      <a class="button" href={plansUrl} target="_top">
        Choose a plan
      </a>
    </Notice>
  );
}

interface KeyFactsProps {
  readonly used: Pick<Settings["service"], "from" | "keyHint" | "organization" | "url" | "savedAt">;
  /** The text if there is no key. */
  readonly none: string;
}

/** Which key of a service is used. The key itself is never shown. */
function KeyFacts({ used: { from, keyHint, organization, url, savedAt }, none }: KeyFactsProps) {
  const words = { own: "Saved here", environment: "The installation's configuration", none };
  return (
    <Facts
      facts={[
        ["Key", words[from]],
        ["Ends in", keyHint && <span class="mono">{keyHint}</span>],
        ["Organization", organization],
        ["Address", url],
        ["Saved", savedAt && <Ago at={savedAt} />],
      ]}
    />
  );
}

interface ServiceFormProps extends ServicePanelProps {
  /** In the setup steps, where nothing else says what the shop has to do. */
  readonly isSetup?: boolean;
  /** Called when a key was accepted. */
  readonly onSaved?: (() => void) | undefined;
}

/** A form for the shop's own key of the service. */
export function ServiceForm({ load, settings: { service }, isSetup = false, onSaved }: ServiceFormProps) {
  const { from, url } = service;
  // A tenant whose key is for another service than the installation's gives its address.
  const savedUrl = from === "own" ? (url ?? "") : from === "none" && url === null ? "" : null;
  return (
    <KeyForm
      load={load}
      part="service"
      from={from}
      url={savedUrl}
      onSaved={onSaved}
      canRemove={from === "own" || service.problem === "unreadable"}
      onRemoval="Holdfast then uses the installation's key, if there is one. Otherwise, the local engine checks orders and never cancels."
    >
      {isSetup && <PlanNotice service={service} />}
    </KeyForm>
  );
}

interface KeyFormProps extends Pick<ServiceFormProps, "load" | "onSaved"> {
  /** Which of the settings holds the key. */
  readonly part: "service" | "catalog";
  readonly from: Settings["service"]["from"];
  /** The value of the field for the service's address; null to hide the field. */
  readonly url?: string | null;
  /** Whether a saved key can be removed. */
  readonly canRemove: boolean;
  /** What happens when the shop's own key is removed. */
  readonly onRemoval: string;
  /** The text above the fields. */
  readonly children?: ComponentChildren;
}

/** Labels that are unique on the page. */
const LABELS = {
  service: { key: "Key", newKey: "New key", organization: "Organization (if the key has access to several)" },
  catalog: {
    key: "Catalog key",
    newKey: "New catalog key",
    organization: "Catalog organization (if the key has access to several)",
  },
} as const;

/** A form for another key, which is tested before it's saved. */
function KeyForm(props: KeyFormProps) {
  return <Discardable>{(onDiscard) => <KeyFields {...props} onDiscard={onDiscard} />}</Discardable>;
}

interface RemoveKeyProps {
  readonly children: ComponentChildren;
  readonly onConfirm: () => void;
}

function RemoveKey({ children, onConfirm }: RemoveKeyProps) {
  return (
    <ConfirmButton label="Remove key" title="Remove key?" onConfirm={onConfirm}>
      {children}
    </ConfirmButton>
  );
}

function KeyFields(props: KeyFormProps & { readonly onDiscard: () => void }) {
  const { load, part, from, url: savedUrl = null, canRemove, onSaved, onDiscard, onRemoval } = props;
  const [apiKey, setApiKey] = useState("");
  const [organization, setOrganization] = useState("");
  const [url, setUrl] = useState(savedUrl ?? "");
  const { save, busy, problems, failure } = useSave(load);
  const labels = LABELS[part];

  function submit(): void {
    const key = { apiKey: apiKey.trim(), organization: organization.trim() || null };
    const change = part === "catalog" ? { catalog: key } : { service: { ...key, url: url.trim() || null } };
    save(change, "Key saved. Holdfast is now using it.", () => {
      setApiKey("");
      onSaved?.();
    });
  }

  return (
    <SaveForm
      id={`${part}-bar`}
      isChanged={apiKey + organization !== "" || url !== (savedUrl ?? "")}
      saveLabel="Test and save"
      disabledReason={apiKey.trim() === "" ? "Enter a key." : undefined}
      onSave={submit}
      more={
        canRemove && (
          <RemoveKey onConfirm={() => save({ [part]: null }, "Key removed.")}>{onRemoval}</RemoveKey>
        )
      }
      {...{ busy, failure, onDiscard }}
    >
      {props.children}
      <TextField
        label={from === "none" ? labels.key : labels.newKey}
        type="password"
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
        <TextField
          label="Service URL"
          placeholder="https://"
          value={url}
          error={findProblem(problems, `${part}.url`)}
          onChange={setUrl}
        />
      )}
    </SaveForm>
  );
}

import { ConfirmButton } from "../../components/dialog.tsx";
import { TextField } from "../../components/form.tsx";
import { Facts, Notice, Panel } from "../../components/panel.tsx";
import { SaveForm } from "../../components/platform-save-bar.tsx";
import { Ago } from "../../components/time.tsx";
import type { Settings } from "../../data/settings/settings.ts";
import type { Load } from "../../data/api/use-load.ts";
import { useSettingsForm } from "../../data/settings/settings-form.ts";

export interface SettingsPartProps {
  readonly load: Pick<Load<Settings>, "etag" | "replace" | "reload">;
  readonly settings: Settings;
}

/** Labels are unique on the page. */
const WORDS = {
  service: {
    title: "Verification service",
    lead: undefined,
    unreadable: "The saved key can't be decrypted. Check DATA_KEY, or save the key again.",
    "no-address": "The saved key has no service URL. Save it again with a URL.",
    none: "None: the local engine checks orders and never cancels",
    key: "Key",
    newKey: "New key",
    organization: "Organization (if the key has access to several)",
    onRemoval:
      "Holdfast then uses the installation's key, if there is one. Otherwise, the local engine checks orders and never cancels.",
  },
  catalog: {
    title: "Catalog",
    lead: "Holdfast looks up the category, brand, and manufacturer of each order's products here, for your rules and your reviewers. This costs no credits.",
    unreadable:
      "The saved settings can't be decrypted, so no catalog is used. Check DATA_KEY. To start over, save or remove the service key first.",
    "no-address": "A key is saved, but no catalog is configured. Set CATALOG_URL, or remove the key.",
    none: "None: orders are decided without the catalog",
    key: "Catalog key",
    newKey: "New catalog key",
    organization: "Catalog organization (if the key has access to several)",
    onRemoval:
      "Holdfast then uses the installation's key, if there is one. Otherwise, orders are decided without the catalog.",
  },
} as const;

interface KeyProps extends SettingsPartProps {
  readonly part: keyof typeof WORDS;
}

/** Which key of a service is used, and a form for another one. Draws nothing for a catalog that isn't configured. */
export function KeyPanel({ part, ...props }: KeyProps) {
  const { service } = props.settings;
  const { from, keyHint, organization, url, savedAt, problem } = props.settings[part];
  const words = WORDS[part];
  const sources = { own: "Saved here", environment: "The installation's configuration", none: words.none };
  if (part === "catalog" && url === null && problem === null) return null;
  return (
    <Panel title={words.title} isStack>
      {words.lead && <p class="hint">{words.lead}</p>}
      {(problem === "unreadable" || problem === "no-address") && <Notice tone="bad">{words[problem]}</Notice>}
      {part === "service" && <PlanNotice service={service} />}
      <Facts
        facts={[
          ["Key", sources[from]],
          ["Ends in", keyHint && <span class="mono">{keyHint}</span>],
          ["Organization", organization],
          ["Address", url],
          ["Saved", savedAt && <Ago at={savedAt} />],
        ]}
      />
      <KeyForm part={part} {...props} />
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

interface KeyFormProps extends KeyProps {
  /** In the setup steps, where nothing else says what the shop has to do. */
  readonly isSetup?: boolean;
  /** Called when a key was accepted. */
  readonly onSaved?: (() => void) | undefined;
}

/** The address in the form; null if it has no field for it, because the installation's configuration has the address. */
function toSavedUrl({ from, url }: Settings["service"]): string | null {
  if (from === "own") return url ?? "";
  return from === "none" && url === null ? "" : null;
}

/** A form for another key, which is tested before it's saved. */
export function KeyForm({ load, settings, part, isSetup, onSaved }: KeyFormProps) {
  const { from, problem } = settings[part];
  const savedUrl = part === "service" ? toSavedUrl(settings.service) : null;
  const canRemove = from === "own" || problem === (part === "service" ? "unreadable" : "no-address");
  const start = { apiKey: "", organization: "", url: savedUrl ?? "" };
  const { input, set, field, save, form } = useSettingsForm(load, part, start);
  const words = WORDS[part];

  function submit(): void {
    const { apiKey, organization, url } = input;
    const key = { apiKey: apiKey.trim(), organization: organization.trim() || null };
    const change = part === "catalog" ? { catalog: key } : { service: { ...key, url: url.trim() || null } };
    save(change, "Key saved. Holdfast is now using it.", () => {
      set("apiKey", "");
      onSaved?.();
    });
  }

  const onRemove = () => save({ [part]: null }, "Key removed.");
  return (
    <SaveForm
      id={`${part}-bar`}
      saveLabel="Test and save"
      disabledReason={input.apiKey.trim() === "" ? "Enter a key." : undefined}
      onSave={submit}
      more={
        canRemove && (
          <ConfirmButton
            label="Remove key"
            title="Remove key?"
            onConfirm={onRemove}
            children={words.onRemoval}
          />
        )
      }
      {...form}
    >
      {isSetup && <PlanNotice service={settings.service} />}
      <TextField
        label={from === "none" ? words.key : words.newKey}
        type="password"
        hint="Stored encrypted and never shown again. Holdfast tests the key with a free call."
        {...field("apiKey")}
      />
      <TextField label={words.organization} {...field("organization")} />
      {savedUrl !== null && <TextField label="Service URL" placeholder="https://" {...field("url")} />}
    </SaveForm>
  );
}

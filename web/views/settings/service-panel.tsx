import { ConfirmButton } from "../../components/dialog.tsx";
import { TextField } from "../../components/form.tsx";
import { Facts, Notice, Panel } from "../../components/panel.tsx";
import { SaveForm } from "../../components/platform-save-bar.tsx";
import { Ago } from "../../components/time.tsx";
import type { Settings } from "../../data/settings/settings.ts";
import type { Load } from "../../data/api/use-load.ts";
import { useSettingsForm } from "../../data/settings/settings-form.ts";
import { t } from "../../data/base/texts.ts";

export interface SettingsPartProps {
  readonly load: Pick<Load<Settings>, "etag" | "replace" | "reload">;
  readonly settings: Settings;
}

/** Labels are unique on the page. */
const WORDS = {
  service: {
    title: t("settings.verification-service"),
    lead: undefined,
    unreadable: t("settings.the-saved-key-cant-be-decrypted"),
    "no-address": t("settings.the-saved-key-has-no-service"),
    none: t("settings.none-the-local-engine-checks-orders"),
    key: t("settings.key"),
    newKey: t("settings.new-key"),
    organization: t("settings.organization-if-the-key-has-access"),
    onRemoval: t("settings.holdfast-then-uses-the-installations-key"),
  },
  catalog: {
    title: t("settings.catalog"),
    lead: t("settings.holdfast-looks-up-the-category-brand"),
    unreadable: t("settings.the-saved-settings-cant-be-decrypted"),
    "no-address": t("settings.a-key-is-saved-but-no"),
    none: t("settings.none-orders-are-decided-without-the"),
    key: t("settings.catalog-key"),
    newKey: t("settings.new-catalog-key"),
    organization: t("settings.catalog-organization-if-the-key-has"),
    onRemoval: t("settings.holdfast-then-uses-the-installations-key-if"),
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
  const sources = {
    own: t("settings.saved-here"),
    environment: t("settings.the-installations-configuration"),
    none: words.none,
  };
  if (part === "catalog" && url === null && problem === null) return null;
  return (
    <Panel title={words.title} isStack>
      {words.lead && <p class="hint">{words.lead}</p>}
      {(problem === "unreadable" || problem === "no-address") && <Notice tone="bad">{words[problem]}</Notice>}
      {part === "service" && <PlanNotice service={service} />}
      <Facts
        facts={[
          [t("settings.key"), sources[from]],
          [t("settings.ends-in"), keyHint && <span class="mono">{keyHint}</span>],
          [t("settings.organization"), organization],
          [t("settings.address"), url],
          [t("settings.saved"), savedAt && <Ago at={savedAt} />],
        ]}
      />
      <KeyForm part={part} {...props} />
    </Panel>
  );
}

/** What the shop has to do before the paid service checks its orders. */
function PlanNotice({ service: { problem, plansUrl } }: Pick<Settings, "service">) {
  if (problem === "own-key-required") {
    return <Notice>{t("settings.add-your-own-key-to-have")}</Notice>;
  }
  if (plansUrl === null) return null;
  return (
    <Notice>
      <p>{t("settings.your-shop-has-no-plan-choose")}</p>
      <a class="button" href={plansUrl} target="_top">
        {t("settings.choose-a-plan")}
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
    save(change, t("settings.key-saved-holdfast-is-now-using"), () => {
      set("apiKey", "");
      onSaved?.();
    });
  }

  const onRemove = () => save({ [part]: null }, t("settings.key-removed"));
  return (
    <SaveForm
      id={`${part}-bar`}
      saveLabel={t("settings.test-and-save")}
      disabledReason={input.apiKey.trim() === "" ? t("settings.enter-a-key") : undefined}
      onSave={submit}
      more={
        canRemove && (
          <ConfirmButton
            label={t("settings.remove-key")}
            title={t("settings.remove-key-2")}
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
        hint={t("settings.stored-encrypted-and-never-shown-again")}
        {...field("apiKey")}
      />
      <TextField label={words.organization} {...field("organization")} />
      {savedUrl !== null && (
        <TextField label={t("settings.service-url")} placeholder="https://" {...field("url")} />
      )}
    </SaveForm>
  );
}

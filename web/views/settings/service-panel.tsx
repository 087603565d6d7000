import { Notice, Panel } from "../../components/panel.tsx";
import type { Settings } from "../../data/settings.ts";
import type { Load } from "../../data/use-load.ts";
import { KeyFacts, KeyForm } from "./key-form.tsx";

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
  const { from, problem } = service;
  return (
    <>
      {problem === "unreadable" && (
        <Notice tone="bad">
          The saved settings can't be decrypted. Check DATA_KEY. To start over, save a key or remove the one
          that is saved: this deletes all saved settings.
        </Notice>
      )}
      {problem === "no-address" && (
        <Notice tone="bad">The saved key has no service URL. Save it again with a URL.</Notice>
      )}
      <PlanNotice service={service} />
      <KeyFacts words={FROM_WORDS[from]} used={service} />
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

/** Who has to give an address: tenants whose key is for another service than the installation's. */
function asksUrl({ from, url }: Settings["service"]): boolean {
  return from === "own" || (from === "none" && url === null);
}

/** A form for the shop's own key of the service. */
export function ServiceForm({ load, settings: { service }, isSetup = false, onSaved }: ServiceFormProps) {
  const { from, url } = service;
  return (
    <KeyForm
      load={load}
      part="service"
      from={from}
      url={asksUrl(service) ? (from === "own" ? (url ?? "") : "") : null}
      onSaved={onSaved}
      canRemove={from === "own" || service.problem === "unreadable"}
      onRemoval="Holdfast then uses the installation’s key, if there is one. Otherwise, the local engine checks orders and never cancels."
    >
      {isSetup && <PlanNotice service={service} />}
    </KeyForm>
  );
}

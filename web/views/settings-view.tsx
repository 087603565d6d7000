import { Facts, Loading, Notice, Panel } from "../components/panel.tsx";
import { SubNav } from "../components/sub-nav.tsx";
import { useRoute } from "../data/route.ts";
import type { Session } from "../data/api-types.ts";
import { sessionState, toRoleReason } from "../data/session.ts";
import { useLoad } from "../data/use-load.ts";
import { useValue } from "../data/value.ts";
import { AccessLogPanel } from "./settings/access-log-panel.tsx";
import { AlertPanel } from "./settings/alert-panel.tsx";
import { CatalogPanel } from "./settings/catalog-panel.tsx";
import { DataRequestPanel } from "./settings/data-request-panel.tsx";
import { PeoplePanel } from "./settings/people-panel.tsx";
import { ServicePanel } from "./settings/service-panel.tsx";
import { SetupSteps } from "./settings/setup-steps.tsx";

const PARTS = [
  [null, "Service and alerts"],
  ["people", "People"],
  ["access", "Access log"],
  ["requests", "Data requests"],
  ["setup", "Setup"],
  ["about", "About"],
] as const;

/** Which service Holdfast asks, who it alerts, who may use it, who did, and how it is set up. */
export function SettingsView() {
  const { id } = useRoute();
  return (
    <div class="page">
      <div class="page-head row">
        <h1>Settings</h1>
        <SubNav label="Settings sections" view="settings" open={id} parts={PARTS} />
      </div>
      <SettingsPart id={id} />
    </div>
  );
}

function SettingsPart({ id }: { readonly id: string | null }) {
  const state = useValue(sessionState);
  const reason = toRoleReason("owner");
  if (id === "setup") return <SetupSteps isPart />;
  if (id === "about") return state.status === "signed-in" ? <About session={state.session} /> : null;
  if (reason !== undefined) return <Notice>{reason}</Notice>;
  if (id === "people") return <PeoplePanel />;
  if (id === "access") return <AccessLogPanel />;
  if (id === "requests") return <DataRequestPanel />;
  return <ServiceAndAlerts />;
}

function ServiceAndAlerts() {
  const load = useLoad("GET /settings");
  const { data } = load;
  if (data === null) return <Loading load={load} lines={12} />;
  return (
    <div class="columns halves">
      <div class="stack">
        <ServicePanel load={load} settings={data} />
        <CatalogPanel load={load} settings={data} />
      </div>
      <AlertPanel load={load} settings={data} />
    </div>
  );
}

function About({ session }: { readonly session: Session }) {
  const { version, verification } = session.about;
  return (
    <Panel title="About this installation">
      <div class="stack">
        <Facts
          facts={[
            ["Holdfast", version],
            ["Shop", session.shop ?? session.tenant],
            [
              "Orders are checked by",
              verification === "service" ? "The verification service" : "The local engine",
            ],
          ]}
        />
        <p>
          You can also do everything on this page with the API:{" "}
          <a href="/api/openapi.json" target="_blank" rel="noreferrer">
            API reference (OpenAPI 3.1)
          </a>
          .
        </p>
      </div>
    </Panel>
  );
}

import { ActionButton } from "../components/action-button.tsx";
import { Empty, Facts, Loading, Notice, Page, Panel } from "../components/panel.tsx";
import { SubNav } from "../components/sub-nav.tsx";
import { Time } from "../components/time.tsx";
import type { Session } from "../data/api/api-types.ts";
import { call } from "../data/api/api.ts";
import { saveFile } from "../data/reports/report.ts";
import { useRoute } from "../data/shell/route.ts";
import { getSession, toRoleReason } from "../data/api/session.ts";
import { useLoad } from "../data/api/use-load.ts";
import { AccessLogPanel } from "./settings/access-log-panel.tsx";
import { AlertPanel } from "./settings/alert-panel.tsx";
import { PeoplePanel } from "./settings/people-panel.tsx";
import { KeyPanel } from "./settings/service-panel.tsx";
import { SetupSteps } from "./settings/setup-steps.tsx";

const PARTS = [
  [null, "Service and alerts"],
  ["people", "People"],
  ["access", "Access log"],
  ["requests", "Data requests"],
  ["setup", "Setup"],
  ["about", "About"],
] as const;

export function SettingsView() {
  const { id } = useRoute();
  return (
    <Page
      title="Settings"
      aside={<SubNav label="Settings sections" view="settings" open={id} parts={PARTS} />}
    >
      <SettingsPart id={id} />
    </Page>
  );
}

function SettingsPart({ id }: { readonly id: string | null }) {
  const session = getSession();
  const reason = toRoleReason("owner");
  if (id === "setup") return <SetupSteps isPart />;
  if (id === "about") return session && <About session={session} />;
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
    <div class="columns halves stack">
      <div class="stack">
        <KeyPanel part="service" load={load} settings={data} />
        <KeyPanel part="catalog" load={load} settings={data} />
      </div>
      <AlertPanel key={data.version} load={load} settings={data} />
    </div>
  );
}

function About({ session }: { readonly session: Session }) {
  const { version, verification } = session.about;
  return (
    <Panel title="About this installation" isStack>
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
    </Panel>
  );
}

function DataRequestPanel() {
  const load = useLoad("GET /data-requests");
  const { data } = load;
  if (data === null) return <Loading load={load} lines={6} />;

  return (
    <Panel
      title="Customer data requests"
      aside={<span class="count">{data.requests.length}</span>}
      lead="Data of customers who requested it, ready to send to them. Every download is logged."
    >
      {data.requests.length === 0 && <Empty title="No open data requests" icon="check" />}
      <ul class="people">
        {data.requests.map(({ requestId, preparedAt }) => (
          <li key={requestId} class="stack">
            <div class="person-who grow anywhere">
              <strong>{requestId}</strong>
              <span class="hint">
                prepared <Time at={preparedAt} />
              </span>
            </div>
            <ActionButton label="Download" small icon="download" onAct={() => download(requestId)} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

async function download(requestId: string): Promise<void> {
  const { data } = await call("GET /data-requests/:requestId", { params: { requestId } });
  saveFile(`data-request-${requestId}.json`, "application/json", JSON.stringify(data, null, 2));
}

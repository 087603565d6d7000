import { ActionButton } from "../components/action-button.tsx";
import { Empty, Facts, Loading, Notice, Page, Panel } from "../components/panel.tsx";
import { SubNav } from "../components/sub-nav.tsx";
import { Time } from "../components/time.tsx";
import type { Session } from "../data/api/api-types.ts";
import { call } from "../data/api/api.ts";
import { saveFile } from "../data/base/save-file.ts";
import { useRoute } from "../data/shell/route.ts";
import { getSession, toRoleReason } from "../data/api/session.ts";
import { useLoad } from "../data/api/use-load.ts";
import { SETTINGS_PARTS } from "../data/settings/settings.ts";
import { AccessLogPanel } from "./settings/access-log-panel.tsx";
import { AlertPanel } from "./settings/alert-panel.tsx";
import { DisputeSettingsPanel } from "./settings/dispute-panel.tsx";
import { MoneyPanel } from "./settings/money-panel.tsx";
import { NoticePanel } from "./settings/notice-panel.tsx";
import { PeoplePanel } from "./settings/people-panel.tsx";
import { KeyPanel } from "./settings/service-panel.tsx";
import { SetupSteps } from "./settings/setup-steps.tsx";
import { rich, t } from "../data/base/texts.ts";

export function SettingsView() {
  const { id } = useRoute();
  return (
    <Page
      title={t("settings.settings")}
      aside={
        <SubNav label={t("settings.settings-sections")} view="settings" open={id} parts={SETTINGS_PARTS} />
      }
    >
      <SettingsPart id={id} />
    </Page>
  );
}

function SettingsPart({ id }: { readonly id: string | null }) {
  const session = getSession();
  const reason = toRoleReason("owner");
  if (id === "notices") return <Notices />;
  if (id === "setup") return <SetupSteps isPart />;
  if (id === "about") return session && <About session={session} />;
  if (reason !== undefined) return <Notice>{reason}</Notice>;
  if (id === "money") return <MoneyPanel />;
  if (id === "disputes") return <DisputeSettingsPanel />;
  if (id === "people") return <PeoplePanel />;
  if (id === "access") return <AccessLogPanel />;
  if (id === "requests") return <DataRequestPanel />;
  return <ServiceAndAlerts />;
}

function Notices() {
  const load = useLoad("GET /notices");
  const { data } = load;
  return data === null ? <Loading load={load} lines={12} /> : <NoticePanel load={load} notices={data} />;
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
    <Panel title={t("settings.about-this-installation")} isStack>
      <Facts
        facts={[
          ["Holdfast", version],
          [t("settings.shop"), session.shop ?? session.tenant],
          [
            t("settings.orders-are-checked-by"),
            verification === "service"
              ? t("settings.the-verification-service")
              : t("settings.the-local-engine"),
          ],
        ]}
      />
      <p>
        {rich("settings.api", {
          link: (text) => (
            <a href="/api/openapi.json" target="_blank" rel="noreferrer">
              {text}
            </a>
          ),
        })}
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
      title={t("settings.customer-data-requests")}
      aside={<span class="count">{data.requests.length}</span>}
      lead={t("settings.data-of-customers-who-requested-it")}
    >
      {data.requests.length === 0 && <Empty title={t("settings.no-open-data-requests")} icon="check" />}
      <ul class="people">
        {data.requests.map(({ requestId, preparedAt }) => (
          <li key={requestId} class="stack">
            <div class="person-who grow anywhere">
              <strong>{requestId}</strong>
              <span class="hint">{rich("settings.prepared", { time: <Time at={preparedAt} /> })}</span>
            </div>
            <ActionButton
              label={t("settings.download")}
              small
              icon="download"
              onAct={() => download(requestId)}
            />
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

import { randomUUID } from "node:crypto";
import type { FieldProblem } from "../../../base/errors.ts";
import { isWebhookUrl } from "../../../alerts/alert-config.ts";
import { isLoopback, isPublicHost } from "../../../base/public-address.ts";
import type { TenantId } from "../../../platform/platform.ts";
import { Secret } from "../../../base/secret.ts";
import { loadSettings } from "../../../settings/current-settings.ts";
import { toSettingsContent, type TenantSettings } from "../../../settings/tenant-settings.ts";
import { toCircuitName } from "../../../service/circuit-rules.ts";
import { noteAct } from "../base/note-access.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { checkCatalog, checkService, toSettingsRefusal } from "./service-check.ts";
import { readIfMatch } from "../../http/query.ts";
import { ProblemError } from "../../http/responses.ts";
import type { Installation, ServerParts } from "../../parts/server-parts.ts";
import { settingsChange, settingsJson, toSettingsJson, type SettingsChange } from "./settings-json.ts";

const HOUR_MS = 3_600_000;
/** Each test connects to a service that sees all tenants at one address. This is enough to find the right key. */
const KEY_CHECKS_HOURLY = 30;

const SETTINGS_ROUTES = {
  "GET /settings": {
    id: "showSettings",
    summary: "Get the service key's status and alert recipients. The version is the ETag.",
    role: "owner",
    answers: { 200: settingsJson },
  },
  "PUT /settings": {
    id: "changeSettings",
    summary: "Update the settings in the body. A key is tested with a free call before it's saved.",
    role: "owner",
    body: settingsChange,
    maxBodyBytes: 32 * 1024,
    answers: { 200: settingsJson },
    problems: [409, 412],
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof SETTINGS_ROUTES> = CallOf<typeof SETTINGS_ROUTES, Route>;

export function createSettingsRoutes(parts: ServerParts) {
  return handleRoutes(SETTINGS_ROUTES, {
    "GET /settings": async (call) => show(parts, call, await loadSettings(parts.store, call.session.tenant)),
    "PUT /settings": (call) => changeSettings(parts, call),
  });
}

async function show(
  { store, installation, accesses }: ServerParts,
  { session: { tenant }, answer }: Pick<Call<"GET /settings">, "session" | "answer">,
  settings: TenantSettings,
): Promise<void> {
  const platform = (await store.tenants.get(tenant))?.platform ?? null;
  const entitlement = await accesses.entitlement(tenant);
  const body = toSettingsJson(settings, { tenant, installation, entitlement, platform });
  answer(200, body, { ETag: `"${settings.version}"` });
}

async function changeSettings(parts: ServerParts, call: Call<"PUT /settings">): Promise<void> {
  const { session, body: change, req } = call;
  const current = await loadSettings(parts.store, session.tenant);
  if (readIfMatch(req)?.includes(`"${current.version}"`) === false) throw new ProblemError(CHANGED);
  // Saving would silently drop what can't be decrypted. Setting the service key starts over on purpose.
  if (!current.isReadable && change.service === undefined) throw new ProblemError(UNREADABLE);
  const errors = checkContacts(parts.installation, session.tenant, change.alerts);
  if (errors.length > 0) throw toSettingsRefusal(errors);

  const { tenant } = session;
  const service = await toKey(parts, tenant, [change.service, current.service], (wanted) =>
    checkService(parts, tenant, wanted),
  );
  const catalog = await toKey(parts, tenant, [change.catalog, current.catalog], (wanted) =>
    checkCatalog(parts, wanted),
  );
  await noteAct(parts, session, "settings", toSubject(change));
  const next = {
    service,
    catalog,
    alerts: toAlerts(current.alerts, change.alerts),
    phantom: current.phantom,
  };
  const content = toSettingsContent(next);
  const saved = await parts.store.settings.save(session.tenant, content, current.version, parts.now());
  if (saved === null) throw new ProblemError(CHANGED);
  parts.settings.forget(session.tenant);
  if (change.service !== undefined) await trust(parts, session.tenant, service);
  parts.logger.info(
    { version: saved.version, actor: session.actor, tenant: session.tenant },
    "settings were saved",
  );
  await show(parts, call, { ...next, version: saved.version, isReadable: true });
}

/** A key of the tenant's own to save, after a test. */
async function toKey<Wanted extends { readonly apiKey: string }, Kept, Accepted>(
  parts: ServerParts,
  tenant: TenantId,
  [wanted, kept]: readonly [wanted: Wanted | null | undefined, kept: Kept],
  check: (wanted: Wanted) => Promise<Accepted>,
) {
  if (wanted === undefined) return kept;
  if (wanted === null) return null;
  await takeKeyCheck(parts, tenant);
  return { ...(await check(wanted)), apiKey: new Secret(wanted.apiKey), savedAtMs: parts.now() };
}

async function takeKeyCheck({ store, now }: ServerParts, tenant: TenantId): Promise<void> {
  const nowMs = now();
  const quota = { tenant, name: "key-check", key: randomUUID(), nowMs, sinceMs: nowMs - HOUR_MS };
  if (await store.ledger.takeQuota({ ...quota, max: KEY_CHECKS_HOURLY })) return;
  const detail = `You can test ${KEY_CHECKS_HOURLY} keys per hour. Nothing was saved. Try again later.`;
  throw new ProblemError({ status: 429, detail }, { "Retry-After": "600" });
}

/** A key that was just tested is no longer blocked, in any process. */
async function trust(
  { accesses, breaker, store }: ServerParts,
  tenant: TenantId,
  service: TenantSettings["service"],
): Promise<void> {
  // This also detects that a former key is no longer in use.
  await accesses.of(tenant);
  const keyId = accesses.toKeyId(tenant, service);
  if (keyId === undefined) return;
  breaker.forget(keyId);
  await store.ledger.saveBlock(toCircuitName(keyId), null);
}

function toAlerts(
  current: TenantSettings["alerts"],
  change: SettingsChange["alerts"] = {},
): TenantSettings["alerts"] {
  const webhookUrl = toChanged(current.webhookUrl, change.webhookUrl);
  return {
    email: change.email === undefined ? current.email : [...new Set(change.email)],
    webhookUrl,
    webhookSecret: webhookUrl === null ? null : toChanged(current.webhookSecret, change.webhookSecret),
  };
}

function toChanged(current: Secret | null, change: string | null | undefined): Secret | null {
  if (change === undefined) return current;
  return change === null ? null : new Secret(change);
}

function checkContacts(
  { operatorTenant, isSingleTenant }: Installation,
  tenant: TenantId,
  alerts: SettingsChange["alerts"],
): readonly FieldProblem[] {
  const url = alerts?.webhookUrl ?? null;
  if (url === null) return [];
  const isOwnMachine = isSingleTenant && tenant === operatorTenant;
  if (isWebhookUrl(url)) {
    const { protocol, hostname } = new URL(url);
    if (isLoopback(hostname) ? isOwnMachine : protocol === "https:" && isPublicHost(hostname)) return [];
  }
  const message = "expected a public https URL without credentials or fragment";
  return [{ path: "alerts.webhookUrl", message }];
}

/** The changed parts, for the access log: names, never values. */
function toSubject({ service, catalog, alerts }: SettingsChange): string {
  return [
    service !== undefined && "service",
    catalog !== undefined && "catalog",
    alerts !== undefined && "alerts",
  ]
    .filter(Boolean)
    .join(" ");
}

const UNREADABLE = {
  status: 409,
  detail:
    "The saved settings can't be decrypted. Nothing was changed. Check DATA_KEY. To start over, save the service key first, " +
    'or "service": null for none: this deletes all that was saved.',
};
const CHANGED = { status: 412, detail: "Someone else changed the settings. Read them again." };

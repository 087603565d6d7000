import { randomUUID } from "node:crypto";
import { refusalOf } from "../../../base/refusals.ts";
import type { TenantId } from "../../../platform/platform.ts";
import { Secret } from "../../../base/secret.ts";
import { loadSettings } from "../../../settings/current-settings.ts";
import { toSettingsContent, type TenantSettings } from "../../../settings/tenant-settings.ts";
import { toCircuitName } from "../../../service/circuit-rules.ts";
import { noteAct } from "../base/note-access.ts";
import { checkWebhookUrl, isOperators } from "../base/webhook-url.ts";
import { handleRoutes, type CallOf, type RouteDefinitions } from "../../http/api-route.ts";
import { checkCatalog, checkService, toSettingsRefusal } from "./service-check.ts";
import { readIfMatch } from "../../http/query.ts";
import { ProblemError } from "../../http/responses.ts";
import type { LocalParts } from "../../parts/shop-locales.ts";
import type { ServerParts } from "../../parts/server-parts.ts";
import { toDisputes } from "./dispute-change.ts";
import { toMoney } from "./money-change.ts";
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
    // A thousand exchange rates.
    maxBodyBytes: 96 * 1024,
    answers: { 200: settingsJson },
    problems: [409, 412],
  },
} satisfies RouteDefinitions;

type Call<Route extends keyof typeof SETTINGS_ROUTES> = CallOf<typeof SETTINGS_ROUTES, Route>;

export function createSettingsRoutes(parts: LocalParts) {
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

async function changeSettings(parts: LocalParts, call: Call<"PUT /settings">): Promise<void> {
  const { session, body: change, req } = call;
  const current = await loadSettings(parts.store, session.tenant);
  if (readIfMatch(req)?.includes(`"${current.version}"`) === false) throw new ProblemError(CHANGED);
  // Saving would silently drop what can't be decrypted. Setting the service key starts over on purpose.
  if (!current.isReadable && change.service === undefined) throw new ProblemError(UNREADABLE);
  const errors = checkWebhookUrl(
    isOperators(parts.installation, session.tenant),
    "alerts.webhookUrl",
    change.alerts?.webhookUrl,
  );
  if (errors.length > 0) throw toSettingsRefusal(errors);

  const { tenant } = session;
  const money = await toMoney(parts.localeOf, tenant, current.money, change.money);
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
    money,
    disputes: toDisputes(current.disputes, change.disputes, parts.now()),
  };
  const content = toSettingsContent(next);
  const saved = await parts.store.settings.save(session.tenant, content, current.version, parts.now());
  if (saved === null) throw new ProblemError(CHANGED);
  parts.settings.forget(session.tenant);
  // The chore does this too, in case the process ends in between.
  if (next.disputes.keepDays === null) await parts.store.outcomes.dropKept(tenant);
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
  throw new ProblemError(refusalOf(429, "key-test-limit", { max: KEY_CHECKS_HOURLY }), {
    "Retry-After": "600",
  });
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
    language: change.language ?? current.language,
  };
}

function toChanged(current: Secret | null, change: string | null | undefined): Secret | null {
  if (change === undefined) return current;
  return change === null ? null : new Secret(change);
}

/** The changed parts, for the access log: names, never values. */
function toSubject({ service, catalog, alerts, money, disputes }: SettingsChange): string {
  return [
    service !== undefined && "service",
    catalog !== undefined && "catalog",
    alerts !== undefined && "alerts",
    money !== undefined && "money",
    disputes !== undefined && "disputes",
  ]
    .filter(Boolean)
    .join(" ");
}

const UNREADABLE = refusalOf(409, "settings-unreadable-start-over");
const CHANGED = refusalOf(412, "settings-changed");

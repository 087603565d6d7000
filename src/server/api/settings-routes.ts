import { randomUUID } from "node:crypto";
import type { FieldProblem } from "../../base/errors.ts";
import { isWebhookUrl } from "../../alerts/alert-config.ts";
import { isLoopback, isPublicHost } from "../../base/public-address.ts";
import type { TenantId } from "../../platform/platform.ts";
import { Secret } from "../../base/secret.ts";
import {
  parseSettings,
  toSettingsContent,
  UNSET,
  type TenantSettings,
} from "../../settings/tenant-settings.ts";
import { toCircuitName } from "../../service/circuit.ts";
import { noteAct } from "./access.ts";
import type { ApiCall, ApiRoute } from "./api-route.ts";
import { type Installation, checkService } from "./service-check.ts";
import { readJson } from "../http/json-body.ts";
import { sendJson, sendProblem, toRetryAfter } from "../http/responses.ts";
import { discardRest } from "../http/request-body.ts";
import type { ServerParts } from "../server-parts.ts";
import {
  parseSettingsChange,
  settingsChange,
  settingsJson,
  toSettingsJson,
  type SettingsChange,
} from "./settings-json.ts";

type SettingsParts = Pick<
  ServerParts,
  "store" | "settings" | "accesses" | "breaker" | "installation" | "logger" | "now" | "bodyTimeoutMs"
>;

const MAX_SETTINGS_BYTES = 32 * 1024;
const BODY_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 30;
const HOUR_MS = 3_600_000;
/** Each test connects to a service that sees all tenants at one address. This is enough to find the right key. */
const KEY_CHECKS_HOURLY = 30;

/** `GET /api/settings` and `PUT /api/settings`. */
export function createSettingsRoutes(parts: SettingsParts): readonly ApiRoute[] {
  return [
    {
      path: "/settings",
      operations: {
        GET: {
          id: "showSettings",
          summary: "Get the service key's status and alert recipients. The version is the ETag.",
          role: "owner",
          answers: { 200: settingsJson },
          handle: async ({ session, res }) =>
            send(parts, session.tenant, res, await load(parts, session.tenant)),
        },
        PUT: {
          id: "changeSettings",
          summary: "Update the settings in the body. A key is tested with a free call before it's saved.",
          role: "owner",
          body: settingsChange,
          answers: { 200: settingsJson },
          problems: [408, 412, 413, 415, 422],
          handle: (call) => changeSettings(parts, call),
        },
      },
    },
  ];
}

/** As the store has them, whatever was read of late. */
async function load({ store }: SettingsParts, tenant: TenantId): Promise<TenantSettings> {
  const kept = await store.loadSettings(tenant);
  return kept === null ? UNSET : parseSettings(kept.version, kept.content);
}

async function send(
  { store, installation }: SettingsParts,
  tenant: TenantId,
  res: ApiCall["res"],
  settings: TenantSettings,
): Promise<void> {
  const platform = (await store.getTenant(tenant))?.platform ?? null;
  const body = toSettingsJson(settings, { tenant, installation, platform });
  sendJson(res, 200, body, { ETag: `"${settings.version}"` });
}

async function changeSettings(parts: SettingsParts, call: ApiCall): Promise<void> {
  const { session, req, res } = call;
  const timeoutMs = parts.bodyTimeoutMs ?? BODY_TIMEOUT_MS;
  const body = await readJson(req, { maxBytes: MAX_SETTINGS_BYTES, timeoutMs });
  if (body.outcome === "aborted") return;
  if (body.outcome === "refused") {
    sendProblem(res, body.problem);
    return discardRest(req);
  }
  const parsed = parseSettingsChange(body.document);
  if ("errors" in parsed) return sendRefused(res, parsed.errors);
  const { change } = parsed;
  const current = await load(parts, session.tenant);
  if (!isExpected(req.headers["if-match"], current.version)) return sendChanged(res);
  const errors = checkContacts(parts.installation, session.tenant, change.alerts);
  if (errors.length > 0) return sendRefused(res, errors);

  const service = await toService(parts, call, change.service, current);
  if (service === "answered") return;
  await noteAct(parts, session, "settings", toSubject(change));
  const next = { service, alerts: toAlerts(current.alerts, change.alerts) };
  const content = toSettingsContent(next);
  const saved = await parts.store.saveSettings(session.tenant, content, current.version, parts.now());
  if (saved === null) return sendChanged(res);
  parts.settings.forget(session.tenant);
  if (change.service !== undefined) await trust(parts, session.tenant, service);
  parts.logger.info(
    { version: saved.version, actor: session.actor, tenant: session.tenant },
    "settings were saved",
  );
  await send(parts, session.tenant, res, { ...next, version: saved.version, isReadable: true });
}

/** The tenant's own key to save; `answered` after an error response. */
async function toService(
  parts: SettingsParts,
  { session, res }: ApiCall,
  wanted: SettingsChange["service"],
  current: TenantSettings,
): Promise<TenantSettings["service"] | "answered"> {
  if (wanted === undefined) return current.service;
  if (wanted === null) return null;
  const nowMs = parts.now();
  const quota = { tenant: session.tenant, name: "key-check", key: randomUUID(), nowMs };
  if (!(await parts.store.takeQuota({ ...quota, sinceMs: nowMs - HOUR_MS, max: KEY_CHECKS_HOURLY }))) {
    const detail = `You can test ${KEY_CHECKS_HOURLY} keys per hour. Nothing was saved. Try again later.`;
    sendProblem(res, { status: 429, detail }, { "Retry-After": "600" });
    return "answered";
  }
  const check = await checkService(parts, session.tenant, wanted);
  switch (check.outcome) {
    case "accepted": {
      const { url, organization } = check;
      return { url, organization, apiKey: new Secret(wanted.apiKey), savedAtMs: parts.now() };
    }
    case "refused":
      sendRefused(res, check.errors);
      return "answered";
    case "unavailable": {
      const detail = "Can't reach the verification service to test the key. Nothing was saved. Try again.";
      const retryAfter = toRetryAfter(check.retryAtMs, parts.now(), RETRY_AFTER_SECONDS);
      sendProblem(res, { status: 503, code: check.code, detail }, { "Retry-After": retryAfter });
      return "answered";
    }
    default:
      return check satisfies never;
  }
}

/** A key that was tried out just now is not held back any more, in whichever process it was. */
async function trust(
  { accesses, breaker, store }: SettingsParts,
  tenant: TenantId,
  service: TenantSettings["service"],
): Promise<void> {
  // Notices that a former key is not in use any more.
  await accesses.of(tenant);
  const keyId = accesses.toKeyId(tenant, service);
  if (keyId === undefined) return;
  breaker.forget(keyId);
  await store.saveCircuit(toCircuitName(keyId), null);
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

/** What was changed, for the access log: names of parts, never their values. */
function toSubject({ service, alerts }: SettingsChange): string {
  return [service !== undefined && "service", alerts !== undefined && "alerts"].filter(Boolean).join(" ");
}

function isExpected(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === "*") return true;
  // Strong comparison: a weak tag, `W/"3"`, matches nothing.
  return ifMatch.split(",").some((tag) => tag.trim() === `"${version}"`);
}

function sendRefused(res: ApiCall["res"], errors: readonly FieldProblem[]): void {
  sendProblem(res, {
    status: 422,
    detail: "The settings weren't saved. Fix the fields listed in errors.",
    errors,
  });
}

function sendChanged(res: ApiCall["res"]): void {
  sendProblem(res, { status: 412, detail: "Someone else changed the settings. Read them again." });
}

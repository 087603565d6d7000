import { z } from "zod";
import { toIso } from "../../../base/iso-time.ts";
import { isEmailAddress } from "../../../alerts/alert-config.ts";
import { isWebhookSecret, WEBHOOK_SECRET_RULE } from "../../../alerts/webhook-signature.ts";
import type { Entitlement, TenantId } from "../../../platform/platform.ts";
import type { OwnService, TenantSettings } from "../../../settings/tenant-settings.ts";
import type { Installation } from "../../parts/server-parts.ts";

/** Whose key is used, and how to recognize it. */
const keyJson = z.object({
  from: z.enum(["own", "environment", "none"]),
  url: z.string().nullable(),
  organization: z.string().nullable(),
  keyHint: z.string().nullable(),
  savedAt: z.iso.datetime().nullable(),
});

/** The settings as the API shows them: no key and no secret. */
export const settingsJson = z.object({
  version: z.int(),
  service: keyJson.extend({
    /** Why the saved key, or without one the operator's key, is not used; null when it is. */
    problem: z.enum(["unreadable", "no-address", "own-key-required", "no-plan"]).nullable(),
    /** Where to choose a plan, with the problem `no-plan`. */
    plansUrl: z.string().nullable(),
  }),
  catalog: keyJson
    .extend({
      url: z.string().nullable().describe("null if no catalog is configured"),
      problem: z.enum(["unreadable", "no-address"]).nullable().describe("why no saved key is used"),
    })
    .describe("whose key looks up an order's products"),
  alerts: z.object({
    email: z.array(z.string()),
    webhookUrl: z.string().nullable(),
    hasWebhookSecret: z.boolean(),
    canMail: z.boolean(),
  }),
  platform: z.string().nullable(),
});

const KEY = /^[\x21-\x7e]*$/;
const MAX_ADDRESSES = 10;

const apiKey = z
  .string("expected the key")
  .min(1, "expected the key")
  .max(500, "expected at most 500 characters")
  .regex(KEY, "expected visible ASCII characters without spaces");
const organization = z.string().min(1, "expected a slug or an ID").max(255).nullish();

/** A change of the settings. Omitted settings don't change. */
export const settingsChange = z.strictObject({
  /** Null to remove the own key. */
  service: z
    .strictObject({
      url: z.string().max(500, "expected at most 500 characters").nullish(),
      apiKey,
      organization,
    })
    .nullish(),
  /** For the address in CATALOG_URL. Null to remove the own key. */
  catalog: z.strictObject({ apiKey, organization }).nullish(),
  alerts: z
    .strictObject({
      email: z
        .array(z.string().refine(isEmailAddress, "expected an email address without a name"))
        .max(MAX_ADDRESSES, `expected at most ${MAX_ADDRESSES} addresses`)
        .optional(),
      webhookUrl: z.string().max(2_000, "expected at most 2000 characters").nullish(),
      webhookSecret: z
        .string()
        .max(500, "expected at most 500 characters")
        .refine(isWebhookSecret, WEBHOOK_SECRET_RULE)
        .nullish(),
    })
    .optional(),
});
export type SettingsChange = z.infer<typeof settingsChange>;

/** Show a tenant's settings to its owners. */
export function toSettingsJson(
  settings: TenantSettings,
  about: ServiceAbout & { readonly platform: string | null },
): z.infer<typeof settingsJson> {
  const { email, webhookUrl, webhookSecret } = settings.alerts;
  return {
    version: settings.version,
    service: toServiceJson(settings, about),
    catalog: toCatalogJson(settings, about),
    alerts: {
      email: [...email],
      webhookUrl: webhookUrl?.reveal() ?? null,
      hasWebhookSecret: webhookSecret !== null,
      canMail: about.installation.canMail,
    },
    platform: about.platform,
  };
}

interface ServiceAbout {
  readonly tenant: TenantId;
  readonly installation: Installation;
  /** Whether the tenant may use the operator's key; null if there is none. */
  readonly entitlement: Entitlement | null;
}

type ServiceJson = z.infer<typeof settingsJson>["service"];

function toServiceJson({ service: own, isReadable }: TenantSettings, about: ServiceAbout): ServiceJson {
  const url = own?.url ?? about.installation.service?.url ?? null;
  if (own === null) return toOperatorsJson(about, isReadable ? null : "unreadable");
  if (url === null) return toOperatorsJson(about, "no-address");
  return { ...toOwnJson(own, url), plansUrl: null };
}

const NO_KEY = { from: "none", organization: null, keyHint: null, savedAt: null, problem: null } as const;

function toCatalogJson(
  { catalog: own, isReadable }: TenantSettings,
  { tenant, installation: { catalog, operatorTenant } }: ServiceAbout,
): z.infer<typeof settingsJson>["catalog"] {
  if (catalog === null) return { ...NO_KEY, url: null, problem: own === null ? null : "no-address" };
  const { url } = catalog;
  // It's unknown whether the tenant has its own key, so no catalog is asked.
  if (!isReadable) return { ...NO_KEY, url, problem: "unreadable" };
  if (own !== null) return toOwnJson(own, url);
  if (!catalog.hasKey) return { ...NO_KEY, url };
  const organization = tenant === operatorTenant ? (catalog.organization ?? null) : null;
  return { ...NO_KEY, from: "environment", url, organization };
}

/** The operator's key, or none. */
function toOperatorsJson(
  { tenant, installation: { service, operatorTenant }, entitlement }: ServiceAbout,
  problem: ServiceJson["problem"],
): ServiceJson {
  const none = { ...NO_KEY, url: service?.url ?? null, plansUrl: null };
  if (service === null) return { ...none, problem };
  if (entitlement?.outcome === "no-plan")
    return { ...none, problem: "no-plan", plansUrl: entitlement.plansUrl };
  if (entitlement?.outcome !== "entitled") return { ...none, problem: "own-key-required" };
  // Other tenants don't see whose credits are used.
  const organization = tenant === operatorTenant ? (service.organization ?? null) : null;
  return { ...none, from: "environment", organization, problem };
}

function toOwnJson({ apiKey, organization, savedAtMs }: Omit<OwnService, "url">, url: string) {
  const [keyHint, savedAt] = [toHint(apiKey.reveal()), toIso(savedAtMs)];
  return { from: "own" as const, url, organization, keyHint, savedAt, problem: null };
}

/** The end of a key, to tell keys apart. Null for a short key, because the end would reveal too much of it. */
function toHint(apiKey: string): string | null {
  return apiKey.length < 16 ? null : `…${apiKey.slice(-4)}`;
}

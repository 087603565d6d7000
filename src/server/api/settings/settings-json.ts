import { z } from "zod";
import { expected } from "../../../base/field-codes.ts";
import { toIso } from "../../../base/iso-time.ts";
import { isEmailAddress } from "../../../alerts/alert-config.ts";
import { isWebhookSecret, WEBHOOK_SECRET_LIMITS } from "../../../alerts/webhook-signature.ts";
import type { Entitlement, TenantId } from "../../../platform/platform.ts";
import type { OwnService, TenantSettings } from "../../../settings/tenant-settings.ts";
import { disputesChange, disputesJson } from "./dispute-change.ts";
import { LANGUAGE_TAGS } from "../../../texts/languages.ts";
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
    language: z.enum(LANGUAGE_TAGS).describe("of the shop's alerts"),
    canMail: z.boolean(),
  }),
  money: z
    .object({
      currency: z.string().nullable().describe("the currency to count in; null for the shop's own"),
      creditPrice: z.number().nullable().describe("what one credit costs in `enteredIn`"),
      rates: z.array(z.object({ currency: z.string(), from: z.iso.date(), rate: z.number() })).readonly(),
      enteredIn: z
        .string()
        .nullable()
        .describe("the currency of the saved price and rates: reports in another one don't use them"),
    })
    .describe("how reports count money"),
  disputes: disputesJson,
  platform: z.string().nullable(),
});

const KEY = /^[\x21-\x7e]*$/;
const MAX_ADDRESSES = 10;
const MAX_RATES = 1_000;

const apiKey = z
  .string(expected("key"))
  .min(1, expected("key"))
  .max(500, expected("max-characters", { max: 500 }))
  .regex(KEY, expected("key-characters"));
const currencyCode = z.string().regex(/^[A-Z]{3}$/, expected("currency-code"));
const exchangeRate = z.strictObject({
  currency: currencyCode,
  from: z.iso.date(expected("day")),
  rate: z
    .number()
    .positive(expected("number-above-zero"))
    .max(1e9, expected("max-number", { max: 1e9 }))
    .describe("what one unit of `currency` is worth in the shop's currency"),
});
const organization = z.string().min(1, expected("organization-id")).max(255).nullish();

/** A change of the settings. Omitted settings don't change. */
export const settingsChange = z.strictObject({
  /** Null to remove the own key. */
  service: z
    .strictObject({
      url: z
        .string()
        .max(500, expected("max-characters", { max: 500 }))
        .nullish(),
      apiKey,
      organization,
    })
    .nullish(),
  /** For the address in CATALOG_URL. Null to remove the own key. */
  catalog: z.strictObject({ apiKey, organization }).nullish(),
  alerts: z
    .strictObject({
      email: z
        .array(z.string().refine(isEmailAddress, expected("email")))
        .max(MAX_ADDRESSES, expected("max-addresses", { max: MAX_ADDRESSES }))
        .optional(),
      webhookUrl: z
        .string()
        .max(2_000, expected("max-characters", { max: 2_000 }))
        .nullish(),
      webhookSecret: z
        .string()
        .max(500, expected("max-characters", { max: 500 }))
        .refine(isWebhookSecret, expected("webhook-secret", WEBHOOK_SECRET_LIMITS))
        .nullish(),
      language: z.enum(LANGUAGE_TAGS).optional(),
    })
    .optional(),
  money: z
    .strictObject({
      currency: currencyCode.nullish(),
      creditPrice: z
        .number()
        .min(0, expected("min-number", { min: 0 }))
        .max(1e6, expected("max-number", { max: 1e6 }))
        .nullish(),
      rates: z
        .array(exchangeRate)
        .max(MAX_RATES, expected("max-rates", { max: MAX_RATES }))
        .refine(areDistinct, expected("rates-distinct"))
        .optional()
        .describe("all rates; they replace the saved ones"),
    })
    .optional(),
  disputes: disputesChange.optional(),
});

function areDistinct(rates: readonly { readonly currency: string; readonly from: string }[]): boolean {
  return new Set(rates.map(({ currency, from }) => `${currency} ${from}`)).size === rates.length;
}

export type SettingsChange = z.infer<typeof settingsChange>;

/** Show a tenant's settings to its owners. */
export function toSettingsJson(
  settings: TenantSettings,
  about: ServiceAbout & { readonly platform: string | null },
): z.infer<typeof settingsJson> {
  const { email, webhookUrl, webhookSecret, language } = settings.alerts;
  return {
    version: settings.version,
    service: toServiceJson(settings, about),
    catalog: toCatalogJson(settings, about),
    alerts: {
      email: [...email],
      webhookUrl: webhookUrl?.reveal() ?? null,
      hasWebhookSecret: webhookSecret !== null,
      language,
      canMail: about.installation.canMail,
    },
    money: settings.money,
    disputes: toDisputesJson(settings.disputes),
    platform: about.platform,
  };
}

function toDisputesJson({ keptFromMs, ...disputes }: TenantSettings["disputes"]) {
  return { ...disputes, keptFrom: toIso(keptFromMs) };
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

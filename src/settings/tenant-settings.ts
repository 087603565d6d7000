import { z } from "zod";
import { Secret } from "../base/secret.ts";

/** A service key that a tenant brought along. */
export interface OwnService {
  /** Null: the environment's address. */
  readonly url: string | null;
  readonly apiKey: Secret;
  /** Slug or id. */
  readonly organization: string;
  readonly savedAtMs: number;
}

/** A catalog key that a tenant brought along, for the environment's address. */
export interface OwnCatalog {
  readonly apiKey: Secret;
  /** Slug or id. */
  readonly organization: string;
  readonly savedAtMs: number;
}

/** Where a tenant wants to hear of alerts. */
export interface AlertContacts {
  readonly email: readonly string[];
  /** Secret as a whole: the path or query of such an address is often all that protects it. */
  readonly webhookUrl: Secret | null;
  /** Key of the signature; null: not signed. */
  readonly webhookSecret: Secret | null;
}

/** A second policy that never acts. */
export interface PhantomPolicy {
  /** As it was saved; whoever reads it checks it. */
  readonly document: unknown;
  /** Orders received from then on count. */
  readonly savedAtMs: number;
  /** Who saved it, `person:ID`. */
  readonly actor: string;
}

/** What a tenant has set. */
export interface TenantSettings {
  /** 0 before anything was set. */
  readonly version: number;
  /** False: something is kept that cannot be opened, and none of it is in force. */
  readonly isReadable: boolean;
  /** Null: the environment's service, or none. */
  readonly service: OwnService | null;
  /** Null: the environment's catalog key, or none. */
  readonly catalog: OwnCatalog | null;
  readonly alerts: AlertContacts;
  /** Null: there is none. */
  readonly phantom: PhantomPolicy | null;
}

/** Nobody is told. */
const NO_CONTACTS: AlertContacts = { email: [], webhookUrl: null, webhookSecret: null };
/** Nothing was ever set. */
export const UNSET: TenantSettings = {
  version: 0,
  isReadable: true,
  service: null,
  catalog: null,
  alerts: NO_CONTACTS,
  phantom: null,
};

const contentSchema = z.object({
  service: z
    .object({
      url: z.string().nullable(),
      apiKey: z.string(),
      organization: z.string(),
      savedAtMs: z.number(),
    })
    .nullable(),
  // Earlier releases didn't keep it.
  catalog: z
    .object({ apiKey: z.string(), organization: z.string(), savedAtMs: z.number() })
    .nullable()
    .default(null),
  alerts: z.object({
    email: z.array(z.string()),
    webhookUrl: z.string().nullable(),
    webhookSecret: z.string().nullable(),
  }),
  // Earlier releases kept none.
  phantom: z
    .object({ document: z.unknown(), savedAtMs: z.number(), actor: z.string() })
    .nullable()
    .default(null),
});

/** The settings as they are kept, secrets in the clear: for the store alone, which seals them. */
export function toSettingsContent({
  service,
  catalog,
  alerts,
  phantom,
}: Pick<TenantSettings, "service" | "catalog" | "alerts" | "phantom">): z.infer<typeof contentSchema> {
  return {
    service: service === null ? null : { ...service, apiKey: service.apiKey.reveal() },
    catalog: catalog === null ? null : { ...catalog, apiKey: catalog.apiKey.reveal() },
    alerts: {
      email: [...alerts.email],
      webhookUrl: alerts.webhookUrl?.reveal() ?? null,
      webhookSecret: alerts.webhookSecret?.reveal() ?? null,
    },
    phantom,
  };
}

/** Read kept settings; what cannot be read sets nothing and says so. */
export function parseSettings(version: number, content: unknown): TenantSettings {
  const parsed = contentSchema.safeParse(content);
  if (!parsed.success) return { ...UNSET, version, isReadable: false };
  const { service, catalog, alerts, phantom } = parsed.data;
  return {
    version,
    isReadable: true,
    service: service === null ? null : { ...service, apiKey: new Secret(service.apiKey) },
    catalog: catalog === null ? null : { ...catalog, apiKey: new Secret(catalog.apiKey) },
    alerts: {
      email: alerts.email,
      webhookUrl: toSecret(alerts.webhookUrl),
      webhookSecret: toSecret(alerts.webhookSecret),
    },
    phantom,
  };
}

function toSecret(text: string | null): Secret | null {
  return text === null ? null : new Secret(text);
}

import { z } from "zod";
import { Secret } from "../base/secret.ts";

/** A tenant's own service key. */
export interface OwnService {
  /** Null: the environment's address. */
  readonly url: string | null;
  readonly apiKey: Secret;
  /** Slug or id. */
  readonly organization: string;
  readonly savedAtMs: number;
}

/** A tenant's own catalog key, used with the environment's address. */
export interface OwnCatalog {
  readonly apiKey: Secret;
  /** Slug or id. */
  readonly organization: string;
  readonly savedAtMs: number;
}

/** Where a tenant wants to receive alerts. */
export interface AlertContacts {
  readonly email: readonly string[];
  /** The whole address is secret: often its path or query is the only protection. */
  readonly webhookUrl: Secret | null;
  /** Key of the signature; null: not signed. */
  readonly webhookSecret: Secret | null;
}

/** A second policy that never acts. */
export interface PhantomPolicy {
  /** As it was saved, unchecked: the reader validates it. */
  readonly document: unknown;
  /** Orders received from this moment on count, in milliseconds since the epoch. */
  readonly savedAtMs: number;
  /** Who saved it, `person:ID`. */
  readonly actor: string;
}

/** A tenant's settings. */
export interface TenantSettings {
  /** 0 until settings are saved. */
  readonly version: number;
  /** False: settings are stored but can't be decrypted, so none of them apply. */
  readonly isReadable: boolean;
  /** Null: the environment's service, or none. */
  readonly service: OwnService | null;
  /** Null: the environment's catalog key, or none. */
  readonly catalog: OwnCatalog | null;
  readonly alerts: AlertContacts;
  /** Null: there is none. */
  readonly phantom: PhantomPolicy | null;
}

/** Nobody is notified. */
const NO_CONTACTS: AlertContacts = { email: [], webhookUrl: null, webhookSecret: null };
/** No settings were ever saved. */
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

/** The settings as they are stored, with secrets in plain text: only for the store, which encrypts them. */
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

/** Read stored settings. If they can't be read, the result has no settings and says so. */
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

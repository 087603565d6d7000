import { z } from "zod";
import { Secret } from "../base/secret.ts";

/** Plain text where settings are stored, which is encrypted. */
const secret = z.codec(
  z.string(),
  z.custom<Secret>((value) => value instanceof Secret),
  { decode: (text) => new Secret(text), encode: (value) => value.reveal() },
);

const ownCatalog = z
  .object({
    apiKey: secret,
    /** Slug or id. */
    organization: z.string(),
    savedAtMs: z.number(),
  })
  .readonly();

const ownService = z
  .object({
    /** Null: the environment's address. */
    url: z.string().nullable(),
    ...ownCatalog.unwrap().shape,
  })
  .readonly();

const alertContacts = z
  .object({
    email: z.array(z.string()).readonly(),
    /** The whole address is secret: often its path or query is the only protection. */
    webhookUrl: secret.nullable(),
    /** Key of the signature; null: not signed. */
    webhookSecret: secret.nullable(),
  })
  .readonly();

const phantomPolicy = z
  .object({
    /** The document as it was saved, unchecked: the reader validates it. */
    document: z.unknown(),
    /** Orders received from this moment on count, in milliseconds since the epoch. */
    savedAtMs: z.number(),
    /** Who saved it, `person:ID`. */
    actor: z.string(),
  })
  .readonly();

const contentSchema = z
  .object({
    /** Null: the environment's service, or none. */
    service: ownService.nullable(),
    /** Null: the environment's catalog key, or none. */
    catalog: ownCatalog.nullable(),
    alerts: alertContacts,
    /** Null: there is none. */
    phantom: phantomPolicy.nullable(),
  })
  .readonly();

type SettingsContent = z.output<typeof contentSchema>;
/** A tenant's own service key. */
export type OwnService = z.output<typeof ownService>;
/** A tenant's own catalog key, used with the environment's address. */
export type OwnCatalog = z.output<typeof ownCatalog>;
/** Where a tenant wants to receive alerts. */
export type AlertContacts = z.output<typeof alertContacts>;
/** A second policy that never acts. */
export type PhantomPolicy = z.output<typeof phantomPolicy>;

/** A tenant's settings. */
export type TenantSettings = SettingsContent & {
  /** 0 until settings are saved. */
  readonly version: number;
  /** False: settings are stored but can't be decrypted, so none of them apply. */
  readonly isReadable: boolean;
};

/** The settings before any are saved: nobody is notified. */
export const UNSET: TenantSettings = {
  version: 0,
  isReadable: true,
  service: null,
  catalog: null,
  alerts: { email: [], webhookUrl: null, webhookSecret: null },
  phantom: null,
};

/** The settings as they are stored, with secrets in plain text: only for the store, which encrypts them. */
export function toSettingsContent(settings: SettingsContent): z.input<typeof contentSchema> {
  return z.encode(contentSchema, settings);
}

/** Read stored settings. If they can't be read, the result has no settings and says so. */
export function parseSettings(version: number, content: unknown): TenantSettings {
  const parsed = contentSchema.safeParse(content);
  return parsed.success
    ? { version, isReadable: true, ...parsed.data }
    : { ...UNSET, version, isReadable: false };
}

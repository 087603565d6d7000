import { z } from "zod";
import { Secret } from "../base/secret.ts";
import { LANGUAGE_TAGS } from "../texts/languages.ts";

/** Plain text where settings are stored, which is encrypted. */
export const secret = z.codec(
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
    language: z.enum(LANGUAGE_TAGS),
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

const reportMoney = z
  .object({
    /** The currency in which reports count. Null: the shop's own, as the platform says. */
    currency: z.string().nullable(),
    /** What one credit costs. Null: unknown. */
    creditPrice: z.number().nullable(),
    rates: z
      .array(z.object({ currency: z.string(), from: z.string(), rate: z.number() }).readonly())
      .readonly(),
    /** In which currency price and rates were entered: they mean nothing in another one. Null: there are none. */
    enteredIn: z.string().nullable(),
  })
  .readonly();

const disputeSettings = z
  .object({
    /** For how many days orders are kept for later disputes. Null: none are. */
    keepDays: z.number().nullable(),
    /** Orders received from this moment on are kept, milliseconds since the epoch. Null: none are. */
    keptFromMs: z.number().nullable(),
    /** The share of a month's orders from which a card network acts on disputes. */
    limitShare: z.number(),
    /** The number of disputes in a month from which it acts. */
    limitCount: z.number(),
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
    money: reportMoney,
    disputes: disputeSettings,
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

/** What a shop keeps for disputes, and what it watches. */
export type DisputeSettings = z.output<typeof disputeSettings>;

/** How reports count money. */
export type ReportMoney = z.output<typeof reportMoney>;

/** A tenant's settings. */
export type TenantSettings = SettingsContent & {
  /** 0 until settings are saved. */
  readonly version: number;
  /** False: settings are stored but can't be decrypted, so none of them apply. */
  readonly isReadable: boolean;
};

/**
 * Visa's Acquirer Monitoring Program calls a merchant excessive from this share of a month's card-not-present payments and with
 * more than this many fraud reports and disputes, since 2026-04-01 and outside the Middle East and North Africa. Source:
 * support.checkout.com, "thresholds for disputes and fraud under Visa's Acquirer Monitoring Program", read 2026-11-29.
 */
export const VISA_LIMITS = { limitShare: 0.015, limitCount: 1_500 };

/** The settings before any are saved: nobody is notified. */
export const UNSET: TenantSettings = {
  version: 0,
  isReadable: true,
  service: null,
  catalog: null,
  alerts: { email: [], webhookUrl: null, webhookSecret: null, language: "en" },
  phantom: null,
  money: { currency: null, creditPrice: null, rates: [], enteredIn: null },
  disputes: { keepDays: null, keptFromMs: null, ...VISA_LIMITS },
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

import { isAbsolute } from "node:path";
import { readAlerts, readBuyerWebhook } from "./alerts/alert-config.ts";
import { toFieldsError } from "./base/errors.ts";
import type { ProxyConfig } from "./base/proxy.ts";
import { isNetwork } from "./base/public-address.ts";
import { Secret } from "./base/secret.ts";
import {
  createVariableReader,
  toNumberBetween,
  toOneOf,
  toPrintable,
  toSafeUrl,
  toSecret,
  type Environment,
  type VariableReader,
} from "./base/variables.ts";
import { DEFAULT_KEEPING_TIMES, type KeepingTimes } from "./store/retention/keeping-times.ts";
import type { FontFile, TrustedProxies } from "./server/parts/server-parts.ts";
import { DEFAULT_TIMEOUT_MS, type ServiceConfig } from "./service/client-options.ts";
import type { DatabaseConfig } from "./store/opening/open-store.ts";

const ROLES = ["all", "intake", "worker"] as const;
/** Which work a process does: everything, webhooks and console only, or background work only. */
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type ShopifyConfig = NonNullable<ReturnType<typeof readShopify>>;
/** How shops pay for checks with the operator's service key. */
type Billing = ReturnType<typeof readBilling>;

/** The catalog's address, and the key for tenants without their own. */
export type CatalogConfig = Omit<ServiceConfig, "timeoutMs">;

const BILLING_MODES = ["included", "own-key", "app-pricing"] as const;

/** Everything that the environment configures. Frozen; secrets show as `[secret]` wherever it is printed. */
export type Config = ReturnType<typeof parseConfig>;

const DATA_KEY_BYTES = 32;
const DATA_KEY_EXPECTED = `expected ${DATA_KEY_BYTES} bytes in base64`;
/** A network needs more than a tenth of a second to answer, and every platform gives up before two minutes. */
const TIMEOUT_RANGE_MS = [100, 120_000] as const;
/** A valid token works from any address, so it must be impossible to guess. */
const MIN_TOKEN_LENGTH = 16;

/**
 * Turn environment variables into a {@link Config}. Absent and empty variables take their defaults; nothing is trimmed
 * or guessed.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming every wrong variable and what was expected, never its value; the same in `fields`.
 */
export function parseConfig(env: Environment) {
  const reader = createVariableReader(fromTunnel(env));
  const { read } = reader;
  const billing = readBilling(reader);
  const database = readDatabase(reader);
  const shopify = readShopify(reader, billing);
  const config = {
    host: read("HOST", "expected a host name or IP address", toHost) ?? "127.0.0.1",
    /** 0 for any free port. */
    port: read("PORT", "expected a whole number from 0 to 65535", toNumberBetween(0, 65_535)) ?? 3_000,
    database,
    /** Undefined only with SQLite: a key is then created and stored beside the file. */
    dataKey: read("DATA_KEY", DATA_KEY_EXPECTED, toDataKey),
    /** Where people reach this app. Undefined: links to it can't be made. */
    publicUrl: read("PUBLIC_URL", PUBLIC_URL_EXPECTED, toAddress) ?? shopify?.appUrl,
    /** The shop's own mail system, for links to buyers. Undefined: the mail server sends them. */
    buyerWebhook: readBuyerWebhook(reader),
    /** Undefined: the local engine judges every order. */
    service: readService(reader, billing),
    /** Undefined: nothing is known about an order's products. */
    catalog: readCatalog(reader),
    /** Undefined: the management interface isn't used. */
    management: readManagement(reader),
    /** Undefined: no Shopify routes. */
    shopify,
    /** Undefined: the console is closed except to Shopify sessions. */
    consoleToken: read(
      "CONSOLE_TOKEN",
      `expected at least ${MIN_TOKEN_LENGTH} printable ASCII characters without white space`,
      (text) => (text.length < MIN_TOKEN_LENGTH ? undefined : toSecret(text)),
    ),
    /** Whose `X-Forwarded-For` counts: this number of proxies, or those at these addresses. Undefined: none. */
    trustProxy: read(
      "TRUST_PROXY",
      `expected a number of proxies from 1 to ${MAX_PROXIES}, or IP addresses and networks (CIDR) with commas between`,
      toTrustedProxies,
    ),
    /** Font files for the evidence in PDF, in the order in which they are tried. Undefined: only the standard fonts. */
    pdfFonts: read("PDF_FONTS", PDF_FONTS_EXPECTED, toFontFiles),
    /** How to call other hosts. Undefined: directly. */
    proxy: readProxy(env, reader),
    /** Credits a UTC day that one tenant may spend with the operator's key, whatever its policy says. Undefined: no cap. */
    creditsPerTenantDaily: readTenantCap(reader),
    /** Undefined: alerts are only log lines. */
    alerts: readAlerts(reader),
    /** Days for which content and orders are kept; content never longer than its order. */
    keep: readKeepingTimes(reader),
    role: readRole(reader, database),
    logLevel: read("LOG_LEVEL", `expected one of ${LOG_LEVELS.join(", ")}`, toOneOf(LOG_LEVELS)) ?? "info",
  };
  if (reader.problems.length === 0) return freeze(config);
  const details = reader.problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const message = `the environment variables are invalid: ${details}`;
  throw toFieldsError("CONFIG_INVALID", message, reader.problems);
}

/** The proxy, if Node uses it too: `HTTPS_PROXY` alone may be meant for package managers. Names as Node reads them. */
function readProxy(env: Environment, { refuse, refuseQuoted }: VariableReader): ProxyConfig | undefined {
  const nameOf = (name: string): string => (env[name.toLowerCase()] ? name.toLowerCase() : name);
  const read = (name: string): string => env[nameOf(name)] || "";
  const [isUsed, url, except] = [env["NODE_USE_ENV_PROXY"] === "1", read("HTTPS_PROXY"), read("NO_PROXY")];
  refuseQuoted("NODE_USE_ENV_PROXY");
  if (!isUsed || url === "") return undefined;
  refuseQuoted(nameOf("NO_PROXY"));
  if (isProxy(url)) return { url: new Secret(url), except };
  refuse(
    "HTTPS_PROXY",
    "expected a proxy's address, such as http://USER:PASSWORD@HOST:PORT, percent-encoded",
  );
  return undefined;
}

function isProxy(text: string): boolean {
  if (!/^https?:\/\/[^/?#\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return false;
  try {
    const { username, password } = new URL(text);
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

const PUBLIC_URL_EXPECTED =
  "expected an https address (http only to loopback) without credentials, query or fragment";

const PDF_FONTS_EXPECTED =
  "expected up to 8 absolute paths of font files (.ttf, .otf, .ttc, .woff, .woff2) with commas between; after a .ttc, # and the font's PostScript name";
const MAX_FONTS = 8;

function toFontFiles(text: string): readonly FontFile[] | undefined {
  const files = text.split(",").map((entry): FontFile => {
    const [path = "", face] = entry.trim().split("#");
    return Object.freeze({ path, face });
  });
  const isValid = ({ path, face }: FontFile): boolean =>
    isAbsolute(path) && /\.(?:ttf|otf|woff2?|ttc)$/i.test(path) && /\.ttc$/i.test(path) === Boolean(face);
  return files.length <= MAX_FONTS && files.every(isValid) ? Object.freeze(files) : undefined;
}

const MAX_PROXIES = 32;

function toTrustedProxies(text: string): TrustedProxies | undefined {
  const hops = toNumberBetween(1, MAX_PROXIES)(text);
  if (hops !== undefined) return hops;
  const networks = text.split(",").map((entry) => entry.trim());
  return networks.every(isNetwork) ? Object.freeze(networks) : undefined;
}

function readTenantCap({ read, allowOnlyWith }: VariableReader): number | undefined {
  const name = "CREDITS_PER_TENANT_DAILY";
  const cap = read(name, "expected a whole number from 1 to 999999999", toNumberBetween(1, 999_999_999));
  // It limits spending with VERIFY_API_KEY. Without that key it would look active and do nothing.
  allowOnlyWith("VERIFY_URL", name);
  return cap;
}

/** Shopify CLI's `app dev` names the app's key, and in `HOST` its tunnel: a public address, not one to listen on. */
function fromTunnel(env: Environment): Environment {
  const tunnel = env["HOST"] ?? "";
  if (!tunnel.startsWith("https://") || (env["SHOPIFY_API_KEY"] ?? "") === "") return env;
  const { HOST: _, ...others } = env;
  const appUrl = env["SHOPIFY_APP_URL"] ?? "";
  return { ...others, SHOPIFY_APP_URL: appUrl === "" ? tunnel : appUrl };
}

/** @throws {HoldfastError} `CONFIG_INVALID`, as {@link parseConfig}. */
export function readConfig(): Config {
  return parseConfig(process.env);
}

function readDatabase({ read, has, refuse }: VariableReader): DatabaseConfig {
  const expected =
    "expected sqlite:PATH (not starting with ~), sqlite::memory: or postgres://USER:PASSWORD@HOST/NAME, percent-encoded";
  const database = read("DATABASE_URL", expected, toDatabase);
  // Every process that shares the database needs the same key, so none of them may make one.
  if (database?.kind === "postgres" && !has("DATA_KEY")) {
    refuse("DATA_KEY", `${DATA_KEY_EXPECTED} with a PostgreSQL database`);
  }
  return database ?? { kind: "sqlite", path: "./data/holdfast.db" };
}

const MAX_DAYS = 730;

function readKeepingTimes({ read, problems, refuse }: VariableReader): KeepingTimes {
  const readDays = (name: string): number | undefined =>
    read(name, `expected a whole number of days from 1 to ${MAX_DAYS}`, toNumberBetween(1, MAX_DAYS));
  const ordersDays = readDays("KEEP_ORDERS_DAYS") ?? DEFAULT_KEEPING_TIMES.ordersDays;
  const contentDays =
    readDays("KEEP_CONTENT_DAYS") ?? Math.min(DEFAULT_KEEPING_TIMES.contentDays, ordersDays);
  const areKnown = problems.every(({ path }) => !path.startsWith("KEEP_"));
  if (areKnown && contentDays > ordersDays) {
    refuse("KEEP_CONTENT_DAYS", "expected at most as many days as KEEP_ORDERS_DAYS");
  }
  return { contentDays, ordersDays };
}

function readRole({ problems, read, refuse }: VariableReader, database: DatabaseConfig): Role {
  const role = read("ROLE", `expected one of ${ROLES.join(", ")}`, toOneOf(ROLES)) ?? "all";
  const isDatabaseKnown = problems.every(({ path }) => path !== "DATABASE_URL");
  // Only one process can use a SQLite file, so work left for another process would silently never be done.
  if (role !== "all" && database.kind === "sqlite" && isDatabaseKnown) {
    refuse("ROLE", "expected all with a SQLite database (intake and worker need postgres)");
  }
  return role;
}

const ADDRESS_EXPECTED =
  "expected an https address (http only to loopback) without credentials, query or fragment";
const ORGANIZATION_EXPECTED = "expected a slug or id without white space";
const KEY_EXPECTED = "expected printable ASCII characters without white space";

function readService(reader: VariableReader, billing: Billing): ServiceConfig | undefined {
  const { read, has, refuse, problems } = reader;
  const url = read("VERIFY_URL", ADDRESS_EXPECTED, toAddress);
  const apiKey = read("VERIFY_API_KEY", KEY_EXPECTED, toSecret);
  const organization = read("VERIFY_ORGANIZATION", ORGANIZATION_EXPECTED, toPrintable);
  const [min, max] = TIMEOUT_RANGE_MS;
  const timeoutMs =
    read(
      "VERIFY_TIMEOUT_MS",
      `expected a whole number of milliseconds from ${min} to ${max}`,
      toNumberBetween(min, max),
    ) ?? DEFAULT_TIMEOUT_MS;

  // Shops that bring their own keys need the address only.
  if (has("VERIFY_URL") && billing.mode !== "own-key" && !has("VERIFY_API_KEY")) {
    refuse("VERIFY_API_KEY", "expected with VERIFY_URL");
  }
  reader.allowOnlyWith("VERIFY_URL", "VERIFY_API_KEY", "VERIFY_ORGANIZATION");
  if (url === undefined || problems.some(({ path }) => path === "VERIFY_API_KEY")) return undefined;
  return { url, apiKey, organization, timeoutMs };
}

function readCatalog({ read, has, refuse, allowOnlyWith }: VariableReader): CatalogConfig | undefined {
  const url = read("CATALOG_URL", ADDRESS_EXPECTED, toAddress);
  const apiKey = read("CATALOG_API_KEY", KEY_EXPECTED, toSecret);
  const organization = read("CATALOG_ORGANIZATION", ORGANIZATION_EXPECTED, toPrintable);
  // Without a key, tenants bring their own.
  allowOnlyWith("CATALOG_URL", "CATALOG_API_KEY", "CATALOG_ORGANIZATION");
  if (has("CATALOG_ORGANIZATION") && !has("CATALOG_API_KEY")) {
    refuse("CATALOG_API_KEY", "expected with CATALOG_ORGANIZATION");
  }
  return url === undefined ? undefined : { url, apiKey, organization };
}

function readManagement(reader: VariableReader) {
  const { read } = reader;
  const url = read("MANAGEMENT_URL", ADDRESS_EXPECTED, toAddress);
  const token = read("MANAGEMENT_TOKEN", KEY_EXPECTED, toSecret);
  const names = ["MANAGEMENT_URL", "MANAGEMENT_TOKEN"] as const;
  const [given] = names.filter(reader.has);
  reader.require(given !== undefined, `expected with ${given}`, names);
  return url === undefined || token === undefined ? undefined : { url, token };
}

const SHOPIFY_REQUIRED = ["SHOPIFY_API_KEY", "SHOPIFY_API_SECRET", "SHOPIFY_APP_URL"];

function readBilling({ read, has, refuse }: VariableReader) {
  const mode = read("SHOPIFY_BILLING", `expected one of ${BILLING_MODES.join(", ")}`, toOneOf(BILLING_MODES));
  const appHandle = read("SHOPIFY_APP_HANDLE", "expected the handle in the app's App Store address", (text) =>
    /^[a-z0-9][a-z0-9-]{0,99}$/.test(text) ? text : undefined,
  );
  if (mode !== undefined && mode !== "included" && !has("VERIFY_URL")) {
    refuse("SHOPIFY_BILLING", `expected ${mode} only with VERIFY_URL`);
  }
  if (mode !== "app-pricing") {
    // For an invalid value, the name and the expectation are enough.
    if (appHandle !== undefined && (mode !== undefined || !has("SHOPIFY_BILLING"))) {
      refuse("SHOPIFY_APP_HANDLE", "expected only with SHOPIFY_BILLING=app-pricing");
    }
    return { mode: mode ?? "included" } as const;
  }
  if (!has("SHOPIFY_APP_HANDLE")) refuse("SHOPIFY_APP_HANDLE", "expected with SHOPIFY_BILLING=app-pricing");
  return { mode, appHandle: appHandle ?? "" } as const;
}

function readShopify(reader: VariableReader, billing: Billing) {
  const { read, has } = reader;
  const apiKey = read("SHOPIFY_API_KEY", KEY_EXPECTED, toPrintable);
  const apiSecret = read("SHOPIFY_API_SECRET", KEY_EXPECTED, toSecret);
  /** Also accepted while `apiSecret` is being rotated. */
  const previousApiSecret = read("SHOPIFY_API_SECRET_PREVIOUS", KEY_EXPECTED, toSecret);
  const appUrl = read(
    "SHOPIFY_APP_URL",
    "expected the app's https address (http only to loopback) without credentials, query or fragment",
    toAddress,
  );

  /** Whether merchants' workflows in Shopify Flow are started: only with its extension deployed. */
  const flowTrigger = read("SHOPIFY_FLOW_TRIGGER", "expected on or off", toOneOf(["on", "off"])) === "on";

  const isWanted = [...SHOPIFY_REQUIRED, "SHOPIFY_API_SECRET_PREVIOUS"].some(has);
  const isNeeded = isWanted || flowTrigger || billing.mode !== "included";
  reader.require(isNeeded, "expected with the other SHOPIFY variables", SHOPIFY_REQUIRED);
  if (apiKey === undefined || apiSecret === undefined || appUrl === undefined) return undefined;
  return { apiKey, apiSecret, previousApiSecret, appUrl, flowTrigger, billing };
}

function toHost(text: string): string | undefined {
  return /^[\w.:%-]+$/.test(text) ? text : undefined;
}

function toDatabase(text: string): DatabaseConfig | undefined {
  if (/^postgres(?:ql)?:\/\//.test(text)) {
    return URL.canParse(text) ? { kind: "postgres", url: new Secret(text) } : undefined;
  }
  // `sqlite://data/x.db` looks relative, but would be a file at the root of the disk. Only a shell expands `~`.
  const path = /^sqlite:(?!\/\/[^/]|~)(?<path>.*)$/s.exec(text)?.groups?.["path"] ?? "";
  return path.trim() === "" ? undefined : { kind: "sqlite", path };
}

/** 32 bytes in standard or URL-safe base64, padded or not. */
function toDataKey(text: string): Secret<Buffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{43}|[\w-]{43})=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  // The last character has two unused bits. If they are set, it is a typo.
  const canonical = bytes.toString("base64url");
  const given = text.replace(/=$/, "").replaceAll("+", "-").replaceAll("/", "_");
  return bytes.length === DATA_KEY_BYTES && canonical === given ? new Secret(bytes) : undefined;
}

function toAddress(text: string): string | undefined {
  // Test the text, since the parser reports an empty query as none but keeps its question mark.
  return /[?#]/.test(text) ? undefined : toSafeUrl(text)?.href;
}

function freeze<T extends object>(config: T): Readonly<T> {
  for (const part of Object.values(config)) Object.freeze(part);
  return Object.freeze(config);
}

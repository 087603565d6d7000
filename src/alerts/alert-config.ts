import { toFieldProblem } from "../base/field-codes.ts";
import { isLoopback } from "../base/public-address.ts";
import { Secret } from "../base/secret.ts";
import { toPrintable, toSafeUrl, type VariableReader } from "../base/variables.ts";
import { isWebhookSecret, WEBHOOK_SECRET_LIMITS } from "./webhook-signature.ts";

export type AlertWebhookConfig = NonNullable<ReturnType<typeof readSignedWebhook>>;
export type AlertEmailConfig = NonNullable<ReturnType<typeof readEmail>>;
/** How alerts reach people, in addition to the log. At least one of the two is set. */
export type AlertsConfig = NonNullable<ReturnType<typeof readAlerts>>;

const MAX_RECIPIENTS = 20;
const EMAIL_NAMES = ["SMTP_URL", "ALERT_EMAIL_FROM", "ALERT_EMAIL_TO"];

/** Read the variables about alerts; undefined when none is set, or none is usable. */
export function readAlerts(reader: VariableReader) {
  const webhook = readWebhook(reader);
  const email = readEmail(reader);
  return webhook === undefined && email === undefined ? undefined : Object.freeze({ webhook, email });
}

const readWebhook = (reader: VariableReader) => readSignedWebhook(reader, "ALERT_WEBHOOK");

/** The shop's own mail system, which sends links to buyers. It gets their addresses, so it has to be signed. */
export function readBuyerWebhook(reader: VariableReader) {
  const webhook = readSignedWebhook(reader, "BUYER_WEBHOOK");
  if (reader.has("BUYER_WEBHOOK_URL") && !reader.has("BUYER_WEBHOOK_SECRET"))
    reader.refuse("BUYER_WEBHOOK_SECRET", "expected with BUYER_WEBHOOK_URL");
  return webhook;
}

function readSignedWebhook({ read, allowOnlyWith }: VariableReader, name: "ALERT_WEBHOOK" | "BUYER_WEBHOOK") {
  /** The whole address is secret: often its path or query is the only protection. */
  const url = read(
    `${name}_URL`,
    "expected an https address (http only to loopback) without credentials or fragment",
    (text) => (isWebhookUrl(text) ? new Secret(text) : undefined),
  );
  /** Key of the signature; undefined: not signed. */
  const { message: rule } = toFieldProblem("", "webhook-secret", WEBHOOK_SECRET_LIMITS);
  const secret = read(`${name}_SECRET`, rule, (text) =>
    isWebhookSecret(text) ? new Secret(text) : undefined,
  );
  allowOnlyWith(`${name}_URL`, `${name}_SECRET`);
  return url === undefined ? undefined : Object.freeze({ url, secret });
}

function readEmail(reader: VariableReader) {
  const { read } = reader;
  const smtpUrl = read(
    "SMTP_URL",
    "expected smtp://USER:PASSWORD@HOST:PORT or smtps://…, without path, query or fragment",
    (text) =>
      toPrintable(text) !== undefined && parseSmtpUrl(text) !== undefined ? new Secret(text) : undefined,
  );
  const from = read("ALERT_EMAIL_FROM", "expected one email address, without a name", (text) =>
    isEmailAddress(text) ? text : undefined,
  );
  const to = read(
    "ALERT_EMAIL_TO",
    `expected 1 to ${MAX_RECIPIENTS} email addresses, without names, with commas between them`,
    toRecipients,
  );
  const expected = "expected with SMTP_URL, ALERT_EMAIL_FROM and ALERT_EMAIL_TO";
  reader.require(EMAIL_NAMES.some(reader.has), expected, EMAIL_NAMES);
  if (smtpUrl === undefined || from === undefined || to === undefined) return undefined;
  return Object.freeze({ smtpUrl, from, to });
}

/** Whether alerts can be posted to an address: https, or http to this machine, without credentials and fragment. */
export function isWebhookUrl(text: string): boolean {
  return toSafeUrl(text) !== undefined && !text.includes("#");
}

/** An email address by RFC 5321 without the quoted form, so nothing in it can end a header or add a recipient. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/.test(text);
}

function toRecipients(text: string): readonly string[] | undefined {
  const addresses = text.split(/ *, */);
  return addresses.length <= MAX_RECIPIENTS && addresses.every(isEmailAddress)
    ? Object.freeze(addresses)
    : undefined;
}

/**
 * Read `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`; undefined for anything else. User and password are percent-encoded,
 * and both or none.
 */
export function parseSmtpUrl(text: string) {
  if (!/^smtps?:\/\//.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  const isReachable = /^(?:[\w.-]+|\[[\da-f:]+\])$/i.test(hostname) && port !== "0";
  if (!isReachable || !["", "/"].includes(pathname)) return undefined;
  const auth = toAuth(decode(username), decode(password));
  if (auth === undefined) return undefined;
  return {
    host: hostname.replaceAll(/[[\]]/g, ""),
    /** Undefined for the scheme's default: 587, or 465 for `smtps:`. */
    port: port === "" ? undefined : Number(port),
    /** Encrypted from the first byte. */
    secure: protocol === "smtps:",
    /** Whether the host is this machine, where mail may go unencrypted. */
    loopback: isLoopback(hostname),
    auth: auth.user === "" ? undefined : auth,
  };
}

function toAuth(user: string | undefined, pass: string | undefined) {
  if (user === undefined || pass === undefined) return undefined;
  return (user === "") === (pass === "") ? { user, pass } : undefined;
}

/** Undefined if the text isn't percent-encoded, or would end a line of the protocol. */
function decode(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return /\p{Cc}/u.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

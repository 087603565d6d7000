import type { SMTPTransportOptions, Transporter } from "nodemailer";
import { toConfigError } from "../base/errors.ts";
import { throwMissingPackage } from "../base/missing-package.ts";
import { type AlertEmailConfig, parseSmtpUrl } from "./alert-config.ts";
import type { AlertMessage } from "./alert-message.ts";
import { toProblem, type AlertChannel, type Delivery } from "./outbox.ts";

export interface EmailChannelOptions extends AlertEmailConfig {
  /** Time limit of one attempt, in milliseconds. Default 20000. */
  readonly timeoutMs?: number | undefined;
  /** Certificate authority in PEM, in place of the public ones. */
  readonly ca?: string | undefined;
}

/** A mail server may look up the caller's address before it answers. */
const TIMEOUT_MS = 20_000;
/** Another attempt with the same settings would end the same way. */
const FINAL_CODES = new Set(["EAUTH", "ECONFIG", "EENVELOPE", "ENOAUTH", "EOAUTH2", "ETLS"]);

/**
 * Mail alerts as plain text. Without TLS, nothing is sent to a server on another machine.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a server address that can't be used.
 */
export function createEmailChannel(options: EmailChannelOptions): AlertChannel {
  const { from, to, timeoutMs = TIMEOUT_MS } = options;
  const transport = toTransportOptions(options, timeoutMs);
  let transporter: Promise<Transporter> | undefined;

  return {
    name: "email",
    async send(message, signal) {
      try {
        transporter ??= load(transport);
        const sent = (await (
          await transporter
        ).sendMail({
          ...toMail(message, from),
          from,
          to: [...to],
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })) as { readonly rejected?: readonly unknown[] };
        return { outcome: "sent", refused: sent.rejected?.length ?? 0 };
      } catch (error) {
        return toFailure(error);
      }
    },
    async close() {
      await transporter?.then((loaded) => loaded.close()).catch(() => undefined);
    },
  };
}

/** Loaded with the first mail: most installations never send any. */
async function load(transport: SMTPTransportOptions): Promise<Transporter> {
  const { createTransport } = await import("nodemailer").catch(throwMissingPackage);
  return createTransport(transport);
}

function toTransportOptions({ smtpUrl, ca }: EmailChannelOptions, timeoutMs: number): SMTPTransportOptions {
  const server = parseSmtpUrl(smtpUrl.reveal());
  if (server === undefined) throw toConfigError("SMTP_URL: expected smtp:// or smtps://");
  const { host, port, secure, loopback, auth } = server;
  return {
    host,
    port,
    secure,
    auth: auth === undefined ? undefined : { ...auth },
    requireTLS: !loopback,
    // A mail server on this machine often has a self-signed certificate, and nobody can be in between.
    opportunisticTLS: loopback,
    tls: ca === undefined ? undefined : { ca },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // The message contains only fixed texts and ids, and never names a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toMail({ id, subject, text }: AlertMessage, from: string) {
  return {
    subject,
    text,
    // The same in every attempt, so that a mailbox shows a message only once even if the server's confirmation was
    // lost.
    messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    // RFC 3834: prevents out-of-office replies.
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

function toFailure(error: unknown): Delivery {
  const problem = toProblem(error);
  const status = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  // RFC 5321, 4.2.1: 4xx is temporary, 5xx is permanent. Without a status, the server didn't answer.
  const retryable = status >= 400 ? status < 500 : !FINAL_CODES.has(problem);
  return { outcome: "failed", retryable, problem };
}

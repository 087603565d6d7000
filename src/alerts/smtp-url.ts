import { isLoopback } from "../base/public-address.ts";

/** How to reach a mail server. */
export interface SmtpServer {
  readonly host: string;
  /** Undefined for the scheme's own: 587, or 465 for `smtps:`. */
  readonly port: number | undefined;
  /** Encrypted from the first byte (`smtps:`). */
  readonly secure: boolean;
  /** This very machine, where mail may go unencrypted. */
  readonly loopback: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** Whether `text` is an address that {@link parseSmtpUrl} takes. */
export function isSmtpUrl(text: string): boolean {
  return parseSmtpUrl(text) !== undefined;
}

/** Read `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`; undefined for anything else. User and password are percent-encoded, and both or none. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  if (!/^smtps?:\/\//.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  const isReachable = /^(?:[\w.-]+|\[[\da-f:]+\])$/i.test(hostname) && port !== "0";
  if (!isReachable || !["", "/"].includes(pathname)) return undefined;
  const auth = toAuth(decode(username), decode(password));
  if (auth === undefined) return undefined;
  return {
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: port === "" ? undefined : Number(port),
    secure: protocol === "smtps:",
    loopback: isLoopback(hostname),
    auth: auth.user === "" ? undefined : auth,
  };
}

function toAuth(
  user: string | undefined,
  pass: string | undefined,
): { user: string; pass: string } | undefined {
  if (user === undefined || pass === undefined) return undefined;
  return (user === "") === (pass === "") ? { user, pass } : undefined;
}

/** Undefined for what is not percent-encoded text, or would end a line of the protocol. */
function decode(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return /\p{Cc}/u.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

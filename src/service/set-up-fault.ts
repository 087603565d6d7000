import { readCode } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { isFields } from "../order/complete-order.ts";
import type { HttpReply, SendFailure } from "./send-once.ts";

/**
 * What tells a set-up that can't work from a service that doesn't work now.
 *
 * A certificate, a name or a page can also be wrong for a while at the service's side. So these count as faults of the set-up
 * only until the service has answered in this process, which proves the set-up.
 */
export interface Proof {
  /** Whether the service has answered. */
  readonly isProven: boolean;
}

const CLOSED = "its dispatcher is closed";
const UNUSABLE = "its dispatcher refuses the call";
/** Never the service's fault. */
const FAULTS: Readonly<Record<string, string>> = {
  UND_ERR_CLOSED: CLOSED,
  UND_ERR_DESTROYED: CLOSED,
  UND_ERR_INVALID_ARG: UNUSABLE,
  UND_ERR_NOT_SUPPORTED: UNUSABLE,
  UND_MOCK_ERR_MOCK_NOT_MATCHED: "no mock of its dispatcher matches the call",
};

const UNTRUSTED = "no trusted authority signed its certificate (NODE_EXTRA_CA_CERTS adds one)";
const OTHER_HOST = "its certificate is for another host";
const NO_TLS = "it doesn't speak TLS like this client: check scheme and port";
/** Faults until the service has answered. An expired certificate isn't one: it was right before. */
const FAULTS_UNLESS_PROVEN: Readonly<Record<string, string>> = {
  ENOTFOUND: "this host isn't known",
  CERT_REJECTED: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  INVALID_CA: UNTRUSTED,
  INVALID_PURPOSE: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_HOST,
  HOSTNAME_MISMATCH: OTHER_HOST,
  UND_ERR_PRX_TLS: "the proxy's certificate doesn't match its name",
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: NO_TLS,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: NO_TLS,
};

/** Why no call with this set-up can reach the service, after a call that wasn't sent; undefined for an outage. */
export function explainSetUpFault({ reason, cause }: SendFailure, { isProven }: Proof): string | undefined {
  const code = readCode(cause);
  const known = code === undefined ? undefined : findFault(code, isProven);
  if (known !== undefined) return `${known} (${code})`;
  if (reason !== "unusable") return undefined;
  return `its HTTP client can't run here, or its dispatcher fails (${code ?? toName(cause)})`;
}

function findFault(code: string, isProven: boolean): string | undefined {
  if (Object.hasOwn(FAULTS, code)) return FAULTS[code];
  return !isProven && Object.hasOwn(FAULTS_UNLESS_PROVEN, code) ? FAULTS_UNLESS_PROVEN[code] : undefined;
}

function toName(error: unknown): string {
  return error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : "unknown error";
}

/** Whether an answer proves that this is the service and that the set-up works. */
export function isProof({ status, body }: HttpReply): boolean {
  const envelope = status >= 200 && status < 300 ? parseJson(body) : undefined;
  return isFields(envelope) && (envelope["success"] === true || envelope["ok"] === true);
}

/** Statuses that another server gives to a POST, in addition to pages and redirects. 404 has its own meaning. */
const ELSEWHERE: ReadonlySet<number> = new Set([405, 501]);

/** Whether an answer may be another server's: a page or a redirect. The service answers with JSON. */
export function isForeign({ status, body }: HttpReply): boolean {
  if (status < 300) return /^\s*</.test(body);
  // 304 never has a body.
  const isOdd = (status < 400 && status !== 304) || ELSEWHERE.has(status);
  return isOdd && parseJson(body) === undefined;
}

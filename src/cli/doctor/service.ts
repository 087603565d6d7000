import { Agent, type Dispatcher } from "undici";
import { toDispatcher } from "../../base/proxy.ts";
import type { Config } from "../../config.ts";
import type { ServiceConfig } from "../../service/client-options.ts";
import type { Secret } from "../../base/secret.ts";
import { isHoldfastError, type ErrorCode } from "../../base/errors.ts";
import type { Finding } from "../../platform/platform.ts";
import { createVerificationClient } from "../../service/client.ts";
import { type Organization, chooseOrganization } from "../../service/organization.ts";
import { VERIFICATION } from "../../service/status.ts";
import { parseRateLimit, type ResponseHeaders } from "../../service/rate-limit.ts";
import { ok, problem, skipped, toSpan, warning } from "./findings.ts";

export interface ServiceCheckOptions {
  readonly now: () => number;
  /** Sends the call. The caller closes it. @default its own connection */
  readonly dispatcher?: Dispatcher | undefined;
}

/** What a failed call shows: a problem on the way to the service, or with the key. */
const toFailure = (at: "way" | "key", status: "warning" | "problem", advice: string) => ({
  at,
  status,
  advice,
});

const ELSEWHERE = toFailure("way", "problem", "check VERIFY_URL: another server answers there");
const NO_WAY = toFailure("way", "problem", "check VERIFY_URL, DNS, the proxy and the trusted certificates");
const FAILURES: Partial<Record<ErrorCode, ReturnType<typeof toFailure>>> = {
  VERIFICATION_UNAUTHORIZED: toFailure("key", "problem", "set VERIFY_API_KEY to an enabled key"),
  VERIFICATION_FORBIDDEN: toFailure("key", "problem", "set VERIFY_API_KEY to a key of your organization"),
  VERIFICATION_RATE_LIMITED: toFailure("key", "warning", "run doctor again in a minute"),
  VERIFICATION_FAILED: toFailure("way", "warning", "check the service's status, then run doctor again"),
  CONFIG_INVALID: NO_WAY,
  VERIFICATION_REFUSED: ELSEWHERE,
  VERIFICATION_MALFORMED: ELSEWHERE,
};

/** Make the free call as the app makes it, and judge the answer. */
export async function checkService(config: Config, options: ServiceCheckOptions) {
  const { service } = config;
  if (service === undefined) {
    const advice = "set VERIFY_URL and VERIFY_API_KEY: the local engine never cancels orders";
    return [warning("service", "not configured: the local engine checks every order", advice)];
  }
  if (service.apiKey === undefined) {
    return [skipped("service", "every shop brings its own key (SHOPIFY_BILLING=own-key)")];
  }
  const { organizations, error, headers } = await ask(service, service.apiKey, {
    now: options.now,
    dispatcher: options.dispatcher ?? toDispatcher(config.proxy),
  });
  const reached = organizations === undefined ? [] : [checkOrganization(service, organizations)];
  const nowMs = options.now();
  const ofHeaders = headers && [checkClock(headers, nowMs), ...checkRateLimit(headers, nowMs)];
  return [...toAsked(service, error), ...reached, ...(ofHeaders ?? [])];
}

async function ask(service: ServiceConfig, apiKey: Secret, { now, dispatcher }: ServiceCheckOptions) {
  const own = new Agent({ allowH2: false });
  let headers: ResponseHeaders | undefined;
  const client = createVerificationClient({
    ...service,
    apiKey: apiKey.reveal(),
    now,
    dispatcher: listenTo(dispatcher ?? own, (heard) => {
      headers = heard;
    }),
  });
  try {
    const organizations = await client.organizations();
    return { organizations, error: undefined, headers };
  } catch (error) {
    return { organizations: undefined, error, headers };
  } finally {
    await client.close();
    await own.destroy();
  }
}

/** Reads the headers of responses, which contain the clock and the rate limit: the client doesn't return them. */
function listenTo(dispatcher: Dispatcher, hear: (headers: ResponseHeaders) => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (request, handler) =>
      dispatch(request, {
        onRequestStart: (...event) => handler.onRequestStart?.(...event),
        onResponseStart(...event) {
          hear(event[2]);
          handler.onResponseStart?.(...event);
        },
        onResponseData: (...event) => handler.onResponseData?.(...event),
        onResponseEnd: (...event) => handler.onResponseEnd?.(...event),
        onResponseError: (...event) => handler.onResponseError?.(...event),
      }),
  );
}

function toAsked({ url }: ServiceConfig, error: unknown): readonly Finding[] {
  const way = url.startsWith("https:") ? "it answers over TLS" : "it answers on this machine, without TLS";
  if (error === undefined) return [ok("service", way), ok("service.key", "the service accepts the key")];
  if (!isHoldfastError(error)) throw error;
  const { at, status, advice } = FAILURES[error.code] ?? NO_WAY;
  const report = status === "problem" ? problem : warning;
  return at === "way"
    ? [report("service", error.message, advice), skipped("service.key", "the service didn't answer")]
    : [ok("service", way), report("service.key", error.message, advice)];
}

function checkOrganization({ organization }: ServiceConfig, organizations: readonly Organization[]): Finding {
  const id = "service.organization";
  if (organization !== undefined) {
    if (organizations.some(({ id: known, slug }) => known === organization || slug === organization)) {
      return ok(id, "the key has access to VERIFY_ORGANIZATION");
    }
    const found = "the key has no access to VERIFY_ORGANIZATION";
    return problem(id, found, "correct VERIFY_ORGANIZATION, or use a key of that organization");
  }
  try {
    return ok(id, `the key has one organization: ${chooseOrganization(organizations, VERIFICATION)}`);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return problem(id, error.message, "set VERIFY_ORGANIZATION, or use a key of one organization");
  }
}

/** With a larger difference, the end of a rate limit and the age of an answer would be wrong. */
const LARGEST_SKEW_MS = 60_000;

function checkClock({ date }: ResponseHeaders, nowMs: number): Finding {
  const id = "service.clock";
  const serverMs = typeof date === "string" ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(serverMs)) return skipped(id, "the service sends no date");
  const skewMs = nowMs - serverMs;
  if (Math.abs(skewMs) <= LARGEST_SKEW_MS) return ok(id, "this machine's clock matches the service's");
  const found = `this machine's clock is ${toSpan(Math.abs(skewMs))} ${skewMs > 0 ? "ahead of" : "behind"} the service's`;
  return warning(id, found, "set this machine's clock with NTP");
}

function checkRateLimit(headers: ResponseHeaders, nowMs: number): readonly Finding[] {
  const rate = parseRateLimit(headers);
  if (rate === undefined) return [];
  const { limit, remaining, resetAtMs } = rate;
  const reset = resetAtMs === undefined ? "" : `, until ${toSpan(Math.max(0, resetAtMs - nowMs))} from now`;
  const found = `${remaining ?? "an unknown number"} of ${limit ?? "an unknown number of"} calls are left${reset}`;
  const id = "service.rate-limit";
  return [
    remaining === 0
      ? warning(id, found, "no action unless it continues: orders wait until calls are allowed")
      : ok(id, found),
  ];
}

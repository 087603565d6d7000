import { isHoldfastError } from "../base/errors.ts";
import { SILENT_LOGGER } from "../base/logger.ts";
import { parseVerificationRequest, type VerificationRequest } from "../order/request.ts";
import type { VerificationClientOptions } from "./client-options.ts";
import { parseEnvelope } from "./checked-data.ts";
import { CALL_RULES, readCallOptions, toCall, type Answered, type Call, type CallOptions } from "./call.ts";
import { createHttpCore, type ServiceCall } from "./http-core.ts";
import { parseRateLimit, type RateLimit } from "./rate-limit.ts";
import { answerSchema, readResult } from "./read-result.ts";
import { createShapeLog } from "./shape-log.ts";
import { assertReached } from "./organization.ts";
import type { VerificationResult } from "../order/result.ts";
import { isScoreInBand } from "../order/risk-level.ts";
import { VERIFICATION } from "./status.ts";

export interface VerificationAnswer {
  readonly result: VerificationResult;
  readonly rateLimit?: RateLimit | undefined;
}

/** An order is sent once: this call has no `retries`. A canceled attempt may still have been billed. */
export type VerifyOptions = Omit<CallOptions, "retries">;

export type VerificationClient = Omit<ReturnType<typeof createVerificationClient>, "verify"> & Verifier;

export interface Verifier {
  verify(request: VerificationRequest, options?: VerifyOptions): Promise<VerificationAnswer>;
}

const { retries: _once, ...VERIFY_RULES } = CALL_RULES;
const PAID = { free: false, repeatable: false } as const;

/**
 * Create a client of the hosted verification service.
 *
 * `verify` makes one attempt: it never retries and follows no redirect. Without `organization`, the client makes the
 * free organizations call before the first attempt, within the same time limit.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createVerificationClient(options: VerificationClientOptions) {
  const { logger = SILENT_LOGGER } = options;
  const core = createHttpCore(options, VERIFICATION);
  const logUnusable = createShapeLog(logger);

  async function send(call: Pick<ServiceCall, "path" | "body" | "timeoutMs" | "headers" | "signal">) {
    try {
      return await core.exchange({ method: "POST", ...PAID, ...call });
    } catch (error) {
      // The organization may have been renamed, or the key may belong to another one.
      if (isHoldfastError(error, "CONFIG_INVALID", "VERIFICATION_FORBIDDEN")) core.forgetOrganization();
      throw error;
    }
  }

  async function verify(
    request: VerificationRequest,
    given: VerifyOptions,
  ): Promise<Answered<VerificationAnswer>> {
    const { headers, signal, timeoutMs = core.config.timeoutMs } = readCallOptions(given, VERIFY_RULES);
    const body = JSON.stringify(parseVerificationRequest(request));
    const startedAtMs = performance.now();
    const organization = await core.organization(signal);
    const timeLeftMs = Math.max(1, timeoutMs - (performance.now() - startedAtMs));
    const path = `/api/${organization}/order-verification`;
    const reply = await send({ path, body, timeoutMs: timeLeftMs, headers, signal });
    const answer = parseEnvelope(reply.body, answerSchema, {
      dialect: VERIFICATION,
      metered: "yes",
      repeatable: false,
    });
    const { result, unusable } = readResult(answer);
    logUnusable(unusable);
    if (!isScoreInBand(result)) {
      const fields = { level: result.riskLevel, score: result.riskScore };
      logger.warn(fields, "the risk score is outside the range of its level; the level decides");
    }
    const response = { status: reply.status, headers: reply.headers };
    return { data: { result, rateLimit: parseRateLimit(reply.headers) }, response };
  }

  return {
    /**
     * Judge one order, in one attempt.
     *
     * @throws {HoldfastError} `VERIFICATION_*`, with `retryable` and `metered` set.
     */
    verify: (request: VerificationRequest, options: VerifyOptions = {}): Call<VerificationAnswer> =>
      toCall(core.run(() => verify(request, options))),
    /**
     * The organizations that the key reaches. Free of charge, so it also proves that the key works.
     *
     * @throws {HoldfastError} `VERIFICATION_*`, always with `metered: "no"`.
     */
    organizations: ({ signal }: Pick<VerifyOptions, "signal"> = {}) =>
      core.run(() => core.organizations(core.config.timeoutMs, signal)),
    /**
     * Make the free organizations call ahead of the first `verify`: finds the organization, proves the key, and opens a connection.
     *
     * @throws {HoldfastError} `VERIFICATION_*` with `metered: "no"`, or `CONFIG_INVALID`, also if the key doesn't reach the
     * organization.
     */
    prepare: ({ signal }: Pick<VerifyOptions, "signal"> = {}) =>
      core.run(async () => {
        const { organization, timeoutMs } = core.config;
        if (organization === undefined) await core.organization(signal);
        else assertReached(organization, await core.organizations(timeoutMs, signal), VERIFICATION);
      }),
    /** Finish calls under way and release the connections; later calls throw `SHUTTING_DOWN`. */
    close: () => core.close(),
  };
}

import { fail, ok } from "node:assert/strict";
import { z } from "zod";
import { parseJson } from "../base/json.ts";
import type { OptionRule, OptionRules } from "../base/options.ts";
import { createSharedWork } from "../base/shared-work.ts";
import type { Organization } from "../service/organization.ts";
import { expectShape } from "./contract-case.ts";

/** How to reach the service under test. */
export interface ServiceUnderTest {
  /** Base address of the service, as in its variable (`VERIFY_URL` and the like): the part before `/api`. */
  readonly url: string | URL;
  /** Carries the calls, e.g. one that trusts a private certificate authority. @default the global fetch */
  readonly fetch?: typeof fetch | undefined;
  /** Limit of one call, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
}

/** The rules of {@link ServiceUnderTest}'s options. */
export const SERVICE_RULES: OptionRules<ServiceUnderTest> = {
  url: { is: (url) => URL.canParse(String(url)), expected: "the service's address", isRequired: true },
  fetch: "function",
  timeoutMs: true,
};
/** The rule of a required key or token. */
export const KEY_RULE: OptionRule = {
  is: (key) => typeof key === "string" && key !== "",
  expected: "a key of the service",
  isRequired: true,
};

/** One request of a case. */
export interface ServiceRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Replaces the suite's own key; null sends none. */
  readonly apiKey?: string | null | undefined;
}

/** The service's answer. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Calls the service under test. */
export type ServiceCaller = ReturnType<typeof createServiceCaller>;

const ORGANIZATIONS = "api/organizations/get";

/** Create a {@link ServiceCaller}; `named` picks one of several organizations by slug or id. */
export function createServiceCaller(
  options: ServiceUnderTest & { readonly apiKey: string },
  named: string | undefined,
) {
  const { fetch: send = fetch, timeoutMs = 30_000 } = options;
  const base = String(options.url).replace(/\/*$/, "/");

  async function call(path: string, request: ServiceRequest = {}): Promise<ServiceAnswer> {
    const { method = "GET", apiKey = options.apiKey, body } = request;
    const response = await send(new URL(path, base), {
      method,
      headers: {
        ...(apiKey === null ? {} : { "x-api-key": apiKey }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function findOrganization(): Promise<Organization> {
    const listed = readOrganizations(await call(ORGANIZATIONS));
    const found =
      named === undefined ? listed[0] : listed.find(({ id, slug }) => id === named || slug === named);
    return found ?? fail("expected the key to reach the organization that the suite works in");
  }

  // A failure isn't kept: a runner may run one case again.
  const discovery = createSharedWork(findOrganization);
  const organization = () => discovery.get();

  return {
    call,
    /** The organization that the cases work in. */
    organization,
    /** List the organizations of a key. */
    organizations: (request?: ServiceRequest) => call(ORGANIZATIONS, request),
    /** Check an order, by default in the organization that the cases work in. */
    async verify(
      order: unknown,
      { organization: given, ...request }: ServiceRequest & { readonly organization?: string } = {},
    ) {
      const path = `api/${encodeURIComponent(given ?? (await organization()).slug)}/order-verification`;
      return call(path, { method: "POST", body: order, ...request });
    },
  };
}

/** Fields whose types a case checks by itself. */
export type Fields = Readonly<Record<string, unknown>>;

const filled = z.string().min(1);
const anyData = z.union([z.looseObject({}), z.array(z.unknown())]);
const failure = z.object({ success: z.literal(false), message: filled });
const organizationList = z.object({
  organizations: z.array(z.object({ id: filled, slug: filled, name: filled, role: filled })),
});

/** The organizations of an answer; fails when it is not the documented list. */
export function readOrganizations(answer: ServiceAnswer): readonly Organization[] {
  return readData(answer, organizationList).organizations;
}

/** `data` of an answer in the envelope of success; fails for any other answer. */
export function readData<T = Fields>(answer: ServiceAnswer, data?: z.ZodType<T>): T {
  ok(answer.status === 200, `expected status 200, got ${answer.status}${toMessageText(answer)}`);
  const envelope = z.object({ success: z.literal(true), data: data ?? anyData });
  return expectShape(envelope, parseJson(answer.text)).data as T;
}

/** The message of a failure with this status; fails for any other answer. */
export function readFailure(answer: ServiceAnswer, ...statuses: readonly number[]): string {
  const expected = statuses.join(" or ");
  ok(
    statuses.includes(answer.status),
    `expected status ${expected}, got ${answer.status}${toMessageText(answer)}`,
  );
  return expectShape(failure, parseJson(answer.text)).message;
}

/** Fails unless the service refused a body as the interface says. */
export function expectInvalidBody(answer: ServiceAnswer): void {
  const message = readFailure(answer, 400);
  ok(
    /^Invalid request body: ./s.test(message),
    "expected a message that begins with 'Invalid request body: ' and says what is wrong",
  );
}

/** The service's message about a failure. It names fields and contains no values. */
function toMessageText({ text, status }: ServiceAnswer): string {
  if (status < 400) return "";
  const message = /"message"\s*:\s*"([^"]{1,300})/.exec(text)?.[1];
  return message === undefined ? "" : ` (${message})`;
}

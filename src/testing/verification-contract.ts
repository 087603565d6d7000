import { equal, ok } from "node:assert/strict";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { toAnswerCases, toScarcityCases } from "./answer-cases.ts";
import { free, paid, type ContractCase } from "./contract-case.ts";
import { toRequestCases } from "./request-cases.ts";
import { SMALLEST_ORDER } from "./sample-request.ts";
import {
  KEY_RULE,
  createServiceCaller,
  readData,
  readFailure,
  readOrganizations,
  SERVICE_RULES,
  type ServiceAnswer,
  type ServiceCaller,
  type ServiceUnderTest,
} from "./service-caller.ts";

/** Options of {@link verificationServiceContract}. */
export interface VerificationServiceContractOptions extends ServiceUnderTest {
  /** A key with credits: the cases' `credits` add up to what the suite can cost. */
  readonly apiKey: string;
  /** Slug or id of the organization to work in. @default the first that the key reaches */
  readonly organization?: string | undefined;
  /** A key of the same organization without credits; without it the 402 is not checked. */
  readonly emptyKey?: string | undefined;
  /** A separate key with a limit of at most 1000 requests, all of which are used; without it the 429 is not checked. */
  readonly limitedKey?: string | undefined;
}

const OPTIONS: OptionRules<VerificationServiceContractOptions> = {
  ...SERVICE_RULES,
  apiKey: KEY_RULE,
  organization: true,
  emptyKey: true,
  limitedKey: true,
};

/**
 * What the order verification service's interface promises, as cases for any test runner. The orders they send are made
 * up. Cases can run in any order, and at the same time, except the one that uses up `limitedKey`.
 */
export function verificationServiceContract(
  given: VerificationServiceContractOptions,
): readonly ContractCase[] {
  const options = checkOptions("verificationServiceContract", given, OPTIONS);
  const caller = createServiceCaller(options, options.organization);
  return [
    ...toAccessCases(caller, options),
    ...toAnswerCases(caller),
    ...toRequestCases(caller),
    ...toScarcityCases(caller, { emptyKey: options.emptyKey, limitedKey: options.limitedKey }),
  ];
}

const NOBODYS_KEY = "holdfast-contract-no-such-key";
const NOBODYS_ORGANIZATION = "holdfast-contract-no-such-organization";
const ROLES = new Set(["owner", "admin", "member"]);
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Cases for who may call, and how callers identify themselves. */
function toAccessCases(
  caller: ServiceCaller,
  { url, apiKey }: { readonly url: string | URL; readonly apiKey: string },
): readonly ContractCase[] {
  return [
    free("is reached by HTTPS, or on this machine", async () => {
      const { protocol, hostname } = new URL(url);
      ok(protocol === "https:" || LOOPBACK.test(hostname), "expected an https address");
    }),
    free("lists the organizations of a key", async () => {
      const listed = readOrganizations(await caller.organizations());
      ok(listed.length > 0, "expected the key to reach an organization");
      ok(
        listed.every(({ role }) => ROLES.has(role)),
        "expected every role to be owner, admin or member",
      );
    }),
    free("takes the key as a bearer token", async () => {
      const headers = { authorization: `Bearer ${apiKey}` };
      readOrganizations(await caller.organizations({ apiKey: null, headers }));
    }),
    free("lists no organizations without a key", async () => {
      expectMissingKey(await caller.organizations({ apiKey: null }));
    }),
    free("checks no order without a key", async () => {
      expectMissingKey(await caller.verify(SMALLEST_ORDER, { apiKey: null }));
    }),
    free("lists no organizations for an unknown key", async () => {
      expectBadKey(await caller.organizations({ apiKey: NOBODYS_KEY }));
    }),
    free("checks no order for an unknown key", async () => {
      expectBadKey(await caller.verify(SMALLEST_ORDER, { apiKey: NOBODYS_KEY }));
    }),
    free("checks no order in an organization that the key can't reach", async () => {
      const answer = await caller.verify(SMALLEST_ORDER, { organization: NOBODYS_ORGANIZATION });
      equal(readFailure(answer, 403), "Invalid API Key");
    }),
    paid("finds an organization by its id as well as by its slug", 2, async () => {
      const { id, slug } = await caller.organization();
      for (const organization of [id, slug]) readData(await caller.verify(SMALLEST_ORDER, { organization }));
    }),
  ];
}

function expectMissingKey(answer: ServiceAnswer): void {
  equal(readFailure(answer, 401), "Missing API Key");
}

/** The interface allows both statuses for a bad key, and defines the message of only one. */
function expectBadKey(answer: ServiceAnswer): void {
  const message = readFailure(answer, 401, 403);
  if (answer.status === 403) equal(message, "Invalid API Key");
}

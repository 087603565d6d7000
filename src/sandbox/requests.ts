import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import { z } from "zod";
import { parseJson } from "../base/json.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import { SANDBOX_TABLE } from "../engine/sandbox-scenarios.ts";
import type { Access, AccessCheck, SandboxOrganization } from "./access.ts";
import type { CallHandler, RecordedCall, Reply } from "./answer-call.ts";
import {
  isJson,
  readBody,
  toFailure,
  toSuccess,
  writeAnswer,
  type Answer,
  INVALID_BODY,
  STATUS_MESSAGES,
} from "./http.ts";
import type { SandboxCatalog } from "./catalog/catalog-service.ts";
import { toRoute, type Route } from "./routes.ts";
import { toManagementFailure, type SandboxManagement } from "./management-service.ts";
import type { CreditBalance, CreditBalances } from "./credits.ts";
import type { RateState } from "./rate-window.ts";

/** One request and how it ended. The order id is all that it contains of the body. */
export interface ServedRequest {
  /** When it arrived, milliseconds since the epoch. */
  readonly at: number;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** The requested operation; `unknown` for an unknown path, `wrong-method` for a method that the path doesn't have. */
  readonly kind: Route["kind"];
  readonly method: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** How it ended when there was no answer. */
  readonly ended: "silent" | "reset" | "closed" | "caller-left" | undefined;
  readonly orderId: string | undefined;
  /** The risk level in the answer, if it has one. */
  readonly riskLevel: RiskLevel | undefined;
  /** The rule that the order asked for, e.g. `score-73`. */
  readonly rule: string | undefined;
  /** Whether it cost a credit. */
  readonly metered: boolean;
  /**
   * The credits left for its organization after the request; for all organizations together, if the request is about
   * none.
   */
  readonly creditsLeft: number;
}

/** The dependencies of the request handler. */
export interface RequestParts {
  readonly checkAccess: AccessCheck;
  readonly handler: CallHandler;
  readonly balances: CreditBalances;
  readonly catalog: SandboxCatalog;
  readonly management: SandboxManagement;
  /** The rate limit for callers without a known key. */
  readonly untouched: () => RateState;
  /** Whether the service is stopping, so that a connection ends with its answer. */
  readonly isLast: () => boolean;
  readonly onRequest: (request: ServedRequest) => void;
  readonly now: () => number;
}

/** How a request ends, with the caller's rate limit. */
interface Outcome {
  readonly reply: Reply;
  readonly rateState: RateState;
}

/** Create the handler of a service's requests. It rejects only with what `onRequest` throws. */
export function createRequestHandler(
  parts: RequestParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const at = parts.now();
    const left = new AbortController();
    response.once("close", () => left.abort());
    const route = toRoute(request);
    const asked: Asked = { ...parts, route, signal: left.signal };
    let outcome: Outcome | undefined;
    try {
      outcome = await toOutcome(request, asked);
    } catch {
      // The caller left or the service was closed, so nobody gets an answer.
      const isGone = left.signal.aborted || response.destroyed;
      if (!isGone) outcome = answer(toFailure(500, STATUS_MESSAGES[500]), parts.untouched());
    }
    if (outcome !== undefined) carryOut(response, outcome, parts.isLast());
    parts.onRequest(toServedRequest({ at, method: request.method ?? "", outcome }, asked));
  };
}

interface Asked extends RequestParts {
  readonly route: Route;
  readonly signal: AbortSignal;
  /** Set once an order-verification call is recorded. */
  record?: RecordedCall;
  /** Set once the payer is known. */
  balance?: CreditBalance;
}

async function toOutcome(request: IncomingMessage, asked: Asked): Promise<Outcome> {
  const { route } = asked;
  switch (route.kind) {
    case "unknown":
      return refuse(request, toFailure(404, STATUS_MESSAGES[404]), asked);
    case "wrong-method":
      return refuse(request, toFailure(405, STATUS_MESSAGES[405], { Allow: route.allow }), asked);
    case "verification":
      return verify(request, route.organization, asked);
    case "catalog":
      return serveCatalog(request, route, asked);
    case "management":
      return manage(request, route.segments, asked);
    default:
      return serveForFree(request, asked);
  }
}

async function serveCatalog(
  request: IncomingMessage,
  { organization, match }: Extract<Route, { readonly kind: "catalog" }>,
  asked: Asked,
): Promise<Outcome> {
  const access = asked.checkAccess(request, organization);
  if (!access.granted || access.organization === undefined) {
    // Read to its end, so that the caller gets the answer.
    request.resume();
    return answer(access.granted ? toFailure(403, STATUS_MESSAGES[403]) : access.refusal, access.rateState);
  }
  asked.balance = asked.balances.of(access.organization.id);
  return answer(await asked.catalog.answer(request, access.organization.id, match), access.rateState);
}

async function manage(
  request: IncomingMessage,
  segments: readonly string[],
  { checkAccess, management }: Asked,
): Promise<Outcome> {
  const access = checkAccess(request);
  const isBearer = request.headers.authorization !== undefined && request.headers["x-api-key"] === undefined;
  if (!access.granted || !isBearer) {
    request.resume();
    const { status } = access.granted ? { status: 401 } : access.refusal;
    const message = status === 429 ? STATUS_MESSAGES[429] : "Invalid token";
    return answer(toManagementFailure(status === 403 ? 401 : status, message), access.rateState);
  }
  return answer(await management.answer(request, segments), access.rateState);
}

/** Answer an unknown path or method. Callers past their rate limit get that answer instead. */
function refuse(request: IncomingMessage, failure: Answer, { checkAccess }: Asked): Outcome {
  const access = checkAccess(request);
  const isPastLimit = !access.granted && access.refusal.status === 429;
  return answer(isPastLimit ? access.refusal : failure, access.rateState);
}

async function verify(request: IncomingMessage, organization: string, asked: Asked): Promise<Outcome> {
  const body = await readBody(request);
  const access = asked.checkAccess(request, organization);
  const { rateState } = access;
  const payer = toPayer(access, asked.balances);
  if (!("status" in payer)) asked.balance = payer;
  const call = { body, isJson: isJson(request), payer, limit: rateState.limit, signal: asked.signal };
  const { record, reply } = asked.handler.serve(call);
  asked.record = record;
  return { reply: await reply, rateState };
}

function toPayer(access: Access, balances: CreditBalances): CreditBalance | Answer {
  if (!access.granted) return access.refusal;
  const { organization } = access;
  return organization === undefined ? toFailure(403, STATUS_MESSAGES[403]) : balances.of(organization.id);
}

async function serveForFree(
  request: IncomingMessage,
  { route, checkAccess, balances }: Asked,
): Promise<Outcome> {
  const access = checkAccess(request);
  if (!access.granted) return answer(access.refusal, access.rateState);
  const { organizations } = access.key;
  if (route.kind === "organizations") {
    const listed = organizations.map(({ id, slug, name, role }) => ({ id, slug, name, role }));
    return answer(toSuccess({ organizations: listed }), access.rateState);
  }
  const body = await readBody(request);
  const own =
    route.kind === "sandbox-scenarios"
      ? toSuccess({ scenarios: SANDBOX_TABLE })
      : toCredits(request.method === "POST" ? readChange(body) : {}, organizations, balances);
  return answer(own, access.rateState);
}

function answer(answer: Answer, rateState: RateState): Outcome {
  return { reply: { kind: "answer", answer }, rateState };
}

function carryOut(response: ServerResponse, { reply, rateState }: Outcome, last: boolean): void {
  if (reply.kind === "answer") writeAnswer(response, reply.answer, { rateState, last });
  if (reply.kind !== "disconnect") return;
  const { socket } = response;
  // Only plain TCP can be reset: a TLS connection is dropped without its closing alert.
  if (reply.how === "reset" && !(socket instanceof TLSSocket)) socket?.resetAndDestroy();
  else socket?.destroy();
}

const ENDS = { silence: "silent", reset: "reset", close: "closed" } as const;

function toEnd(outcome: Outcome | undefined): ServedRequest["ended"] {
  if (outcome === undefined) return "caller-left";
  const { reply } = outcome;
  if (reply.kind === "answer") return undefined;
  return reply.kind === "silence" ? ENDS.silence : ENDS[reply.how];
}

function toServedRequest(
  { at, method, outcome }: { at: number; method: string; outcome: Outcome | undefined },
  { balances, balance, now, route, record }: Asked,
): ServedRequest {
  return {
    at,
    tookMs: now() - at,
    kind: route.kind,
    method,
    status: outcome?.reply.kind === "answer" ? outcome.reply.answer.status : null,
    ended: toEnd(outcome),
    orderId: record?.orderId,
    riskLevel: record?.riskLevel,
    rule: record?.rule,
    metered: record?.metered ?? false,
    creditsLeft: balance?.credits ?? balances.total,
  };
}

const creditsSchema = z.union([
  z.strictObject({ add: z.number().nonnegative(), organization: z.string().exactOptional() }),
  z.strictObject({ set: z.number().nonnegative(), organization: z.string().exactOptional() }),
]);
const EXPECTED_CREDITS =
  'expected { "add": N } or { "set": N }, N 0 or more, and with "organization" one that the key reaches';

type Change = z.infer<typeof creditsSchema> | { readonly organization?: undefined };

function readChange(body: string | undefined): Change | undefined {
  return creditsSchema.safeParse(parseJson(body ?? "")).data;
}

/** Change an organization's credits and answer with the new balance. Default: the key's first organization. */
function toCredits(
  change: Change | undefined,
  organizations: readonly SandboxOrganization[],
  balances: CreditBalances,
): Answer {
  const organization = organizations.find(
    ({ id, slug }) => change?.organization === undefined || [id, slug].includes(change.organization),
  );
  if (change === undefined || organization === undefined) {
    return toFailure(400, INVALID_BODY + EXPECTED_CREDITS);
  }
  const balance = balances.of(organization.id);
  if ("add" in change) balance.add(change.add);
  if ("set" in change) balance.set(change.set);
  // JSON has no infinity: null means unlimited.
  const credits = Number.isFinite(balance.credits) ? balance.credits : null;
  return toSuccess({ organization: organization.slug, credits });
}

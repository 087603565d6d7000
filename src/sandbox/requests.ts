import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import { z } from "zod";
import { parseJson } from "../base/json.ts";
import type { AccessCheck } from "./access.ts";
import { answered, type CallHandler, type RecordedCall, type Reply } from "./answer-call.ts";
import {
  answerRefusal,
  checkBody,
  isJson,
  readBearer,
  readBody,
  Refusal,
  toRefusal,
  toSuccess,
  writeAnswer,
  type Answer,
  STATUS_MESSAGES,
} from "./http.ts";
import type { SandboxCatalog } from "./catalog/catalog-service.ts";
import { toRoute, type Route } from "./routes.ts";
import { toManagementFailure, type SandboxManagement } from "./management-service.ts";
import type { CreditBalance, CreditBalances } from "./credits.ts";
import type { RateState } from "./rate-window.ts";

/** One request and how it ended. The order id is all that it contains of the body. */
export interface ServedRequest extends Pick<RecordedCall, "orderId" | "riskLevel" | "rule" | "metered"> {
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
  /**
   * The credits left for its organization after the request; for all organizations together, if the request is about
   * none.
   */
  readonly creditsLeft: number;
}

export interface RequestParts {
  readonly access: AccessCheck;
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

/** The handler rejects only with what `onRequest` throws. */
export function createRequestHandler(
  parts: RequestParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const at = parts.now();
    const left = new AbortController();
    response.once("close", () => left.abort());
    const rateState = parts.untouched();
    const asked: Asked = { ...parts, route: toRoute(request), signal: left.signal, rateState };
    const reply = await toReply(request, asked).catch((error: unknown) => {
      // The caller left or the service was closed, so nobody gets an answer.
      if (left.signal.aborted || response.destroyed) return undefined;
      // Read to its end, so that the caller gets the answer.
      request.resume();
      return answered(answerRefusal(error instanceof Refusal ? error : toRefusal(500)));
    });
    if (reply !== undefined) carryOut(response, reply, { rateState: asked.rateState, last: parts.isLast() });
    parts.onRequest(toServedRequest({ at, method: request.method ?? "", reply }, asked));
  };
}

interface Asked extends RequestParts {
  readonly route: Route;
  readonly signal: AbortSignal;
  /** The caller's rate limit, once its key is known. */
  rateState: RateState;
  /** Set once an order-verification call is recorded. */
  record?: RecordedCall;
  /** Set once the payer is known. */
  balance?: CreditBalance;
}

async function toReply(request: IncomingMessage, asked: Asked): Promise<Reply> {
  const { route } = asked;
  if (route.kind === "unknown") return refuse(request, toRefusal(404), asked);
  if (route.kind === "wrong-method") return refuse(request, toRefusal(405, { Allow: route.allow }), asked);
  if (route.kind === "verification") return verify(request, route.organization, asked);
  if (route.kind === "management") return answered(await manage(request, route.segments, asked));
  if (route.kind !== "catalog") return answered(await serveForFree(request, route.kind, asked));
  const { organization } = admit(asked.access.toOrganization(request, route.organization), asked);
  asked.balance = asked.balances.of(organization.id);
  return answered(await asked.catalog.answer(request, organization.id, route.match));
}

/**
 * Note a caller's rate limit.
 *
 * @throws {Refusal} when the caller has no access.
 */
function admit<T extends ReturnType<AccessCheck["toKey" | "toOrganization"]>>(access: T, asked: Asked) {
  asked.rateState = access.rateState;
  if (!access.granted) throw access.refusal;
  return access as Extract<T, { readonly granted: true }>;
}

async function manage(request: IncomingMessage, segments: readonly string[], asked: Asked): Promise<Answer> {
  const access = asked.access.toKey(request, readBearer);
  asked.rateState = access.rateState;
  if (access.granted) {
    // Webhooks belong to the organizations of a token, and no other token sees them.
    const owner = access.key.organizations.map(({ id }) => id).toSorted();
    return asked.management.answer(request, segments, owner.join(" "));
  }
  request.resume();
  return access.refusal.status === 429
    ? toManagementFailure(429, STATUS_MESSAGES[429])
    : toManagementFailure(401, "Invalid token");
}

/** Refuse an unknown path or method. Callers past their rate limit get that answer instead. */
function refuse(request: IncomingMessage, refusal: Refusal, asked: Asked): never {
  const access = asked.access.toKey(request);
  asked.rateState = access.rateState;
  throw !access.granted && access.refusal.status === 429 ? access.refusal : refusal;
}

async function verify(request: IncomingMessage, organization: string, asked: Asked): Promise<Reply> {
  const body = await readBody(request);
  const access = asked.access.toOrganization(request, organization);
  asked.rateState = access.rateState;
  const payer = access.granted ? asked.balances.of(access.organization.id) : access.refusal;
  if (!(payer instanceof Refusal)) asked.balance = payer;
  const { limit } = access.rateState;
  const call = asked.handler.serve({ body, isJson: isJson(request), payer, limit, signal: asked.signal });
  asked.record = call.record;
  return call.reply;
}

async function serveForFree(
  request: IncomingMessage,
  kind: "organizations" | "sandbox-credits",
  asked: Asked,
): Promise<Answer> {
  const { organizations } = admit(asked.access.toKey(request), asked).key;
  if (kind === "organizations") {
    const listed = organizations.map(({ id, slug, name, role }) => ({ id, slug, name, role }));
    return toSuccess({ organizations: listed });
  }
  const { add } = checkBody(creditsSchema, parseJson((await readBody(request)) ?? ""));
  for (const { id } of organizations) asked.balances.of(id).add(add);
  // JSON has no infinity: null means unlimited.
  return toSuccess({ credits: asked.balances.total });
}

const creditsSchema = z.strictObject({ add: z.number().nonnegative() });

function carryOut(
  response: ServerResponse,
  reply: Reply,
  how: { readonly rateState: RateState; readonly last: boolean },
): void {
  if (reply.kind === "answer") writeAnswer(response, reply.answer, how);
  if (reply.kind !== "disconnect") return;
  const { socket } = response;
  // Only plain TCP can be reset: a TLS connection is dropped without its closing alert.
  if (reply.how === "reset" && !(socket instanceof TLSSocket)) socket?.resetAndDestroy();
  else socket?.destroy();
}

const ENDS = { silence: "silent", reset: "reset", close: "closed" } as const;

function toEnd(reply: Reply | undefined): ServedRequest["ended"] {
  if (reply === undefined) return "caller-left";
  if (reply.kind === "answer") return undefined;
  return reply.kind === "silence" ? ENDS.silence : ENDS[reply.how];
}

function toServedRequest(
  { at, method, reply }: { at: number; method: string; reply: Reply | undefined },
  { balances, balance, now, route, record }: Asked,
): ServedRequest {
  return {
    at,
    tookMs: now() - at,
    kind: route.kind,
    method,
    status: reply?.kind === "answer" ? reply.answer.status : null,
    ended: toEnd(reply),
    orderId: record?.orderId,
    riskLevel: record?.riskLevel,
    rule: record?.rule,
    metered: record?.metered ?? false,
    creditsLeft: balance?.credits ?? balances.total,
  };
}

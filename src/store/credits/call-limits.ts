import type { Selectable } from "kysely";
import type { ErrorCode } from "../../base/errors.ts";
import type { AttemptsTable, Database } from "../schema/schema.ts";
import type { AttemptGrant, AttemptRequest } from "./spending.ts";
import { foldPlace } from "../../order/text.ts";
import { toMailbox } from "../../order/email-address.ts";
import { toNetwork } from "../../order/ip-address.ts";
import type { VerificationRequest } from "../../order/request.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Keyring } from "../sealing/keyring.ts";

/** A call for the same fingerprint that was made, or prevented, before. */
export type EarlierAttempt = Pick<
  Selectable<AttemptsTable>,
  "state" | "metered" | "error" | "started_at" | "ended_at" | "lease_until"
>;

/** From this limit on, the last attempt is the reserve: it is used only after the service has been seen to work. */
const LIMIT_WITH_RESERVE = 3;
/** A service that fails every few seconds works in between: the reserve waits until nothing has failed for so long. */
export const QUIET_MS = 30_000;
/** A service that fails now and then would never be quiet: after so many times the wait for the reserve an answer is enough. */
const WAITS_FOR_QUIET = 10;

/**
 * Why the earlier attempts for a fingerprint allow no further one now; undefined when they do. They are spread over time,
 * so that one bad minute cannot use them all.
 *
 * @param attempts - None of them open.
 * @param isAnsweringSince - Whether, of the tenant's calls that began after a moment, the newest that ended was answered,
 *   and none that began after another one failed.
 */
export async function findAttemptLimit(
  request: AttemptRequest,
  attempts: readonly EarlierAttempt[],
  isAnsweringSince: (atMs: number, quietSinceMs: number) => Promise<boolean>,
): Promise<AttemptGrant | undefined> {
  const paid = attempts.filter(({ state, metered }) => state !== "failed" || metered !== "no");
  if (paid.length === 0) return undefined;
  // The service would find the same fault again, and bill it again.
  const refused = paid.find(({ error }) => error === "VERIFICATION_REFUSED");
  if (refused !== undefined) return { outcome: "exhausted", error: "VERIFICATION_REFUSED" };
  const { maxPaidAttempts, retryAfterMs, nowMs } = request;
  const error = toLastError(paid);
  if (paid.length >= maxPaidAttempts) return { outcome: "exhausted", error };
  const failedAtMs = Math.max(...paid.map(toEndMs));
  if (maxPaidAttempts >= LIMIT_WITH_RESERVE && paid.length === maxPaidAttempts - 1) {
    const needsQuiet = !isSince(failedAtMs, WAITS_FOR_QUIET * request.reserveAfterMs, nowMs);
    const quietSinceMs = needsQuiet ? nowMs - QUIET_MS : Number.MAX_SAFE_INTEGER;
    const isFree =
      isSince(failedAtMs, request.reserveAfterMs, nowMs) &&
      (request.seenHealthyAtMs > failedAtMs || (await isAnsweringSince(failedAtMs, quietSinceMs)));
    return isFree ? undefined : { outcome: "reserved", failedAtMs, error };
  }
  const waitMs = retryAfterMs * 2 ** (paid.length - 1);
  // The answer to an order that was erased meanwhile was not kept. It was an answer all the same.
  const hasFailed = paid.some(({ state }) => state !== "answered");
  return hasFailed && !isSince(failedAtMs, waitMs, nowMs)
    ? { outcome: "too-early", retryAtMs: failedAtMs + waitMs, error }
    : undefined;
}

/** Whether so much time has passed since a moment. One that lies further ahead was written before the clock was set back. */
function isSince(atMs: number, waitMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) >= waitMs;
}

/** When an attempt ended. Nobody knows when one that was cut off did. */
function toEndMs({ started_at: startedAtMs, ended_at: endedAtMs }: EarlierAttempt): number {
  return endedAtMs ?? startedAtMs;
}

function toLastError(paid: readonly EarlierAttempt[]): ErrorCode | undefined {
  const failed = paid.filter(({ error }) => error !== null).toSorted((a, b) => toEndMs(b) - toEndMs(a));
  return failed[0]?.error as ErrorCode | undefined;
}

const HOUR_MS = 3_600_000;
/** A source that was braked is let through again once its level has sunk to this share of the limit. */
const RELEASED_AT = 1 / 2;

/** An order of a flood. */
export type Braked = Extract<AttemptGrant, { readonly outcome: "braked" }>;

/** How full a source's bucket was at a moment. */
export interface Level {
  readonly level: number;
  readonly at: number;
  readonly braked: number;
}

/**
 * Count an order at each address it came from, and say whether one of them is flooding: then it costs no credit.
 *
 * Each address has a bucket that one order fills by one and that an hour empties by the limit. Full, it brakes, and
 * goes on braking until it is half empty, so that a flood that lasts is not let through drop by drop.
 */
export async function brakeBurst(
  db: Database,
  { tenant, burst: { limit, sources, atMs } }: Pick<AttemptRequest, "tenant" | "burst">,
): Promise<Braked | undefined> {
  if (limit === null || sources.length === 0) return undefined;
  const known = await db
    .selectFrom("attempt_sources")
    .select(["source", "level", "at", "braked"])
    .where("tenant", "=", tenant)
    .where("source", "in", [...sources])
    .execute();
  const levels = new Map(known.map((row) => [row.source, row]));
  const { filled, braked } = fillSources(levels, { limit, sources, atMs });
  for (const row of filled) {
    await db
      .insertInto("attempt_sources")
      .values({ tenant, ...row })
      .onConflict((conflict) => conflict.columns(["tenant", "source"]).doUpdateSet(row))
      .execute();
  }
  return braked;
}

/** What the buckets of an order's sources become, and whether one of them is full. */
export function fillSources(
  levels: ReadonlyMap<string, Level>,
  { limit, sources, atMs }: { readonly limit: number } & Pick<AttemptRequest["burst"], "sources" | "atMs">,
): {
  readonly filled: readonly (Level & { readonly source: string })[];
  readonly braked: Braked | undefined;
} {
  const filled = sources.map((source) => ({ source, ...fill(levels.get(source), limit, atMs) }));
  const full = filled.filter((row) => row.braked === 1).map((row) => row.source);
  // An incident begins when the first of an order's addresses begins to flood.
  const isNew = full.every((source) => levels.get(source)?.braked !== 1);
  return { filled, braked: full.length === 0 ? undefined : { outcome: "braked", sources: full, isNew } };
}

/** For so long after it was braked, a question that is asked again counts as the same order. */
const BRAKED_MS = HOUR_MS;

/** What the brake says of a question that was counted before: undefined for "go on", null when it wasn't counted yet. */
export function findCounted(
  attempts: readonly Pick<EarlierAttempt, "error" | "started_at">[],
  nowMs: number,
): Braked | undefined | null {
  const braked = attempts.filter(({ error }) => error === "BURST_BRAKED");
  if (attempts.length > braked.length) return undefined;
  const isRecent = braked.some(({ started_at: atMs }) => Math.abs(nowMs - atMs) < BRAKED_MS);
  return isRecent ? { outcome: "braked", sources: [], isNew: false } : null;
}

function fill(known: Level | undefined, limit: number, atMs: number): Level {
  if (limit < 1) return { level: 0, at: atMs, braked: 1 };
  if (known === undefined) return { level: 1, at: atMs, braked: 0 };
  // An order that comes late, and a clock that was set back, fill nothing up.
  const sunk = (Math.max(atMs - known.at, 0) * limit) / HOUR_MS;
  const before = Math.max(known.level - sunk, 0);
  const braked = known.braked === 1 ? before > limit * RELEASED_AT : before + 1 > limit;
  return { level: Math.min(before + 1, limit), at: Math.max(atMs, known.at), braked: braked ? 1 : 0 };
}

/** What stands for a street that the order does not name, folded. */
const UNKNOWN_STREETS: ReadonlySet<string> = new Set(["", "n a"]);

/** Where an order comes from: addresses that somebody who floods a shop tends to use again. */
export interface OrderSource {
  readonly kind: "email" | "ip" | "delivery";
  /** Personal: to be digested before it is kept. */
  readonly address: string;
}

/** The mailbox that an email address belongs to. */
export function toMailboxSource(email: string): OrderSource {
  return { kind: "email", address: toMailbox(email) };
}

/** What is kept of a source. */
export function toSourceName(
  keyring: Pick<Keyring, "digest">,
  tenant: TenantId,
  { kind, address }: OrderSource,
): string {
  return `${kind}:${keyring.digest(tenant, `source-${kind}`, address)}`;
}

/** The sources of an order: its mailbox, its network and the place it ships to. */
export function toSources(request: VerificationRequest): readonly OrderSource[] {
  const { customerEmail, ipAddress, shippingAddress } = request;
  const { street, postalCode, city, country } = shippingAddress;
  const delivery = [street, postalCode, city, country].map(foldPlace).join("\0");
  return [
    toMailboxSource(customerEmail),
    ...(ipAddress === undefined ? [] : [{ kind: "ip" as const, address: toNetwork(ipAddress) }]),
    // A town is no address.
    ...(UNKNOWN_STREETS.has(foldPlace(street)) ? [] : [{ kind: "delivery" as const, address: delivery }]),
  ];
}

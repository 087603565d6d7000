import type { AttemptGrant, AttemptRequest } from "./attempt.ts";
import type { EarlierAttempt } from "./attempt-limit.ts";
import type { Schema } from "../schema/schema.ts";
import { foldPlace } from "../../order/text.ts";
import { toMailbox } from "../../order/email-address.ts";
import { isBuyersIp, toNetwork } from "../../order/ip-address.ts";
import type { VerificationRequest } from "../../order/request.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Keyring } from "../sealing/keyring.ts";

// A storefront without a database uses this too, so it loads no SQL.

const HOUR_MS = 3_600_000;
/** A source that was braked is let through again when its level has dropped to this share of the limit. */
const RELEASED_AT = 1 / 2;

export type Braked = Extract<AttemptGrant, { readonly outcome: "braked" }>;

/** How full a source's bucket was, and when. */
export type Level = Readonly<Pick<Schema["attempt_sources"], "level" | "at" | "braked">>;

/**
 * The new levels of the buckets of an order's sources, and whether one of them is full.
 *
 * Each source has a leaky bucket: an order adds one, and an hour drains as many as the limit. A full bucket brakes
 * until it is half empty, so that a lasting flood doesn't get through one order at a time.
 */
export function fillSources(
  levels: ReadonlyMap<string, Level>,
  { sources, atMs }: Pick<AttemptRequest["burst"], "sources" | "atMs">,
  limitOf: (source: string) => number,
): {
  readonly filled: readonly (Level & { readonly source: string })[];
  readonly braked: Braked | undefined;
} {
  const filled = sources.map((source) => ({ source, ...fill(levels.get(source), limitOf(source), atMs) }));
  const full = filled.filter((row) => row.braked === 1).map((row) => row.source);
  // An incident begins when the first of an order's sources begins to flood.
  const isNew = full.every((source) => levels.get(source)?.braked !== 1);
  return { filled, braked: full.length === 0 ? undefined : { outcome: "braked", sources: full, isNew } };
}

/** If a braked order is checked again within this time, it isn't counted again. */
const BRAKED_MS = HOUR_MS;

/** Whether the brake let this order through before. If so, it has been counted. */
export function wasLetThrough(attempts: readonly Pick<EarlierAttempt, "error">[]): boolean {
  return attempts.some(({ error }) => error !== "BURST_BRAKED");
}

/** The result for an order that the brake stopped a short while ago; undefined if the order is to be counted. */
export function findEarlierBrake(
  attempts: readonly Pick<EarlierAttempt, "error" | "started_at">[],
  nowMs: number,
): Braked | undefined {
  const isRecent = attempts.some(
    ({ error, started_at: atMs }) => error === "BURST_BRAKED" && Math.abs(nowMs - atMs) < BRAKED_MS,
  );
  return isRecent ? { outcome: "braked", sources: [], isNew: false } : undefined;
}

function fill(known: Level | undefined, limit: number, atMs: number): Level {
  if (limit < 1) return { level: 0, at: atMs, braked: 1 };
  if (known === undefined) return { level: 1, at: atMs, braked: 0 };
  // A late order or a clock that was set back must not refill a bucket.
  const sunk = (Math.max(atMs - known.at, 0) * limit) / HOUR_MS;
  const before = Math.max(known.level - sunk, 0);
  const braked = known.braked === 1 ? before > limit * RELEASED_AT : before + 1 > limit;
  return { level: Math.min(before + 1, limit), at: Math.max(atMs, known.at), braked: braked ? 1 : 0 };
}

/** The folded placeholder for a street that the order doesn't name. */
const UNKNOWN_STREETS: ReadonlySet<string> = new Set(["", "n a"]);

/** Where an order comes from: the addresses that somebody who floods a shop tends to reuse. */
export interface OrderSource {
  readonly kind: "email" | "ip" | "delivery";
  /** Personal: digest it before storing it. */
  readonly address: string;
}

export function toMailboxSource(email: string): OrderSource {
  return { kind: "email", address: toMailbox(email) };
}

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
    ...(ipAddress === undefined || !isBuyersIp(ipAddress)
      ? []
      : [{ kind: "ip" as const, address: toNetwork(ipAddress) }]),
    // A town alone is too wide to be a source.
    ...(UNKNOWN_STREETS.has(foldPlace(street)) ? [] : [{ kind: "delivery" as const, address: delivery }]),
  ];
}

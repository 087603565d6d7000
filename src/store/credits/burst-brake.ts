import type { AttemptGrant, AttemptRequest } from "./spending.ts";
import type { EarlierAttempt } from "./attempt-limit.ts";
import type { Database } from "../schema/schema.ts";
import { foldPlace } from "../../order/text.ts";
import { toMailbox } from "../../order/email-address.ts";
import { toNetwork } from "../../order/ip-address.ts";
import type { VerificationRequest } from "../../order/request.ts";
import type { TenantId } from "../../platform/platform.ts";
import type { Keyring } from "../sealing/keyring.ts";

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

/** Whether the brake let a question through before: then it was counted, and is no further order. */
export function wasLetThrough(attempts: readonly Pick<EarlierAttempt, "error">[]): boolean {
  return attempts.some(({ error }) => error !== "BURST_BRAKED");
}

/** The brake on a question that it stopped a short while ago; undefined when it is to be counted. */
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

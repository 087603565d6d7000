import { createHash } from "node:crypto";
import type { LocalEngine } from "../src/engine/engine.ts";
import { toVelocityKeys } from "../src/engine/velocity/keys.ts";
import { createMemoryVelocity } from "../src/engine/velocity/memory-velocity.ts";
import { toMailbox } from "../src/order/email-address.ts";
import type { LabelledOrder } from "./labelled-order.ts";

/** The results of frauds that were replayed one after the other. */
export interface Replay {
  readonly frauds: number;
  /** Frauds of a mailbox that had one before. */
  readonly repeats: number;
  /** Repeats that velocity gave points. */
  readonly repeatsSeen: number;
  /** Frauds that were the first of their mailbox but still got points from velocity. */
  readonly firstsSeen: number;
}

const TENANT = "replay";

/**
 * Send frauds through the velocity memory in the given order, which must follow their times, and count for how
 * many repeats the engine has a velocity factor.
 */
export async function replayFrauds(
  orders: AsyncIterable<LabelledOrder>,
  engine: Pick<LocalEngine, "assess">,
): Promise<Replay> {
  const velocity = createMemoryVelocity();
  const mailboxes = new Set<string>();
  const seen = { frauds: 0, repeats: 0, repeatsSeen: 0, firstsSeen: 0 };
  for await (const { order, fraud } of orders) {
    if (fraud !== true || order.customerEmail === undefined) continue;
    seen.frauds += 1;
    const atMs = Date.parse(order.orderTimestamp ?? "");
    const counts = await velocity.record(TENANT, `order:${seen.frauds}`, toVelocityKeys(order, digest), atMs);
    const { contributions } = engine.assess(order, counts).scorecard;
    const isSeen = contributions.some(({ group, points }) => group === "velocity" && points > 0);
    const mailbox = toMailbox(order.customerEmail);
    const isRepeat = mailboxes.has(mailbox);
    mailboxes.add(mailbox);
    seen.repeats += Number(isRepeat);
    seen.repeatsSeen += Number(isRepeat && isSeen);
    seen.firstsSeen += Number(!isRepeat && isSeen);
  }
  return seen;
}

/** Nothing here is personal, so the digest needs no key. */
function digest(purpose: string, text: string): string {
  return createHash("sha256").update(`${purpose}\0${text}`).digest("base64url");
}

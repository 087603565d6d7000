import { createHmac } from "node:crypto";
import { createLocalEngine, type LocalAssessment } from "../../src/engine/engine.ts";
import { toVelocityKeys } from "../../src/engine/velocity/keys.ts";
import { createMemoryVelocity } from "../../src/engine/velocity/memory-velocity.ts";
import type { OrderContext } from "../../src/order/order-context.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { TenantId } from "../../src/platform/platform.ts";

const TENANT = "shop" as TenantId;
/** Noon in New York. */
const START_MS = Date.parse("2026-11-10T17:00:00Z");
const engine = createLocalEngine();

function digest(purpose: string, text: string): string {
  return createHmac("sha256", "a test's key").update(`${purpose}\0${text}`).digest("base64url");
}

/** The engine's answers to orders that come one after the other, all of them counted. */
export async function play(
  orders: readonly VerificationRequest[],
  apartMs: number,
  context?: OrderContext,
): Promise<LocalAssessment[]> {
  const velocity = createMemoryVelocity();
  const answers: LocalAssessment[] = [];
  for (const [index, order] of orders.entries()) {
    const atMs = START_MS + index * apartMs;
    const placed = { ...order, orderTimestamp: new Date(atMs).toISOString() };
    const counts = await velocity.record(TENANT, `order:${index}`, toVelocityKeys(placed, digest), atMs);
    answers.push(engine.assess(placed, counts, [], context));
  }
  return answers;
}

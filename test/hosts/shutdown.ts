import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { ChildProcess } from "node:child_process";
import type { SandboxService } from "../../src/sandbox/sandbox-service.ts";
import { anOrder } from "../support/orders.ts";
import { until } from "../support/until.ts";

/** What became of an order that was under way when its shop got SIGTERM. */
export interface Shutdown {
  /** Whether the signal came too late to test anything. */
  readonly wasAnsweredBefore: boolean;
  readonly status: number;
  readonly state: unknown;
  readonly credits: number;
  /** The process's exit code, or the signal that ended it. */
  readonly end: number | string | null;
}

/** Container platforms kill a process that takes longer. The recipes take about two seconds. */
const GRACE_MS = 30_000;

/** Place an order that the service answers slowly, and send the shop SIGTERM while the service is asked. */
export async function stopDuringOrder(
  shop: { readonly child: ChildProcess; readonly url: string },
  service: SandboxService,
): Promise<Shutdown> {
  const countCalls = () => service.calls.filter(({ metered }) => metered).length;
  const before = countCalls();
  const ended = once(shop.child, "exit") as Promise<[number | null, string | null]>;
  let isAnswered = false;
  const placing = placeOrder(shop.url, "slow-1500@risk.example").finally(() => {
    isAnswered = true;
  });
  await until(() => countCalls() > before);
  const wasAnsweredBefore = isAnswered;
  shop.child.kill("SIGTERM");
  const { status, state } = await placing;
  const late = pause<[null, string]>(GRACE_MS, [null, "still running"], { ref: false });
  const [code, signal] = await Promise.race([ended, late]);
  return { wasAnsweredBefore, status, state, credits: countCalls() - before, end: code ?? signal };
}

/** Place an order at a page's program. */
export async function placeOrder(
  url: string,
  email: string,
  signal: AbortSignal | null = null,
): Promise<{ status: number; state: unknown }> {
  const order = { ...anOrder({ customerEmail: email }), cart: email };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(order), signal });
  const text = await answer.text();
  return { status: answer.status, state: (JSON.parse(text) as { state?: string }).state };
}

/** An order was answered, paid for once, and then its shop's process ended by itself. */
export const IN_ORDER: Shutdown = {
  wasAnsweredBefore: false,
  status: 201,
  state: "placed",
  credits: 1,
  end: 0,
};

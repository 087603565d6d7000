import type { OrderContext } from "./order-context.ts";
import { foldText } from "./text.ts";

/** The channel of orders that an AI agent placed for its buyer. */
export const AGENT_CHANNEL = "agent";

/** What an agent's order says about the agent's own machine, not about the buyer. */
const OF_DEVICE: ReadonlySet<string> = new Set(["ipAddress", "userAgent"]);

/** Whether an agent placed an order, by the channel that its platform states. */
export function isAgentChannel(channel: unknown): boolean {
  return typeof channel === "string" && foldText(channel) === AGENT_CHANNEL;
}

/** Whether a platform's name of a channel is one of the given ones, or `agent` itself. */
export function isAgentContext({ channel }: OrderContext, agentChannels: readonly string[]): boolean {
  if (channel === undefined) return false;
  const folded = foldText(channel);
  return folded === AGENT_CHANNEL || agentChannels.some((entry) => foldText(entry) === folded);
}

/** A copy without what describes the device that placed the order. */
export function withoutDevice<T extends object>(order: T): T {
  return Object.fromEntries(Object.entries(order).filter(([field]) => !OF_DEVICE.has(field))) as T;
}

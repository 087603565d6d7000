import { AGENT_CHANNEL, isAgentContext, withoutDevice } from "../order/agent-orders.ts";
import { foldText } from "../order/text.ts";
import type { MappedOrder } from "../platform/platform.ts";
import type { Policy } from "./policy.ts";
import type { KnownFacts } from "./replay-rules.ts";

type AgentChannels = Pick<Policy, "agentChannels">;

/**
 * An order as the policy sees it: one from an agent's channel has the channel `agent` instead of the platform's own name, and
 * lacks the agent's network and browser, which aren't the buyer's. Only the channel that the platform states decides. Doing it
 * again changes nothing.
 */
export function readAgent(mapped: MappedOrder, { agentChannels }: AgentChannels): MappedOrder {
  if (mapped.context === undefined || !isAgentContext(mapped.context, agentChannels)) return mapped;
  const context = { ...mapped.context, channel: AGENT_CHANNEL };
  return mapped.outcome === "screenable"
    ? { ...mapped, context, request: withoutDevice(mapped.request) }
    : { ...mapped, context, known: withoutDevice(mapped.known) };
}

/**
 * Whether a policy may take a past order for an agent's where the policy of that time didn't, or the reverse. Then another
 * request would have been judged, whose answer isn't stored.
 *
 * @param former - The policy that decided. Null: not known any more.
 */
export function mayReadAgentOtherwise(
  { agentChannels }: AgentChannels,
  former: AgentChannels | null,
  { facts, hidden }: KnownFacts,
): boolean {
  const now = fold(agentChannels);
  const then = fold(former?.agentChannels ?? []);
  const { channel } = facts.context;
  const isDropped = then.some((name) => !now.includes(name));
  if (hidden.has("channel")) return isDropped || now.some((name) => !then.includes(name));
  // Its platform's own name isn't stored: it may be one that the policy no longer lists.
  if (channel === AGENT_CHANNEL) return isDropped;
  return channel !== undefined && now.includes(channel);
}

function fold(names: readonly string[]): readonly string[] {
  return names.map((name) => foldText(name));
}

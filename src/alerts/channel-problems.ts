import { LRUCache } from "lru-cache";
import type { PersonKey } from "../store/people/person.ts";
import type { Store } from "../store/store.ts";
import type { Delivery } from "./outbox.ts";

const CHANNELS_KEPT = 1_000;

/** Shows people why the last message of a channel couldn't be sent. */
export function createChannelProblems(now: () => number) {
  /** The channels whose last message was sent, which the store knows. */
  const fine = new LRUCache<string, true>({ max: CHANNELS_KEPT });

  return async function note(
    { notices }: Pick<Store, "notices">,
    person: PersonKey,
    channel: string,
    delivery: Delivery,
  ): Promise<void> {
    const name = JSON.stringify([person.tenant, person.actor, channel]);
    if (delivery.outcome === "failed") {
      fine.delete(name);
      return notices.noteProblem(person, channel, { problem: delivery.problem, atMs: now() });
    }
    if (fine.has(name)) return;
    await notices.noteProblem(person, channel, null);
    fine.set(name, true);
  };
}

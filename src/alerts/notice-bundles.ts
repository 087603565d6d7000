import { LRUCache } from "lru-cache";
import type { UnsentIncident } from "../store/store.ts";
import type { Notice } from "./notice-event.ts";

/** How long a notice waits for others of its event. */
export const GATHER_MS = 15_000;
/** After a message about an event, the next one about it waits this long. */
export const SPACING_MS = 5 * 60_000;
/** The most notices of a bundle that can be sent again by another process. */
const MOST_CLAIMED = 500;
const TIMES_KEPT = 10_000;

/** Notices of one event, of one shop and for the same address. They become one message. */
export interface Bundle {
  readonly key: string;
  readonly first: Notice;
  readonly messages: readonly UnsentIncident[];
  readonly count: number;
  readonly dueAtMs: number;
}

/** Gathers notices, so that a burst doesn't become a flood of messages. */
export function createBundles(now: () => number) {
  const bundles = new Map<string, Bundle>();
  const sentAtMs = new LRUCache<string, number>({ max: TIMES_KEPT });

  function open(key: string, first: Notice): Bundle {
    const nowMs = now();
    const nextMs = (sentAtMs.get(key) ?? Number.NEGATIVE_INFINITY) + SPACING_MS;
    // A moment further ahead than it can be was written before the clock was set back.
    const dueAtMs = nextMs > nowMs + SPACING_MS ? nowMs + GATHER_MS : Math.max(nowMs + GATHER_MS, nextMs);
    return { key, first, messages: [], count: 0, dueAtMs };
  }

  return {
    /** Returns whether the bundle takes the stored message along: only so many. */
    add(notice: Notice, message: UnsentIncident): boolean {
      const key = JSON.stringify([notice.tenant, notice.event, notice.to, notice.channel]);
      const bundle = bundles.get(key) ?? open(key, notice);
      const isTaken = bundle.messages.length < MOST_CLAIMED;
      const messages = isTaken ? [...bundle.messages, message] : bundle.messages;
      bundles.set(key, { ...bundle, messages, count: bundle.count + 1 });
      return isTaken;
    },
    /** The bundles to send now; `all`: also those that wait for more. They are gone then. */
    take(all: boolean): readonly Bundle[] {
      const nowMs = now();
      const due = [...bundles.values()].filter(
        ({ dueAtMs }) => all || dueAtMs <= nowMs || dueAtMs > nowMs + SPACING_MS,
      );
      for (const { key } of due) {
        bundles.delete(key);
        sentAtMs.set(key, nowMs);
      }
      return due;
    },
    /** Send it in a while, with what came meanwhile. */
    putBack(bundle: Bundle, dueAtMs: number): void {
      const { key, count, messages } = bundle;
      const later = bundles.get(key);
      bundles.set(key, {
        ...bundle,
        dueAtMs,
        count: count + (later?.count ?? 0),
        messages: [...messages, ...(later?.messages ?? [])],
      });
    },
  };
}

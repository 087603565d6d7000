import type { Logger } from "../../base/logger.ts";
import { createSlots, unref, withinDeadline } from "../../base/waiting.ts";
import type { CatalogClient } from "../catalog-client.ts";
import type { WatchedJob } from "../job-waiter.ts";
import { ENDED_STATUSES } from "../operations/operation.ts";
import type { JobKind } from "../operations/catalog-operations.ts";
import type { EventInbox } from "./event-inbox.ts";
import { createJobReads, type Look } from "./job-reads.ts";
import type { ReceivedEvent } from "./parse-event.ts";

/** An event about a job, with the job as the service describes it. */
export type CatalogEvent = ReceivedEvent & {
  /**
   * The job as it was read after the event. Null for a market analysis, which no operation shows: don't trust such an
   * event.
   */
  readonly job: WatchedJob | null;
};

interface FollowerParts {
  readonly client: Pick<CatalogClient, "hint" | "findJobs">;
  readonly onEvent: (event: CatalogEvent) => unknown;
  readonly inbox: EventInbox;
  readonly logger: Logger;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How far to look for the job, and the pause before it, in milliseconds. A list may show a job late. */
const LOOKS: readonly (readonly [pauseMs: number, look: Look])[] = [
  [0, "quick"],
  [2_000, "quick"],
  [10_000, "thorough"],
  [30_000, "thorough"],
  [60_000, "thorough"],
  [120_000, "thorough"],
  [300_000, "thorough"],
  [300_000, "thorough"],
];
/** Pause after a failed read or a failed handler, in milliseconds: twice as long each time, up to five minutes. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Handlers that run at once. */
const HANDLERS = 8;
/** A handler that takes longer no longer counts as one of these, so that one that hangs doesn't stop the others. */
const SLOW_MS = 30_000;

const KINDS: Readonly<Record<string, JobKind>> = {
  product_enrichment: "enrichment",
  product_validation: "validation",
  ai_import: "import",
};

/** What a job says of an event about it. */
type Verdict = "true" | "not-yet" | "false";

function judge({ event }: ReceivedEvent, job: WatchedJob | undefined): Verdict {
  if (job === undefined) return "not-yet";
  const hasEnded = ENDED_STATUSES.has(job.status);
  const [, change] = event.split(".");
  if (change === "start") return "true";
  if (change === "completed" ? hasEnded : job.status === change) return "true";
  // A job that ended in another way won't change any more.
  return hasEnded ? "false" : "not-yet";
}

/** What every step of following an event needs. */
type Step = FollowerParts & {
  readonly stop: AbortSignal;
  /** Wait, unless the same event arrives again or the receiver is closed. */
  readonly rest: (key: string, ms: number) => Promise<void>;
};

/** Finds the confirmed job of an event; undefined if the event is to be dropped, or the receiver was closed. */
function createConfirming({ client, logger, wait, stop, rest }: Step) {
  const readJob = createJobReads(client, (ms) => wait(ms, stop));

  return async (key: string, received: ReceivedEvent): Promise<WatchedJob | null | undefined> => {
    const kind = KINDS[received.event.split(".")[0] ?? ""];
    if (kind === undefined) return null;
    let failures = 0;
    for (let look = 0; look < LOOKS.length && !stop.aborted;) {
      const [pauseMs, how] = LOOKS[look] ?? [0, "quick"];
      await rest(key, failures > 0 ? toPauseMs(failures) : pauseMs);
      try {
        const job = await readJob(received.jobId, kind, how);
        const verdict = judge(received, job);
        if (verdict === "true") return job;
        if (verdict === "false") return undefined;
        look += 1;
        failures = 0;
      } catch (error) {
        failures += 1;
        logger.warn({ err: error }, "the job of a catalog event couldn't be read; it's read again");
      }
    }
    return undefined;
  };
}

/** Calls the handler until it succeeds. */
function createHandOver({ onEvent, inbox, logger, stop, rest }: Step) {
  const slots = createSlots(HANDLERS);

  return async (key: string, event: CatalogEvent): Promise<void> => {
    for (let failures = 0; !stop.aborted;) {
      try {
        await slots.run("events", async (leave) => {
          const slow = unref(setTimeout(leave, SLOW_MS));
          await Promise.resolve(onEvent(event)).finally(() => clearTimeout(slow));
        });
        return await inbox.done(key);
      } catch (error) {
        failures += 1;
        logger.warn({ err: error }, "the handler of a catalog event failed; it's called again");
        await rest(key, toPauseMs(failures));
      }
    }
  };
}

/** Confirms events with the service and hands them over, each on its own, until it's done or dropped. */
export function createFollower(parts: FollowerParts) {
  const { client, inbox, logger, wait } = parts;
  const stop = new AbortController();
  const following = new Map<string, { readonly done: Promise<void>; wake: () => void }>();

  async function rest(key: string, ms: number): Promise<void> {
    const woken = new AbortController();
    const one = following.get(key);
    if (one !== undefined) one.wake = () => woken.abort();
    await wait(ms, AbortSignal.any([woken.signal, stop.signal]));
  }

  const step: Step = { ...parts, stop: stop.signal, rest };
  const confirm = createConfirming(step);
  const handOver = createHandOver(step);

  async function lead(key: string, received: ReceivedEvent): Promise<void> {
    try {
      client.hint(received.jobId);
      const job = await confirm(key, received);
      if (stop.signal.aborted) return;
      if (job !== undefined) return await handOver(key, { ...received, job });
      await inbox.forget(key);
      logger.warn({ event: received.event }, "a catalog event was dropped: the service doesn't confirm it");
    } catch (error) {
      logger.warn({ err: error }, "the inbox of catalog events failed; the event stays in it");
    }
  }

  /** Resolves once nothing is followed. */
  async function settled(): Promise<void> {
    while (following.size > 0) await Promise.all([...following.values()].map(({ done }) => done));
  }

  return {
    follow(key: string, received: ReceivedEvent): void {
      const start = Promise.withResolvers<void>();
      const done = start.promise.then(() => lead(key, received)).finally(() => following.delete(key));
      following.set(key, { done, wake: () => {} });
      start.resolve();
    },
    wake: (key: string): void => following.get(key)?.wake(),
    settled,
    /** A handler that hangs holds it up no longer than a slow one may take. */
    async close(): Promise<void> {
      stop.abort();
      await withinDeadline(settled(), SLOW_MS);
    },
  };
}

function toPauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

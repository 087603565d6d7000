import type { Request, Response } from "express";
import { toCoverageRatio, toCoverageWindow } from "../../pipeline/chores/coverage-watch.ts";
import type { Backlog } from "../../store/store.ts";
import type { Coverage } from "../../store/figures/statistics.ts";
import { withinDeadline } from "../../base/waiting.ts";
import { sendJson, sendText } from "../http/responses.ts";
import type { ServerParts } from "../parts/server-parts.ts";
import { createSharedAnswers } from "../http/shared-answers.ts";

interface HealthParts extends Pick<
  ServerParts,
  "store" | "metrics" | "logger" | "now" | "ready" | "draining"
> {
  readonly durability: DurabilityWatch;
}

/** Long enough that a scraper and a few probes share one query, short enough to be current. */
const SHARED_MS = 1_000;
/** Coverage counts a day's orders, and changes slowly. */
const COVERAGE_SHARED_MS = 60_000;
/** Probes give up after a second or more, so a slower answer counts as a no. */
const READY_TIMEOUT_MS = 2_000;

type UnreadyReason = "draining" | "writes-failing" | "not-ready" | "check-failed" | "check-timed-out";

/** The routes for monitoring. They need no sign-in and reveal nothing about tenants. */
export function createHealthRoutes(parts: HealthParts) {
  const { store, metrics, logger, now } = parts;
  const answers = createSharedAnswers<readonly UnreadyReason[]>({ forMs: SHARED_MS, now });
  const backlogs = createSharedAnswers<Backlog>({ forMs: SHARED_MS, now });
  const coverages = createSharedAnswers<Coverage>({ forMs: COVERAGE_SHARED_MS, now });

  async function findReasons(): Promise<readonly UnreadyReason[]> {
    // Not shared: a load balancer must see a shutdown right away.
    if (parts.draining()) return ["draining"];
    const reasons = await answers("ready", () => findUnreadyReasons(parts));
    return parts.durability.isFailing() ? [...reasons, "writes-failing"] : reasons;
  }

  /**
   * Query a figure; undefined if it can't be measured, because the other metrics matter most while the store is unavailable.
   */
  const measure = <T>(ask: () => Promise<T>, failure: string): Promise<T | undefined> =>
    ask().catch((error: unknown) => {
      logger.warn({ err: error }, failure);
      return undefined;
    });

  async function measureAll(): Promise<void> {
    const askBacklog = () => backlogs("backlog", () => store.figures.backlog());
    const askCoverage = () =>
      coverages("coverage", () => store.figures.coverage(null, toCoverageWindow(now())));
    const [backlog, coverage] = await Promise.all([
      measure(askBacklog, "the backlog could not be measured"),
      measure(askCoverage, "coverage could not be measured"),
    ]);
    metrics.backlog(backlog && toBacklogFigures(backlog, now()));
    metrics.coverage((coverage && toCoverageRatio(coverage)) ?? undefined);
  }

  return {
    /** `GET /healthz`: the process runs. Says nothing about the store, or an outage of it would restart every process. */
    alive: (_req: Request, res: Response) => {
      sendJson(res, 200, { status: "ok" });
    },
    /** `GET /readyz`: 200 if the process can take work, otherwise 503 with the reasons. */
    ready: async (_req: Request, res: Response) => {
      const reasons = await findReasons();
      if (reasons.length === 0) sendJson(res, 200, { status: "ready" });
      else sendJson(res, 503, { status: "unready", reasons });
    },
    /** `GET /metrics`: the Prometheus text format, with the backlog as it is now. */
    metrics: async (_req: Request, res: Response) => {
      await measureAll();
      sendText(res, parts.metrics.contentType, await parts.metrics.render());
    },
  };
}

async function findUnreadyReasons(parts: HealthParts): Promise<readonly UnreadyReason[]> {
  try {
    const isReady = await withinDeadline(parts.ready(), READY_TIMEOUT_MS);
    if (isReady === undefined) return ["check-timed-out"];
    return isReady ? [] : ["not-ready"];
  } catch (error) {
    parts.logger.warn({ err: error }, "the readiness check failed");
    return ["check-failed"];
  }
}

function toBacklogFigures({ pending, oldestReceivedAtMs }: Backlog, nowMs: number) {
  return { pending, oldestAgeMs: oldestReceivedAtMs === null ? null : nowMs - oldestReceivedAtMs };
}

/**
 * How long a lost delivery counts, in milliseconds. Longer than the time between probes, so that they notice it. Not forever:
 * without new deliveries, the process can't find out that it can save them again.
 */
const LOSS_COUNTS_MS = 30_000;

/** Whether deliveries can be saved, judging by the last one. */
export type DurabilityWatch = ReturnType<typeof createDurabilityWatch>;

/**
 * Create a {@link DurabilityWatch}. Pinging the store isn't enough: on a nearly full disk, a small write still succeeds while
 * every order is refused.
 */
export function createDurabilityWatch(now: () => number) {
  let lostAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** A delivery was saved, now or before. */
    kept(): void {
      lostAtMs = Number.NEGATIVE_INFINITY;
    },
    /** A delivery couldn't be saved. */
    lost(): void {
      lostAtMs = now();
    },
    /** Whether the last delivery was lost, and not long ago. */
    isFailing: () => now() - lostAtMs < LOSS_COUNTS_MS,
  };
}

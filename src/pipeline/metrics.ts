import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { BuyerAnswer } from "../order/buyer-check.ts";
import type { EnforcementStep, StepOutcome } from "../platform/enforcement-step.ts";
import type { Decision } from "../order/decision.ts";
import type { ScreeningObserver } from "../screening/screening-task.ts";

/** How a delivery to a webhook route ended. */
export const WEBHOOK_OUTCOMES = [
  "accepted",
  "duplicate",
  "unauthenticated",
  /** Signed but unusable. If that shows only when it is processed, it is counted again, in addition to `accepted`. */
  "unusable",
  "too_large",
  "unavailable",
  /** Stored, and not trusted when it was processed: counted again, in addition to `accepted`. */
  "refused",
] as const;
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/** What can happen to a question to a buyer. */
export type BuyerEvent = "asked" | "released" | BuyerAnswer;

/**
 * Everything Holdfast counts. Label values are closed sets or platform names; tenants appear only as digests. The
 * methods never throw and cost about a microsecond.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsOptions {
  /** Asked on each scrape: the tenants whose calls are blocked now, by digest, never by name. Default: none. */
  readonly circuits?:
    | (() => readonly { readonly tenantHash: string; readonly blocked: boolean }[])
    | undefined;
}

type CountedDecision = Pick<Decision, "riskLevel" | "action" | "source"> & { readonly platform: string };

/** A fast check takes about a second. Waiting for a fulfillment order or an outage can take an hour. */
const ORDER_SECONDS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1_800, 3_600];

/** Create {@link Metrics} with their own registry, so that two apps in one process don't mix. */
export function createMetrics({ circuits = () => [] }: MetricsOptions = {}) {
  const registry = new Registry();
  const { webhooks, decisions, credits, saved, enforcements, buyers } = createCounters(registry);
  const { backlog, oldest, orderSeconds, coverage } = createMeasures(registry, circuits);

  const observer: ScreeningObserver = {
    credit(outcome) {
      // The sum over all outcomes is what was billed, so free calls aren't counted.
      if (outcome !== "free") credits.inc({ outcome });
    },
    saved: (reason) => saved.inc({ reason }),
  };
  return {
    ...observer,
    /** A counter of one platform's deliveries. */
    webhooks(platform: string): (outcome: WebhookOutcome) => void {
      // At zero from the start, or the first failure would be invisible to `increase()`.
      for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ platform, outcome }, 0);
      return (outcome) => webhooks.inc({ platform, outcome });
    },
    /** Without a level, the order wasn't judged and counts under `none`. */
    decided({ platform, riskLevel, action, source }: CountedDecision): void {
      decisions.inc({ platform, level: riskLevel ?? "none", action, source });
    },
    /** One try of an enforcement step ended; `error` if it threw. */
    enforced(step: EnforcementStep, outcome: StepOutcome["outcome"] | "error"): void {
      enforcements.inc({ action: step, outcome });
    },
    /** A question to a buyer was stored, was answered, or its right answer released the order. */
    buyer(event: BuyerEvent): void {
      buyers.inc({ event });
    },
    /** An order went from receipt to settled in this many milliseconds. */
    settled(durationMs: number): void {
      // If the platform's clock is ahead of ours, the duration counts as 0.
      orderSeconds.observe(Math.max(0, durationMs) / 1_000);
    },
    /** Unfinished work, as measured just now; `undefined` if it couldn't be measured. */
    backlog(measured: { readonly pending: number; readonly oldestAgeMs: number | null } | undefined): void {
      backlog.set(measured?.pending ?? Number.NaN);
      oldest.set(measured === undefined ? Number.NaN : Math.max(0, measured.oldestAgeMs ?? 0) / 1_000);
    },
    /** The share of orders decided in time, as measured just now; `undefined` without orders or when it could not be measured. */
    coverage: (ratio: number | undefined) => coverage.set(ratio ?? Number.NaN),
    contentType: registry.contentType,
    /** The Prometheus text format. */
    render: () => registry.metrics(),
  };
}

function createCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, labelNames: readonly Label[], help: string) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  return {
    webhooks: counter(
      "holdfast_webhooks_total",
      ["platform", "outcome"],
      "Deliveries to webhook routes, by how they ended.",
    ),
    decisions: counter(
      "holdfast_decisions_total",
      ["platform", "level", "action", "source"],
      "Decided orders.",
    ),
    credits: counter(
      "holdfast_credits_total",
      ["outcome"],
      "Credits spent or, for the outcome unknown, possibly spent.",
    ),
    saved: counter("holdfast_credits_saved_total", ["reason"], "Calls that did not have to be made."),
    buyers: counter(
      "holdfast_buyer_questions_total",
      ["event"],
      "Questions to buyers, and what came of them.",
    ),
    enforcements: counter(
      "holdfast_enforcements_total",
      ["action", "outcome"],
      "Tries of enforcement steps, by how they ended.",
    ),
  };
}

function createMeasures(registry: Registry, circuits: NonNullable<MetricsOptions["circuits"]>) {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  return {
    orderSeconds: new Histogram({
      name: "holdfast_order_seconds",
      help: "Time from the receipt of an order to its settlement.",
      buckets: ORDER_SECONDS_BUCKETS,
      registers,
    }),
    backlog: gauge(
      "holdfast_backlog",
      "Deliveries and orders that still need work; NaN when the store could not be asked.",
    ),
    oldest: gauge(
      "holdfast_oldest_pending_seconds",
      "Age of the oldest unfinished delivery or order; 0 without one, NaN when the store could not be asked.",
    ),
    coverage: gauge(
      "holdfast_coverage_ratio",
      "Share of the last day's orders decided within five minutes; NaN without orders, or when the store could not be asked.",
    ),
    circuit: new Gauge({
      name: "holdfast_circuit_open",
      help: "1 while calls of this tenant to the verification service are held back.",
      labelNames: ["tenant_hash"],
      registers,
      // Set when rendering: a circuit can close as time passes, and can open for tenants that made no call.
      collect() {
        this.reset();
        for (const { tenantHash, blocked } of circuits())
          this.set({ tenant_hash: tenantHash }, blocked ? 1 : 0);
      },
    }),
  };
}

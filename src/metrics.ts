import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { EnforcementStep, StepOutcome } from "./pipeline/platform.ts";
import type { DecisionSource } from "./policy/decision.ts";
import type { Action } from "./policy/policy.ts";
import type { ScreeningObserver } from "./screening/screening.ts";
import type { RiskLevel } from "./verification/result.ts";

/** How a delivery to a webhook route ended. */
export const WEBHOOK_OUTCOMES = [
  "accepted",
  "duplicate",
  "unauthenticated",
  "unusable",
  "too_large",
  "unavailable",
] as const;
/** How a delivery to a webhook route ended. */
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/** A decision as the metrics see it. */
export interface CountedDecision {
  readonly platform: string;
  /** Null when nobody judged the order: counted under `none`. */
  readonly riskLevel: RiskLevel | null;
  readonly action: Action;
  readonly source: DecisionSource;
}

/**
 * Everything Holdfast counts. Label values are closed sets or platform names; tenants appear only as digests. The
 * methods never throw and cost about a microsecond.
 */
export interface Metrics extends ScreeningObserver {
  /** A counter of one platform's deliveries, with every outcome present from the start. */
  webhooks(platform: string): (outcome: WebhookOutcome) => void;
  /** An order was decided. */
  decided(decision: CountedDecision): void;
  /** One try of an enforcement step ended; `error` when it threw. */
  enforced(step: EnforcementStep, outcome: StepOutcome["outcome"] | "error"): void;
  /** An order went from receipt to settled in this many milliseconds. */
  settled(durationMs: number): void;
  /** Work that is not finished, as measured just now; `undefined` when it could not be measured. */
  backlog(backlog: { readonly pending: number; readonly oldestAgeMs: number | null } | undefined): void;
  /** Content type of {@link Metrics.render}. */
  readonly contentType: string;
  /** The Prometheus text format. */
  render(): Promise<string>;
}

/** Options of {@link createMetrics}. */
export interface MetricsOptions {
  /** Asked on each scrape: which tenants' calls are held back now, by digest, never by name. Default: none known. */
  readonly circuits?:
    | (() => readonly { readonly tenantHash: string; readonly heldBack: boolean }[])
    | undefined;
}

/** Fast screening takes about a second; an order that waits for its fulfilment order or an outage takes up to an hour. */
const ORDER_SECONDS_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1_800, 3_600];

/** Create {@link Metrics} with a registry of their own, so that two apps in one process do not mix. */
export function createMetrics({ circuits = () => [] }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const { webhooks, decisions, credits, saved, enforcements } = createCounters(registry);
  const { backlog, oldest, orderSeconds } = createMeasures(registry, circuits);

  return {
    webhooks(platform) {
      const children = new Map(
        WEBHOOK_OUTCOMES.map((outcome) => {
          const child = webhooks.labels({ platform, outcome });
          // Present at zero, or the first refused delivery would be invisible to `increase()`.
          child.inc(0);
          return [outcome, child];
        }),
      );
      return (outcome) => children.get(outcome)?.inc();
    },
    decided({ platform, riskLevel, action, source }) {
      decisions.inc({ platform, level: riskLevel ?? "none", action, source });
    },
    credit(outcome) {
      // The sum over all outcomes is what was billed, so a call that cost nothing is no part of it.
      if (outcome !== "free") credits.inc({ outcome });
    },
    saved(reason) {
      saved.inc({ reason });
    },
    enforced(step, outcome) {
      enforcements.inc({ action: step, outcome });
    },
    settled(durationMs) {
      // A platform's clock ahead of ours must not throw away the count.
      orderSeconds.observe(Math.max(0, durationMs) / 1_000);
    },
    backlog(measured) {
      backlog.set(measured?.pending ?? Number.NaN);
      oldest.set(measured === undefined ? Number.NaN : Math.max(0, measured.oldestAgeMs ?? 0) / 1_000);
    },
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function createCounters(registry: Registry) {
  const registers = [registry];
  return {
    webhooks: new Counter({
      name: "holdfast_webhooks_total",
      help: "Deliveries to webhook routes, by how they ended.",
      labelNames: ["platform", "outcome"],
      registers,
    }),
    decisions: new Counter({
      name: "holdfast_decisions_total",
      help: "Decided orders.",
      labelNames: ["platform", "level", "action", "source"],
      registers,
    }),
    credits: new Counter({
      name: "holdfast_credits_total",
      help: "Credits spent or, for the outcome unknown, possibly spent.",
      labelNames: ["outcome"],
      registers,
    }),
    saved: new Counter({
      name: "holdfast_credits_saved_total",
      help: "Calls that did not have to be made.",
      labelNames: ["reason"],
      registers,
    }),
    enforcements: new Counter({
      name: "holdfast_enforcements_total",
      help: "Tries of enforcement steps, by how they ended.",
      labelNames: ["action", "outcome"],
      registers,
    }),
  };
}

function createMeasures(registry: Registry, circuits: NonNullable<MetricsOptions["circuits"]>) {
  const registers = [registry];
  return {
    orderSeconds: new Histogram({
      name: "holdfast_order_seconds",
      help: "Time from the receipt of an order to its settlement.",
      buckets: ORDER_SECONDS_BUCKETS,
      registers,
    }),
    backlog: new Gauge({
      name: "holdfast_backlog",
      help: "Deliveries and orders that still need work; NaN when the store could not be asked.",
      registers,
    }),
    oldest: new Gauge({
      name: "holdfast_oldest_pending_seconds",
      help: "Age of the oldest unfinished delivery or order; 0 without one, NaN when the store could not be asked.",
      registers,
    }),
    circuit: new Gauge({
      name: "holdfast_circuit_open",
      help: "1 while calls of this tenant to the verification service are held back.",
      labelNames: ["tenant_hash"],
      registers,
      // Set on the way out: a circuit closes by the passing of time, and opens for tenants who made no call.
      collect() {
        this.reset();
        for (const { tenantHash, heldBack } of circuits())
          this.set({ tenant_hash: tenantHash }, heldBack ? 1 : 0);
      },
    }),
  };
}

import {
  context,
  diag,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Counter,
  type Histogram,
  type MeterProvider,
  type TracerProvider,
} from "@opentelemetry/api";
import { checkOptions, type ScreenerTelemetry } from "../../src/adapter-kit.ts";
import { isHoldfastError, type DecisionEvent, type HoldfastError, type OrderCheck } from "../../src/index.ts";

/** Options of {@link createTelemetry}. */
export interface TelemetryOptions {
  /** Add the order's id to the span of its check, as `holdfast.order.id`. Default: `false`. */
  readonly orderId?: boolean | undefined;
  /** Default: the global one, as an SDK registers it. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default: the global one, as an SDK registers it. */
  readonly meterProvider?: MeterProvider | undefined;
}

const SCOPE = "holdfast";
/** In seconds, as OpenTelemetry's conventions advise for HTTP durations. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/**
 * Reasons whose detail is one of our codes. A rule's detail is the name that the merchant chose, which could be a
 * person's.
 */
const CODED_REASON = /^(?:skipped|degraded):([A-Z_]+)$/;
/** How a call that failed is billed, as the ledger counts it. */
const CREDIT_OUTCOMES = { yes: "failed", no: undefined, unknown: "unknown" } as const;

interface Instruments {
  readonly checks: Histogram;
  readonly calls: Histogram;
  readonly decisions: Counter;
  readonly credits: Counter;
}

interface Watched<T> {
  readonly name: string;
  readonly kind: SpanKind;
  readonly histogram: "checks" | "calls";
  /** Attributes of the span, and the attributes that metrics also have. */
  readonly describe: (value: T) => { readonly span: Attributes; readonly metric: Attributes };
}

/**
 * Create telemetry for a screener: `createScreener({ telemetry: createTelemetry() })`. It records a span for each check
 * and each call to the service, counters and durations (docs/observability.md), but no personal data and no error
 * messages.
 *
 * Failures in OpenTelemetry go to its own `diag` logger and never fail a check.
 */
export function createTelemetry(given?: TelemetryOptions): ScreenerTelemetry {
  const options = checkOptions("createTelemetry", given, {
    orderId: true,
    tracerProvider: true,
    meterProvider: true,
  });
  const { orderId: withOrderId = false, tracerProvider = trace } = options;
  // Created with the first check: a meter that is created before the SDK starts records nothing.
  let made: Instruments | undefined;
  const instruments = (): Instruments => (made ??= createInstruments(options.meterProvider ?? metrics));

  const watch = createWatch(tracerProvider, instruments);

  const toCheckAttributes = ({ orderId, check }: DecisionEvent) => ({
    metric: { "holdfast.check.status": check.status, ...toDecision(check) },
    span: {
      "holdfast.check.cached": check.status === "cached",
      "holdfast.check.credits": check.creditsSpent,
      ...toCode(check),
      ...(withOrderId && orderId !== undefined ? { "holdfast.order.id": orderId } : {}),
    },
  });

  const spend = (outcome: string): void => {
    attempt(() => instruments().credits.add(1, { "holdfast.credit.outcome": outcome }));
  };

  return {
    check: (run) =>
      watch(
        { name: "check order", kind: SpanKind.INTERNAL, histogram: "checks", describe: toCheckAttributes },
        run,
      ),
    call: (run) =>
      watch({ name: "verify order", kind: SpanKind.CLIENT, histogram: "calls", describe: () => PLAIN }, () =>
        countCredit(run, spend),
      ),
    decided: ({ check, late }) => {
      const attributes = { ...toDecision(check), "holdfast.decision.late": late };
      attempt(() => instruments().decisions.add(1, attributes));
    },
  };
}

/** Creates a function that runs work inside a span, exactly once, and settles like the work. */
function createWatch(tracerProvider: TracerProvider, instruments: () => Instruments) {
  return async <T>({ name, kind, histogram, describe }: Watched<T>, run: () => Promise<T>): Promise<T> => {
    const startedAtMs = performance.now();
    const span = attempt(() => tracerProvider.getTracer(SCOPE).startSpan(name, { kind }));
    let running: Promise<T> | undefined;
    // Run it once, whatever a context manager does, because a call costs money.
    const start = (): Promise<T> => (running ??= (async () => await run())());
    if (span !== undefined) {
      attempt(() => void context.with(trace.setSpan(context.active(), span), start));
    }

    const end = (ofSpan: Attributes, ofMetric: Attributes): void => {
      const seconds = (performance.now() - startedAtMs) / 1_000;
      attempt(() => instruments()[histogram].record(seconds, ofMetric));
      attempt(() => span?.setAttributes(ofSpan));
      if (ofMetric["error.type"] !== undefined) {
        attempt(() => span?.setStatus({ code: SpanStatusCode.ERROR }));
      }
      attempt(() => span?.end());
    };
    let value: T;
    try {
      value = await start();
    } catch (error) {
      const type = { "error.type": toErrorType(error) };
      end(type, type);
      throw error;
    }
    attempt(() => {
      const { span: ofSpan, metric } = describe(value);
      end({ ...metric, ...ofSpan }, metric);
    });
    return value;
  };
}

const PLAIN = { span: {}, metric: {} };

function createInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter(SCOPE);
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      unit: "s",
      description,
      advice: { explicitBucketBoundaries: BOUNDARIES },
    });
  return {
    checks: seconds("holdfast.check.duration", "Duration of checks"),
    calls: seconds("holdfast.call.duration", "Duration of calls to the verification service"),
    decisions: meter.createCounter("holdfast.decisions", { unit: "{decision}", description: "Decisions" }),
    credits: meter.createCounter("holdfast.credits", {
      unit: "{credit}",
      description: "Calls that were billed or may have been",
    }),
  };
}

async function countCredit<T>(run: () => Promise<T>, spend: (outcome: string) => void): Promise<T> {
  try {
    const value = await run();
    spend("answered");
    return value;
  } catch (error) {
    const outcome = CREDIT_OUTCOMES[(isHoldfastError(error) ? error.metered : undefined) ?? "unknown"];
    if (outcome !== undefined) spend(outcome);
    throw error;
  }
}

function toDecision(check: OrderCheck): Attributes {
  return {
    "holdfast.check.action": check.action,
    "holdfast.check.source": check.source,
    ...(check.riskLevel === null ? {} : { "holdfast.risk.level": check.riskLevel }),
  };
}

/** Why the service didn't judge the order. */
function toCode({ reasons }: OrderCheck): Attributes {
  const code = reasons.map((reason) => CODED_REASON.exec(reason)?.[1]).find((found) => found !== undefined);
  return code === undefined ? {} : { "holdfast.check.reason": code };
}

/** Never the message: another library's message can quote an order. */
function toErrorType(error: unknown): HoldfastError["code"] | "_OTHER" {
  return isHoldfastError(error) ? error.code : "_OTHER";
}

/** The check continues, whatever an SDK, a processor or an exporter throws. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    try {
      diag.error("holdfast: an order's telemetry was lost", error);
    } catch {
      // The host's logger may throw, too.
    }
    return undefined;
  }
}

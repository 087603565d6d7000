import { readFileSync } from "node:fs";
import { context, SpanKind, SpanStatusCode, trace, type Span } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTelemetry, type TelemetryOptions } from "../../../adapters/opentelemetry/index.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../../src/sandbox/sandbox-service.ts";
import type { ScreenerTelemetry } from "../../../src/screening/order-check.ts";
import { createScreener } from "../../../src/screening/screener.ts";
import type { ScreenerOptions } from "../../../src/screening/screener-options.ts";
import { quoted, readRows, readSection } from "../../support/markdown.ts";
import { anOrder } from "../../support/orders.ts";
import { until } from "../../support/until.ts";

const LOW = { customerEmail: "low@risk.example" };
const closing: (() => Promise<unknown>)[] = [];

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => context.disable());

/** A screener that uses the sandbox, with telemetry into memory through OpenTelemetry's own SDK. */
async function start(
  options: TelemetryOptions = {},
  more: { readonly latencyMs?: number; readonly screener?: Partial<ScreenerOptions> } = {},
) {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
  });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const service = createSandboxService({ latencyMs: more.latencyMs ?? 0 });
  const screener = createScreener({
    service: { url: await service.listen(), apiKey: SANDBOX_API_KEY },
    telemetry: createTelemetry({ tracerProvider, meterProvider, ...options }),
    ...more.screener,
  });
  closing.push(
    () => service.close(),
    () => screener.close(),
    () => meterProvider.shutdown(),
  );
  const spansNamed = (name: string): ReadableSpan[] =>
    spans.getFinishedSpans().filter((span) => span.name === name);
  return {
    service,
    screener,
    spansNamed,
    tracerProvider,
    /** Data points of a metric: the value, or the count of a histogram, with attributes. */
    points: async (name: string) => {
      await meterProvider.forceFlush();
      const scopes = metrics.getMetrics().at(-1)?.scopeMetrics ?? [];
      const found = scopes
        .flatMap((scope) => scope.metrics)
        .find(({ descriptor }) => descriptor.name === name);
      return (found?.dataPoints ?? []).map(({ value, attributes }) => ({
        unit: found?.descriptor.unit,
        value: typeof value === "number" ? value : value.count,
        attributes,
      }));
    },
    everything: async () => {
      await meterProvider.forceFlush();
      const ofSpans = spans
        .getFinishedSpans()
        .map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links }));
      return JSON.stringify([ofSpans, metrics.getMetrics()]);
    },
  };
}

describe("createTelemetry", () => {
  it("records a span for a check, and the paid call inside it", async () => {
    const { screener, spansNamed, tracerProvider } = await start();
    const request: Span = tracerProvider.getTracer("host").startSpan("POST /orders");

    await context.with(trace.setSpan(context.active(), request), () => screener.check(anOrder(LOW)));
    await screener.check(anOrder(LOW));

    const [first, second] = spansNamed("check order");
    expect(first?.kind).toBe(SpanKind.INTERNAL);
    expect(first?.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(first?.attributes).toEqual({
      "holdfast.check.status": "verified",
      "holdfast.check.action": "allow",
      "holdfast.check.source": "service",
      "holdfast.risk.level": "low",
      "holdfast.check.cached": false,
      "holdfast.check.credits": 1,
    });
    expect(second?.attributes).toMatchObject({
      "holdfast.check.status": "cached",
      "holdfast.check.source": "cache",
      "holdfast.check.cached": true,
      "holdfast.check.credits": 0,
    });
    const calls = spansNamed("verify order");
    expect(calls).toHaveLength(1);
    expect(calls[0]?.kind).toBe(SpanKind.CLIENT);
    expect(calls[0]?.parentSpanContext?.spanId).toBe(first?.spanContext().spanId);
  });

  it("counts decisions, credits and durations in seconds", async () => {
    const { screener, points } = await start();

    await screener.check(anOrder(LOW));
    await screener.check(anOrder(LOW));
    await screener.check(anOrder({ orderId: "2", customerEmail: "critical@risk.example" }));

    const low = { "holdfast.check.action": "allow", "holdfast.risk.level": "low" };
    expect(await points("holdfast.check.duration")).toContainEqual({
      unit: "s",
      value: 1,
      attributes: { ...low, "holdfast.check.status": "cached", "holdfast.check.source": "cache" },
    });
    expect(await points("holdfast.decisions")).toContainEqual({
      unit: "{decision}",
      value: 1,
      attributes: { ...low, "holdfast.check.source": "service", "holdfast.decision.late": false },
    });
    expect(await points("holdfast.decisions")).toHaveLength(3);
    expect(await points("holdfast.call.duration")).toEqual([{ unit: "s", value: 2, attributes: {} }]);
    expect(await points("holdfast.credits")).toEqual([
      { unit: "{credit}", value: 2, attributes: { "holdfast.credit.outcome": "answered" } },
    ]);
  });

  it("gives the code for why the service didn't judge an order, and how a call failed", async () => {
    const { screener, spansNamed, points } = await start({}, { screener: { maxPaidAttempts: 1 } });

    await screener.check(anOrder({ customerEmail: "error-500@risk.example" }));
    await screener.check(anOrder({ orderId: "free", orderAmount: 0, items: [] }));

    const [failed, skipped] = spansNamed("check order");
    expect(failed?.attributes).toMatchObject({
      "holdfast.check.status": "degraded",
      "holdfast.check.source": "local",
      "holdfast.check.reason": "VERIFICATION_FAILED",
    });
    expect(failed?.status.code).toBe(SpanStatusCode.UNSET);
    expect(skipped?.attributes).toMatchObject({
      "holdfast.check.status": "skipped",
      "holdfast.check.source": "policy",
      "holdfast.check.reason": "ZERO_AMOUNT",
    });
    const [call] = spansNamed("verify order");
    expect(call?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(call?.attributes).toEqual({ "error.type": "VERIFICATION_FAILED" });
    expect(await points("holdfast.credits")).toEqual([
      expect.objectContaining({ value: 1, attributes: { "holdfast.credit.outcome": "failed" } }),
    ]);
  });

  it("is documented: every span, attribute and metric of docs/observability.md, and no other", async () => {
    const { screener, everything, spansNamed, points } = await start({ orderId: true });
    await screener.check(anOrder(LOW));
    await screener.check(anOrder({ orderId: "free", orderAmount: 0, items: [] }));
    await screener.check({ orderAmount: -1 }).catch(() => undefined);
    const spans = ["check order", "verify order"].flatMap((name) => spansNamed(name));
    await everything();
    const page = readFileSync("docs/observability.md", "utf8");
    const first = (section: string) =>
      readRows(readSection(page, section)).flatMap(([cell = ""]) => quoted(cell));

    const attributes = spans.flatMap((span) => Object.keys(span.attributes));
    expect(new Set(first("Spans"))).toEqual(new Set([...spans.map(({ name }) => name), ...attributes]));
    for (const name of first("Metrics")) expect(await points(name), name).not.toEqual([]);
    expect(first("Metrics")).toHaveLength(4);
  });

  it("records a late answer as a decision of its own", async () => {
    const { screener, spansNamed, points } = await start({}, { latencyMs: 300 });

    const check = await screener.check(anOrder(LOW), { deadlineMs: 30 });

    expect(check.status).toBe("pending");
    expect(spansNamed("check order")[0]?.attributes).toMatchObject({ "holdfast.check.status": "pending" });
    await until(() => spansNamed("verify order").length === 1);
    await until(async () => (await points("holdfast.decisions")).length === 2);
    expect(await points("holdfast.decisions")).toContainEqual(
      expect.objectContaining({
        attributes: {
          "holdfast.check.action": "allow",
          "holdfast.check.source": "service",
          "holdfast.risk.level": "low",
          "holdfast.decision.late": true,
        },
      }),
    );
    const [checked] = spansNamed("check order");
    expect(spansNamed("verify order")[0]?.parentSpanContext?.spanId).toBe(checked?.spanContext().spanId);
  });

  it("records nothing personal, not even for unreadable orders or rules with a person's name", async () => {
    const rules = [{ name: "hold jane@example.com", when: { product: ["mug"] }, then: { action: "hold" } }];
    const { screener, everything, spansNamed } = await start({}, { screener: { policy: { rules } } });
    const order = anOrder({ ...LOW, orderId: "order-4711", ipAddress: "198.51.100.77" });

    const check = await screener.check(order);
    expect(check.reasons).toContain("rule:hold jane@example.com");
    await screener.check({ ...order, currency: "Jane Example" }).catch(() => undefined);

    expect(spansNamed("check order")[1]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "error.type": "ORDER_INVALID" },
      events: [],
    });
    const recorded = await everything();
    const personal = ["jane", "risk.example", "order-4711", "198.51", "Springfield", "Main", "Mug", "59.9"];
    for (const text of [...personal, check.fingerprint]) expect(recorded).not.toContain(text);
  });

  it("adds the order's id to the span alone, if asked", async () => {
    const { screener, spansNamed, points } = await start({ orderId: true });

    await screener.check(anOrder({ ...LOW, orderId: "order-4711" }));

    expect(spansNamed("check order")[0]?.attributes).toMatchObject({ "holdfast.order.id": "order-4711" });
    expect(JSON.stringify(await points("holdfast.check.duration"))).not.toContain("4711");
  });

  it("keeps a broken processor, tracer, meter and context manager from affecting checks, and pays once", async () => {
    const broken = (): never => {
      throw new Error("telemetry is broken");
    };
    const processor: SpanProcessor = {
      onStart: broken,
      onEnd: broken,
      forceFlush: async () => undefined,
      shutdown: async () => undefined,
    };
    const exporter = { export: broken, shutdown: async () => undefined };
    const spanProcessors = [processor, new SimpleSpanProcessor({ exporter })];
    const providers: TelemetryOptions[] = [
      { tracerProvider: new TracerProvider({ spanProcessors }) },
      { tracerProvider: new TracerProvider({ spanProcessors: spanProcessors.slice(1) }) },
      { tracerProvider: { getTracer: broken }, meterProvider: { getMeter: broken } },
    ];
    for (const options of providers) {
      const { screener, service } = await start(options);

      expect(await screener.check(anOrder(LOW))).toMatchObject({ status: "verified", creditsSpent: 1 });
      await expect(screener.check({ orderAmount: -1 })).rejects.toMatchObject({ code: "ORDER_INVALID" });
      expect(service.calls).toHaveLength(1);
    }

    const manager = new AsyncLocalStorageContextManager();
    const runsThenFails = Object.assign(manager, {
      with: (_context: unknown, run: () => unknown) => {
        run();
        broken();
      },
    });
    context.disable();
    context.setGlobalContextManager(runsThenFails);
    const { screener, service } = await start();
    expect(await screener.check(anOrder(LOW))).toMatchObject({ status: "verified", creditsSpent: 1 });
    expect(service.calls).toHaveLength(1);
    context.disable();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
});

describe("a screener without telemetry", () => {
  it("behaves the same for its host", async () => {
    const telemetry: ScreenerTelemetry = {
      check: (run) => run(),
      call: (run) => run(),
      decided: () => undefined,
    };
    const plain = await start({}, { screener: { telemetry: undefined } });
    const watched = await start({}, { screener: { telemetry } });

    const [one, other] = await Promise.all([
      plain.screener.check(anOrder(LOW)),
      watched.screener.check(anOrder(LOW)),
    ]);
    expect({ ...one, fingerprint: "" }).toEqual({ ...other, fingerprint: "" });
    expect(plain.spansNamed("check order")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { createMetrics } from "../../src/pipeline/metrics.ts";

/** The text format's samples by name and labels. */
async function samplesOf(metrics: { render(): Promise<string> }): Promise<ReadonlyMap<string, string>> {
  const lines = (await metrics.render()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

describe("createMetrics", () => {
  it("has exactly the documented names", async () => {
    const text = await createMetrics().render();
    const types = [...text.matchAll(/^# TYPE (\S+ \S+)$/gm)].map(([, type = ""]) => type);
    expect(types.toSorted()).toEqual([
      "holdfast_backlog gauge",
      "holdfast_buyer_questions_total counter",
      "holdfast_circuit_open gauge",
      "holdfast_coverage_ratio gauge",
      "holdfast_credits_saved_total counter",
      "holdfast_credits_total counter",
      "holdfast_decisions_total counter",
      "holdfast_enforcements_total counter",
      "holdfast_oldest_pending_seconds gauge",
      "holdfast_order_seconds histogram",
      "holdfast_webhooks_total counter",
    ]);
  });

  it("counts under the documented labels", async () => {
    const metrics = createMetrics({ circuits: () => [{ tenantHash: "h4sh", blocked: true }] });

    metrics.webhooks("shopify")("accepted");
    metrics.decided({ platform: "shopify", riskLevel: "high", action: "hold", source: "service" });
    metrics.decided({ platform: "shopify", riskLevel: null, action: "allow", source: "policy" });
    metrics.credit("answered");
    metrics.credit("unknown");
    metrics.saved("duplicate");
    metrics.enforced("hold", "done");
    metrics.enforced("cancel", "error");
    metrics.backlog({ pending: 3, oldestAgeMs: 1_500 });
    metrics.coverage(0.975);

    const samples = await samplesOf(metrics);
    const expected = {
      'holdfast_webhooks_total{platform="shopify",outcome="accepted"}': "1",
      'holdfast_webhooks_total{platform="shopify",outcome="unavailable"}': "0",
      'holdfast_decisions_total{platform="shopify",level="high",action="hold",source="service"}': "1",
      'holdfast_decisions_total{platform="shopify",level="none",action="allow",source="policy"}': "1",
      'holdfast_credits_total{outcome="answered"}': "1",
      'holdfast_credits_total{outcome="unknown"}': "1",
      'holdfast_credits_saved_total{reason="duplicate"}': "1",
      'holdfast_enforcements_total{action="hold",outcome="done"}': "1",
      'holdfast_enforcements_total{action="cancel",outcome="error"}': "1",
      'holdfast_circuit_open{tenant_hash="h4sh"}': "1",
      holdfast_coverage_ratio: "0.975",
      holdfast_backlog: "3",
      holdfast_oldest_pending_seconds: "1.5",
    };
    for (const [name, value] of Object.entries(expected))
      expect([name, samples.get(name)]).toEqual([name, value]);
  });

  it("counts only billed calls as credits", async () => {
    const metrics = createMetrics();
    metrics.credit("free");
    metrics.credit("failed");
    const samples = [...(await samplesOf(metrics))].filter(([name]) =>
      name.startsWith("holdfast_credits_total"),
    );
    expect(samples).toEqual([['holdfast_credits_total{outcome="failed"}', "1"]]);
  });

  it("counts orders by how long they took, up to an hour", async () => {
    const metrics = createMetrics();
    for (const ms of [80, 900, 120_000, 3_600_000, 7_200_000, -5]) metrics.settled(ms);

    const samples = await samplesOf(metrics);

    expect(samples.get('holdfast_order_seconds_bucket{le="0.1"}')).toBe("2");
    expect(samples.get('holdfast_order_seconds_bucket{le="1"}')).toBe("3");
    expect(samples.get('holdfast_order_seconds_bucket{le="3600"}')).toBe("5");
    expect(samples.get('holdfast_order_seconds_bucket{le="+Inf"}')).toBe("6");
  });

  it("reports on each scrape which circuits are open", async () => {
    let blocked = true;
    const metrics = createMetrics({ circuits: () => [{ tenantHash: "h4sh", blocked }] });
    const read = async () => (await samplesOf(metrics)).get('holdfast_circuit_open{tenant_hash="h4sh"}');
    expect(await read()).toBe("1");

    blocked = false;

    expect(await read()).toBe("0");
  });

  it("reports an age of zero without work, and nothing if it couldn't measure", async () => {
    const metrics = createMetrics();
    metrics.backlog({ pending: 0, oldestAgeMs: null });
    expect((await samplesOf(metrics)).get("holdfast_oldest_pending_seconds")).toBe("0");
    metrics.backlog({ pending: 1, oldestAgeMs: -20 });
    expect((await samplesOf(metrics)).get("holdfast_oldest_pending_seconds")).toBe("0");
    metrics.backlog(undefined);
    expect((await samplesOf(metrics)).get("holdfast_backlog")?.toLowerCase()).toBe("nan");
  });

  it("keeps two apps in one process apart", async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.saved("cached");
    expect((await samplesOf(other)).has('holdfast_credits_saved_total{reason="cached"}')).toBe(false);
  });
});

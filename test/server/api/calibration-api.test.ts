import { describe, expect, it } from "vitest";
import type { KeptSignals } from "../../../src/engine/model/kept-signals.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";
import { AS_SHOP_A, keepOrder, startConsole } from "../console-app.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 1_700_000_100_000;
const OLD = { decided: { level: "low", action: "allow" } } as const;

function toSignals(codes: readonly (readonly [code: string, points: number])[]): KeptSignals {
  const seen = codes.map(([code, points]) => ({ code, points, group: "time" as const }));
  return { base: 10, missing: [], measures: {}, seen };
}

describe("GET /api/calibration/model", () => {
  it("reports how many outcomes are known and needed, and makes no model below that", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    const receivedAtMs = NOW_MS - 60 * DAY_MS;
    await keepOrder(app.store, "1", { ...OLD, receivedAtMs, signals: toSignals([["NIGHT", 6]]) });
    await keepOrder(app.store, "2", { ...OLD, receivedAtMs });

    expect(await (await app.get("/api/calibration/model", AS_SHOP_A)).json()).toEqual({
      since: new Date(NOW_MS - 365 * DAY_MS).toISOString(),
      until: new Date(NOW_MS).toISOString(),
      days: 365,
      known: { fraud: 0, good: 1 },
      needed: { fraud: 25, good: 250 },
      offered: false,
      model: null,
      comparison: null,
      calibration: [],
      parts: [],
    });
    expect((await app.get("/api/calibration/model")).status).toBe(401);
  });

  it("offers a model that a policy accepts, says what it is worth, and changes nothing itself", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    for (let index = 0; index < 330; index += 1) {
      const isFraud = index % 11 === 0;
      const signals = toSignals([
        ...(index % 2 === 0 ? [["NIGHT", 6] as const] : []),
        ...(isFraud ? [["AMOUNT_TINY", 0] as const] : []),
      ]);
      const endings = isFraud ? [] : [{ kind: "hold-overridden", by: "person" } as const];
      const receivedAtMs = NOW_MS - 60 * DAY_MS - index * 60_000;
      await keepOrder(app.store, `o${index}`, { ...OLD, receivedAtMs, signals, endings });
      if (!isFraud) continue;
      const dispute = {
        disputeId: `d${index}`,
        orderId: `o${index}`,
        kind: "chargeback",
        status: "lost",
      } as const;
      const lost = { ...dispute, reason: "fraudulent", isFraud: true, initiatedAtMs: NOW_MS };
      const entry = toTimelineEntry(NOW_MS, { kind: "dispute" }, "", "platform");
      await app.store.outcomes.recordDispute({ tenant: "fake:a.example", orderId: `o${index}` }, lost, entry);
    }

    const answer = (await (await app.get("/api/calibration/model", AS_SHOP_A)).json()) as { model: unknown };
    expect(answer).toMatchObject({
      known: { fraud: 30, good: 300 },
      offered: true,
      comparison: { fraud: 18, good: 180, model: 1 },
      parts: [{ feature: "AMOUNT_TINY:0", title: "Tiny amount" }, expect.anything()],
    });
    expect((await app.get("/api/policy", AS_SHOP_A)).headers.get("etag")).toBe('"0"');
    expect(parsePolicy({ localModel: answer.model }).localModel).toEqual(answer.model);
  });
});

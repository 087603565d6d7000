import { describe, expect, it } from "vitest";
import type { KeptSignals } from "../../../src/engine/own-weights.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";
import { toSuggested, type WeightProposal } from "../../../web/data/policy/weights.ts";
import { AS_SHOP_A, keepOrder, startConsole } from "../console-app.ts";
import { toTimelineEntry } from "../../../src/pipeline/timeline.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 1_700_000_100_000;

describe("GET /api/calibration/weights", () => {
  const old = { receivedAtMs: NOW_MS - 60 * DAY_MS, decided: { level: "low", action: "allow" } } as const;
  const toSignals = (codes: readonly (readonly [code: string, points: number])[]): KeptSignals => {
    const seen = codes.map(([code, points]) => ({ code, points, group: "time" as const }));
    return { base: 10, missing: [], seen };
  };

  it("reports how many outcomes are known and needed, and proposes nothing below that", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    await keepOrder(app.store, "1", { ...old, signals: toSignals([["NIGHT", 6]]) });
    await keepOrder(app.store, "2", old);

    expect(await (await app.get("/api/calibration/weights", AS_SHOP_A)).json()).toEqual({
      since: new Date(NOW_MS - 365 * DAY_MS).toISOString(),
      until: new Date(NOW_MS).toISOString(),
      days: 365,
      known: { fraud: 0, good: 1 },
      needed: { fraud: 50, good: 500 },
      enough: false,
      signals: [
        { code: "NIGHT", title: expect.stringMatching(/night/i), points: 6, fraud: 0, good: 1, factor: 1 },
      ],
    });
    expect((await app.get("/api/calibration/weights")).status).toBe(401);
  });

  it("proposes factors that a policy accepts, the largest change first, and changes nothing itself", async () => {
    const app = await startConsole({ now: () => NOW_MS });
    for (let index = 0; index < 550; index += 1) {
      const isFraud = index < 50;
      const night = index % 2 === 0;
      const signals = toSignals([
        ...(night ? [["NIGHT", 6] as const] : []),
        ...(isFraud ? [["ACCOUNT_NEW", 8] as const] : []),
      ]);
      const endings = isFraud ? [] : [{ kind: "hold-overridden", by: "person" } as const];
      await keepOrder(app.store, `o${index}`, { ...old, signals, endings });
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

    const answer = await (await app.get("/api/calibration/weights", AS_SHOP_A)).json();
    expect(answer).toMatchObject({
      known: { fraud: 50, good: 500 },
      enough: true,
      signals: [
        { code: "ACCOUNT_NEW", fraud: 50, good: 0, factor: 1.5 },
        { code: "NIGHT", fraud: 25, good: 250, factor: 0.5 },
      ],
    });
    expect((await app.get("/api/policy", AS_SHOP_A)).headers.get("etag")).toBe('"0"');
    expect(parsePolicy({ localWeights: toSuggested(answer as WeightProposal) }).localWeights).toEqual({
      ACCOUNT_NEW: 1.5,
      NIGHT: 0.5,
    });
  });
});

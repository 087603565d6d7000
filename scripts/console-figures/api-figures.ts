import { request } from "undici";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { percentile } from "../../bench/figure.ts";

/** How long the API took to answer. */
export interface ApiFigure {
  readonly what: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly bytes: number;
}

interface Question {
  readonly what: string;
  readonly path: string;
  readonly body?: unknown;
}

const QUESTIONS: readonly Question[] = [
  { what: "review queue, 50 orders", path: "api/orders?view=queue&limit=50" },
  { what: "all orders, 50 of them", path: "api/orders?limit=50" },
  { what: "critical orders, 50 of them", path: "api/orders?level=critical&limit=50" },
  { what: "search by order number", path: "api/orders?q=%235000" },
  { what: "search by email address", path: "api/orders?q=jane.example77%40mail.example" },
  { what: "one order", path: "api/orders/9820982900000004000" },
  { what: "overview, 30 days", path: "api/overview?days=30" },
  { what: "report, 14 days", path: "api/report?days=14" },
  { what: "report, 90 days", path: "api/report?days=90" },
  {
    what: "replay of a policy, 90 days",
    path: "api/policy/replay",
    body: { policy: { ...DEFAULT_POLICY, levels: { ...DEFAULT_POLICY.levels, medium: { action: "hold" } } } },
  },
];

/** Send each request several times, one after the other. */
export async function measureApi(url: URL, token: string, times: number): Promise<readonly ApiFigure[]> {
  const figures: ApiFigure[] = [];
  for (const { what, path, body } of QUESTIONS) {
    const takenMs: number[] = [];
    let bytes = 0;
    for (let time = 0; time < times; time += 1) {
      const startMs = performance.now();
      const answer = await request(new URL(path, url), {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const content = await answer.body.arrayBuffer();
      takenMs.push(performance.now() - startMs);
      bytes = content.byteLength;
      if (answer.statusCode !== 200) throw new Error(`${what}: ${answer.statusCode}`);
    }
    figures.push({ what, p50Ms: percentile(takenMs, 0.5), p95Ms: percentile(takenMs, 0.95), bytes });
  }
  return figures;
}

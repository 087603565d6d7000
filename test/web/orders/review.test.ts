import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../web/data/api/api.ts";
import { reviewAll, reviewOne, type BulkProgress, type review } from "../../../web/data/orders/review.ts";
import type { Act, OrderDetail, OrderRow, Session } from "../../../web/data/api/api-types.ts";
import { sessionState } from "../../../web/data/api/session.ts";
import { forgetDecisions, undoables, untilSaved } from "../../../web/data/orders/undo.ts";
import { createRow } from "./order-row.ts";

type One = typeof review;

const ORDERS = Array.from({ length: 9 }, (_, index) => createRow({ orderId: `${index}`, name: `#${index}` }));

interface Run {
  readonly end: BulkProgress;
  readonly steps: number[];
  readonly waits: number[];
}

async function run(one: (orderId: string, signal: AbortController) => Promise<unknown>): Promise<Run> {
  const stop = new AbortController();
  const steps: number[] = [];
  const waits: number[] = [];
  const end = await reviewAll(ORDERS, {
    act: "approve",
    note: "ok",
    signal: stop.signal,
    onProgress: ({ done, failed }) => steps.push(done.length + failed.length),
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    one: (async (orderId: string) => ({
      pendingReview: null,
      answer: await one(orderId, stop),
    })) as unknown as One,
  });
  return { end, steps, waits };
}

afterEach(() => vi.unstubAllGlobals());

describe("reviewOne", () => {
  it.each<[Act, string | null, string | null]>([
    ["approve", null, '"v1"'],
    ["approve", "person:8", '"v1"'],
    ["decline", null, null],
    ["decline", "person:8", '"v1"'],
  ])("says which order an action is about: %s, decided by %s", async (act, decidedBy, ifMatch) => {
    const sent: (string | null)[] = [];
    vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
      sent.push(new Headers(init.headers).get("if-match"));
      return Response.json({ pendingReview: null });
    });

    await reviewOne({ orderId: "1", version: "v1", decidedBy } as OrderDetail, act);

    expect(sent).toEqual([ifMatch]);
  });

  it("blocks only what the person saw", async () => {
    let sent: string | null = null;
    vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
      sent = new Headers(init.headers).get("if-match");
      return Response.json({ pendingReview: null });
    });
    const block = { kinds: ["mailbox"], reason: "Declined", until: null } as const;

    await reviewOne({ orderId: "1", version: "v1", decidedBy: null } as OrderDetail, "decline", "", {
      block,
    });

    expect(sent).toBe('"v1"');
  });
});

describe("reviewOne after a colleague's decision", () => {
  afterEach(() => {
    sessionState.set({ status: "starting" });
    forgetDecisions();
  });

  it.each([
    ["one's own decision", "person:7", 1],
    ["a colleague's, who said the same first", "person:8", 0],
  ])("offers to undo %s: %s", async (_whose, by, offered) => {
    sessionState.set({ status: "signed-in", session: { actor: "person:7" } as Session });
    const at = "2026-01-01T00:00:00.000Z";
    const pendingReview = { act: "approve", by, at, effectiveAt: "2026-01-01T00:00:08.000Z" };
    vi.stubGlobal("fetch", async () => Response.json({ ...createRow(), pendingReview, drafts: {} }));

    const work = reviewOne({ orderId: "1", version: "v1", decidedBy: null } as OrderDetail, "approve");
    const isMine = untilSaved();
    await work;

    expect(undoables.get()).toHaveLength(offered);
    // Otherwise `z` would undo the decision before it.
    expect(await isMine).toBe(offered === 1);
  });
});

describe("reviewAll", () => {
  it("decides on each order once and reports progress", async () => {
    const asked: string[] = [];
    const { end, steps } = await run((orderId) => Promise.resolve(asked.push(orderId)));
    expect(asked.toSorted()).toEqual(ORDERS.map(({ orderId }) => orderId));
    expect(end.done).toHaveLength(9);
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("gives each order the reason of the decline", async () => {
    const reasons: unknown[] = [];
    const one = (async (_orderId, _act, _note, options) => {
      reasons.push(options?.reason);
      return { pendingReview: null };
    }) as (...given: Parameters<One>) => Promise<unknown>;
    await reviewAll(ORDERS.slice(0, 2), {
      act: "decline",
      note: "",
      reason: "abuse",
      signal: new AbortController().signal,
      onProgress: () => undefined,
      one: one as One,
    });
    expect(reasons).toEqual(["abuse", "abuse"]);
  });

  it("continues after a failure, and says why it failed", async () => {
    const { end } = await run((orderId) =>
      orderId === "3" ? Promise.reject(new ApiError(409, "It has shipped already.")) : Promise.resolve(),
    );
    expect(end.done).toHaveLength(8);
    expect(end.failed.map(({ order, why }) => [order.name, why])).toEqual([
      ["#3", "It has shipped already."],
    ]);
  });

  it("doesn't wait for a limit that lasts, and says so", async () => {
    const { end, waits } = await run((orderId) =>
      orderId === "3"
        ? Promise.reject(new ApiError(429, "Try again in 23 h.", [], 82_800_000))
        : Promise.resolve(),
    );
    expect(end.failed.map(({ why }) => why)).toEqual(["Try again in 23 h."]);
    expect(waits).toEqual([]);
  });

  it("waits when the server asks it to, and eventually gives up on an order", async () => {
    let left = 1;
    const { end, waits } = await run((orderId) => {
      if (orderId === "0" && left > 0) {
        left -= 1;
        return Promise.reject(new ApiError(429, "Too many calls.", [], 2_000));
      }
      return orderId === "1" ? Promise.reject(new ApiError(503, "Not now.", [], 1_000)) : Promise.resolve();
    });
    expect(waits.toSorted((one, other) => one - other)).toEqual([1_000, 1_000, 2_000]);
    expect(end.failed.map(({ order }) => order.name)).toEqual(["#1"]);
  });

  it("offers to undo one's own decisions only", async () => {
    sessionState.set({ status: "signed-in", session: { actor: "person:7" } as Session });
    const at = "2026-01-01T00:00:00.000Z";
    const one = (async (orderId: string) => ({
      ended: orderId === "1" ? "shipped" : null,
      pendingReview: { act: "approve", by: `person:${7 + Number(orderId)}`, at, effectiveAt: at },
    })) as unknown as One;

    const [first, second] = ORDERS;
    const orders = [first, { ...second, ended: "shipped" }] as OrderRow[];
    const { done } = await reviewAll(orders, {
      act: "approve",
      note: "",
      signal: new AbortController().signal,
      onProgress: () => undefined,
      one,
    });

    sessionState.set({ status: "starting" });
    expect(done).toMatchObject([
      { orderId: "0", ended: null, undoUntilMs: expect.any(Number) as number },
      { orderId: "1", ended: "shipped", undoUntilMs: null },
    ]);
  });

  // The pause would take twice as long.
  it("doesn't wait any longer once it is stopped", { timeout: 30_000 }, async () => {
    const stop = new AbortController();
    const one = (() => Promise.reject(new ApiError(429, "Too many calls.", [], 60_000))) as unknown as One;
    const end = reviewAll(ORDERS, {
      act: "approve",
      note: "",
      signal: stop.signal,
      onProgress: () => undefined,
      one,
    });
    stop.abort();

    expect((await end).failed.map(({ why }) => why)).toEqual(Array(4).fill("Too many calls."));
  });

  it("ends early when it is stopped", async () => {
    const { end } = await run((_orderId, stop) => {
      stop.abort();
      return Promise.resolve();
    });
    expect(end.done.length).toBeLessThan(5);
  });
});

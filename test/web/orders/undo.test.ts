import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { putBack, startList, type Sorting } from "../../../web/data/orders/order-list.ts";
import {
  type DecidedOrder,
  failures,
  forgetDecisions,
  toDoneText,
  toUndoSeconds,
  toUntilMs,
  undo,
  undoables,
} from "../../../web/data/orders/undo.ts";
import { toasts } from "../../../web/data/api/messages.ts";
import { findRecentlyDecided, noteDecided } from "../../../web/data/orders/recent-decisions.ts";
import { review } from "../../../web/data/orders/review.ts";
import { reportBulk } from "../../../web/views/orders/bulk-report.ts";
import { createRow } from "./order-row.ts";

describe("toUndoSeconds", () => {
  it.each([
    [1, 8],
    [4, 8],
    [5, 9],
    [50, 18],
    [100, 28],
    [10_000, 60],
  ])("gives %i orders %i seconds", (orders, seconds) => {
    expect(toUndoSeconds(orders)).toBe(seconds);
  });
});

describe("toUntilMs", () => {
  it("follows this machine's clock, whatever the server's says", () => {
    const pending = {
      act: "approve",
      by: "person:7",
      at: "2020-01-01T00:00:00.000Z",
      effectiveAt: "2020-01-01T00:00:08.000Z",
    } as const;

    expect(toUntilMs(pending, 5_000)).toBe(13_000);
  });
});

describe("putBack", () => {
  const byId: Sorting = (one, other) => Number(one.orderId) - Number(other.orderId);
  const row = (orderId: string) => createRow({ orderId });

  it("puts undone orders back in their place, and replaces the ones that are there", () => {
    const list = startList({ orders: [row("2"), row("4")], nextCursor: null });
    const again = createRow({ orderId: "2", name: "again" });

    const { rows } = putBack(list, [row("5"), row("3"), row("1"), again], byId);

    expect(rows.map(({ orderId }) => orderId)).toEqual(["1", "2", "3", "4", "5"]);
    expect(rows[1]?.name).toBe("again");
  });
});

describe("toDoneText", () => {
  const open = { orderId: "1", name: "#1", ended: null };
  const shipped = { orderId: "2", name: "#2", ended: "shipped" } as const;

  it.each<[string, "approve" | "decline", readonly DecidedOrder[]]>([
    ["#1 approved.", "approve", [open]],
    ["#1 declined.", "decline", [open]],
    ["#2 marked as handled.", "approve", [shipped]],
    ["#2 declined, but not canceled: already shipped.", "decline", [shipped]],
    ["2 orders approved.", "approve", [open, { orderId: "3", name: "#3" }]],
    ["2 orders marked as handled.", "approve", [shipped, shipped]],
    ["1 order approved, 1 order marked as handled.", "approve", [open, shipped]],
  ])("says %s", (text, act, orders) => {
    expect(toDoneText(act, orders)).toBe(text);
  });
});

describe("reportBulk", () => {
  // What the page shows is one for all test files of a worker.
  const clear = (): void => {
    forgetDecisions();
    toasts.set([]);
  };
  beforeEach(clear);
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    clear();
  });

  const row = (orderId: string) => createRow({ orderId, name: `#${orderId}` });

  it("offers one undo for all orders that can be undone, as long as for the first of them", () => {
    vi.useFakeTimers({ now: 1_000 });
    const done = [
      { ...row("1"), undoUntilMs: 9_500 },
      { ...row("2"), undoUntilMs: 9_000 },
      { ...row("3"), undoUntilMs: null },
    ];

    reportBulk("approve", { done, failed: [] });

    const [offered, ...others] = undoables.get();
    expect(others).toEqual([]);
    expect(offered).toMatchObject({ act: "approve", untilMs: 9_000 });
    expect(offered?.orders.map(({ orderId }) => orderId)).toEqual(["1", "2"]);
    expect(toasts.get().map(({ text }) => text)).toEqual(["#3 approved."]);
    vi.advanceTimersByTime(8_000);
    expect(undoables.get()).toEqual([]);
  });

  it("marks the orders that failed, until the next decision on them, and links to them", async () => {
    reportBulk("decline", { done: [], failed: [{ order: row("1"), why: "It has shipped." }] });

    expect([...failures.get()]).toEqual([["1", "It has shipped."]]);
    expect(toasts.get()).toMatchObject([
      {
        text: "#1 not declined: It has shipped.",
        isBad: true,
        link: { label: "Open #1", href: "/queue/1" },
      },
    ]);
    expect(undoables.get()).toEqual([]);
    vi.stubGlobal("fetch", async () => Response.json({ pendingReview: null }));
    await review("1", "approve");
    expect(failures.get().size).toBe(0);
  });

  it("says in one message how many failed", () => {
    const failed = ["1", "2"].map((id) => ({ order: row(id), why: "No." }));
    reportBulk("approve", { done: [], failed });

    expect(toasts.get()).toMatchObject([
      {
        text: "2 orders not approved. The queue says why beside each.",
        link: { label: "Show queue", href: "/" },
      },
    ]);
  });
});

describe("undo", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("has lists show the order again, also those that open later", async () => {
    noteDecided(["1", "2"]);
    vi.stubGlobal("fetch", async () => Response.json(createRow({ orderId: "1" })));

    await undo({ id: 0, orders: [{ orderId: "1", name: "#1" }] });

    expect([...findRecentlyDecided()]).toEqual(["2"]);
  });
});

import { describe, expect, it } from "vitest";
import type { ShopLocale } from "../../../src/platform/platform.ts";
import { toZonedIso } from "../../../src/server/parts/shop-locales.ts";
import { AS_OPERATOR, AS_SHOP_A, createFakePlatform, keepOrder, startConsole } from "../console-app.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 23, 30);

async function readLocale(
  answer: () => Promise<ShopLocale>,
  as: Record<string, string> = AS_SHOP_A,
): Promise<unknown> {
  const app = await startConsole({ platforms: [createFakePlatform({ readLocale: answer })] });
  const { timeZone, currency } = (await (await app.get("/api/session", as)).json()) as ShopLocale;
  return { timeZone, currency };
}

describe("a shop's time zone and currency", () => {
  it("come with the session", async () => {
    const berlin = { timeZone: "Europe/Berlin", currency: "EUR" };
    expect(await readLocale(async () => berlin)).toEqual(berlin);
  });

  it("are unknown without a platform, while it can't be asked, or for an invalid name", async () => {
    const nothing = { timeZone: null, currency: null };
    const berlin = { timeZone: "Europe/Berlin", currency: "EUR" };
    expect(await readLocale(async () => berlin, AS_OPERATOR)).toEqual(nothing);
    expect(await readLocale(() => Promise.reject(new Error("down")))).toEqual(nothing);
    expect(await readLocale(async () => ({ timeZone: "Mars/Base", currency: "EUR" }))).toEqual({
      timeZone: null,
      currency: "EUR",
    });
  });

  it("are requested once for many pages", async () => {
    let asked = 0;
    const platform = createFakePlatform({
      async readLocale() {
        asked += 1;
        return { timeZone: "UTC", currency: "EUR" };
      },
    });
    const app = await startConsole({ platforms: [platform] });
    for (let page = 0; page < 3; page += 1) await app.get("/api/session", AS_SHOP_A);
    expect(asked).toBe(1);
  });

  it("are the last known ones while the platform can't be asked, and asked for again soon", async () => {
    let nowMs = NOW_MS;
    let asked = 0;
    let answer: () => Promise<ShopLocale> = () => Promise.reject(new Error("down"));
    const readLocale = () => ((asked += 1), answer());
    const app = await startConsole({ platforms: [createFakePlatform({ readLocale })], now: () => nowMs });
    const read = async () => (await (await app.get("/api/session", AS_SHOP_A)).json()) as ShopLocale;
    const berlin = { timeZone: "Europe/Berlin", currency: "EUR" };
    expect(await read()).toMatchObject({ timeZone: null, currency: null });
    // A platform that is down isn't asked for each page.
    await read();
    expect(asked).toBe(1);

    answer = async () => berlin;
    nowMs += 10_000;
    expect(await read()).toMatchObject(berlin);

    answer = () => Promise.reject(new Error("down"));
    nowMs += 10 * 60_000;
    expect(await read()).toMatchObject(berlin);
    expect(asked).toBe(3);
  });

  it("apply to the report's file, across a clock change", async () => {
    const answer = async () => ({ timeZone: "America/New_York", currency: "USD" });
    const app = await startConsole({
      platforms: [createFakePlatform({ readLocale: answer })],
      now: () => NOW_MS,
    });
    const decided = { level: "high", action: "hold" } as const;
    await keepOrder(app.store, "winter", { decided, receivedAtMs: Date.UTC(2026, 10, 20, 3) });
    await keepOrder(app.store, "summer", { decided, receivedAtMs: Date.UTC(2026, 9, 20, 3) });

    const response = await app.get("/api/report.csv?days=40", AS_SHOP_A);

    expect(response.headers.get("content-disposition")).toContain("holdfast-report-2026-11-20-40-days.csv");
    const text = await response.text();
    expect(text).toContain("2026-11-19T22:00:00-05:00");
    expect(text).toContain("2026-10-19T23:00:00-04:00");
  });
});

describe("toZonedIso", () => {
  it.each([
    ["Asia/Kolkata", "2026-11-21T05:00:00+05:30"],
    ["Europe/London", "2026-11-20T23:30:00+00:00"],
    ["America/St_Johns", "2026-11-20T20:00:00-03:30"],
    [null, "2026-11-20T23:30:00.000Z"],
  ])("writes a time in %s", (zone, text) => {
    expect(toZonedIso(NOW_MS, zone)).toBe(text);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import {
  createUploadSlots,
  PATIENCE_MS,
  SLOTS,
  SLOTS_PER_TENANT,
  type UploadSlots,
} from "../../../src/server/buyer/upload-slots.ts";

describe("places for files", () => {
  let slots: UploadSlots;
  let nowMs: number;
  let dropped: string[];

  beforeEach(() => {
    nowMs = 0;
    dropped = [];
    slots = createUploadSlots({ now: () => nowMs });
  });

  const take = (checkId: string, tenant = "test:shop", address = "203.0.113.1") =>
    slots.take({ tenant, checkId, address }, () => dropped.push(checkId));
  const range = (count: number) => [...Array(count).keys()];

  it("go to a buyer at once, although one address holds six orders of the same shop", () => {
    const attacks = range(6).map((order) => take(`attack-${order}`));
    expect(attacks.filter((slot) => slot !== undefined)).toHaveLength(SLOTS_PER_TENANT);
    expect(dropped).toEqual([]);

    expect(take("honest", "test:shop", "203.0.113.9")).toBeDefined();
    expect(dropped).toEqual(["attack-0"]);
  });

  it("of other shops stay free", () => {
    range(6).forEach((order) => take(`attack-${order}`));

    expect(take("honest", "test:other")).toBeDefined();
    expect(dropped).toEqual([]);
  });

  it("are given up by the shop that has most, if all are taken", () => {
    const shops = SLOTS / SLOTS_PER_TENANT;
    for (const shop of range(shops))
      for (const order of range(SLOTS_PER_TENANT))
        take(`${shop}-${order}`, `test:shop-${shop}`, `203.0.113.${order}`);
    expect(dropped).toEqual([]);

    expect(take("honest", "test:other")).toBeDefined();
    expect(dropped).toEqual(["0-0"]);
  });

  it("are given up by the slowest, if nobody has more than one", () => {
    range(SLOTS_PER_TENANT).forEach((one) => {
      nowMs = one;
      take(`slow-${one}`, "test:shop", `203.0.113.${one}`);
    });
    expect(take("honest", "test:shop", "203.0.113.99")).toBeUndefined();
    nowMs = PATIENCE_MS;

    expect(take("honest", "test:shop", "203.0.113.99")).toBeDefined();
    expect(dropped).toEqual(["slow-0"]);
  });

  it("aren't taken from a file that is complete, until it's released", () => {
    const kept = range(SLOTS_PER_TENANT).map((one) => take(`${one}`));
    for (const slot of kept) slot?.complete();
    nowMs = 10 * PATIENCE_MS;
    expect(take("late", "test:shop", "203.0.113.99")).toBeUndefined();

    kept[0]?.release();
    kept[0]?.release();
    expect(take("late", "test:shop", "203.0.113.99")).toBeDefined();
    expect(dropped).toEqual([]);
  });

  it("go to a link's newest attempt, and not to two of them", () => {
    const first = take("1");
    take("1");
    expect(dropped).toEqual(["1"]);
    // What the first attempt still does frees nobody else's place.
    first?.complete();
    first?.release();
    range(SLOTS_PER_TENANT - 1).forEach((one) => take(`more-${one}`));
    expect(take("one too many")).toBeUndefined();
  });
});

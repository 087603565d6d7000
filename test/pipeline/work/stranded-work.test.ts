import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { createStrandedWork } from "../../../src/pipeline/work/stranded-work.ts";

const away = (retryable: boolean) => new HoldfastError("STORE_UNAVAILABLE", "away", { retryable });

describe("createStrandedWork", () => {
  it("gives each lease back once, and keeps what could not be given back", async () => {
    const stranded = createStrandedWork();
    const given: string[] = [];
    let isAway = true;
    const fail = (release: () => Promise<unknown>) =>
      expect(stranded.during(() => Promise.reject(away(true)), release)).rejects.toThrow("away");
    await fail(async () => given.push("first"));
    await fail(async () => {
      if (isAway) throw away(true);
      given.push("second");
    });

    await expect(stranded.giveBack()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    isAway = false;
    await stranded.giveBack();
    await stranded.giveBack();

    expect(given).toEqual(["first", "second"]);
  });

  it("leaves work alone that ends well", async () => {
    const stranded = createStrandedWork();
    const given: string[] = [];

    await stranded.during(
      async () => {},
      async () => given.push("it"),
    );
    await stranded.giveBack();

    expect(given).toEqual([]);
  });

  it.each([
    ["another error, which would only come again", new TypeError("a defect")],
    ["a store that fails for good", away(false)],
  ])("leaves the lease to run out after %s", async (_name, error) => {
    const stranded = createStrandedWork();
    const given: string[] = [];

    const failed = stranded.during(
      () => Promise.reject(error),
      async () => given.push("it"),
    );
    await expect(failed).rejects.toBe(error);
    await stranded.giveBack();

    expect(given).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { createSharedWork } from "../../../../adapters/shopify/admin/tokens.ts";

describe("createSharedWork", () => {
  it("does work once for all callers meanwhile, and again later", async () => {
    const shared = createSharedWork();
    let done = 0;
    const work = async () => {
      await Promise.resolve();
      done += 1;
      return done;
    };

    expect(await Promise.all([1, 2, 3].map(() => shared.join("a", undefined, work)))).toEqual([1, 1, 1]);
    expect(await shared.join("a", undefined, work)).toBe(2);
  });

  it("keeps different things apart", async () => {
    const shared = createSharedWork();

    const both = [shared.join("a", undefined, async () => "a"), shared.join("b", undefined, async () => "b")];

    expect(await Promise.all(both)).toEqual(["a", "b"]);
  });

  it("fails for all current callers, but not for later ones", async () => {
    const shared = createSharedWork();
    const failing = () => Promise.reject(new Error("failed"));
    const signal = new AbortController().signal;

    const outcomes = await Promise.allSettled([
      shared.join("a", undefined, failing),
      shared.join("a", signal, failing),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(shared.join("a", undefined, async () => "fine")).resolves.toBe("fine");
  });

  it("lets one caller cancel, before or during the work, without affecting the others", async () => {
    const shared = createSharedWork();
    const { promise, resolve } = Promise.withResolvers<string>();
    const controller = new AbortController();

    const staying = shared.join("a", undefined, () => promise);
    const leaving = shared.join("a", controller.signal, () => promise);
    const gone = shared.join("a", AbortSignal.abort(), () => promise);
    controller.abort();

    await expect(leaving).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    await expect(gone).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    resolve("done");
    await expect(staying).resolves.toBe("done");
  });
});

import { describe, expect, it } from "vitest";
import { createSlots, withinDeadline } from "../../src/base/waiting.ts";

describe("withinDeadline", () => {
  it.each([[2 ** 31], [Infinity]])(
    "waits for the work although no timer runs for %d ms",
    async (deadlineMs) => {
      const work = Promise.withResolvers<string>();
      const waited = withinDeadline(work.promise, deadlineMs);

      // Node turns such a delay into one of a millisecond, so the timer would fire before this one.
      setTimeout(() => work.resolve("done"), 20);

      await expect(waited).resolves.toBe("done");
    },
  );

  it("resolves to nothing when the time is up", async () => {
    const { promise } = Promise.withResolvers<string>();

    await expect(withinDeadline(promise, 1)).resolves.toBeUndefined();
  });
});

describe("createSlots", () => {
  const never = new AbortController().signal;

  it("lets the next piece of work in when one leaves, first come first served", async () => {
    const slots = createSlots(1);
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const done = [
      slots.run(
        "shop",
        async (leave) => {
          leave();
          await first.promise;
          log.push("first");
        },
        never,
      ),
      ...["second", "third"].map((name) => slots.run("shop", async () => log.push(name), never)),
    ];
    await Promise.all(done.slice(1));
    first.resolve();
    await Promise.all(done);

    expect(log).toEqual(["second", "third", "first"]);
  });

  it("sends away those who wait when the signal fires, and keeps the place for who comes later", async () => {
    const slots = createSlots(1);
    const closing = new AbortController();
    const first = Promise.withResolvers<void>();
    const begun: string[] = [];
    const working = slots.run("shop", () => first.promise, never);
    const waiting = slots.run("shop", async () => begun.push("waiting"), closing.signal);
    const patient = slots.run("shop", async () => begun.push("patient"), never);

    closing.abort(new Error("closing"));
    await expect(waiting).rejects.toThrow("closing");
    await expect(slots.run("shop", async () => begun.push("late"), closing.signal)).rejects.toThrow(
      "closing",
    );
    first.resolve();
    await Promise.all([working, patient]);

    expect(begun).toEqual(["patient"]);
  });
});

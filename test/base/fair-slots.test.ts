import { describe, expect, it } from "vitest";
import { createFairSlots } from "../../src/base/fair-slots.ts";

describe("createFairSlots", () => {
  it("lets owners who wait take turns, and each one's own work go in order", async () => {
    const slots = createFairSlots(1);
    const first = Promise.withResolvers<void>();
    const log: string[] = [];
    const work = (owner: string, name: string) => slots.run(owner, async () => void log.push(name));
    const holding = slots.run("flood", () => first.promise);
    const waiting = [
      ...["f1", "f2", "f3"].map((name) => work("flood", name)),
      work("quiet", "q1"),
      ...["c1", "c2"].map((name) => work("calm", name)),
    ];

    first.resolve();
    await Promise.all([holding, ...waiting]);

    expect(log).toEqual(["f1", "q1", "c1", "f2", "c2", "f3"]);
  });

  it("runs as much at once as there are places, and gives a place back when work fails", async () => {
    const slots = createFairSlots(2);
    let running = 0;
    let most = 0;

    const works = Array.from({ length: 9 }, (_, index) =>
      slots.run(`owner ${index % 4}`, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 3 === 0) throw new Error("failed");
      }),
    );
    const outcomes = await Promise.allSettled(works);

    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(3);
    expect(most).toBe(2);
    await expect(slots.run("later", async () => "done")).resolves.toBe("done");
  });
});

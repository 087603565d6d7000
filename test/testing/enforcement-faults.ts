import type { OrderEnd } from "../../src/index.ts";
import type { createMemoryAdapter } from "./memory-adapter.ts";

type Spoil = NonNullable<Parameters<typeof createMemoryAdapter>[0]>;

/** Adapters that carry out decisions wrongly, or describe the outcome wrongly, and the cases that catch them. */
export const ENFORCEMENT_FAULTS: readonly (readonly [
  fault: string,
  spoil: Spoil,
  caught: readonly string[],
])[] = [
  [
    "tags again and again",
    (sound, shop) => ({
      async enforce(step, target, options) {
        const shown = shop.get(target.orderId)?.shown;
        if (step !== "tag" || shown === undefined) return sound.enforce(step, target, options);
        shown.tags = [...shown.tags, ...target.decision.tags];
        return { outcome: "done", detail: "tagged" };
      },
    }),
    ["makes tag true, and finds it so when it is repeated"],
  ],
  [
    "holds twice",
    (sound, shop) => ({
      async enforce(step, target, options) {
        const shown = shop.get(target.orderId)?.shown;
        const held = shown?.holds ?? [];
        const ended = await sound.enforce(step, target, options);
        if (step === "hold" && shown !== undefined) {
          shown.holds = [...held, { holdId: String(held.length), reference: target.orderId }];
        }
        return ended;
      },
    }),
    ["makes hold true, and finds it so when it is repeated"],
  ],
  [
    "reports done and does nothing",
    () => ({ enforce: async () => ({ outcome: "done", detail: "done" }) }),
    [
      "makes tag true, and finds it so when it is repeated",
      "makes hold true, and finds it so when it is repeated",
      "makes cancel true, and finds it so when it is repeated",
      "can hold again what it released",
      "finds nothing to do for hold on an order that is cancelled",
      "finds hold impossible on an order that is not there",
      "finds cancel impossible on an order that is not there",
    ],
  ],
  [
    "fails a repeat",
    (sound) => {
      const seen = new Set<string>();
      return {
        async enforce(step, target, options) {
          const key = `${step} ${target.orderId}`;
          if (seen.has(key)) return { outcome: "impossible", reason: "already-done" };
          seen.add(key);
          return sound.enforce(step, target, options);
        },
      };
    },
    [
      "makes assess true, and finds it so when it is repeated",
      "makes release true, and finds it so when it is repeated",
      "makes untag true, and finds it so when it is repeated",
      "can hold again what it released",
    ],
  ],
  [
    "removes every tag that it ever added",
    (sound) => ({
      enforce: (step, target, options) =>
        sound.enforce(
          step,
          step === "untag" ? { ...target, decision: { ...target.decision, tags: [] } } : target,
          options,
        ),
    }),
    ["untags only what the present decision does not have"],
  ],
  [
    "waits for ever",
    (sound) => ({
      enforce: async (step, target, options) =>
        step === "release"
          ? { outcome: "wait", reason: "busy", retryAtMs: 0 }
          : sound.enforce(step, target, options),
    }),
    ["makes release true, and finds it so when it is repeated", "can hold again what it released"],
  ],
  [
    "waits without a time",
    () => ({ enforce: async () => ({ outcome: "wait", reason: "busy", retryAtMs: Number.NaN }) }),
    ["makes assess true, and finds it so when it is repeated"],
  ],
  [
    "reports only in words that the order was canceled",
    (sound) => ({
      async enforce(...call) {
        const result = await sound.enforce(...call);
        return result.outcome === "moot" ? { outcome: "moot", reason: result.reason } : result;
      },
    }),
    [
      "finds nothing to do for hold on an order that is cancelled",
      "finds nothing to do for cancel on an order that is cancelled",
      "finds nothing to do for release on an order that is cancelled",
    ],
  ],
  [
    "makes up its own outcome",
    () => ({
      enforce: async () => ({ outcome: "impossible", reason: "lost", ended: "stolen" as OrderEnd }),
    }),
    ["finds hold impossible on an order that is not there"],
  ],
  [
    "tags every order of the shop",
    (sound, shop) => ({
      async enforce(step, target, options) {
        const ends = [...shop.keys()].map((orderId) => sound.enforce(step, { ...target, orderId }, options));
        return (await Promise.all(ends))[0] ?? { outcome: "moot", reason: "none" };
      },
    }),
    ["touches no order but its own"],
  ],
];

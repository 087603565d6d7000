import type { OrderEnd } from "../../src/adapter-kit.ts";
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
    ["carries out tag, and changes nothing when it is repeated"],
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
    ["carries out hold, and changes nothing when it is repeated"],
  ],
  [
    "reports done and does nothing",
    () => ({ enforce: async () => ({ outcome: "done", detail: "done" }) }),
    [
      "carries out tag, and changes nothing when it is repeated",
      "carries out hold, and changes nothing when it is repeated",
      "carries out cancel, and changes nothing when it is repeated",
      "can hold an order again after releasing it",
      "has nothing to do for hold on a cancelled order",
      "reports hold as impossible on an unknown order",
      "reports cancel as impossible on an unknown order",
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
      "carries out assess, and changes nothing when it is repeated",
      "carries out release, and changes nothing when it is repeated",
      "carries out untag, and changes nothing when it is repeated",
      "can hold an order again after releasing it",
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
    ["removes only tags that the current decision doesn't have"],
  ],
  [
    "waits for ever",
    (sound) => ({
      enforce: async (step, target, options) =>
        step === "release"
          ? { outcome: "wait", reason: "busy", retryAtMs: 0 }
          : sound.enforce(step, target, options),
    }),
    [
      "carries out release, and changes nothing when it is repeated",
      "can hold an order again after releasing it",
    ],
  ],
  [
    "waits without a time",
    () => ({ enforce: async () => ({ outcome: "wait", reason: "busy", retryAtMs: Number.NaN }) }),
    ["carries out assess, and changes nothing when it is repeated"],
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
      "has nothing to do for hold on a cancelled order",
      "has nothing to do for cancel on a cancelled order",
      "has nothing to do for release on a cancelled order",
    ],
  ],
  [
    "makes up its own outcome",
    () => ({
      enforce: async () => ({ outcome: "impossible", reason: "lost", ended: "stolen" as OrderEnd }),
    }),
    ["reports hold as impossible on an unknown order"],
  ],
  [
    "tags every order of the shop",
    (sound, shop) => ({
      async enforce(step, target, options) {
        const ends = [...shop.keys()].map((orderId) => sound.enforce(step, { ...target, orderId }, options));
        return (await Promise.all(ends))[0] ?? { outcome: "moot", reason: "none" };
      },
    }),
    ["changes only the given order"],
  ],
];

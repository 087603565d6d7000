import { parseJson } from "../base/json.ts";
import { isFields } from "../order/complete-order.ts";

/** Bodies that aren't JSON, or JSON that isn't an order. */
const FIXED: readonly string[] = [
  "",
  " ",
  "null",
  "true",
  "0",
  "-1e999",
  '""',
  "[]",
  "{}",
  "[[]]",
  '{"id":null}',
  '{"id":{}}',
  '{"id":9007199254740993}',
  '{"id":-0}',
  '{"id":"gid://"}',
  '{"__proto__":{"id":1}}',
  '{"constructor":null,"toString":1}',
  '{"id":1,"id":2}',
  "\u{feff}{}",
  '{"id":1}trailing',
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `{"id":1,"text":"${"x".repeat(100_000)}"}`,
  `{"id":${"9".repeat(400)}}`,
];
/** Replacements for each member of a real body. */
const REPLACEMENTS: readonly unknown[] = [null, {}, [], [null], "", "\u0000", -1, 1e21, true, { id: null }];
const RANDOM_BODIES = 100;
const CUTS = 40;

/** Bodies that replace a real one: made-up, random, cut short and with each member replaced. The same every time. */
export function toStrangeBodies(real: Buffer): readonly Buffer[] {
  const random = createRandom(20_261_120);
  return [
    ...FIXED.map((text) => Buffer.from(text)),
    Buffer.from([0xff, 0xfe, 0xfd]),
    ...Array.from({ length: RANDOM_BODIES }, () =>
      Buffer.from(Array.from({ length: random(64) }, () => random(256))),
    ),
    ...Array.from({ length: CUTS }, (_, index) => real.subarray(0, Math.floor((real.length * index) / CUTS))),
    ...Array.from({ length: CUTS }, () => flipAt(real, random(Math.max(1, real.length)))),
    ...toReplaced(real),
  ];
}

function toReplaced(real: Buffer): readonly Buffer[] {
  const order = parseJson(real.toString("utf8"));
  if (!isFields(order)) return [];
  return Object.keys(order).flatMap((key) => {
    const { [key]: _removed, ...without } = order;
    return [without, ...REPLACEMENTS.map((value) => ({ ...order, [key]: value }))].map((body) =>
      Buffer.from(JSON.stringify(body)),
    );
  });
}

function flipAt(real: Buffer, index: number): Buffer {
  const changed = Buffer.from(real);
  if (changed.length > 0) changed[index] = (changed[index] ?? 0) ^ 0x55;
  return changed;
}

/** A linear congruential generator: whole numbers below a bound, in a sequence that never changes. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

import type { ShopCounts, ShopShare } from "../facts/shop-counts.ts";
import { toTopOfStep, type ShopKeys } from "./shop-keys.ts";

/** What is counted of a shop's orders. */
const SHOP_TRAITS = ["order", "amount", "goods", "bin", "network"] as const;
export type ShopTrait = (typeof SHOP_TRAITS)[number];

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/**
 * Orders are counted twice: by the hour, for the last hours, and by the week, for what is usual. `windows`: how many slots count,
 * including the current one.
 */
const SPANS = {
  hour: { ms: HOUR_MS, windows: 6, keptMs: 6 * HOUR_MS },
  week: { ms: WEEK_MS, windows: 5, keptMs: 5 * WEEK_MS },
} as const;
export type ShopSpan = keyof typeof SPANS;
const SHOP_SPANS = ["hour", "week"] as const satisfies readonly ShopSpan[];

/**
 * With fewer usual orders, or before the second week has passed, nothing is usual in a shop: the rarest hundredth of a hundred
 * orders is one order.
 */
const LEAST_USUAL = { orders: 100, weeks: 2 } as const;

/** One counter. */
export interface ShopTally {
  readonly trait: ShopTrait;
  /** The currency of an amount, the digest of other traits, empty for all orders. */
  readonly item: string;
  /** Of an amount; 0 for other traits. */
  readonly step: number;
  readonly span: ShopSpan;
  /** When its hour or week began, milliseconds since the epoch. */
  readonly atMs: number;
  /** When it is no longer needed. */
  readonly untilMs: number;
  readonly newcomers: number;
  readonly known: number;
}

/** Which counters matter to an order: those of its traits, in slots that began in this time. */
export interface TallyWindow {
  readonly span: ShopSpan;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The windows of an order placed at `atMs`: the last hours and weeks. */
export function listTallyWindows(atMs: number): readonly [hours: TallyWindow, weeks: TallyWindow] {
  const toWindow = (span: ShopSpan): TallyWindow => {
    const { ms, windows } = SPANS[span];
    const toMs = toSlot(atMs, ms);
    return { span, fromMs: toMs - (windows - 1) * ms, toMs };
  };
  return [toWindow("hour"), toWindow("week")];
}

/** An order's traits. */
export function listTraits(keys: ShopKeys): readonly Pick<ShopTally, "trait" | "item" | "step">[] {
  const { currency, step, goods, bin, network } = keys;
  const items = { order: "", amount: currency, goods, bin, network };
  return SHOP_TRAITS.flatMap((trait) => {
    const item = items[trait];
    return item === undefined ? [] : [{ trait, item, step: trait === "amount" ? step : 0 }];
  });
}

/** What one order adds to the counters, always in the same sequence. */
export function listTallies(keys: ShopKeys, atMs: number): readonly ShopTally[] {
  const count = keys.isKnown ? { newcomers: 0, known: 1 } : { newcomers: 1, known: 0 };
  return listTraits(keys).flatMap((trait) =>
    SHOP_SPANS.map((span) => {
      const { ms, keptMs } = SPANS[span];
      const slotMs = toSlot(atMs, ms);
      return { ...trait, ...count, span, atMs: slotMs, untilMs: slotMs + ms + keptMs };
    }),
  );
}

function toSlot(atMs: number, ms: number): number {
  return Math.floor(atMs / ms) * ms;
}

/** Counters of an order's traits within its windows, in any grouping. `atMs`: the earliest of a group. */
export type TallySum = Pick<ShopTally, "trait" | "step" | "span" | "atMs" | "newcomers" | "known">;

/** What the counters say about an order's shop; undefined until it has usual orders. Pure. */
export function toShopCounts(
  sums: readonly TallySum[],
  keys: ShopKeys,
  atMs: number,
): ShopCounts | undefined {
  const all = toShare(sums, "order");
  const [recentOrders, usualOrders] = [all.newcomers + all.known, all.usual];
  const weeks = sums.filter(({ trait, span }) => trait === "order" && span === "week");
  const sinceMs = Math.min(...weeks.map((one) => one.atMs));
  const isNew = !(toSlot(atMs, WEEK_MS) - sinceMs >= LEAST_USUAL.weeks * WEEK_MS);
  if (isNew || usualOrders < LEAST_USUAL.orders) return undefined;
  return {
    usualOrders,
    usualKnown: all.usualKnown,
    recentOrders,
    ...(keys.currency !== undefined && toAmountCounts(sums, keys.step)),
    ...(keys.goods !== undefined && { goods: toShopShare(toShare(sums, "goods")) }),
    ...(keys.bin !== undefined && { bin: toShopShare(toShare(sums, "bin")) }),
    ...(keys.network !== undefined && { network: toShopShare(toShare(sums, "network")) }),
  };
}

/** Where the amount lies among the shop's usual ones; empty with too few orders in its currency. */
function toAmountCounts(sums: readonly TallySum[], step: number) {
  const amounts = sums.filter(({ trait }) => trait === "amount");
  const upTo = (last: number) => toShare(amounts, "amount", (one) => one <= last);
  const total = toShare(amounts, "amount").usual;
  if (total < LEAST_USUAL.orders) return {};
  const small = upTo(step);
  const below = upTo(step - 1).usual;
  return {
    percentile: Math.round((1_000 * (below + (small.usual - below) / 2)) / total) / 10,
    top: findTop(amounts, total),
    small: toShopShare(small),
  };
}

const TOP_SHARE = 0.99;

/** The amount that 99 of 100 usual orders don't exceed. */
function findTop(amounts: readonly TallySum[], total: number): number {
  const usual = new Map<number, number>();
  for (const { step, span, newcomers, known } of amounts) {
    const count = (newcomers + known) * (span === "week" ? 1 : -1);
    usual.set(step, (usual.get(step) ?? 0) + count);
  }
  let count = 0;
  for (const [step, orders] of [...usual].toSorted(([one], [other]) => one - other)) {
    count += orders;
    if (count >= TOP_SHARE * total) return Math.round(toTopOfStep(step) * 100) / 100;
  }
  return 0;
}

type Share = ShopShare & { readonly usualKnown: number };

/** Weeks include the last hours, which aren't usual yet. */
function toShare(
  sums: readonly TallySum[],
  trait: ShopTrait,
  isCounted: (step: number) => boolean = () => true,
): Share {
  let [newcomers, known, usual, usualKnown] = [0, 0, 0, 0];
  for (const sum of sums) {
    if (sum.trait !== trait || !isCounted(sum.step)) continue;
    const sign = sum.span === "week" ? 1 : -1;
    usual += sign * (sum.newcomers + sum.known);
    usualKnown += sign * sum.known;
    if (sum.span === "week") continue;
    newcomers += sum.newcomers;
    known += sum.known;
  }
  return { newcomers, known, usual: Math.max(0, usual), usualKnown: Math.max(0, usualKnown) };
}

function toShopShare({ newcomers, known, usual }: Share): ShopShare {
  return { newcomers, known, usual };
}

import type { Act, OrderDetail, PlatformOrder } from "../api/api-types.ts";

/** What a person can do about an order. */
export interface Offers {
  /** How it ended on the platform: a moment ago, or as Holdfast knows. Null if it goes on. */
  readonly ended: OrderDetail["ended"];
  readonly acts: readonly Act[];
  /** Where a shipped order is refunded: the platform's admin. */
  readonly refundUrl: string | null;
}

type Offering = Pick<OrderDetail, "ended" | "state"> & {
  readonly actions: Readonly<Record<Act, { readonly possible: boolean }>>;
};
type Observed = Pick<PlatformOrder, "cancelled" | "fulfilled" | "adminUrl">;

const GOING_ON = ["approve", "decline", "recheck"] as const;
const SHIPPED = ["handle", "recheck"] as const;

/** Only what the order's state on the platform allows. `observed`: null while it isn't known. Pure. */
export function toOffers({ ended: known, actions, state }: Offering, observed: Observed | null): Offers {
  const ended = toEnd(known, observed);
  const isPossible = GOING_ON.some((act) => actions[act].possible);
  if (ended === "cancelled" || !isPossible) return { ended, acts: [], refundUrl: null };
  if (ended === null) return { ended, acts: GOING_ON, refundUrl: null };
  const isOpen = state === "review" || state === "failed" || state === "waiting";
  // Holdfast may not know yet that it has shipped. The server asks the platform then.
  const acts = SHIPPED.filter((act) => (act === "handle" ? isOpen : actions[act].possible));
  return { ended, acts, refundUrl: toWebAddress(observed?.adminUrl ?? null) };
}

function toEnd(known: OrderDetail["ended"], observed: Observed | null): OrderDetail["ended"] {
  if (known === "cancelled" || observed?.cancelled === true) return "cancelled";
  return observed?.fulfilled === true ? "shipped" : known;
}

/** An address from outside the page must not be able to run a script. */
export function toWebAddress(address: string | null): string | null {
  return address !== null && URL.canParse(address) && new URL(address).protocol === "https:" ? address : null;
}

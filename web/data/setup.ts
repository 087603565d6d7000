import type { DataOf, OrderDetail } from "./api-types.ts";

/** The state of the setup. */
export type Setup = DataOf<"GET /setup">;
/** A step of setting up. */
export type SetupStep = Setup["steps"][number];
/** A finding about the installation or the platform. */
export type Finding = Setup["findings"][number];

/** How many steps are left. */
export function countLeft({ steps }: Setup): number {
  return steps.filter(({ done }) => !done).length;
}

/** Whether nothing was ever decided here, so that empty views should say how to begin. */
export function isFirstRun(setup: Setup | null): boolean {
  return setup !== null && !setup.done && setup.steps.some(({ id, done }) => id === "first-order" && !done);
}

/** Findings, the worst first. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const ranks: readonly Finding["status"][] = ["problem", "warning", "ok", "skipped"];
  return findings.toSorted((one, other) => ranks.indexOf(one.status) - ranks.indexOf(other.status));
}

/** A stage of an order's way through Holdfast. */
export interface Stage {
  readonly id: "received" | "decided" | "settled";
  readonly label: string;
  /** When it was reached; null when it was not yet. */
  readonly at: string | null;
}

type StagedOrder = Pick<OrderDetail, "receivedAt" | "decidedAt" | "settledAt" | "state"> & {
  readonly timeline: readonly { readonly at: string }[];
};

const NOTHING = { receivedAt: null, decidedAt: null, settledAt: null, state: null, timeline: [] } as const;

/** How far an order is. Null if it isn't known yet. A held order counts as done until a person decides. */
export function toStages(order: StagedOrder | null): readonly Stage[] {
  const { receivedAt, decidedAt, settledAt, state, timeline } = order ?? NOTHING;
  const isHeld = state === "review";
  const heldAt = timeline.at(-1)?.at ?? null;
  return [
    { id: "received", label: "Received", at: receivedAt },
    { id: "decided", label: "Decided", at: decidedAt },
    { id: "settled", label: isHeld ? "Held for review" : "Settled", at: isHeld ? heldAt : settledAt },
  ];
}

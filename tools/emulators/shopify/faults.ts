/**
 * What goes wrong. `throttled`: 200 with a THROTTLED error. `reset-after-effect`: the work is done, the answer is lost.
 * `reset`: the connection drops before anything was done. `hang`: no answer. `malformed`: 200 without valid JSON.
 * `oversized`: 200 with 6 MB. A number: that status.
 */
export type FaultKind =
  | "throttled"
  | "reset-after-effect"
  | "reset"
  | "hang"
  | "malformed"
  | "oversized"
  | "400"
  | "402"
  | "403"
  | "404"
  | "408"
  | "413"
  | "422"
  | "423"
  | "425"
  | "429"
  | "430"
  | "500"
  | "503";

/** Which requests a fault affects. */
export interface FaultScope {
  /** @default "graphql" */
  readonly on?: "graphql" | "token" | undefined;
  /** Only this operation. */
  readonly operation?: string | undefined;
}

/** One planned fault. */
export interface Fault {
  readonly kind: FaultKind;
}

/** Planned faults, in the order they happen. */
export interface Faults {
  /** Returns a function that cancels the ones that haven't happened. */
  add(count: number, kind: FaultKind, scope?: FaultScope): () => void;
  /** Takes the next fault for this request. */
  next(on: "graphql" | "token", operation: string): Fault | undefined;
}

/** Create an empty plan of {@link Faults}. */
export function createFaults(): Faults {
  const planned: { kind: FaultKind; on: string; operation: string | undefined; left: number }[] = [];
  return {
    add(count, kind, scope = {}) {
      const entry = { kind, on: scope.on ?? "graphql", operation: scope.operation, left: count };
      planned.push(entry);
      return () => void (entry.left = 0);
    },
    next(on, operation) {
      const fault = planned.find(
        (entry) =>
          entry.left > 0 &&
          entry.on === on &&
          (entry.operation === undefined || entry.operation === operation),
      );
      if (fault !== undefined) fault.left -= 1;
      return fault;
    },
  };
}

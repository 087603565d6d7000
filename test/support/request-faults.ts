/** A moment in the life of a request: `arrived` before anything is done, `handled` before the answer is sent. */
export type Moment = "arrived" | "handled";

/** At which request a process is killed. */
export interface RequestFault {
  /** Counts from 1. */
  readonly number: number;
  /** Before or after its effect. */
  readonly side: "before" | "after";
  /** Count only requests of this name. Default: all requests that every order causes. */
  readonly name?: string | undefined;
}

/** Counts the requests of one app, or of several that share work, and picks the one at which its sender dies. */
export interface RequestFaults {
  /** Count from here on; null: count, but kill nobody. */
  arm(fault: RequestFault | null): void;
  /** Names of the requests that arrived since then and count. */
  readonly names: readonly string[];
  /** Called for a request; returns whether it continues. `kill` ends its sender. */
  onMoment(moment: Moment, name: string, kill: () => Promise<void>): Promise<boolean>;
}

/** Made once by a process, or now and then, and not for an order. */
const OCCASIONAL: ReadonlySet<string> = new Set(["organizations", "token", "RecentOrders", "ConfirmAccess"]);

/** Create {@link RequestFaults} that kill nobody yet. */
export function createRequestFaults(): RequestFaults {
  let fault: RequestFault | null = null;
  let names: string[] = [];
  let handled = 0;

  return {
    arm(next) {
      fault = next;
      names = [];
      handled = 0;
    },
    get names() {
      return names;
    },
    async onMoment(moment, name, kill) {
      if (fault?.name === undefined ? OCCASIONAL.has(name) : fault.name !== name) return true;
      if (moment === "arrived") names.push(name);
      else handled += 1;
      const [number, side] = moment === "arrived" ? [names.length, "before"] : [handled, "after"];
      if (fault?.number !== number || fault.side !== side) return true;
      fault = null;
      await kill();
      return false;
    },
  };
}

/** Files that arrive at once, for one shop. */
export const SLOTS_PER_TENANT = 4;
/** For all shops. Each file is in memory until it's stored. */
export const SLOTS = 12;
/** How long a file may take to arrive if others need its place and nobody has more than one, in milliseconds. */
export const PATIENCE_MS = 5_000;

/** Who sends a file. */
export interface Sender {
  readonly tenant: string;
  readonly checkId: string;
  readonly address: string | undefined;
}

interface Slot extends Sender {
  readonly sinceMs: number;
  /** Drop what arrived so far. */
  readonly drop: () => void;
}

const toAddress = ({ address = "" }: Sender): string => address;
const toTenant = ({ tenant }: Sender): string => tenant;

export type UploadSlots = ReturnType<typeof createUploadSlots>;

/**
 * Bound how many files are in memory. Whoever has a link can send a file, slowly, so places can't go to whoever came first: one
 * link has one, and if a shop's places are all taken, whoever has most of them gives one up: among the shop's senders the client
 * address with the most, among all shops the shop with the most.
 */
export function createUploadSlots({ now }: { readonly now: () => number }) {
  /** Oldest first. */
  const arriving = new Set<Slot>();
  /** Files that are complete. They keep their place until they are stored. */
  const complete = new Set<Slot>();

  function evict(slot: Slot): void {
    arriving.delete(slot);
    slot.drop();
  }

  /** Make room among some slots, whose senders have groups. `false` if nobody has to give way. */
  function makeRoom(
    sender: Sender,
    isIn: (slot: Slot) => boolean,
    toGroup: (one: Sender) => string,
  ): boolean {
    const groups = Map.groupBy([...arriving, ...complete].filter(isIn), toGroup);
    const count = (group: string): number => groups.get(group)?.length ?? 0;
    const late = now() - PATIENCE_MS;
    const most = Math.max(...[...groups.keys()].map(count));
    const own = toGroup(sender);
    const isGreedy = most > count(own) + 1;
    // Nobody takes the place of somebody who has no more than they have, so that many links of one sender win nothing.
    const mayGive = (slot: Slot): boolean => {
      const group = toGroup(slot);
      return isGreedy
        ? count(group) === most
        : slot.sinceMs <= late && (group === own || count(group) > count(own));
    };
    const victim = [...arriving].find((slot) => isIn(slot) && mayGive(slot));
    if (victim !== undefined) evict(victim);
    return victim !== undefined;
  }

  return {
    /**
     * Take a place for a file; undefined if there is none.
     *
     * @param drop - Called at most once, when the file has to give way.
     */
    take(sender: Sender, drop: () => void): { complete(): void; release(): void } | undefined {
      const { tenant, checkId } = sender;
      // The buyer tries again, and the connection of the first attempt may hang.
      for (const slot of arriving) if (slot.tenant === tenant && slot.checkId === checkId) evict(slot);
      const isOfTenant = (slot: Slot): boolean => slot.tenant === tenant;
      const all = [...arriving, ...complete];
      const isShopFull = all.filter(isOfTenant).length >= SLOTS_PER_TENANT;
      if (isShopFull && !makeRoom(sender, isOfTenant, toAddress)) return undefined;
      const isFull = arriving.size + complete.size >= SLOTS;
      if (isFull && !makeRoom(sender, () => true, toTenant)) return undefined;
      const slot: Slot = { ...sender, drop, sinceMs: now() };
      arriving.add(slot);
      return {
        complete() {
          if (arriving.delete(slot)) complete.add(slot);
        },
        release() {
          arriving.delete(slot);
          complete.delete(slot);
        },
      };
    },
  };
}

import type { VelocityKeys } from "./keys.ts";
import type { Manner } from "./manner.ts";

/** What is remembered of an order, as far as it tells strangers from those who belong to a place. */
type Remembered = Pick<VelocityKeys, "email" | "card" | "kin" | "manner">;
type Seen = Remembered & { readonly atMs: number };

/** What people may share. Many strangers live at an address and use a network; a card has one owner. */
export type SharedThing = "network" | "address" | "card";

/** Students move in together: of people without a history who show nothing odd, each three at an address count as one, up to three. */
const NEWCOMERS = { share: 3, most: 3 } as const;

/** More people without a history than this in an hour on one network are a run; every three of them count as one. */
const RUN = { from: 6, withinMs: 3_600_000, share: 3 } as const;

/**
 * At most this many relatives and colleagues are left out of the count: a family shares a card with a few. A fraudster can
 * give all invented names one surname, so at most two relatives with odd orders are left out.
 */
const MOST_KIN: Readonly<Record<SharedThing, number>> = { network: 12, address: 12, card: 3 };
const MOST_ODD_KIN = 2;

/**
 * How many different people, or cards, share something with an order for no good reason, the order itself included. Relatives and
 * colleagues have one. At a place where those who show something odd are outnumbered, the rest explain them: it is an office, a
 * dormitory, a carrier's network. Elsewhere, and for newcomers at an address, each person whose order agrees with a history of their own
 * vouches for one stranger.
 * At a network, people without a history explain less, since small amounts are all that a thief needs to be one of them: three
 * weigh as much as one who has a history, and they count themselves once many come in an hour. Undefined when there is nothing to
 * count.
 *
 * `sightings`: newest first, the order's own among them.
 *
 * A person with several mailboxes is no relative: the same name always counts.
 */
export function countOutsiders(
  sightings: readonly Seen[],
  own: Remembered,
  thing: SharedThing,
  what: "email" | "card",
): number | undefined {
  const self = own[what];
  const [newest] = sightings;
  if (self === undefined || newest === undefined) return undefined;
  const excuse = createExcuses(MOST_KIN[thing]);
  const found = { known: new Set<string>(), ordinary: new Set<string>(), odd: new Set<string>() };
  const lately = new Set<string>();
  for (const sighting of sightings) {
    const value = sighting[what];
    if (value === undefined || value === self) continue;
    const kind = toKind(sighting, own);
    if (isKin(sighting, own) && excuse(value, kind)) continue;
    found[kind].add(value);
    if (kind === "ordinary" && sighting.atMs > newest.atMs - RUN.withinMs) lately.add(value);
  }
  // People who did anything odd are counted as odd, and nobody is counted twice.
  const { known, ordinary, odd } = found;
  const isNew = (value: string): boolean => !odd.has(value) && !known.has(value);
  const people = {
    known: [...known].filter((value) => !odd.has(value)).length,
    ordinary: [...ordinary].filter(isNew).length,
    lately: [...lately].filter(isNew).length,
    odd: odd.size,
  };
  return 1 + Math.max(0, WEIGH[thing](people));
}

/** Tells of each relative whether they are left out of the count. */
function createExcuses(most: number): (value: string, kind: Manner) => boolean {
  const all = new Set<string>();
  const odd = new Set<string>();
  const fits = (value: string, set: ReadonlySet<string>, limit: number): boolean =>
    set.has(value) || set.size < limit;
  return (value, kind) => {
    if (!fits(value, all, most) || (kind === "odd" && !fits(value, odd, MOST_ODD_KIN))) return false;
    all.add(value);
    if (kind === "odd") odd.add(value);
    return true;
  };
}

/** Different people of each manner; `lately`: the ordinary ones of the last hour. */
type People = Readonly<Record<Manner | "lately", number>>;

const WEIGH: Readonly<Record<SharedThing, (people: People) => number>> = {
  card: ({ known, ordinary, odd }) => odd + ordinary - known,
  address: ({ known, ordinary, odd }) => {
    const newcomers = Math.min(NEWCOMERS.most, Math.floor(ordinary / NEWCOMERS.share));
    return (known + ordinary > odd ? 0 : odd) + newcomers - known;
  },
  network: ({ known, ordinary, lately, odd }) => {
    const run = Math.max(0, Math.floor((lately - RUN.from) / RUN.share));
    const strange = odd - known;
    return run + (Math.floor(ordinary / NEWCOMERS.share) > strange ? Math.min(0, strange) : strange);
  },
};

function toKind(sighting: Remembered, own: Remembered): Manner {
  const { manner } = sighting;
  if (manner === undefined || (hasSameName(sighting, own) && manner !== "known")) return "odd";
  return manner;
}

function isKin(sighting: Remembered, own: Remembered): boolean {
  if (sighting.kin === undefined || own.kin === undefined || hasSameName(sighting, own)) return false;
  const theirs = new Set(sighting.kin.split(" "));
  return own.kin.split(" ").some((part) => theirs.has(part));
}

function hasSameName(sighting: Remembered, own: Remembered): boolean {
  const name = toName(own);
  return name !== "" && name === toName(sighting);
}

function toName({ kin = "" }: Remembered): string {
  return kin.replace(/ ?\+.*/, "");
}

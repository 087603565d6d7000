import { describe, expect, it } from "vitest";
import { toVelocityCounts, type Sighting } from "../../../src/engine/velocity/sightings.ts";

const AT_MS = Date.UTC(2026, 10, 20, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** An order of somebody named Miller, this many minutes ago. */
function sight(index: number, changes: Partial<Sighting> = {}): Sighting {
  return {
    orderKey: `order:${index}`,
    atMs: AT_MS - index * MINUTE_MS,
    email: `e${index}`,
    card: `c${index}`,
    billingPostcode: "p",
    address: "a",
    kin: `miller given${index}`,
    manner: "ordinary",
    ...changes,
  };
}

function countAt(link: "network" | "card" | "address", count: number, change: (index: number) => object) {
  const sightings = Array.from({ length: count }, (_, index) => sight(index, change(index)));
  const [own] = sightings;
  if (own === undefined) throw new Error("no order");
  const linked = { mailbox: [], network: [], card: [], address: [], [link]: sightings };
  return toVelocityCounts(linked, own, AT_MS);
}

const stranger = (index: number) => ({ kin: `family${index}` });

describe("toVelocityCounts", () => {
  it("leaves out relatives, at most two of them with odd orders", () => {
    expect(countAt("address", 12, () => ({}))).toMatchObject({ addressStrangers7d: 1, addressCards7d: 1 });
    const odd = () => ({ manner: "odd" });
    expect(countAt("address", 3, odd)).toMatchObject({ addressStrangers7d: 1, addressCards7d: 1 });
    expect(countAt("address", 12, odd)).toMatchObject({ addressStrangers7d: 10, addressCards7d: 10 });
  });

  it("leaves out three relatives who share a card", () => {
    expect(countAt("card", 4, () => ({}))).toMatchObject({ cardStrangers7d: 1 });
    expect(countAt("card", 12, () => ({}))).toMatchObject({ cardStrangers7d: 9 });
    expect(countAt("card", 4, () => ({ manner: "odd" }))).toMatchObject({ cardStrangers7d: 2 });
  });

  it("leaves out three people of a household and six of a small office who share a card", () => {
    expect(countAt("card", 4, stranger)).toMatchObject({ cardStrangers7d: 1 });
    expect(countAt("card", 12, stranger)).toMatchObject({ cardStrangers7d: 9 });
    const elsewhere = (index: number) => ({ ...stranger(index), address: `a${index}` });
    expect(countAt("card", 4, elsewhere)).toMatchObject({ cardStrangers7d: 4 });
    const colleague = (index: number) => ({ kin: `family${index} +acme` });
    expect(countAt("card", 7, colleague)).toMatchObject({ cardStrangers7d: 1 });
    expect(countAt("card", 12, colleague)).toMatchObject({ cardStrangers7d: 6 });
    const self = (index: number) => ({ kin: "anna fox +acme", email: `anna+${index}` });
    expect(countAt("card", 4, self)).toMatchObject({ cardStrangers7d: 4 });
  });

  it.each(["address", "network"] as const)(
    "lets each customer with a history outweigh three odd orders, and vouch for one (%s)",
    (place) => {
      const strangersOf = (known: number, odd: number) => {
        const counts = countAt(place, 1 + known + odd, (index) => ({
          ...stranger(index),
          atMs: AT_MS - index * 10 * MINUTE_MS,
          manner: index > 0 && index <= known ? "known" : "odd",
        }));
        return place === "address" ? counts.addressStrangers7d : counts.ipStrangers24h;
      };
      expect(strangersOf(0, 3)).toBe(4);
      expect(strangersOf(2, 5)).toBe(1);
      expect(strangersOf(2, 6)).toBe(5);
    },
  );

  it("counts newcomers at an address against a dear odd order or one billed elsewhere, and not their cards on top", () => {
    const peopleBeside = (own: object) =>
      countAt("address", 13, (index) => ({ ...stranger(index), ...(index === 0 && own) }));

    const dear = { manner: "odd", isDear: true };
    expect(peopleBeside(dear)).toMatchObject({ addressStrangers7d: 4, addressCards7d: 1 });
    expect(peopleBeside({ manner: "away" })).toMatchObject({ addressStrangers7d: 4 });
    for (const manner of ["odd", "known", "ordinary", "related", "modest"]) {
      expect(peopleBeside({ manner })).toMatchObject({ addressStrangers7d: 1, addressCards7d: 1 });
    }
    expect(peopleBeside({ manner: "known", isDear: true })).toMatchObject({ addressStrangers7d: 1 });
    // Small orders count only against something odder than where it is billed.
    const amongSmall = (own: object) =>
      countAt("address", 13, (index) => ({
        ...stranger(index),
        ...(index === 0 ? own : { manner: index % 2 ? "smallOrdinary" : "smallResident" }),
      }));
    expect(amongSmall({ manner: "away" })).toMatchObject({ addressStrangers7d: 1 });
    expect(amongSmall(dear)).toMatchObject({ addressStrangers7d: 4 });
    const odd = (index: number) => ({ ...stranger(index), manner: "odd" });
    expect(countAt("address", 5, odd)).toMatchObject({ addressStrangers7d: 5, addressCards7d: 5 });
  });

  it("counts newcomers at a network once many come in an hour", () => {
    const strangersOf = (count: number, change: (index: number) => object = stranger) =>
      countAt("network", count, change).ipStrangers24h;
    expect(strangersOf(9)).toBe(1);
    expect(strangersOf(10)).toBe(2);
    expect(strangersOf(40)).toBe(12);
    const slowly = (index: number) => ({ ...stranger(index), atMs: AT_MS - index * 10 * MINUTE_MS });
    expect(strangersOf(40, slowly)).toBe(1);
    const mostlyKnown = (index: number) => ({ ...stranger(index), manner: index % 3 ? "known" : "ordinary" });
    expect(strangersOf(59, mostlyKnown)).toBe(1);
  });

  it("needs three newcomers at a network to explain as much as one known customer", () => {
    const withOdd = (odd: number, rest: string) => (index: number) => ({
      ...stranger(index),
      atMs: AT_MS - index * 10 * MINUTE_MS,
      manner: index >= 1 && index <= odd ? "odd" : rest,
    });
    expect(countAt("network", 10, withOdd(2, "ordinary")).ipStrangers24h).toBe(3);
    expect(countAt("network", 12, withOdd(2, "ordinary")).ipStrangers24h).toBe(1);
    expect(countAt("network", 6, withOdd(2, "known")).ipStrangers24h).toBe(1);
  });

  it("tells from a week's orders whether a network is shared, and counts the strangers of a day", () => {
    /** Two odd orders of the last hour, and this many of three days ago, of which some are odd. */
    const strangersAfter = (manner: string, count: number, odd: number) =>
      countAt("network", 3 + count, (index) => ({
        ...stranger(index),
        atMs: AT_MS - index * MINUTE_MS - (index > 2 ? 3 * DAY_MS : 0),
        manner: index < 3 + odd ? "odd" : manner,
      })).ipStrangers24h;
    expect(strangersAfter("ordinary", 25, 4)).toBe(1);
    expect(strangersAfter("ordinary", 24, 4)).toBe(3);
    expect(strangersAfter("known", 7, 4)).toBe(1);
    expect(strangersAfter("known", 6, 4)).toBe(3);
    // More than a third of the odd ones came within the day.
    expect(strangersAfter("ordinary", 80, 3)).toBe(3);
    expect(strangersAfter("known", 80, 3)).toBe(3);
    // Nobody from three days ago is a stranger today.
    expect(strangersAfter("odd", 80, 0)).toBe(3);
  });

  it("doesn't count against an order whose billing is explained that others at the place are billed elsewhere", () => {
    const strangersOf = (
      link: "network" | "address" | "card",
      own: object,
      change: (index: number) => object,
    ) => countAt(link, 6, (index) => (index === 0 ? own : { ...stranger(index), ...change(index) }));
    const away = () => ({ manner: "away" });
    const plain = { ...stranger(0), isPlain: true };

    expect(strangersOf("address", plain, away)).toMatchObject({ addressStrangers7d: 1, addressCards7d: 1 });
    expect(strangersOf("network", plain, away)).toMatchObject({ ipStrangers24h: 1 });
    for (const manner of ["related", "knownAway"]) {
      const explained = { ...stranger(0), manner };
      expect(strangersOf("address", explained, away)).toMatchObject({ addressStrangers7d: 1 });
      expect(strangersOf("network", explained, away)).toMatchObject({ ipStrangers24h: 1 });
      expect(strangersOf("address", explained, () => ({ manner: "odd" }))).toMatchObject({
        addressStrangers7d: 6,
      });
      // A ring can invent relatives.
      expect(strangersOf("address", explained, () => ({ manner: "related" }))).toMatchObject({
        addressStrangers7d: 2,
      });
    }
    // People who are billed elsewhere too, or live nearby.
    for (const own of [
      { ...stranger(0), manner: "away" },
      { ...stranger(0), isPlain: false },
    ]) {
      expect(strangersOf("address", own, away)).toMatchObject({ addressStrangers7d: 6, addressCards7d: 6 });
      expect(strangersOf("network", own, away)).toMatchObject({ ipStrangers24h: 6 });
    }
    expect(strangersOf("address", plain, () => ({ manner: "odd" }))).toMatchObject({ addressStrangers7d: 6 });
    // One person with several mailboxes, and a card, which has one owner.
    expect(strangersOf("address", plain, () => ({ manner: "away", kin: plain.kin }))).toMatchObject({
      addressStrangers7d: 6,
    });
    const apart = (index: number) => ({ manner: "away", address: `a${index}` });
    expect(strangersOf("card", plain, apart)).toMatchObject({ cardStrangers7d: 6 });
  });

  it("counts each three people as one who spend little and are odd only by where they're billed, except at a card", () => {
    const modest = (index: number) => ({ ...stranger(index), manner: "modest" });

    expect(countAt("address", 6, modest)).toMatchObject({ addressStrangers7d: 2, addressCards7d: 2 });
    expect(countAt("address", 7, modest)).toMatchObject({ addressStrangers7d: 3, addressCards7d: 3 });
    expect(countAt("network", 7, modest)).toMatchObject({ ipStrangers24h: 3 });
    const apart = (index: number) => ({ ...modest(index), address: `a${index}` });
    expect(countAt("card", 5, apart)).toMatchObject({ cardStrangers7d: 5 });
    // They outnumber nobody, and nobody has to outnumber them.
    const withOthers = (odd: number) => (index: number) => ({
      ...modest(index),
      ...(index > 10 && { manner: index > 10 + odd ? "ordinary" : "odd" }),
    });
    expect(countAt("address", 15, withOthers(1))).toMatchObject({ addressStrangers7d: 1 });
    expect(countAt("address", 15, withOthers(2))).toMatchObject({ addressStrangers7d: 6 });
    // The buyer's own name with another mailbox belongs to the buyer, not to a neighbor.
    const namesake = (index: number) => ({ ...modest(index), kin: stranger(0).kin });
    expect(countAt("address", 5, namesake)).toMatchObject({ addressStrangers7d: 5 });
    const plain = (index: number) => (index === 0 ? { ...stranger(0), isPlain: true } : modest(index));
    expect(countAt("address", 20, plain)).toMatchObject({ addressStrangers7d: 1, addressCards7d: 1 });
  });

  it("lets residents and people with a relative's card vouch for five others who spend little", () => {
    /** Two people of one manner, ten who spend little, and eight who are odd. */
    const place =
      (manner: string, own: object = {}) =>
      (index: number) => ({
        ...stranger(index),
        manner: index > 12 ? "odd" : index > 2 ? "modest" : manner,
        ...(index === 0 && { manner: "modest", ...own }),
      });

    expect(countAt("address", 21, place("resident"))).toMatchObject({ addressStrangers7d: 1 });
    expect(countAt("address", 21, place("related"))).toMatchObject({ addressStrangers7d: 1 });
    expect(countAt("address", 21, place("smallResident"))).toMatchObject({ addressStrangers7d: 1 });
    expect(countAt("address", 21, place("ordinary"))).toMatchObject({ addressStrangers7d: 12 });
    // For a resident, too.
    const plain = { manner: "resident", isPlain: true };
    expect(countAt("address", 21, place("resident", plain))).toMatchObject({ addressStrangers7d: 1 });
    expect(countAt("address", 21, place("ordinary", plain))).toMatchObject({ addressStrangers7d: 9 });
    // A ring with invented relatives only doesn't vouch for itself.
    const relatives = (index: number) => ({ ...stranger(index), manner: index > 12 ? "odd" : "related" });
    expect(countAt("address", 21, relatives)).toMatchObject({ addressStrangers7d: 13 });
    const apart = (index: number) => ({ ...stranger(index), manner: "related", address: `a${index}` });
    expect(countAt("card", 5, apart)).toMatchObject({ cardStrangers7d: 5 });
  });

  it("takes new accounts that share only the address for no family: two of them explain one odd order", () => {
    /** Four people of one manner and some who are odd. The order itself is odd, too. */
    const strangersAmong = (odd: number, four: object) =>
      countAt("address", 5 + odd, (index) => ({
        ...stranger(index),
        manner: "odd",
        ...(index > 0 && index < 5 && four),
      })).addressStrangers7d;

    for (const manner of ["resident", "ordinary"]) {
      expect(strangersAmong(1, { manner })).toBe(1);
      expect(strangersAmong(2, { manner })).toBe(3);
      // Relatives of the buyer.
      expect(strangersAmong(3, { manner, kin: stranger(0).kin + " anna" })).toBe(1);
    }
    // A ring seldom spends so little at its drop.
    expect(strangersAmong(3, { manner: "smallResident" })).toBe(1);
    expect(strangersAmong(3, { manner: "smallOrdinary" })).toBe(1);
    expect(strangersAmong(4, { manner: "smallResident" })).toBe(5);
  });

  it("lets known customers who are billed elsewhere vouch for five others who spend little", () => {
    const place = (manner: string) => (index: number) => ({
      ...stranger(index),
      manner: index === 1 ? manner : index > 6 ? "away" : "modest",
    });

    expect(countAt("address", 14, place("knownAway"))).toMatchObject({ addressStrangers7d: 1 });
    expect(countAt("address", 14, place("known"))).toMatchObject({ addressStrangers7d: 8 });
    expect(countAt("network", 14, place("knownAway"))).toMatchObject({ ipStrangers24h: 1 });
    const apart = (index: number) => ({ ...place("knownAway")(index), address: `a${index}` });
    expect(countAt("card", 14, apart)).toMatchObject({ cardStrangers7d: 12 });
  });

  it("lets the buyer's relatives show what kind of place it is", () => {
    /** One person in the buyer's family, ten who spend little, and ten who are odd. */
    const place = (manner: string, kin: string) => (index: number) => ({
      ...stranger(index),
      ...(index === 1 && { kin }),
      manner: index === 1 ? manner : index > 11 ? "odd" : "modest",
    });
    const isSuspected = (manner: string, odd: number) => {
      const counts = [`${stranger(0).kin} anna`, "fox anna"].map(
        (kin) => countAt("address", 12 + odd, place(manner, kin)).addressStrangers7d ?? 0,
      );
      return counts.map((count) => count > 3);
    };

    expect(isSuspected("resident", 5)).toEqual([false, false]);
    expect(isSuspected("known", 2)).toEqual([false, false]);
    expect(isSuspected("odd", 5)).toEqual([true, true]);
    // They still aren't strangers.
    expect(countAt("address", 12, place("modest", `${stranger(0).kin} anna`))).toMatchObject({
      addressStrangers7d: 4,
    });
  });

  it("lets people who live where an order ships to explain its network", () => {
    const network = (manner: string, billingPostcode: string) => (index: number) => ({
      ...stranger(index),
      atMs: AT_MS - index * 10 * MINUTE_MS,
      manner: index > 2 ? "odd" : manner,
      ...(index === 0 ? { shippingPostcode: "campus" } : { billingPostcode }),
    });

    expect(countAt("network", 8, network("resident", "campus"))).toMatchObject({ ipStrangers24h: 1 });
    expect(countAt("network", 8, network("resident", "town"))).toMatchObject({ ipStrangers24h: 6 });
    expect(countAt("network", 8, network("ordinary", "campus"))).toMatchObject({ ipStrangers24h: 6 });
  });

  it("treats two postcodes as home and work if orders that show nothing odd were billed to both", () => {
    const placesOf = (
      ...billed: readonly (readonly [billingPostcode: string, manner?: string | undefined])[]
    ) => {
      const sightings = billed.map(([billingPostcode, manner], index) =>
        sight(index, { billingPostcode, manner: manner as Sighting["manner"] }),
      );
      const linked = { mailbox: sightings, network: [], card: sightings.slice(1), address: [] };
      return toVelocityCounts(linked, sight(0), AT_MS).billingPlaces7d;
    };
    expect(placesOf(["home", "known"], ["work", "ordinary"])).toBe(1);
    expect(placesOf(["home", "odd"], ["home", "ordinary"], ["work", "known"])).toBe(1);
    expect(placesOf(["home", "odd"], ["work", "ordinary"])).toBe(2);
    expect(placesOf(["home", undefined], ["work", "ordinary"])).toBe(2);
    expect(placesOf(["home", "known"], ["work", "known"], ["club", "known"])).toBe(3);
    expect(placesOf()).toBeUndefined();
  });
});

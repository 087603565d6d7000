import { HoldfastError } from "../base/errors.ts";

/** What an organization can spend. */
export interface Purse {
  readonly credits: number;
  /** Take one credit; false when there is none. */
  spend(): boolean;
  add(credits: number): void;
  set(credits: number): void;
}

/** The purses of a service's organizations. */
export interface Purses {
  /**
   * The purse of an organization, by its id or slug.
   *
   * @throws {HoldfastError} `CONFIG_INVALID` when there is no such organization.
   */
  of(organization: string): Purse;
  /** Add credits to every purse. */
  addToAll(credits: number): void;
  /** What all organizations can spend together. */
  readonly total: number;
}

/** An organization with what it can spend at first. */
interface Holder {
  readonly id: string;
  readonly slug: string;
  readonly credits?: number | undefined;
}

/**
 * Create {@link Purses}: one for each organization, whichever of its keys calls. An organization that names no credits
 * starts with `credits`.
 */
export function createPurses(organizations: readonly Holder[], credits: number): Purses {
  const purses = new Map<string, Purse>();
  for (const { id, credits: own = credits } of organizations) {
    if (!purses.has(id)) purses.set(id, createPurse(own));
  }
  return {
    of(organization) {
      const holder = organizations.find(({ id, slug }) => id === organization || slug === organization);
      const purse = holder && purses.get(holder.id);
      if (purse !== undefined) return purse;
      throw new HoldfastError("CONFIG_INVALID", "organization: no key reaches it", { retryable: false });
    },
    addToAll(more) {
      for (const purse of purses.values()) purse.add(more);
    },
    get total() {
      return [...purses.values()].reduce((sum, purse) => sum + purse.credits, 0);
    },
  };
}

function createPurse(credits: number): Purse {
  let balance = credits;
  return {
    get credits() {
      return balance;
    },
    spend() {
      if (balance < 1) return false;
      balance -= 1;
      return true;
    },
    add(more) {
      balance += more;
    },
    set(left) {
      balance = left;
    },
  };
}

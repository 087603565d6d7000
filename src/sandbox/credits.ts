import { HoldfastError } from "../base/errors.ts";

/** What an organization can spend. */
export interface CreditBalance {
  readonly credits: number;
  /** Take one credit; false when there is none. */
  spend(): boolean;
  add(credits: number): void;
  set(credits: number): void;
}

/** The balances of a service's organizations. */
export interface CreditBalances {
  /**
   * The balance of an organization, by its id or slug.
   *
   * @throws {HoldfastError} `CONFIG_INVALID` when there is no such organization.
   */
  of(organization: string): CreditBalance;
  /** Add credits to every balance. */
  addToAll(credits: number): void;
  /** What all organizations can spend together. */
  readonly total: number;
}

/** An organization with what it can spend at first. */
interface FundedOrganization {
  readonly id: string;
  readonly slug: string;
  readonly credits?: number | undefined;
}

/**
 * Create {@link CreditBalances}: one for each organization, whichever of its keys calls. An organization that names no credits
 * starts with `credits`.
 */
export function createCreditBalances(
  organizations: readonly FundedOrganization[],
  credits: number,
): CreditBalances {
  const balances = new Map<string, CreditBalance>();
  for (const { id, credits: own = credits } of organizations) {
    if (!balances.has(id)) balances.set(id, createCreditBalance(own));
  }
  return {
    of(organization) {
      const holder = organizations.find(({ id, slug }) => id === organization || slug === organization);
      const balance = holder && balances.get(holder.id);
      if (balance !== undefined) return balance;
      throw new HoldfastError("CONFIG_INVALID", "organization: no key reaches it", { retryable: false });
    },
    addToAll(more) {
      for (const balance of balances.values()) balance.add(more);
    },
    get total() {
      return [...balances.values()].reduce((sum, balance) => sum + balance.credits, 0);
    },
  };
}

function createCreditBalance(credits: number): CreditBalance {
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

import { toConfigError } from "../base/errors.ts";

/** What an organization can spend. */
export interface CreditBalance {
  readonly credits: number;
  /** Take credits, one by default; false when there aren't enough. */
  spend(credits?: number): boolean;
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

/** Where balances outlive the process. */
export interface KeptBalances {
  read(organization: string): number | undefined;
  write(organization: string, credits: number): void;
}

/**
 * Create {@link CreditBalances}: one for each organization, whichever of its keys calls. An organization that names no credits
 * starts with `credits`.
 */
export function createCreditBalances(
  organizations: readonly FundedOrganization[],
  credits: number,
  kept: KeptBalances = { read: () => undefined, write: () => {} },
): CreditBalances {
  const balances = new Map<string, CreditBalance>();
  for (const { id, credits: own = credits } of organizations) {
    if (balances.has(id)) continue;
    balances.set(
      id,
      createCreditBalance(kept.read(id) ?? own, (left) => kept.write(id, left)),
    );
  }
  return {
    of(organization) {
      const holder = organizations.find(({ id, slug }) => id === organization || slug === organization);
      const balance = holder && balances.get(holder.id);
      if (balance !== undefined) return balance;
      throw toConfigError("organization: no key reaches it");
    },
    addToAll(more) {
      for (const balance of balances.values()) balance.add(more);
    },
    get total() {
      return [...balances.values()].reduce((sum, balance) => sum + balance.credits, 0);
    },
  };
}

function createCreditBalance(credits: number, keep: (credits: number) => void): CreditBalance {
  let balance = credits;
  const change = (left: number) => {
    balance = left;
    keep(left);
  };
  return {
    get credits() {
      return balance;
    },
    spend(cost = 1) {
      if (balance < cost) return false;
      change(balance - cost);
      return true;
    },
    add: (more) => change(balance + more),
    set: (left) => change(left),
  };
}

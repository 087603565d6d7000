import { toConfigError } from "../base/errors.ts";
import type { SandboxOrganization } from "./access.ts";
import type { Records } from "./catalog/records.ts";

export type CreditBalance = ReturnType<typeof createCreditBalance>;
export type CreditBalances = ReturnType<typeof createCreditBalances>;

/** One balance for each organization, shared by its keys. Without its own credits, it starts with `credits`. */
export function createCreditBalances(
  organizations: readonly SandboxOrganization[],
  credits: number,
  records: Records,
) {
  const balances = new Map<string, CreditBalance>();
  for (const { id, credits: own = credits } of organizations) {
    if (balances.has(id)) continue;
    const kept = records.of(id, "credits");
    const left = kept.get(id)?.["credits"];
    const saveBalance = (credits: number) => {
      // Unlimited credits don't have to be stored.
      if (Number.isFinite(credits)) kept.put({ id, credits });
    };
    balances.set(id, createCreditBalance(typeof left === "number" ? left : own, saveBalance));
  }
  return {
    /**
     * The balance of an organization, by its id or slug.
     *
     * @throws {HoldfastError} `CONFIG_INVALID` when there is no such organization.
     */
    of(organization: string) {
      const holder = organizations.find(({ id, slug }) => id === organization || slug === organization);
      const balance = holder && balances.get(holder.id);
      if (balance !== undefined) return balance;
      throw toConfigError("organization: no key reaches it");
    },
    addToAll(more: number) {
      for (const balance of balances.values()) balance.add(more);
    },
    get total() {
      return [...balances.values()].reduce((sum, balance) => sum + balance.credits, 0);
    },
  };
}

function createCreditBalance(credits: number, saveBalance: (credits: number) => void) {
  let balance = credits;
  const change = (left: number) => {
    balance = left;
    saveBalance(left);
  };
  return {
    get credits() {
      return balance;
    },
    /** Take credits; false when there aren't enough. */
    spend(cost = 1) {
      if (balance < cost) return false;
      change(balance - cost);
      return true;
    },
    add: (more: number) => change(balance + more),
  };
}

import { HoldfastError } from "../base/errors.ts";
import { checkOptions } from "../base/options.ts";
import { checkNumber } from "../service/client-options.ts";

/** The most that a client may start in its lifetime. */
export interface CatalogBudget {
  /** Jobs that spend credits. */
  readonly maxJobs?: number | undefined;
  /**
   * Products, brands and categories in those jobs. Products that an AI import extracts aren't counted, because their
   * number isn't known in advance.
   */
  readonly maxProducts?: number | undefined;
}

/** The started jobs and products. */
export interface SpentBudget {
  readonly jobs: number;
  readonly products: number;
}

/** Counts the jobs and products that a client starts. */
export type BudgetGuard = ReturnType<typeof createBudgetGuard>;

function check(name: string, value: number | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  return checkNumber(`\`budget.${name}\``, value, { isWhole: true });
}

/** @throws {HoldfastError} `CONFIG_INVALID` naming the limit at fault. */
export function createBudgetGuard(given: CatalogBudget | undefined) {
  const budget = checkOptions("budget", given, { maxJobs: true, maxProducts: true });
  const maxJobs = check("maxJobs", budget.maxJobs);
  const maxProducts = check("maxProducts", budget.maxProducts);
  let jobs = 0;
  let products = 0;
  return {
    get spent(): SpentBudget {
      return { jobs, products };
    },
    /**
     * Count a job and its products before it is sent; the returned function undoes that.
     *
     * @throws {HoldfastError} `BUDGET_SPENT` if it exceeds the budget; then nothing is counted.
     */
    take(count: number) {
      if (jobs + 1 > maxJobs) throw toSpent("maxJobs", maxJobs, jobs);
      if (products + count > maxProducts) throw toSpent("maxProducts", maxProducts, products);
      jobs += 1;
      products += count;
      return () => {
        jobs -= 1;
        products -= count;
      };
    },
  };
}

function toSpent(name: keyof CatalogBudget, limit: number, used: number): HoldfastError {
  const message = `the job exceeds \`budget.${name}\` (${limit}, of which ${used} are used); nothing was sent`;
  const fields = [{ path: `budget.${name}`, message: `at most ${limit}` }];
  return new HoldfastError("BUDGET_SPENT", message, { retryable: false, metered: "no", fields });
}

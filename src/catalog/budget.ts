import { HoldfastError, toConfigError } from "../base/errors.ts";

/** What a client may start at most, in all of its life. */
export interface CatalogBudget {
  /** Jobs that spend credits. */
  readonly maxJobs?: number | undefined;
  /** Products, brands and categories in those jobs. What an AI import extracts is not known before, and not counted. */
  readonly maxProducts?: number | undefined;
}

/** What was started. */
export interface SpentBudget {
  readonly jobs: number;
  readonly products: number;
}

/** Counts what a client starts. */
export interface BudgetGuard {
  readonly spent: SpentBudget;
  /**
   * Count a job and its products before it is sent; the returned function takes it back.
   *
   * @throws {HoldfastError} `BUDGET_SPENT` when it is too much; nothing is counted then.
   */
  take(products: number): () => void;
}

function check(name: string, value: number | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw toConfigError(`\`budget.${name}\` must be a whole number of 0 or more`);
}

/**
 * Create a {@link BudgetGuard}.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the limit at fault.
 */
export function createBudgetGuard(budget: CatalogBudget = {}): BudgetGuard {
  const maxJobs = check("maxJobs", budget.maxJobs);
  const maxProducts = check("maxProducts", budget.maxProducts);
  let jobs = 0;
  let products = 0;
  return {
    get spent() {
      return { jobs, products };
    },
    take(count) {
      const field =
        jobs + 1 > maxJobs ? "maxJobs" : products + count > maxProducts ? "maxProducts" : undefined;
      if (field !== undefined) {
        const limit = field === "maxJobs" ? maxJobs : maxProducts;
        throw new HoldfastError(
          "BUDGET_SPENT",
          `the job exceeds \`budget.${field}\` (${limit}, of which ${field === "maxJobs" ? jobs : products} are used); nothing was sent`,
          {
            retryable: false,
            metered: "no",
            fields: [{ path: `budget.${field}`, message: `at most ${limit}` }],
          },
        );
      }
      jobs += 1;
      products += count;
      return () => {
        jobs -= 1;
        products -= count;
      };
    },
  };
}

import { checkOptions, type OptionRules } from "../base/options.ts";
import {
  toCall,
  type Call,
  type CallOptions,
  type RequestMethod,
  type RequestOptions,
} from "../service/call.ts";
import { parseInput } from "../service/checked-data.ts";
import { checkNumber, type ServiceClientOptions } from "../service/client-options.ts";
import { createHttpCore } from "../service/http-core.ts";
import type { Organization } from "../service/organization.ts";
import type { RateLimit } from "../service/rate-limit.ts";
import { CLIENT_OPTIONS, createRetrier, type RetryOptions } from "../service/retrying.ts";
import { createBudgetGuard, type CatalogBudget, type SpentBudget } from "./budget.ts";
import { CATALOG_DIALECT, readOrganizations, request, toMethod, type CallParts } from "./call-operation.ts";
import {
  createJobWaiter,
  type FindJobsOptions,
  type ReadJobOptions,
  type WaitForJob,
  type WatchedJob,
} from "./job-waiter.ts";
import {
  CATALOG_OPERATIONS,
  JOB_KINDS,
  type CatalogMethods,
  type JobKind,
} from "./operations/catalog-operations.ts";
import type { Operation } from "./operations/operation.ts";
import type { NewProduct } from "./operations/products.ts";
import type { FormObjects } from "./request-body.ts";

/** Options of {@link createCatalogClient}. */
export interface CatalogClientOptions extends ServiceClientOptions, RetryOptions {
  /** The most that the client may start. Further jobs are refused before they are sent. Default: no limit. */
  readonly budget?: CatalogBudget | undefined;
  /** Limit of one upload, in milliseconds. Default 120000. */
  readonly uploadTimeoutMs?: number | undefined;
  /**
   * How a form sends `enrichmentConfig`, which the interface doesn't show: one JSON text, or a field for each member
   * (`enrichmentConfig[websearch]`). Default `json`.
   */
  readonly formObjects?: FormObjects | undefined;
}

/** The catalog service. Made by {@link createCatalogClient}. */
export interface CatalogClient extends CatalogMethods {
  /** The organizations that the key reaches; free, so it also proves that the key works. */
  organizations(options?: CallOptions): Call<readonly Organization[]>;
  /**
   * Call an operation that has no method, e.g. of a later version. `path` is below `/api/{organization}`. Only a GET is
   * repeated after a failure that may have had an effect. The budget doesn't count it.
   *
   * @returns the answer's `data`, or all of it if it has none.
   */
  request(method: RequestMethod, path: string, options?: RequestOptions): Call<unknown>;
  /**
   * Create any number of products, in calls of 1000, and find their ids, which those calls don't answer.
   *
   * @returns the id of each SKU; a SKU that the list doesn't show yet is left out.
   */
  createProducts(
    products: readonly NewProduct[],
    options?: CallOptions,
  ): Promise<ReadonlyMap<string, string>>;
  /** Poll a job until it has ended. */
  readonly waitForJob: WaitForJob;
  /**
   * Read a job once.
   *
   * @throws {HoldfastError} `SERVICE_NOT_FOUND` if no list has the job, or none of the searched pages.
   */
  job(jobId: string, options?: ReadJobOptions): Promise<WatchedJob & { readonly kind: JobKind }>;
  /** Read several jobs of one kind at once, by id. Jobs that the service doesn't list, or not in `maxPages`, are left out. */
  findJobs(jobIds: readonly string[], options: FindJobsOptions): Promise<ReadonlyMap<string, WatchedJob>>;
  /** Report that a job may have changed, so that everyone who waits for it polls at once. */
  hint(jobId: string): void;
  /** The used part of the budget. */
  readonly spent: SpentBudget;
  /** What the last answer said of the key's rate limit; undefined before the first, and if it said nothing. */
  readonly rateLimit: RateLimit | undefined;
  /** Finish calls under way, end downloads, and release the connections; later calls throw `SHUTTING_DOWN`. */
  close(): Promise<void>;
}

const OPTIONS: OptionRules<CatalogClientOptions> = {
  ...CLIENT_OPTIONS,
  apiKey: true,
  auth: true,
  organization: true,
  budget: true,
  uploadTimeoutMs: true,
  formObjects: true,
};
const DEFAULT_UPLOAD_TIMEOUT_MS = 120_000;

/**
 * Create a client of the catalog service: a method for each operation of its interface. The interface's limits are
 * checked before anything is sent. Reads and idempotent creates are repeated after temporary failures; every other call
 * is sent once, and repeated only when nothing was sent.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createCatalogClient(given: CatalogClientOptions): CatalogClient {
  const options = checkOptions("createCatalogClient", given, OPTIONS);
  const core = createHttpCore(options, CATALOG_DIALECT);
  const retrier = createRetrier(CATALOG_DIALECT, options);
  const budget = createBudgetGuard(options.budget);
  const { uploadTimeoutMs = DEFAULT_UPLOAD_TIMEOUT_MS, formObjects = "json" } = options;
  checkNumber("`uploadTimeoutMs`", uploadTimeoutMs, { isPositive: true });
  const parts: CallParts = { core, retrier, budget, uploadTimeoutMs, formObjects };
  const kinds = new Map<string, JobKind>();
  const methods = createMethods(parts, (kind, jobId) => kinds.set(jobId, kind));
  const waiter = createJobWaiter({ methods, kinds, ...options });
  return {
    ...methods,
    organizations: (given) => toCall(core.run(() => readOrganizations(parts, given))),
    request: (method, path, given) => toCall(core.run(() => request(parts, method, path, given))),
    createProducts: (products, given) => createProducts(methods, products, given),
    waitForJob: (jobId, given) => waiter.waitForJob(jobId, given),
    job: (jobId, given) => waiter.readOnce(jobId, given),
    findJobs: (jobIds, given) => waiter.findMany(jobIds, given),
    hint: (jobId) => waiter.hint(jobId),
    get spent() {
      return budget.spent;
    },
    get rateLimit() {
      return retrier.rateLimit;
    },
    close: () => core.close(),
  };
}

function createMethods(parts: CallParts, onJob: (kind: JobKind, jobId: string) => void): CatalogMethods {
  const kinds = Object.entries(JOB_KINDS) as readonly (readonly [JobKind, string])[];
  const groups = Object.entries(CATALOG_OPERATIONS).map(([group, operations]) => {
    const [kind] = kinds.find(([, name]) => name === group) ?? [];
    const onCreated =
      kind === undefined ? undefined : (data: unknown) => onJob(kind, (data as { jobId: string }).jobId);
    const made = Object.entries(operations as Readonly<Record<string, Operation>>).map(
      ([name, operation]) =>
        [name, toMethod(operation, parts, name === "create" ? onCreated : undefined)] as const,
    );
    return [group, Object.fromEntries(made)] as const;
  });
  return Object.fromEntries(groups) as unknown as CatalogMethods;
}

const BATCH = 1_000;

/** The service doesn't answer ids: the newest products of its list have them. */
async function createProducts(
  { products: methods }: CatalogMethods,
  products: readonly NewProduct[],
  options: CallOptions | undefined,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const batches = Array.from({ length: Math.ceil(products.length / BATCH) }, (_, index) => ({
    products: products.slice(index * BATCH, (index + 1) * BATCH),
  }));
  // All are checked before the first is sent: otherwise a wrong one near the end would look as if nothing had been created.
  for (const batch of batches) parseInput(CATALOG_OPERATIONS.products.bulkCreate.body, batch);
  for (const batch of batches) await methods.bulkCreate(batch, options);
  const missing = new Set(products.map(({ sku }) => sku));
  if (missing.size === 0) return found;
  for await (const { id, sku } of methods.list({ limit: 100 }, options)) {
    if (missing.delete(sku)) found.set(sku, id);
    if (missing.size === 0) break;
  }
  return found;
}

import { isHoldfastError } from "../base/errors.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { fillPath, parseEnvelope, parseInput } from "../service/checked-data.ts";
import { checkNumber, type ServiceClientOptions } from "../service/client-options.ts";
import { createHttpCore, type HttpCore, type ServiceCall } from "../service/http-core.ts";
import type { RateLimit } from "../service/rate-limit.ts";
import type { Organization } from "../service/organization.ts";
import { createPages, type Pages } from "../service/pages.ts";
import { createPlatformDialect } from "../service/platform-dialect.ts";
import { CLIENT_OPTIONS, createRetrier, type Retrier, type RetryOptions } from "../service/retrying.ts";
import { createBudgetGuard, type BudgetGuard, type CatalogBudget, type SpentBudget } from "./budget.ts";
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
  type CallOptions,
  type CatalogMethods,
  type CsvDownload,
  type JobKind,
} from "./operations/catalog-operations.ts";
import { UNREADABLE, type Operation } from "./operations/operation.ts";
import { toForm, type FormObjects } from "./request-body.ts";

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
  organizations(options?: CallOptions): Promise<readonly Organization[]>;
  /** Poll a job until it has ended. */
  readonly waitForJob: WaitForJob;
  /**
   * Read a job once.
   *
   * @throws {HoldfastError} `SERVICE_NOT_FOUND` if no list has the job, or none of the searched pages.
   */
  job(jobId: string, options?: ReadJobOptions): Promise<WatchedJob>;
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

interface Parts {
  readonly core: HttpCore;
  readonly retrier: Retrier;
  readonly budget: BudgetGuard;
  readonly uploadTimeoutMs: number;
  readonly formObjects: FormObjects;
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
export const CATALOG_DIALECT = createPlatformDialect("catalog service");
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
  const parts: Parts = { core, retrier, budget, uploadTimeoutMs, formObjects };
  const kinds = new Map<string, JobKind>();
  const methods = createMethods(parts, (kind, jobId) => kinds.set(jobId, kind));
  const waiter = createJobWaiter({ methods, kinds, ...options });
  return {
    ...methods,
    async organizations(given) {
      const { signal } = readCallOptions(given);
      const read = async () => ({
        headers: {},
        organizations: await core.organizations(core.config.timeoutMs, signal),
      });
      const found = await core.run(() => retrier.run(read, signal));
      return found.organizations;
    },
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

function createMethods(parts: Parts, onJob: (kind: JobKind, jobId: string) => void): CatalogMethods {
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

function readCallOptions(given: CallOptions | undefined): CallOptions {
  return checkOptions("a call", given, { signal: "signal" });
}

type AnyMethod = (...args: readonly unknown[]) => unknown;

function toMethod(operation: Operation, parts: Parts, onData?: (data: unknown) => void): AnyMethod {
  const takesId = operation.path.includes("/:id/");
  return (...args) => {
    const [id, given = {}, options] = takesId ? args : [undefined, ...args];
    const check = (): Given => {
      const body = parseInput(operation.body, given);
      return { path: fillPath(operation.path, [id]), body, ...readCallOptions(options as CallOptions) };
    };
    if (operation.kind === "list") return toPages(operation, check(), parts);
    // An invalid call rejects like any other failed call, and never throws.
    return parts.core.run(async () => {
      const call = check();
      if (operation.kind === "download") return download(call.path, call.signal, parts);
      const data = await perform(operation, call, parts);
      onData?.(data);
      return data;
    });
  };
}

/** One call of an operation, checked. */
interface Given extends CallOptions {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function perform(operation: Operation, given: Given, parts: Parts): Promise<unknown> {
  if (operation.spends === undefined) return send(operation, given, parts);
  const giveBack = parts.budget.take(operation.spends(given.body));
  try {
    return await send(operation, given, parts);
  } catch (error) {
    // A job that may have been started stays counted.
    if (isHoldfastError(error) && error.metered === "no") giveBack();
    throw error;
  }
}

/** Make a call in the key's organization, with the beginning of its path. */
async function inOrganization<T>(
  core: HttpCore,
  signal: AbortSignal | undefined,
  make: (prefix: string) => Promise<T>,
): Promise<T> {
  const prefix = `/api/${await core.organization(signal)}`;
  try {
    return await make(prefix);
  } catch (error) {
    // It may have been renamed.
    if (isHoldfastError(error, "SERVICE_FORBIDDEN")) core.forgetOrganization();
    throw error;
  }
}

async function send(operation: Operation, given: Given, parts: Parts): Promise<unknown> {
  const { body, signal } = given;
  const { core, retrier } = parts;
  const free = operation.spends === undefined;
  const repeatable = operation.send !== "once";
  const isForm = operation.kind === "form";
  const reply = await retrier.run(
    () =>
      inOrganization(core, signal, (prefix) => {
        // A form is made for each attempt: its parts are read while they are sent.
        const form = isForm ? toForm(body, parts.formObjects) : undefined;
        const call: ServiceCall = {
          method: operation.method,
          path: `${prefix}${given.path}`,
          body: form?.content ?? JSON.stringify({ ...body, ...operation.fixed }),
          contentType: form?.contentType,
          free,
          repeatable,
          timeoutMs: isForm ? parts.uploadTimeoutMs : core.config.timeoutMs,
          signal,
        };
        return core.exchange(call);
      }),
    signal,
  );
  return parseEnvelope(reply.body, operation.data, {
    dialect: CATALOG_DIALECT,
    metered: free ? "no" : "unknown",
    repeatable,
    unshown: operation.unshown,
    flag: operation.bare === true ? null : "success",
  });
}

interface ListData {
  readonly pagination: Readonly<Record<"limit" | "total" | "totalPages", number | null>>;
}

function toPages(operation: Operation, given: Given, parts: Parts): Pages<unknown> {
  const { page: first = 1 } = given.body as { readonly page?: number };
  return createPages(first, async (page) => {
    const body = parseInput(operation.body, { ...given.body, page });
    const data = await parts.core.run(() => send(operation, { ...given, body }, parts));
    const items = operation.items ?? "";
    const all = (data as Readonly<Record<string, readonly unknown[]>>)[items] ?? [];
    const entries = all.filter((entry) => entry !== UNREADABLE);
    const unreadable = all.length - entries.length;
    return {
      entries,
      unreadable,
      page,
      ...toCounts(data as ListData, all.length, page),
      data: { ...(data as object), [items]: entries },
    };
  });
}

/** Without a count, a full page may be followed by another, and any other page is the last. */
function toCounts({ pagination: { limit, total, totalPages } }: ListData, size: number, page: number) {
  const most = limit ?? size;
  const counted = total === null || most === 0 ? undefined : Math.ceil(total / most);
  const guessed = size > 0 && size >= most ? page + 1 : page;
  return { totalPages: totalPages ?? counted ?? guessed, total: total ?? (page - 1) * most + size };
}

async function download(path: string, signal: AbortSignal | undefined, parts: Parts): Promise<CsvDownload> {
  const { core, retrier } = parts;
  const { headers, body } = await retrier.run(
    () =>
      inOrganization(core, signal, (prefix) =>
        core.stream({
          method: "GET",
          path: `${prefix}${path}`,
          body: undefined,
          accept: "text/csv, */*",
          free: true,
          repeatable: true,
          timeoutMs: core.config.timeoutMs,
          signal,
        }),
      ),
    signal,
  );
  return { fileName: readFileName(String(headers["content-disposition"] ?? "")), body };
}

/**
 * The file's name of a `Content-Disposition`, without folders: it names the file, but doesn't choose its folder. Names
 * that aren't ASCII are percent-encoded in `filename*` (RFC 6266).
 */
function readFileName(disposition: string): string | null {
  const encoded = /filename\*=UTF-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const [, quoted, plain] = /filename="([^"]+)"|filename=([^;\s]+)/i.exec(disposition) ?? [];
  const name = decodeOrNothing(encoded) ?? quoted ?? plain ?? "";
  const last = name.replace(/^.*[/\\]/s, "");
  return /^\.{0,2}$/.test(last) ? null : last;
}

function decodeOrNothing(encoded = ""): string | undefined {
  try {
    return decodeURIComponent(encoded) || undefined;
  } catch {
    return undefined;
  }
}

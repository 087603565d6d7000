import { z } from "zod";
import { HoldfastError } from "../base/errors.ts";
import { toFieldProblems } from "../order/request.ts";
import type { ServiceClientOptions } from "../service/client-options.ts";
import { parseEnvelope } from "../service/envelope.ts";
import { createHttpCore, type HttpCore } from "../service/http-core.ts";
import { toPathSegment } from "../service/organization.ts";
import { createPages, type Pages } from "../service/pages.ts";
import { createPlatformDialect } from "../service/platform-dialect.ts";
import { createRetrier, type Retrier, type RetryOptions } from "../service/retrying.ts";
import { MANAGEMENT_ROUTES, type ManagementRoute } from "./operations.ts";

/** Options of {@link createManagementClient}. */
export interface ManagementClientOptions
  extends Omit<ServiceClientOptions, "apiKey" | "auth" | "organization">, RetryOptions {
  /** Bearer token. Never logged, never part of an error. */
  readonly token: string;
}

/** Options of one call; `page` and `perPage` are for lists. */
export interface ManagementCallOptions {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

type Routes = typeof MANAGEMENT_ROUTES;
type IdsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? [...{ [K in Name]: [id: string] }[Name], ...IdsOf<Rest>]
  : P extends `${string}:${infer Name}`
    ? { [K in Name]: [id: string] }[Name]
    : [];
type BodyOf<R extends ManagementRoute> = R["body"] extends z.ZodType ? [body: z.input<R["body"]>] : [];
type ResultOf<R extends ManagementRoute> = R["kind"] extends "list"
  ? Pages<z.output<R["data"]>>
  : Promise<z.output<R["data"]>>;

/** The methods of a client, made from the table of routes. A path's ids come first, in its order. */
export type ManagementMethods = {
  readonly [G in keyof Routes]: {
    readonly [M in keyof Routes[G]]: Routes[G][M] extends ManagementRoute
      ? (
          ...args: [...IdsOf<Routes[G][M]["path"]>, ...BodyOf<Routes[G][M]>, options?: ManagementCallOptions]
        ) => ResultOf<Routes[G][M]>
      : never;
  };
};

/** The management interface, version 1. Made by {@link createManagementClient}. */
export interface ManagementClient extends ManagementMethods {
  /** Finish calls under way and release the connections; later calls throw `SHUTTING_DOWN`. */
  close(): Promise<void>;
}

const DIALECT = { ...createPlatformDialect("management service"), keyOption: "token" };

/**
 * Create a client of the management interface. Reads are repeated after failures that may pass; every other call is sent
 * once, and repeated only when nothing was sent.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createManagementClient(options: ManagementClientOptions): ManagementClient {
  const { token, ...rest } = options;
  const core = createHttpCore({ ...rest, apiKey: token, auth: "bearer" }, DIALECT);
  const parts = { core, retrier: createRetrier(DIALECT, options) };
  const groups = Object.entries(MANAGEMENT_ROUTES).map(([group, routes]) => [
    group,
    Object.fromEntries(
      Object.entries(routes as Readonly<Record<string, ManagementRoute>>).map(([name, route]) => [
        name,
        toMethod(route, parts),
      ]),
    ),
  ]);
  return { ...(Object.fromEntries(groups) as ManagementMethods), close: () => core.close() };
}

interface Parts {
  readonly core: HttpCore;
  readonly retrier: Retrier;
}

function invalid(path: string, message: string): HoldfastError {
  return new HoldfastError("INPUT_INVALID", `the call can't be sent: ${path}`, {
    retryable: false,
    metered: "no",
    fields: [{ path, message }],
  });
}

function toMethod(route: ManagementRoute, parts: Parts): (...args: readonly unknown[]) => unknown {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return (...args) => {
    let path = route.path;
    for (const [index, name] of names.entries()) {
      const id = args[index];
      const segment = typeof id === "string" ? toPathSegment(id) : undefined;
      if (segment === undefined) throw invalid(name, "expected an id");
      path = path.replace(`:${name}`, segment);
    }
    const [first, second] = args.slice(names.length);
    const body = route.body === undefined ? undefined : parseBody(route.body, first);
    const options = ((route.body === undefined ? first : second) ?? {}) as ManagementCallOptions;
    if (route.kind === "list") return toPages(route, { path, options }, parts);
    return parts.core.run(() => send(route, { path, body, options }, parts, route.data));
  };
}

function parseBody(schema: z.ZodType, given: unknown): string {
  const parsed = schema.safeParse(given);
  if (parsed.success) return JSON.stringify(parsed.data);
  const fields = toFieldProblems(parsed.error);
  const message = `the call can't be sent: ${fields.map(({ path }) => path || "body").join(", ")}`;
  throw new HoldfastError("INPUT_INVALID", message, { retryable: false, metered: "no", fields });
}

interface Given {
  readonly path: string;
  readonly body?: string | undefined;
  readonly options: ManagementCallOptions;
}

async function send(
  { method }: ManagementRoute,
  { path, body, options }: Given,
  { core, retrier }: Parts,
  data: z.ZodType,
): Promise<unknown> {
  const { signal } = options;
  const reply = await retrier.run(
    () =>
      core.exchange({
        method,
        path: `/api/v1${path}`,
        body,
        free: true,
        timeoutMs: core.config.timeoutMs,
        signal,
      }),
    { repeatable: method === "GET", signal },
  );
  // A deletion may be answered with nothing at all, or with an envelope without data.
  if (reply.body === "" && method !== "GET") return data.parse(null);
  const context = { dialect: DIALECT, metered: "no", flag: "ok" } as const;
  return parseEnvelope(reply.body, data, context) ?? null;
}

const count = z.number().optional().catch(undefined);
/** The interface says that there is a `meta`, and shows nothing of it. */
const meta = z
  .looseObject({ page: count, perPage: count, total: count, totalPages: count, lastPage: count })
  .catch({});

function toPages(route: ManagementRoute, given: Given, parts: Parts): Pages<unknown> {
  const { page: first = 1, perPage, signal } = given.options;
  for (const [name, value] of Object.entries({ page: first, perPage })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      throw invalid(name, "expected a whole number of 1 or more");
    }
  }
  return createPages(first, async (page) => {
    const query = new URLSearchParams({
      page: String(page),
      ...(perPage === undefined ? {} : { perPage: String(perPage) }),
    });
    const path = `${given.path}?${query}`;
    const whole = await parts.core.run(() => sendList(route, { path, options: { signal } }, parts));
    return { entries: whole.entries, page, data: whole.meta, ...toCounts(whole, page, perPage) };
  });
}

interface ListAnswer {
  readonly entries: readonly unknown[];
  readonly meta: z.output<typeof meta>;
}

async function sendList(route: ManagementRoute, given: Given, { core, retrier }: Parts): Promise<ListAnswer> {
  const { signal } = given.options;
  const { timeoutMs } = core.config;
  const path = `/api/v1${given.path}`;
  const reply = await retrier.run(
    () => core.exchange({ method: "GET", path, body: undefined, free: true, timeoutMs, signal }),
    { repeatable: true, signal },
  );
  const schema = z.object({ ok: z.literal(true), data: z.array(route.data), meta });
  const context = { dialect: DIALECT, metered: "no", flag: null } as const;
  const answer = parseEnvelope(reply.body, schema, context);
  return { entries: answer.data, meta: answer.meta };
}

/** Without a count, a full page may have another behind it, and any other is the last. */
function toCounts({ entries, meta: told }: ListAnswer, page: number, perPage: number | undefined) {
  const size = told.perPage ?? perPage ?? entries.length;
  const counted = told.total === undefined || size === 0 ? undefined : Math.ceil(told.total / size);
  const guessed = entries.length > 0 && entries.length >= size ? page + 1 : page;
  const totalPages = told.totalPages ?? told.lastPage ?? counted ?? guessed;
  return { totalPages, total: told.total ?? (page - 1) * size + entries.length };
}

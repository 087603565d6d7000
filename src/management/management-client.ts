import { z } from "zod";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { fillPath, parseEnvelope, parseInput, toInputError } from "../service/checked-data.ts";
import type { ServiceClientOptions } from "../service/client-options.ts";
import { createHttpCore, type HttpCore } from "../service/http-core.ts";
import { createPages, type Pages } from "../service/pages.ts";
import type { RateLimit } from "../service/rate-limit.ts";
import { createPlatformDialect } from "../service/platform-dialect.ts";
import { CLIENT_OPTIONS, createRetrier, type Retrier, type RetryOptions } from "../service/retrying.ts";
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
  /** What the last answer said of the token's rate limit; undefined before the first, and if it said nothing. */
  readonly rateLimit: RateLimit | undefined;
  /** Finish calls under way and release the connections; later calls throw `SHUTTING_DOWN`. */
  close(): Promise<void>;
}

const DIALECT = { ...createPlatformDialect("management service"), keyOption: "token" };

/**
 * Create a client of the management interface. Reads are repeated after temporary failures; every other call is sent
 * once, and repeated only when nothing was sent.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createManagementClient(given: ManagementClientOptions): ManagementClient {
  const options = checkOptions("createManagementClient", given, { ...CLIENT_OPTIONS, token: true });
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
  return {
    ...(Object.fromEntries(groups) as ManagementMethods),
    get rateLimit() {
      return parts.retrier.rateLimit;
    },
    close: () => core.close(),
  };
}

const CALL_OPTIONS: OptionRules<ManagementCallOptions> = { page: true, perPage: true, signal: "signal" };

interface Parts {
  readonly core: HttpCore;
  readonly retrier: Retrier;
}

function toMethod(route: ManagementRoute, parts: Parts): (...args: readonly unknown[]) => unknown {
  const idCount = route.path.split("/:").length - 1;
  return (...args) => {
    const [first, second] = args.slice(idCount);
    const given = (route.body === undefined ? first : second) as ManagementCallOptions | undefined;
    const readCall = () => ({
      path: fillPath(route.path, args),
      options: checkOptions("a call", given, CALL_OPTIONS),
    });
    if (route.kind === "list") return toPages(route, readCall(), parts);
    // An invalid call rejects like any other failed call, and never throws.
    return parts.core.run(async () => {
      const call = readCall();
      const body = route.body && JSON.stringify(parseInput(route.body, first));
      return send(route, { ...call, body }, parts);
    });
  };
}

interface Given {
  readonly path: string;
  readonly body?: string | undefined;
  readonly options: ManagementCallOptions;
}

async function ask(
  { method }: ManagementRoute,
  { path, body, options: { signal } }: Given,
  { core, retrier }: Parts,
): Promise<string> {
  const effect = { free: true, repeatable: method === "GET" };
  const call = { method, path: `/api/v1${path}`, body, ...effect, timeoutMs: core.config.timeoutMs, signal };
  const reply = await retrier.run(() => core.exchange(call), signal);
  return reply.body;
}

async function send(route: ManagementRoute, given: Given, parts: Parts): Promise<unknown> {
  const isRead = route.method === "GET";
  const context = {
    dialect: DIALECT,
    metered: "no",
    repeatable: isRead,
    unshown: !isRead,
    flag: "ok",
  } as const;
  return parseEnvelope(await ask(route, given, parts), route.data, context) ?? null;
}

const count = z.number().optional().catch(undefined);
/** The interface mentions a `meta`, but doesn't show its fields. */
const meta = z
  .looseObject({ page: count, perPage: count, total: count, totalPages: count, lastPage: count })
  .catch({});

function toPages(route: ManagementRoute, given: Given, parts: Parts): Pages<unknown> {
  const { page: first = 1, perPage, signal } = given.options;
  for (const [name, value] of Object.entries({ page: first, perPage })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      throw toInputError([{ path: name, message: "expected a whole number of 1 or more" }]);
    }
  }
  return createPages(first, async (page) => {
    const query = new URLSearchParams({
      page: String(page),
      ...(perPage === undefined ? {} : { perPage: String(perPage) }),
    });
    const path = `${given.path}?${query}`;
    const whole = await parts.core.run(() => sendList(route, { path, options: { signal } }, parts));
    return {
      entries: whole.entries,
      unreadable: 0,
      page,
      data: whole.meta,
      ...toCounts(whole, page, perPage),
    };
  });
}

interface ListAnswer {
  readonly entries: readonly unknown[];
  readonly meta: z.output<typeof meta>;
}

async function sendList(route: ManagementRoute, given: Given, parts: Parts): Promise<ListAnswer> {
  const schema = z.object({ ok: z.literal(true), data: z.array(route.data), meta });
  const context = { dialect: DIALECT, metered: "no", repeatable: true, flag: null } as const;
  const answer = parseEnvelope(await ask(route, given, parts), schema, context);
  return { entries: answer.data, meta: answer.meta };
}

/** Without a count, a full page may be followed by another, and any other page is the last. */
function toCounts({ entries, meta }: ListAnswer, page: number, perPage: number | undefined) {
  const size = meta.perPage ?? perPage ?? entries.length;
  const counted = meta.total === undefined || size === 0 ? undefined : Math.ceil(meta.total / size);
  const guessed = entries.length > 0 && entries.length >= size ? page + 1 : page;
  const totalPages = meta.totalPages ?? meta.lastPage ?? counted ?? guessed;
  return { totalPages, total: meta.total ?? (page - 1) * size + entries.length };
}

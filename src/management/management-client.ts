import { z } from "zod";
import { parseJson } from "../base/json.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { isFields } from "../order/complete-order.ts";
import { fillPath, parseEnvelope, parseInput, toInputError } from "../service/checked-data.ts";
import type { ServiceClientOptions } from "../service/client-options.ts";
import {
  CALL_RULES,
  mapAnswer,
  readCallOptions,
  REQUEST_RULES,
  toCall,
  toRequestPath,
  type Answered,
  type Call,
  type CallOptions,
  type RequestMethod,
  type RequestOptions,
} from "../service/call.ts";
import { createHttpCore, type HttpCore } from "../service/http-core.ts";
import { createPages, warnOfUnreadable, type Pages } from "../service/pages.ts";
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
export interface ManagementCallOptions extends CallOptions {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
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
  : Call<z.output<R["data"]>>;

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
  /**
   * Call a route that has no method. `path` is below `/api/v1`. Resolves to the answer's `data`, of an answer with a `meta`, such
   * as a list's, to `{ data, meta }`, and of one without `ok` and `data` to all of it.
   */
  request(method: RequestMethod, path: string, options?: RequestOptions): Call<unknown>;
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
    request: (method, path, given) => toCall(core.run(() => request(parts, method, path, given))),
    get rateLimit() {
      return parts.retrier.rateLimit;
    },
    close: () => core.close(),
  };
}

const CALL_OPTIONS: OptionRules<ManagementCallOptions> = {
  ...CALL_RULES,
  page: true,
  perPage: true,
};

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
      options: readCallOptions(given, CALL_OPTIONS),
    });
    if (route.kind === "list") return toPages(route, readCall(), parts);
    // An invalid call rejects like any other failed call, and never throws.
    return toCall<unknown>(
      parts.core.run(async () => {
        const call = readCall();
        const body = route.body && JSON.stringify(parseInput(route.body, first));
        return send(route, { ...call, body }, parts);
      }),
    );
  };
}

interface Given {
  readonly path: string;
  readonly body?: string | undefined;
  readonly options: ManagementCallOptions;
}

async function ask(
  method: RequestMethod,
  { path, body, options }: Given,
  { core, retrier }: Parts,
): Promise<Answered<string>> {
  const { headers, signal, timeoutMs = core.config.timeoutMs } = options;
  const effect = { free: true, repeatable: method === "GET" };
  const call = { method, path: `/api/v1${path}`, body, ...effect, timeoutMs, headers, signal };
  const reply = await retrier.run((attempt) => core.exchange({ ...call, attempt }), options);
  return { data: reply.body, response: { status: reply.status, headers: reply.headers } };
}

/** What is known of an answer whose call changes something. */
const CONTEXT = { dialect: DIALECT, metered: "no", repeatable: false, unshown: true, flag: "ok" } as const;

async function send(route: Pick<ManagementRoute, "method" | "data">, given: Given, parts: Parts) {
  const isRead = route.method === "GET";
  const context = { ...CONTEXT, repeatable: isRead, unshown: !isRead };
  const answered = await ask(route.method, given, parts);
  return mapAnswer(answered, (body) => parseEnvelope(body, route.data, context) ?? null);
}

/** A call without a method of its own. */
async function request(
  parts: Parts,
  method: RequestMethod,
  given: string,
  options: RequestOptions | undefined,
): Promise<Answered<unknown>> {
  const { body, query, ...rest } = readCallOptions(options, REQUEST_RULES);
  const path = toRequestPath(method, given, query);
  const call = { path, body: body === undefined ? undefined : JSON.stringify(body), options: rest };
  const context = { ...CONTEXT, repeatable: method === "GET" };
  return mapAnswer(await ask(method, call, parts), (text) => {
    const data = parseEnvelope(text, z.unknown(), context) ?? null;
    const whole = parseJson(text);
    return isFields(whole) && whole["ok"] === true && isFields(whole["meta"])
      ? { data, meta: whole["meta"] }
      : data;
  });
}

const count = z.number().optional().catch(undefined);
/** The interface mentions a `meta`, but doesn't show its fields. */
const meta = z
  .looseObject({ page: count, perPage: count, total: count, totalPages: count, lastPage: count })
  .catch({});

function toPages(route: ManagementRoute, given: Given, parts: Parts): Pages<unknown> {
  const { page: first = 1, perPage, ...options } = given.options;
  for (const [name, value] of Object.entries({ page: first, perPage })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      throw toInputError([{ path: name, message: "expected a whole number of 1 or more" }]);
    }
  }
  return createPages(first, (page) => {
    const query = new URLSearchParams({
      page: String(page),
      ...(perPage === undefined ? {} : { perPage: String(perPage) }),
    });
    const path = `${given.path}?${query}`;
    const read = async () => mapAnswer(await sendList(route, { path, options }, parts), toPage);
    const toPage = (whole: ListAnswer) => {
      const entries = whole.all.filter((entry) => entry !== UNREADABLE);
      const unreadable = whole.all.length - entries.length;
      warnOfUnreadable(parts.core.logger, { path: route.path, page, unreadable });
      return { entries, unreadable, page, data: whole.meta, ...toCounts(whole, page, perPage) };
    };
    return toCall(parts.core.run(read));
  });
}

/** Stands for an entry that can't be read. */
const UNREADABLE = Object.freeze({});

interface ListAnswer {
  readonly all: readonly unknown[];
  readonly meta: z.output<typeof meta>;
}

async function sendList(route: ManagementRoute, given: Given, parts: Parts): Promise<Answered<ListAnswer>> {
  const data = z.array(route.data.catch(UNREADABLE));
  const schema = z.object({ ok: z.literal(true), data, meta });
  const context = { dialect: DIALECT, metered: "no", repeatable: true, flag: null } as const;
  return mapAnswer(await ask("GET", given, parts), (body) => {
    const answer = parseEnvelope(body, schema, context);
    return { all: answer.data, meta: answer.meta };
  });
}

/** Without a count, a full page may be followed by another, and any other page is the last. */
function toCounts({ all, meta }: ListAnswer, page: number, perPage: number | undefined) {
  const size = meta.perPage ?? perPage ?? all.length;
  const counted = meta.total === undefined || size === 0 ? undefined : Math.ceil(meta.total / size);
  const guessed = all.length > 0 && all.length >= size ? page + 1 : page;
  const totalPages = meta.totalPages ?? meta.lastPage ?? counted ?? guessed;
  return { totalPages, total: meta.total ?? (page - 1) * size + all.length };
}

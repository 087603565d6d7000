import { z } from "zod";
import { isHoldfastError } from "../base/errors.ts";
import {
  CALL_RULES,
  mapAnswer,
  readCallOptions,
  REQUEST_RULES,
  toCall,
  toRequestPath,
  type Answered,
  type CallOptions,
  type RequestMethod,
  type RequestOptions,
  type ServiceResponse,
} from "../service/call.ts";
import { fillPath, parseEnvelope, parseInput } from "../service/checked-data.ts";
import { FREE_READ, ORGANIZATIONS_PATH, type HttpCore, type ServiceCall } from "../service/http-core.ts";
import { organizationsSchema, type Organization } from "../service/organization.ts";
import { createPages, warnOfUnreadable, type Pages } from "../service/pages.ts";
import { createPlatformDialect } from "../service/platform-dialect.ts";
import type { Retrier } from "../service/retrying.ts";
import type { HttpReply } from "../service/send-once.ts";
import type { BudgetGuard } from "./budget.ts";
import type { CsvDownload } from "./operations/catalog-operations.ts";
import { EMPTY, UNREADABLE, type Operation } from "./operations/operation.ts";
import { toForm, type FormObjects } from "./request-body.ts";

export const CATALOG_DIALECT = createPlatformDialect("catalog service");

/** What every call of a client needs. */
export interface CallParts {
  readonly core: HttpCore;
  readonly retrier: Retrier;
  readonly budget: BudgetGuard;
  readonly uploadTimeoutMs: number;
  readonly formObjects: FormObjects;
}

type AnyMethod = (...args: readonly unknown[]) => unknown;

export function toMethod(
  operation: Operation,
  parts: CallParts,
  onData?: (data: unknown) => void,
): AnyMethod {
  const takesId = operation.path.includes("/:id/");
  return (...args) => {
    const [id, ...rest] = takesId ? args : [undefined, ...args];
    // An operation without fields takes no body.
    const [given = {}, options] = operation.body === EMPTY ? [undefined, ...rest] : rest;
    const check = (): Given => {
      const body = parseInput(operation.body, given);
      const path = fillPath(operation.path, [id]);
      return {
        path,
        body,
        options: readCallOptions(options as CallOptions | undefined, CALL_RULES),
      };
    };
    if (operation.kind === "list") return toPages(operation, check(), parts);
    // An invalid call rejects like any other failed call, and never throws.
    return toCall<unknown>(
      parts.core.run(async () => {
        const call = check();
        if (operation.kind === "download") return download(call, parts);
        const answered = await perform(operation, call, parts);
        onData?.(answered.data);
        return answered;
      }),
    );
  };
}

/** One call of an operation, checked. */
interface Given {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
}

/** A reply's body, with the response it came in. */
function toAnswered<T>({ status, headers, body }: Reply<T>): Answered<T> {
  return { data: body, response: { status, headers } };
}

interface Reply<T> extends ServiceResponse {
  readonly body: T;
}

/** The organizations that the key reaches, which no organization is needed for. */
export async function readOrganizations(
  { core, retrier }: CallParts,
  given: CallOptions | undefined,
): Promise<Answered<readonly Organization[]>> {
  const options = readCallOptions(given, CALL_RULES);
  const { headers, signal, timeoutMs = core.config.timeoutMs } = options;
  const call = { method: "GET", path: ORGANIZATIONS_PATH, body: undefined, ...FREE_READ } as const;
  const reply = await retrier.run(
    (attempt) => core.exchange({ ...call, timeoutMs, headers, signal, attempt }),
    options,
  );
  const context = { dialect: CATALOG_DIALECT, metered: "no", repeatable: true } as const;
  return mapAnswer(
    toAnswered(reply),
    (body) => parseEnvelope(body, organizationsSchema, context).organizations,
  );
}

/** A call without a method of its own. */
export async function request(
  parts: CallParts,
  method: RequestMethod,
  path: string,
  given: RequestOptions | undefined,
): Promise<Answered<unknown>> {
  const { body, query, ...options } = readCallOptions(given, REQUEST_RULES);
  const repeatable = method === "GET";
  // An operation without fields takes an empty object.
  const sent = repeatable ? undefined : JSON.stringify(body ?? {});
  const call = { method, path: toRequestPath(method, path, query), free: false, repeatable };
  const reply = await ask({ ...call, toBody: () => ({ body: sent }) }, options, parts);
  const context = {
    dialect: CATALOG_DIALECT,
    metered: "unknown",
    repeatable,
    unshown: true,
  } as const;
  return mapAnswer(toAnswered(reply), (text) => parseEnvelope(text, z.unknown(), context) ?? null);
}

async function perform(operation: Operation, given: Given, parts: CallParts): Promise<Answered<unknown>> {
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

/** What one attempt sends; a form is made for each, because its parts are read while they are sent. */
interface Asked extends Pick<ServiceCall, "method" | "path" | "free" | "repeatable" | "accept"> {
  readonly toBody: () => Pick<ServiceCall, "body" | "contentType">;
  /** Default: the client's. */
  readonly timeoutMs?: number | undefined;
}

function ask(asked: Asked, options: CallOptions, parts: CallParts): Promise<HttpReply> {
  return attemptIn(asked, options, parts, (call) => parts.core.exchange(call));
}

/** Make a call in the key's organization, again if it may be repeated. */
function attemptIn<T extends ServiceResponse>(
  { toBody, timeoutMs, ...asked }: Asked,
  options: CallOptions,
  { core, retrier }: CallParts,
  make: (call: ServiceCall) => Promise<T>,
): Promise<T> {
  const limit = options.timeoutMs ?? timeoutMs ?? core.config.timeoutMs;
  return retrier.run(
    (attempt) =>
      inOrganization(core, options.signal, (prefix) => {
        const path = `${prefix}${asked.path}`;
        const { headers, signal } = options;
        return make({ ...asked, ...toBody(), path, timeoutMs: limit, headers, signal, attempt });
      }),
    options,
  );
}

async function send(operation: Operation, { path, body, options }: Given, parts: CallParts) {
  const free = operation.spends === undefined;
  const repeatable = operation.send !== "once";
  const isForm = operation.kind === "form";
  const toBody = () => {
    if (!isForm) return { body: JSON.stringify({ ...body, ...operation.fixed }) };
    const { content, contentType } = toForm(body, parts.formObjects);
    return { body: content, contentType };
  };
  const timeoutMs = isForm ? parts.uploadTimeoutMs : undefined;
  const call = { method: operation.method, path, free, repeatable, timeoutMs, toBody };
  const reply = await ask(call, options, parts);
  const context = {
    dialect: CATALOG_DIALECT,
    metered: free ? "no" : "unknown",
    repeatable,
    unshown: operation.unshown,
    flag: operation.bare === true ? null : "success",
  } as const;
  return mapAnswer(toAnswered(reply), (text) => parseEnvelope(text, operation.data, context));
}

interface ListData {
  readonly pagination: Readonly<Record<"limit" | "total" | "totalPages", number | null>>;
}

function toPages(operation: Operation, given: Given, parts: CallParts): Pages<unknown> {
  const { page: first = 1 } = given.body as { readonly page?: number };
  return createPages(first, (page) =>
    toCall(
      parts.core.run(async () => {
        const body = parseInput(operation.body, { ...given.body, page });
        const answered = await send(operation, { ...given, body }, parts);
        return mapAnswer(answered, (data) => toPage(operation, data as ListData, page, parts));
      }),
    ),
  );
}

function toPage({ items = "", path }: Operation, data: ListData, page: number, { core }: CallParts) {
  const all = (data as unknown as Readonly<Record<string, readonly unknown[]>>)[items] ?? [];
  const entries = all.filter((entry) => entry !== UNREADABLE);
  const unreadable = all.length - entries.length;
  warnOfUnreadable(core.logger, { path, page, unreadable });
  return {
    entries,
    unreadable,
    page,
    ...toCounts(data, all.length, page),
    data: { ...data, [items]: entries },
  };
}

/** Without a count, a full page may be followed by another, and any other page is the last. */
function toCounts({ pagination: { limit, total, totalPages } }: ListData, size: number, page: number) {
  const most = limit ?? size;
  const counted = total === null || most === 0 ? undefined : Math.ceil(total / most);
  const guessed = size > 0 && size >= most ? page + 1 : page;
  return { totalPages: totalPages ?? counted ?? guessed, total: total ?? (page - 1) * most + size };
}

async function download({ path, options }: Given, parts: CallParts): Promise<Answered<CsvDownload>> {
  const asked = { method: "GET", path, accept: "text/csv, */*", ...FREE_READ } as const;
  const toBody = () => ({ body: undefined });
  const reply = await attemptIn({ ...asked, toBody }, options, parts, (call) => parts.core.stream(call));
  return mapAnswer(toAnswered(reply), (body) => ({
    fileName: readFileName(String(reply.headers["content-disposition"] ?? "")),
    body,
  }));
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

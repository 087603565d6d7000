import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { Sender } from "./send-once.ts";

/** The code of a failed `fetch`, which doesn't say why it failed, nor whether anything was sent. */
export const FETCH_FAILED = "FETCH_FAILED";

/**
 * Sends with a `fetch`. The request counts as started before `fetch` is called, so it counts as sent whenever it may have
 * been.
 */
export function createFetchSender(send: typeof fetch): Sender & Pick<Dispatcher, "request"> {
  return {
    dispatch(options, handler) {
      const aborter = new AbortController();
      handler.onRequestStart?.(toController(aborter), undefined);
      void exchange(send, options, aborter, handler);
      return true;
    },
    /** For a body that arrives in parts. */
    async request(options: unknown) {
      const given = options as Dispatcher.DispatchOptions & { readonly signal: AbortSignal | null };
      const { origin, path, method, headers, headersTimeout, bodyTimeout } = given;
      const limit = createLimit();
      const signal = given.signal === null ? limit.signal : AbortSignal.any([given.signal, limit.signal]);
      limit.start(headersTimeout);
      const init = {
        method,
        headers: headers as Record<string, string>,
        redirect: "manual",
        signal,
      } as const;
      const response = await send(`${String(origin)}${path}`, init).catch((cause: unknown) => {
        limit.stop();
        throw toFetchFailure(cause);
      });
      const { "content-encoding": _decoded, ...rest } = Object.fromEntries(response.headers);
      const body = Readable.from(readLimited(response.body, limit, bodyTimeout));
      return {
        statusCode: response.status,
        headers: rest,
        body,
      } as unknown as Dispatcher.ResponseData;
    },
  };
}

/** Ends a request that takes too long, which a `fetch` doesn't do by itself. */
function createLimit() {
  const aborter = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  return {
    signal: aborter.signal,
    start(ms: number | null | undefined): void {
      stop();
      if (ms === null || ms === undefined || ms === 0) return;
      timer = setTimeout(() => aborter.abort(new DOMException("no answer in time", "TimeoutError")), ms);
    },
    stop,
  };
}

/** A body whose parts each have a time limit, not counting the time that its reader takes. */
async function* readLimited(
  body: ReadableStream<Uint8Array> | null,
  limit: ReturnType<typeof createLimit>,
  ms: number | null | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    limit.start(ms);
    for await (const part of body ?? []) {
      limit.stop();
      yield part;
      limit.start(ms);
    }
  } finally {
    limit.stop();
  }
}

/** The platform's `fetch`, where undici doesn't work. It sends and reads whole bodies only. */
export const FETCH_SENDER: Sender = {
  dispatch: (options, handler) => createFetchSender(fetch).dispatch(options, handler),
};

/** The part of undici's controller that is used. */
function toController(aborter: AbortController): Dispatcher.DispatchController {
  const abort = (reason: Error): void => aborter.abort(reason);
  return { abort } as Pick<Dispatcher.DispatchController, "abort"> as Dispatcher.DispatchController;
}

async function exchange(
  send: typeof fetch,
  { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
  aborter: AbortController,
  handler: Dispatcher.DispatchHandler,
): Promise<void> {
  const controller = toController(aborter);
  try {
    // A body in parts is collected: not every `fetch` can send a stream.
    const whole = typeof body === "object" && body !== null ? await collect(body) : (body as string | null);
    const response = await send(`${String(origin)}${path}`, {
      method,
      headers: headers as Record<string, string>,
      body: whole,
      redirect: "manual",
      signal: aborter.signal,
    });
    // `fetch` has decoded the body.
    const { "content-encoding": _decoded, ...rest } = Object.fromEntries(response.headers);
    handler.onResponseStart?.(controller, response.status, rest, response.statusText);
    for await (const chunk of response.body ?? []) handler.onResponseData?.(controller, Buffer.from(chunk));
    handler.onResponseEnd?.(controller, {});
  } catch (error) {
    handler.onResponseError?.(controller, toFetchFailure(error));
  }
}

async function collect(parts: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const found: Uint8Array[] = [];
  for await (const part of parts as AsyncIterable<Uint8Array>) found.push(part);
  return new Uint8Array(Buffer.concat(found));
}

function toFetchFailure(cause: unknown): Error {
  return Object.assign(new Error("fetch failed", { cause }), { code: FETCH_FAILED });
}

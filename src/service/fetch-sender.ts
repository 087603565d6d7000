import type { Dispatcher } from "undici";
import type { Sender } from "./send-once.ts";

/** The code of a failed `fetch`, which doesn't say why it failed, nor whether anything was sent. */
export const FETCH_FAILED = "FETCH_FAILED";

/**
 * Sends with the platform's `fetch`, where undici doesn't work. The request counts as started before `fetch` is called, so
 * it counts as sent whenever it may have been. Its body is a text.
 */
export const FETCH_SENDER: Sender = {
  dispatch(options, handler) {
    const aborter = new AbortController();
    handler.onRequestStart?.(toController(aborter), undefined);
    void exchange(options, aborter, handler);
    return true;
  },
};

/** The part of undici's controller that is used. */
function toController(aborter: AbortController): Dispatcher.DispatchController {
  const abort = (reason: Error): void => aborter.abort(reason);
  return { abort } as Pick<Dispatcher.DispatchController, "abort"> as Dispatcher.DispatchController;
}

async function exchange(
  { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
  aborter: AbortController,
  handler: Dispatcher.DispatchHandler,
): Promise<void> {
  const controller = toController(aborter);
  try {
    const response = await fetch(`${String(origin)}${path}`, {
      method,
      headers: headers as Record<string, string>,
      body: body as string | null,
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

function toFetchFailure(cause: unknown): Error {
  return Object.assign(new Error("fetch failed", { cause }), { code: FETCH_FAILED });
}

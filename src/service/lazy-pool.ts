import type { Dispatcher, Pool } from "undici";

/** The part of undici's `Dispatcher` that the client uses. */
export type RequestSender = Pick<Dispatcher, "dispatch"> & {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
};

/** A pool whose requests wait until undici is loaded. */
export type LazyPool = RequestSender & { destroy(): Promise<void> };

/**
 * A pool of undici that is loaded in the background: undici and Node's HTTP take as long to load as all the rest of the library.
 * Requests wait for it within their own time limit.
 */
export function createLazyPool(origin: string, options: Pool.Options): LazyPool {
  const loading = import("undici").then((undici) => new undici.Pool(origin, options));
  // Each request reports it.
  loading.catch(() => undefined);
  return {
    dispatch(request, handler) {
      loading
        .then((pool) => pool.dispatch(request, handler))
        .catch((error: unknown) => {
          const controller = null as unknown as Dispatcher.DispatchController;
          handler.onResponseError?.(controller, error instanceof Error ? error : new Error(String(error)));
        });
      return true;
    },
    request: async (request) => (await loading).request(request),
    async destroy() {
      await (await loading.catch(() => undefined))?.destroy();
    },
  };
}

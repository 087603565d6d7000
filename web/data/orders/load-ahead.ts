import { call } from "../api/api.ts";
import { countClearings, findKept, keep, toLoadKey } from "../api/kept.ts";

/** What an order's first screen needs. Its state on the platform isn't among it: that would be a call of the platform. */
const FIRST_SCREEN = ["GET /orders/:orderId", "GET /orders/:orderId/linked"] as const;

/**
 * Load the next order before somebody looks at it, so that it's shown at once and then only confirmed. The server notes that
 * it was loaded ahead; the request that confirms it notes that it was viewed.
 */
export async function loadOrderAhead(orderId: string, signal: AbortSignal): Promise<void> {
  const params = { orderId };
  const before = countClearings();
  for (const route of FIRST_SCREEN) {
    const key = toLoadKey(route, { params });
    if (findKept(key) !== undefined) continue;
    try {
      const { data, etag } = await call(route, { params, query: { ahead: "true" }, signal });
      if (signal.aborted || countClearings() !== before) return;
      keep(key, { data, etag });
    } catch {
      // It's loaded when it's shown, and that reports why it fails.
      return;
    }
  }
}

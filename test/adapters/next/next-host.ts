import { verifyOrder } from "../../../adapters/next/index.ts";
import { createWebHost } from "../fetch/fetch-host.ts";

/** A route handler as Next calls it. The real Next runs in test/hosts. */
export const NEXT_HOST = createWebHost(
  "a route handler of Next",
  ({ screener, waitUntil: _none, ...options }, handler) => {
    const on = () => () => undefined;
    const POST = verifyOrder({ ...options, screener: { check: screener.check.bind(screener), on } }, handler);
    return (request) => POST(request, { params: Promise.resolve({}) });
  },
);

import { onTestFinished } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
  type SandboxServiceOptions,
} from "../../src/sandbox/sandbox-service.ts";
import { orderWith, PLAIN_ORDER } from "../engine/sample-order.ts";

/** Starts a service that ends with the test. */
export async function start(
  options?: SandboxServiceOptions,
): Promise<{ service: SandboxService; base: URL }> {
  const service = createSandboxService(options);
  onTestFinished(() => service.close());
  return { service, base: await service.listen() };
}

/** The headers of a caller with the sandbox's own key. */
export const KEY = { "x-api-key": SANDBOX_API_KEY };

/** What a call sends in place of the plain order. */
export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly organization?: string;
  readonly signal?: AbortSignal;
}

/** Checks an order. */
export function verify(
  base: URL,
  { body = PLAIN_ORDER, headers = KEY, organization = "sandbox", signal }: Sent = {},
): Promise<Response> {
  return fetch(new URL(`/api/${organization}/order-verification`, base), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    redirect: "manual",
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The plain order with another email address. */
export const withEmail = (customerEmail: string): Sent => ({ body: orderWith({ customerEmail }) });

import { toConfigError } from "./errors.ts";

/**
 * Whether this is Cloudflare Workers. There, a socket, a stream, a timer and a pending promise belong to the request that
 * made them: they end with it, and another request that uses them fails.
 */
export function isCloudflare(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return navigator?.userAgent === "Cloudflare-Workers";
}

interface WorkersModule {
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/**
 * Let the current request's work go on when its response is sent or its client has hung up, for as long as Cloudflare allows (30
 * seconds). Elsewhere, work goes on by itself.
 */
export function keepRequestAlive(work: Promise<unknown>): void {
  if (!isCloudflare()) return;
  // Not an import: bundlers for other runtimes don't know the module.
  const workers: WorkersModule | undefined = process.getBuiltinModule("cloudflare:workers");
  workers?.waitUntil?.(work);
}

/**
 * Refuse what can't work there.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` on Cloudflare Workers. The message names `what`.
 */
export function refuseOnCloudflare(what: string): void {
  if (isCloudflare()) throw toConfigError(`${what} can't be used on Cloudflare Workers`);
}

import { isCloudflare } from "./cloudflare.ts";

/**
 * Makes a value once, and keeps it. Who asks while it's being made shares the work, except on Cloudflare, where a request
 * can't wait for another's: each one makes it then, and the first one made is kept. After a failure, the next call tries
 * again.
 */
export function createSharedWork<T>(make: () => Promise<T>) {
  let shared: Promise<T> | undefined;
  let kept: { readonly value: T } | undefined;

  async function makeAlone(): Promise<T> {
    if (kept !== undefined) return kept.value;
    const value = await make();
    return (kept ??= { value }).value;
  }

  return {
    get(): Promise<T> {
      if (isCloudflare()) return makeAlone();
      shared ??= make().catch((error: unknown) => {
        shared = undefined;
        throw error;
      });
      return shared;
    },
    /** Make it again the next time, because it turned out to be wrong. */
    forget: (): void => {
      shared = undefined;
      kept = undefined;
    },
  };
}
